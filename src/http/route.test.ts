import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sized } from '../../test/long.ts';
import { endpoints } from '../spec/endpoints.ts';
import { createRouteTree, route, routeAt } from './route.ts';

const cases: [line: string, expected: string][] = [
  ['POST /v1/payments', 'pay'],
  ['POST /v1/payments/', 'pay'],
  ['POST //v1/payments', 'pay'],
  ['POST /v1//payments', 'pay'],
  ['POST //v1//payments/', 'pay'],
  ['POST //v1//payments//', 'nowhere'],
  ['POST ///v1/payments', 'nowhere'],
  ['POST /v1///payments', 'nowhere'],
  ['POST //v1', 'nowhere'],
  ['POST /v1/payments?entityId=1', 'pay ?entityId=1'],
  ['POST http://pay.example:8080/v1/payments', 'pay'],
  ['POST /v1/payments/abc', 'refer abc'],
  ['POST /v1/payments/abc/', 'refer abc'],
  ['POST /v1/payments//abc', 'nowhere'],
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
  ['GET //checkouts/AB.n-1/registration/', 'readCheckoutRegistration AB.n-1'],
  ['GET //reports/v1/reconiliations/aggregrations', 'reportAggregations'],
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
  ['with two slashes', 'backOffice', 'GET', '//admin/v1/webhooks?x', 'nowhere'],
  ['nor is a page there', 'backOffice', 'GET', '//payments', 'nowhere'],
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

/** Ways to write a path that some server takes for the same one. */
const disguises: readonly ((path: string, at: number) => string)[] = [
  (path, at) => path.slice(0, at) + path.slice(at).replace('/', '//'),
  (path, at) => path.slice(0, at) + path.slice(at).replace('/', '///'),
  (path, at) => path.slice(0, at) + path.slice(at).replace('/', '/./'),
  (path, at) => path.slice(0, at) + path.slice(at).replace('/', '/x/../'),
  (path, at) => path.slice(0, at) + path.slice(at).replace('/', '/%2e%2e/'),
  (path, at) => path.slice(0, at) + path.slice(at).replace('/', '\\'),
  (path, at) => path.slice(0, at) + path.slice(at).replace('/', '/\\'),
  (path, at) => path.slice(0, at) + path.slice(at).replace('/', '%2f'),
  (path, at) => path.slice(0, at) + path.slice(at).replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path, at) => path.slice(0, at) + path.slice(at).replace(/[a-z]/, (letter) => letter.toUpperCase()),
  (path, at) => path.slice(0, at) + path.slice(at).replace(/[a-z](?=\/|$)/, (letter) => `${letter};x=1`),
  (path, at) => path.slice(0, at) + path.slice(at).replace(/[a-z](?=\/|$)/, (letter) => `${letter}.`),
  (path, at) => path.slice(0, at) + path.slice(at).replace(/[a-z](?=\/|$)/, (letter) => `${letter}%00`),
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}#x`,
  (path) => `${path}?x=//admin/`,
  (path) => `http://pay.example${path}`,
  (path) => `http://pay.example/${path}`,
  (path) => `http://${path}`,
  (path) => `http:/${path}`,
  (path) => `http://pay.example#${path}`,
  (path) => `http://pay.example\\${path}`,
  (path) => `http://pay.example?${path}`,
];

/** The first segment of a path as a proxy sees it that changes nothing: what its rules by prefix are about. */
const prefixSeen = (target: string): string => {
  const [whole = ''] = target.split('?', 1);
  const path = whole.startsWith('/') ? whole : whole.slice(Math.max(0, whole.indexOf('/', 'https://'.length)));
  return path.split('/')[1] ?? '';
};

test('what a proxy would not take for a path under /admin, /metrics or /health is none', () => {
  const found = { disguised: 0, plain: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(endpoints).filter(({ path }) => path !== '/{page}')),
      fc.array(fc.tuple(fc.constantFrom(...disguises), fc.nat(40)), { maxLength: 3 }),
      fc.constantFrom('gateway' as const, 'backOffice' as const),
      ({ method, path }, ways, side) => {
        const written = path.replaceAll(/\{\w+\}/g, 'f'.repeat(32));
        const target = ways.reduce((text, [disguise, at]) => disguise(text, at % text.length), written);
        const routed = routeAt(side, method, target);
        if (routed.is !== 'found' || routed.endpoint === 'backOffice') return;
        found[ways.length > 0 ? 'disguised' : 'plain'] += 1;
        const first = endpoints[routed.endpoint].path.split('/')[1];
        // The one exception: a doubled slash in front of what merchants call.
        const seen = prefixSeen(target);
        if (seen === '' && /^(?:v[0-9]|reports|scheduling)$/.test(first ?? '')) return;
        assert.ok(seen === first || (seen === 'checkouts' && first === 'v1'), `${target} is ${routed.endpoint}`);
      },
    ),
    { numRuns: sized({ quick: 20_000, assure: 300_000, reliability: 2_000_000 }) },
  );
  assert.ok(found.disguised > 1_000 && found.plain > 1_000, JSON.stringify(found));
});

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
