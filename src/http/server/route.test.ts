import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../spec/endpoints.ts';
import { createRouteTree, route, routeAt } from './route.ts';

const cases: [line: string, expected: string][] = [
  ['POST /v1/payments', 'pay'],
  ['POST /v1/payments/', 'pay'],
  ['POST //v1//payments//', 'pay'],
  ['POST /v1/payments?entityId=1', 'pay ?entityId=1'],
  ['POST http://pay.example:8080/v1/payments', 'pay'],
  ['POST /v1/payments/abc', 'refer abc'],
  ['POST /v1/payments//abc/', 'refer abc'],
  ['GET /v1/payments/abc?entityId=1&x=/y//z/', 'read abc ?entityId=1&x=/y//z/'],
  ['HEAD /v1/payments/abc', 'read abc'],
  ['GET /v1/payments/__proto__', 'read __proto__'],
  ['GET /v1/resultcodes', 'resultCodes'],
  ['GET /openapi.json', 'openApi'],
  ['GET /docs/', 'docs'],
  ['GET /health/live', 'live'],
  ['GET /health/ready', 'ready'],
  ['GET /metrics', 'metrics'],
  ['POST /v1/checkouts', 'createCheckout'],
  ['POST /checkouts', 'createCheckout'],
  ['POST /v1/checkouts/AB.n-1', 'updateCheckout AB.n-1'],
  ['GET /v1/checkouts/AB.n-1/payment?entityId=1', 'readCheckoutPayment AB.n-1 ?entityId=1'],
  ['POST /checkouts/AB.n-1/payment', 'payCheckout AB.n-1'],
  ['GET //checkouts//AB.n-1/registration/', 'readCheckoutRegistration AB.n-1'],
  ['POST /v1/checkouts/AB.n-1/registration', 'registerCheckout AB.n-1'],
  ['GET /v1/static/b1/js/static.min.js', 'widgetFile'],
  ['GET /v1/static/b1/img/brand.png', 'widgetFile'],
  ['GET /v1/static/paymentWidgets.d.ts', 'widgetTypings'],
  ['GET /v1/paymentWidgets.js?checkoutId=AB.n-1', 'widgetScript ?checkoutId=AB.n-1'],
  ['GET /v1/static/b1/js', 'nowhere'],
  ['GET /v1/checkoutsx', 'nowhere'],
  ['GET /checkout/AB/payment', 'nowhere'],
  ['GET /v1/payments?merchantTransactionId=o', 'findPayments ?merchantTransactionId=o'],
  ['GET /v3/query/abc', 'queryRecord abc'],
  ['GET /v3/query/', 'queryRecords'],
  ['POST /v1/query', 'only GET, HEAD'],
  ['GET /v2/query', 'nowhere'],
  ['DELETE /v1/payments/abc', 'only POST, GET, HEAD'],
  ['PUT /v1/payments', 'only POST, GET, HEAD'],
  ['POST /v1/resultcodes', 'only GET, HEAD'],
  ['post /v1/payments', 'only POST, GET, HEAD'],
  ['GET /', 'nowhere'],
  ['GET /v1', 'nowhere'],
  ['GET /v1/payment/abc', 'nowhere'],
  ['POST /payments', 'nowhere'],
  ['POST /v2/payments', 'nowhere'],
  ['POST /V1/payments', 'nowhere'],
  ['POST /v1/payments/abc/def', 'nowhere'],
  ['GET /v1/payments/../resultcodes', 'nowhere'],
  ['GET /v1/{id}', 'nowhere'],
  // Two paths of the table fit: the first one holds.
  ['POST /admin/v1/scenarios/payments/detach', 'detachScenario'],
  ['GET *', 'nowhere'],
  ['GET __proto__', 'nowhere'],
];
for (const [line, expected] of cases) {
  test(`${line} → ${expected}`, () => {
    const [method = '', target = ''] = line.split(' ');
    const routed = route(method, target);
    const seen = () => {
      if (routed.is === 'nowhere') return 'nowhere';
      if (routed.is === 'otherMethod') return `only ${routed.allowed.join(', ')}`;
      return [routed.endpoint, routed.id, routed.query && `?${routed.query}`].filter(Boolean).join(' ');
    };
    assert.equal(seen(), expected);
  });
}

/** Routes at either port. */
const sides: readonly [what: string, side: 'gateway' | 'backOffice', method: string, target: string, expected: string][] = [
  ['the API serves no pages of the back office', 'gateway', 'GET', '/payments', 'nowhere'],
  ['nor its sign-in', 'gateway', 'POST', '/admin/v1/session', 'nowhere'],
  ['the back office takes no payments', 'backOffice', 'POST', '/v1/payments', 'otherMethod'],
  ['a page is whatever is not the administration', 'backOffice', 'GET', '/v1/payments', 'backOffice'],
  ['nor does it serve metrics', 'backOffice', 'GET', '/metrics', 'backOffice'],
  ['what is not there under /admin is nothing', 'backOffice', 'GET', '/admin/v1/nothing', 'nowhere'],
  ['however it is written', 'backOffice', 'GET', '//admin/v1/nothing?x', 'nowhere'],
  ['both administer', 'gateway', 'GET', '/admin/v1/webhooks', 'listWebhooks'],
  ['both of them', 'backOffice', 'GET', '/admin/v1/webhooks', 'listWebhooks'],
  ['sign-in', 'backOffice', 'POST', '/admin/v1/session', 'signIn'],
];

for (const [what, side, method, target, expected] of sides) {
  test(`${what}: ${method} ${target}`, () => {
    const routed = routeAt(side, method, target);
    assert.equal(routed.is === 'found' ? routed.endpoint : routed.is, expected);
  });
}

for (const [name, { method, path }] of Object.entries(endpoints).filter(([name]) => name !== 'backOffice')) {
  test(`${name} is found where the table says`, () => {
    const routed = route(method, path.replace('{id}', 'f'.repeat(32)));
    assert.equal(routed.is === 'found' && routed.endpoint, name);
  });
}

test('the cost of a lookup does not grow with the number of endpoints', () => {
  const path = ['', 'v1', 'area500', 'f'.repeat(32), 'act'];
  const readsAmong = (count: number): number => {
    const areas = Array.from({ length: count }, (_, at) => `area${1000 + at}`);
    const table = Object.fromEntries(
      [...areas, 'area500'].flatMap((area) => [
        [`${area}list`, { method: 'GET', path: `/v1/${area}` }],
        [`${area}read`, { method: 'GET', path: `/v1/${area}/{id}` }],
        [`${area}act`, { method: 'POST', path: `/v1/${area}/{id}/act` }],
      ]),
    ) as Parameters<typeof createRouteTree>[0];
    const tree = createRouteTree(table);
    let reads = 0;
    const counted = new Proxy(path, {
      get(segments, name) {
        if (/^[0-9]+$/.test(String(name))) reads += 1;
        return Reflect.get(segments, name) as unknown;
      },
    });
    assert.equal(String(tree.find(counted)?.methods.get('POST')), 'area500act');
    return reads;
  };
  assert.equal(readsAmong(2), readsAmong(200));
  assert.ok(readsAmong(200) <= 2 * (path.length + 1), `${readsAmong(200)} segments were read for a path of ${path.length}`);
});
