import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInspected } from '../../src/http/inspector/maskCall.ts';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { parameters } from '../../src/spec/parameters.ts';
import type { Row } from '../../src/spec/row.ts';
import { CARD, createClient, DEMO } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Unique secrets in every place: nothing of them may be among the recorded calls, or in the log. */
const PAN = '4929127482910388';
const IBAN = 'DE89370400440532013000';
const CVV = '917';
const secret = (name: string): string => `canary-${name.replace(/\W/g, '-')}-77310955`;
const secretNames = Object.entries<Row<unknown>>(parameters)
  .filter(([, row]) => row.secret !== undefined)
  .map(([name]) => name.replaceAll('[n]', '[0]').replace(/\[[a-z]+\]/i, '[canary]'));

/** Parts of a test token that a request carries and that must not be readable again. */
const PASSWORD = 'sandbox-demo';

function needles(): readonly string[] {
  return [PAN, '4929 1274 8291 0388', IBAN, `"${CVV}"`, DEMO.token, PASSWORD, 'canary-'];
}

async function everything(gateway: TestGateway): Promise<void> {
  const { pay, send } = createClient(gateway.url);
  await pay({ 'card.number': PAN, 'card.cvv': CVV, createRegistration: 'true' });
  await pay({ 'card.number': `${PAN.slice(0, -1)}1`, 'card.cvv': CVV });
  await pay({ 'card.nunber': PAN, 'card.cvv2': CVV, number: PAN });
  await pay({ merchantMemo: 'card 4929 1274 8291 0388 of Ann', merchantInvoiceId: IBAN, descriptor: `account ${IBAN}` });
  for (const name of secretNames) await pay({ [name]: secret(name), merchantMemo: `x ${secret(name)} x` });
  for (const row of Object.keys(parameters)) {
    const name = row.replaceAll('[n]', '[0]').replace(/\[[a-z]+\]/i, '[other]');
    if (name !== 'entityId') await pay({ 'card.number': PAN, 'card.cvv': CVV, [name]: PAN });
  }
  const older = { 'authentication.userId': '5eed00000000000000000000000000a1', 'authentication.password': PASSWORD };
  await send(
    'POST',
    '/v1/payments',
    { ...CARD, ...older, amount: '1.00', currency: 'EUR', paymentType: 'DB' },
    { authorization: '' },
  );
  const checkout = await send('POST', '/v1/checkouts', { amount: '5.00', currency: 'EUR', paymentType: 'DB' });
  const form = new URLSearchParams({ 'card.number': PAN, 'card.cvv': CVV, sealed: secret('sealed'), paymentBrand: 'VISA' });
  await fetch(`${gateway.url}/v1/checkouts/${checkout.id}/payment`, { method: 'POST', body: form, redirect: 'manual' });
}

/** In unexpected places: addresses, headers, names, bodies of another media type. */
async function sayItWrong(gateway: TestGateway): Promise<void> {
  const authorization = `Bearer ${DEMO.token}`;
  const entity = `entityId=${DEMO.entityId}`;
  const kept = (Object.keys(endpoints) as EndpointName[]).filter(isInspected);
  const bodies: readonly [type: string, body: string][] = [
    ['application/json', `{"entityId":"${DEMO.entityId}","number":"${PAN}"}`],
    ['text/plain', PAN],
    ['application/x-www-form-urlencoded', `${entity}&${PAN}=1&card.number=${PAN}&card.number=${PAN}&a%20${IBAN}=${CVV}`],
    ['application/x-www-form-urlencoded', `${entity}&card.number=%ff${PAN}&merchantMemo=${PAN}&customParameters[${PAN}]=${PAN}`],
  ];
  for (const name of kept) {
    const { method, path } = endpoints[name];
    const url = `${gateway.url}${path.replace('{id}', PAN)}?${entity}&card.number=${PAN}&x=${PAN}`;
    const headers = { authorization, 'idempotency-key': PAN, 'user-agent': PAN, referer: `http://x/${PAN}` };
    const [type, body] = bodies[kept.indexOf(name) % bodies.length] ?? ['', ''];
    const sent = method === 'POST' ? { body, headers: { ...headers, 'content-type': type } } : { headers };
    await fetch(url, { method, redirect: 'manual', ...sent });
  }
  for (const [type, body] of bodies) {
    const headers = { authorization, 'content-type': type };
    await fetch(`${gateway.url}/v1/payments?${entity}`, { method: 'POST', headers, body });
  }
}

test('no secret of any call is kept for the inspector or logged', async () => {
  const gateway = await startGateway();
  try {
    await everything(gateway);
    await sayItWrong(gateway);
    await gateway.work('save inspected requests');
    const { calls } = gateway.services.developer;
    const kept = await calls.calls({ merchants: { is: 'merchant', merchantId: DEMO.merchantId }, limit: 100_000 });
    assert.ok(kept.length > secretNames.length + Object.keys(parameters).length, `only ${kept.length} calls were kept`);
    const text = kept.map((call) => JSON.stringify(call)).join('\n');
    const found = needles().filter((needle) => text.includes(needle));
    assert.deepEqual(
      found.map((needle) => [needle, kept.find((call) => JSON.stringify(call).includes(needle))?.path]),
      [],
    );
    const lines = gateway.lines.join('\n');
    assert.deepEqual(
      needles().filter((needle) => lines.includes(needle)),
      [],
      'in the log',
    );
    assert.ok(text.includes('492912***0388'), 'what may be shown is shown');
  } finally {
    await gateway.close();
  }
});
