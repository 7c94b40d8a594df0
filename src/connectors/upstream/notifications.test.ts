import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { test } from 'node:test';
import { decryptBody, readWebhook } from './notifications.ts';

const KEY = '000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f';
const [OURS, MERCHANT, THEIRS] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)];

/** Known answer of AES-256-GCM. */
const known = {
  headers: { 'x-initialization-vector': '0'.repeat(24), 'x-authentication-tag': 'CE573FB7A41AB78E743180DC83FF09BD' },
  body: '0A3471C72D9BE49A8520F79C66BBD9A12FF9',
};

test('the known answer, bare and wrapped', () => {
  for (const body of [known.body, known.body.toLowerCase(), `{"encryptedBody":"${known.body}"}`, `${known.body}\n`])
    assert.equal(decryptBody({ headers: known.headers, body: Buffer.from(body) }, KEY), '{"type":"PAYMENT"}');
});

test('whatever was changed does not open', () => {
  const { headers, body } = known;
  const cases: readonly (readonly [Record<string, string>, string, string])[] = [
    [headers, body.replace('0A', '0B'), KEY],
    [headers, body.slice(2), KEY],
    [headers, `${body}0`, KEY],
    [headers, '', KEY],
    [headers, '{"encryptedBody":17}', KEY],
    [headers, '{"encryptedBody":', KEY],
    [headers, body, KEY.replace('01', '02')],
    [{ ...headers, 'x-authentication-tag': headers['x-authentication-tag'].slice(0, 8) }, body, KEY],
    [{ ...headers, 'x-initialization-vector': '1'.repeat(24) }, body, KEY],
    [{}, body, KEY],
  ];
  for (const [heads, text, key] of cases) assert.equal(decryptBody({ headers: heads, body: Buffer.from(text) }, key), null);
});

function sealed(json: unknown, key = KEY) {
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), Buffer.alloc(12, 1), { authTagLength: 16 });
  const body = Buffer.concat([cipher.update(JSON.stringify(json)), cipher.final()]).toString('hex');
  const headers = {
    'x-initialization-vector': Buffer.alloc(12, 1).toString('hex'),
    'x-authentication-tag': cipher.getAuthTag().toString('hex'),
  };
  return { headers, body: Buffer.from(body), receivedAt: 0 };
}

const NEW_KEY = 'f'.repeat(64);
const read = (json: unknown, key = KEY) =>
  readWebhook(
    {
      keys: async () => [NEW_KEY, KEY],
      search: { read: async (id) => (id === THEIRS ? { id, customParameters: { SHOPPER_turnpike: MERCHANT } } : null) },
    },
    sealed(json, key),
  );

const payload = (fields: object) => ({
  id: THEIRS,
  paymentType: 'DB',
  amount: '92.00',
  merchantTransactionId: OURS,
  customParameters: { SHOPPER_turnpike: MERCHANT },
  result: { code: '000.100.110' },
  ...fields,
});

const about = { merchantId: MERCHANT, paymentId: OURS };

test('what a webhook says', async () => {
  const cases: readonly (readonly [what: string, message: unknown, event: string | null, about: unknown])[] = [
    ['an approval', { type: 'PAYMENT', payload: payload({}) }, 'approved', about],
    ['a decline', { type: 'PAYMENT', payload: payload({ result: { code: '800.100.155' } }) }, 'declined', about],
    ['no decision yet', { type: 'PAYMENT', payload: payload({ result: { code: '000.200.000' } }) }, 'kept', about],
    ['a platform in doubt', { type: 'PAYMENT', payload: payload({ result: { code: '900.100.300' } }) }, 'kept', about],
    ['stored details', { type: 'REGISTRATION', payload: payload({ paymentType: undefined }) }, 'inquire', about],
    ['a payment of others', { type: 'PAYMENT', payload: payload({ merchantTransactionId: 'order-17' }) }, 'approved', null],
    ['an undoing', { type: 'PAYMENT', payload: payload({ merchantTransactionId: `${OURS}-undo` }) }, 'approved', null],
    ['another merchant field', { type: 'PAYMENT', payload: payload({ customParameters: {} }) }, 'approved', null],
    [
      'a chargeback, which has no custom parameters',
      {
        type: 'PAYMENT',
        payload: payload({
          id: 'd'.repeat(32),
          paymentType: 'CB',
          referencedId: THEIRS,
          customParameters: undefined,
          result: { code: '000.100.203' },
        }),
      },
      'chargeback',
      { ...about, reference: THEIRS },
    ],
    ['the first message', { type: 'test', action: 'webhook activation', payload: {} }, null, null],
    ['a risk check', { type: 'RISK', payload: payload({}) }, null, null],
  ];
  for (const [what, message, event, whom] of cases) {
    for (const key of [KEY, NEW_KEY]) {
      const reading = await read(message, key);
      assert.equal(reading.is, 'read', what);
      const [one] = reading.is === 'read' ? reading.notifications : [];
      const is = one?.event.is === 'answer' ? one.event.answer.is : (one?.event.is ?? null);
      assert.deepEqual([is, one?.about ?? null], [event, whom], what);
    }
  }
});

test('an approval claims what the platform says of the payment', async () => {
  for (const [fields, claims] of [
    [{}, { paymentType: 'DB', amount: 9_200n }],
    [
      { amount: '1.00', currency: 'USD' },
      { paymentType: 'DB', amount: 100n, currency: 'USD' },
    ],
    [{ amount: 'much' }, { paymentType: 'DB', amount: -1n }],
    [{ paymentType: 'RV' }, { paymentType: 'RV' }],
    [{ amount: undefined }, { paymentType: 'DB' }],
  ] as const) {
    const reading = await read({ type: 'PAYMENT', payload: payload(fields) });
    const event = reading.is === 'read' ? reading.notifications[0]?.event : undefined;
    assert.deepEqual(event?.is === 'answer' ? event.claims : null, claims);
  }
});

test('what is no message is refused', async () => {
  for (const message of [null, 17, 'PAYMENT', [], {}, { type: 17 }]) assert.equal((await read(message)).is, 'refused');
  assert.equal((await read({ type: 'PAYMENT' }, '1'.repeat(64))).is, 'refused', 'another key');
  const without = { keys: async () => [], search: { read: async () => null } };
  assert.equal((await readWebhook(without, sealed({ type: 'test' }))).is, 'refused', 'no key at all');
});
