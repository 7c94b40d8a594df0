import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookPayload } from '../payments/webhook/payload.ts';
import { withoutPersonalData } from '../spec/masking.ts';
import { hasLongList, stripInSlices, writeInSlices } from './prepareDispatch.ts';

const listOf = <One>(length: number, of: (at: number) => One): One[] => Array.from({ length }, (_, at) => of(at));
const items = (length: number) =>
  listOf(length, (at) => ({ name: `item ${at}`, recipient: { name: 'Ann' }, giftMessage: 'hello', tax: { rate: '7' } }));
const messageOf = (payload: Record<string, unknown>): WebhookPayload => ({ type: 'PAYMENT', payload });

const cases: readonly [what: string, payload: Record<string, unknown>, isLong: boolean][] = [
  ['a cart of a thousand items', { id: '1', customer: { name: 'Ann' }, cart: { items: items(1_001), total: '7' } }, true],
  ['a list whose last slice is short', { cart: { items: items(51) } }, true],
  ['a list of one slice', { cart: { items: items(50) } }, false],
  [
    'a long list of other means of payment',
    { cart: { items: items(60), payments: listOf(60, () => ({ brand: 'VISA' })) } },
    true,
  ],
  ['a long list within personal data', { customer: { visits: listOf(60, (at) => ({ at })) }, id: '1' }, true],
  [
    'a list of texts, an empty cart and nothing',
    { tags: { all: listOf(60, String) }, cart: {}, risk: null, list: listOf(60, String) },
    true,
  ],
];
for (const [what, payload, isLong] of cases) {
  test(`${what}: stripped in slices as in one go, ${isLong ? 'with' : 'without'} a rest`, async () => {
    const message = messageOf(payload);
    const before = JSON.stringify(message);
    let rests = 0;
    const stripped = await stripInSlices(message, async () => {
      rests += 1;
    });
    assert.equal(JSON.stringify(stripped), JSON.stringify(withoutPersonalData(message)));
    assert.equal(JSON.stringify(message), before, 'the payload itself stays');
    assert.equal(hasLongList(message), isLong);
    if (!isLong) assert.equal(rests, 0);
  });
}

const written: readonly WebhookPayload[] = [
  ...cases.map(([, payload]) => messageOf(payload)),
  {
    type: 'REGISTRATION',
    action: 'CREATED',
    payload: { risk: undefined, cart: { none: undefined, items: [...items(60), undefined] } },
  },
  messageOf({}),
];
for (const [at, message] of written.entries()) {
  test(`message ${at} is written in slices as in one go`, async () => {
    let rests = 0;
    const text = await writeInSlices(message, async () => {
      rests += 1;
    });
    assert.equal(text, JSON.stringify(message));
    assert.equal(rests > 0, hasLongList(message));
  });
}

test('a thousand items have a rest before every fifty', async () => {
  let rests = 0;
  await stripInSlices(messageOf({ cart: { items: items(1_001) } }), async () => {
    rests += 1;
  });
  assert.equal(rests, 21);
});
