import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PlainKind } from '../../src/connectors/kind.ts';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { onShopperReturn } from '../../src/payments/callbacks.ts';
import type { AcquirerAnswer, Attempt } from '../../src/payments/ports.ts';
import { sweep } from '../../src/payments/sweep.ts';
import { isResultCode, type ResultCode, resultCodes } from '../../src/spec/resultCodes.ts';
import { kept, send, shopOf } from '../connectors/trialShop.ts';
import { freshShops } from './freshShops.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/**
 * Two equal orders in a row, with the risk checks enforced as in live: the second one goes as the code of the first one and its advice say.
 * The expectations come from the table of result codes alone.
 */

const DUPLICATE = '800.110.100';
const APPROVED = '000.100.112';

const yes: AcquirerAnswer = { is: 'approved', details: {} };

/** An acquirer that says what the test has written down for a card, one answer after the other, and approves from then on. */
const script = new Map<string, AcquirerAnswer[]>();
const asked = new Map<string, number>();

const answerTo = ({ payment: { fingerprint }, secrets: { number = '' } }: Attempt): AcquirerAnswer => {
  asked.set(number, (asked.get(number) ?? 0) + 1);
  assert.notEqual(fingerprint, null);
  return script.get(number)?.shift() ?? yes;
};

const scripted: PlainKind = {
  name: 'scripted',
  modes: ['EXTERNAL'],
  supports: {
    CC: {
      types: ['PA', 'DB', 'RV', 'RF'],
      partialCapture: true,
      multipleCaptures: true,
      redirects: false,
      reversal: { until: '23:59', daysLater: { DB: 1 } },
    },
  },
  create: () => ({
    name: 'scripted',
    modes: scripted.modes,
    supports: scripted.supports,
    answerMsMax: 5_000,
    uncertainty: { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true },
    send: async (attempt) => answerTo(attempt),
    // The shopper who was sent to the bank cancels there.
    inquire: async () => ({ is: 'cancelled' }),
    cancel: async () => ({ is: 'cancelled' }),
  }),
};

const { shops, rows } = freshShops(2, { connectors: { default: 'scripted' }, risk: { mode: 'on' } });
const [shop, another] = [shopOf(shops[0]), shopOf(shops[1])];
let gateway: TestGateway;

before(async () => {
  gateway = await startGateway({ rows, isClockHeld: true, isQuiet: true, connectorKinds: new Map([['scripted', scripted]]) });
});
after(async () => {
  kept.destroy();
  await gateway.close();
});

const withLuhn = (front: string): string => {
  let sum = 0;
  for (const [at, digit] of [...front].reverse().entries()) {
    const value = at % 2 === 0 ? 2 * Number(digit) : Number(digit);
    sum += value > 9 ? value - 9 : value;
  }
  return `${front}${(10 - (sum % 10)) % 10}`;
};

let cards = 0;
/** Of a BIN of its own where none is named: the rules against card testing look at BINs. */
const nextCard = (bin?: string): string => {
  cards += 1;
  const digits = String(cards).padStart(5, '0');
  return withLuhn(bin === undefined ? `4${digits}000000000` : `${bin}${digits}0000`.slice(0, 15));
};

const pay = (number: string, fields: Readonly<Record<string, string>> = {}, at = shop) =>
  send(gateway, at, {
    fields: {
      paymentType: 'DB',
      amount: '10.00',
      currency: 'EUR',
      paymentBrand: 'VISA',
      'card.number': number,
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
      'card.cvv': '123',
      'card.holder': 'Jane Jones',
      merchantTransactionId: `order ${number}`,
      ...fields,
    },
  });

/** Something may be booked after it, or certainly is: the second order would be the second booking. */
const mayBeBooked = (code: ResultCode): boolean => {
  const { means, advice } = resultCodes[code];
  if (means !== 'declined' && means !== 'refused') return true;
  // The text of the second one says it: the reversal of a part has failed.
  return advice === 'wait' || code === '000.400.030';
};

const codes = Object.keys(resultCodes).filter(isResultCode);

test('after each code, the same order again is a duplicate where something may be booked, and otherwise is sent', async () => {
  const wrong: string[] = [];
  let duplicates = 0;
  for (const code of codes) {
    const number = nextCard();
    const approves = resultCodes[code].means === 'approved';
    // What is not a code of a decline is no answer: the payment is in doubt.
    const first = approves ? { is: 'approved', code, details: {} } : { is: 'declined', code, details: {} };
    script.set(number, [first as AcquirerAnswer]);
    const one = await pay(number);
    const isAnswer = approves || ['declined', 'refused'].includes(resultCodes[code].means);
    if (isAnswer && one.result.code !== code) wrong.push(`${code}: the first order got ${one.result.code}`);
    const two = await pay(number);
    const expected = mayBeBooked(code) ? DUPLICATE : APPROVED;
    if (expected === DUPLICATE) duplicates += 1;
    if (two.result.code !== expected) wrong.push(`${code} (${resultCodes[code].advice}): the second got ${two.result.code}`);
    const times = expected === DUPLICATE ? 1 : 2;
    if (asked.get(number) !== times) wrong.push(`${code}: the acquirer was asked ${asked.get(number)} times instead of ${times}`);
    // Another order with the same card is none of these.
    const third = await pay(number, { amount: '11.00' });
    if (third.result.code !== APPROVED) wrong.push(`${code}: another order got ${third.result.code}`);
    // The rules about a whole channel are not what is tried here.
    gateway.pass(61_000);
  }
  assert.deepEqual(wrong, []);
  assert.ok(duplicates > 20 && duplicates < codes.length / 2, `${duplicates} duplicates`);
});

test('a shopper who was sent to the bank waits there: the same order again is a duplicate until the shopper has cancelled', async () => {
  const number = nextCard();
  const redirect = { url: 'https://bank.example/pay', method: 'GET', parameters: [] } as const;
  script.set(number, [{ is: 'redirected', redirect, until: gateway.world.clock.now() + 600_000 } as AcquirerAnswer]);
  const { id = '', result } = await pay(number);
  assert.match(result.code, /^000\.200/);
  assert.equal((await pay(number)).result.code, DUPLICATE);
  await onShopperReturn(gateway.world, { merchantId: shop.ownerId, paymentId: id });
  const ended = await gateway.world.store.payment(shop.ownerId, id);
  assert.deepEqual(ended?.phase, { at: 'final', code: '100.396.104' });
  assert.equal((await pay(number)).result.code, APPROVED);
});

test('an order whose outcome is in doubt stands until the acquirer has confirmed that it will not be booked', async () => {
  const number = nextCard();
  script.set(number, [{ is: 'waiting' }]);
  const { result } = await pay(number);
  assert.match(result.code, /^000\.200/);
  assert.equal((await pay(number)).result.code, DUPLICATE);
  gateway.pass(5_000);
  await sweep(gateway.world, { limit: 1_000, merchants: allMerchants });
  assert.equal((await pay(number)).result.code, APPROVED);
});

test('an outage uses up neither the limit of a card nor a merchantTransactionId', async () => {
  const settings = { mode: 'on', limits: { EUR: { cardDayMax: '25.00' } }, uniqueTransactionIds: 'on' };
  const { shops: limited, rows: more } = freshShops(1, { connectors: { default: 'scripted' }, risk: settings });
  const own = await startGateway({ rows: more, isQuiet: true, connectorKinds: new Map([['scripted', scripted]]) });
  const customer = shopOf(limited[0]);
  const number = nextCard();
  const order = (amount: string, merchantTransactionId: string) => ({
    ...({ paymentType: 'DB', currency: 'EUR', paymentBrand: 'VISA', 'card.number': number } as const),
    ...({ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123', 'card.holder': 'Jane Jones' } as const),
    amount,
    merchantTransactionId,
  });
  try {
    script.set(
      number,
      [1, 2, 3].map((): AcquirerAnswer => ({ is: 'declined', code: '900.100.600', details: {} })),
    );
    const found: string[] = [];
    for (let at = 0; at < 3; at += 1)
      found.push((await send(own, customer, { fields: order('20.00', 'order one') })).result.code);
    assert.deepEqual(found, ['900.100.600', '900.100.600', '900.100.600']);
    assert.equal((await send(own, customer, { fields: order('20.00', 'order one') })).result.code, APPROVED);
    assert.equal((await send(own, customer, { fields: order('4.00', 'order one') })).result.code, '800.130.100');
    assert.equal((await send(own, customer, { fields: order('20.00', 'order two') })).result.code, '800.120.201');
  } finally {
    await own.close();
  }
});

const guards: [what: string, code: ResultCode, isBlocked: boolean][] = [
  ['an acquirer that is away', '900.100.600', false],
  ['an account that is wrongly set up', '800.100.190', false],
  ['maintenance', '800.800.801', false],
  ['shoppers who leave', '100.396.101', false],
  ['declines of cards', '800.100.151', true],
];
for (const [what, code, isBlocked] of guards) {
  test(`${what}: after twenty such attempts new cards of the BIN are ${isBlocked ? 'blocked' : 'taken'}`, async () => {
    gateway.pass(3_600_000);
    const bin = `42${String(guards.findIndex(([, one]) => one === code)).padStart(4, '0')}99`;
    for (let at = 0; at < 20; at += 1) {
      const number = nextCard(bin);
      script.set(number, [{ is: 'declined', code, details: {} } as AcquirerAnswer]);
      await pay(number, {}, another);
    }
    const { result } = await pay(nextCard(bin), {}, another);
    assert.equal(result.code, isBlocked ? '800.120.401' : APPROVED);
  });
}

test('a shopper who tries once more in an outage is not taken for one who tries out a card', async () => {
  gateway.pass(3_600_000);
  const number = nextCard();
  script.set(
    number,
    Array.from({ length: 8 }, (): AcquirerAnswer => ({ is: 'declined', code: '900.100.600', details: {} })),
  );
  const fields = { 'customer.ip': '203.0.113.7', 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
  for (let at = 0; at < 8; at += 1) assert.equal((await pay(number, fields)).result.code, '900.100.600');
  assert.equal((await pay(number, fields)).result.code, APPROVED);
});
