import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createSandboxLookups } from '../../src/risk/lookups/lookups.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { CARD, createClient, DEMO, type Fields, OTHER } from './client.ts';
import { startGateway } from './gateway.ts';

/** A payment is read from the reply that was kept of it. Another node, which kept none, must say the same. */

let familiesRead = 0;
const memory = createMemoryStore();
const store = {
  ...memory,
  family: (merchantId: string, paymentId: string) => {
    familiesRead += 1;
    return memory.family(merchantId, paymentId);
  },
};
const lookups = createSandboxLookups();
const gateway = await startGateway({ store, lookups });
after(() => gateway.close());
const shop = createClient(gateway.url);

/** Reads a payment on a node that has just started. */
async function readElsewhere(id: string): Promise<unknown> {
  const node = await startGateway({ store: { ...memory, close: async () => {} }, lookups });
  try {
    return comparable((await createClient(node.url).read(id)).body);
  } finally {
    await node.close();
  }
}

/** Without the fields that are new in every reply. */
function comparable(body: Readonly<Record<string, unknown>>): unknown {
  const { timestamp, ndc, ...rest } = body;
  assert.match(String(timestamp), /^\d{4}-/);
  assert.match(String(ndc), /-[0-9a-f]{32}$/);
  return { names: Object.keys(body), rest };
}

const payments: Readonly<Record<string, Fields>> = {
  debit: {},
  preauthorization: { paymentType: 'PA' },
  declined: { 'customParameters[SIMULATE]': 'decline' },
  credit: { paymentType: 'CD' },
  'brand detected': { paymentBrand: '' },
  stored: {
    createRegistration: 'true',
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.source': 'CIT',
    'standingInstruction.type': 'UNSCHEDULED',
  },
  'names like those of the reply': {
    'customParameters[timestamp]': '","timestamp":"',
    'customParameters[buildNumber]': ',"buildNumber":"x","ndc":"y"',
    'customer.givenName': 'Ann "}',
    'customer.surname': 'Müller',
  },
  lists: { 'cart.items[0].name': 'Cup', 'cart.items[0].quantity': '1', 'cart.items[0].price': '92.00' },
};

for (const [name, fields] of Object.entries(payments)) {
  test(`a kept reply says what the stored payment says: ${name}`, async () => {
    const made = await shop.pay(fields);
    assert.match(made.id, /^[0-9a-f]{32}$/, JSON.stringify(made.body));
    const earlier = familiesRead;
    const first = await shop.read(made.id);
    const second = await shop.read(made.id);
    const stored = await readElsewhere(made.id);
    assert.deepEqual(comparable(first.body), stored);
    assert.deepEqual(comparable(second.body), stored);
    assert.notEqual(first.body.ndc, second.body.ndc);
    assert.equal(second.headers.get('content-type'), 'application/json;charset=UTF-8');
    assert.equal(familiesRead - earlier, 1, 'the second read finds the reply of the first');
  });
}

test('a reply is kept until its family changes', async () => {
  const { id } = await shop.pay({ paymentType: 'PA' });
  const earlier = familiesRead;
  for (let reads = 0; reads < 3; reads += 1) assert.equal((await shop.read(id)).body.capturedAmount, '0.00');
  assert.equal(familiesRead, earlier + 1, 'the reply to the first read was kept');
  const capture = await shop.capture(id, '40.00');
  assert.equal((await shop.read(id)).body.capturedAmount, '40.00');
  assert.equal((await shop.read(capture.id)).body.remainingAmount, '40.00');
  await shop.refund(capture.id, '15.00');
  assert.equal((await shop.read(capture.id)).body.remainingAmount, '25.00');
  for (const each of [id, capture.id]) assert.deepEqual(comparable((await shop.read(each)).body), await readElsewhere(each));
});

test('a kept reply is shown to the channel and the merchant of its payment alone', async () => {
  const { id } = await shop.pay(CARD);
  assert.equal((await shop.read(id)).status, 200);
  const sibling = createClient(gateway.url, { ...DEMO, entityId: DEMO.lenientId });
  for (const stranger of [sibling, createClient(gateway.url, OTHER)]) {
    const reply = await stranger.read(id);
    assert.deepEqual([reply.status, reply.code], [404, '700.400.580']);
  }
  assert.equal((await createClient(gateway.url, { ...DEMO, entityId: DEMO.merchantId }).read(id)).status, 200);
});
