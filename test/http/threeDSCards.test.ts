import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testCards } from '../../src/spec/cards/testCards.ts';
import { arrive, challenge, codeOn, goBack, isShifted, listenAt } from './cardholder.ts';
import { createClient, SHOPPER } from './client.ts';
import { startGateway } from './gateway.ts';

/** Every card of facts 11.4, paid with from beginning to end. */

const gateway = await startGateway({ patienceMs: 500 });
after(() => gateway.close());
const shop = createClient(gateway.url);
const acquirerAsked = listenAt(gateway);

const PAID = '000.100.110';
const isOfTwo = (brand: string) => ['MASTER', 'MAESTRO', 'UNIONPAY'].includes(brand);
/** Authenticated, attempted, gone on without. */
const indicators = (brand: string) => (isOfTwo(brand) ? (['02', '01', '00'] as const) : (['05', '06', '07'] as const));

const plays: Readonly<Record<string, readonly [code: string, indicator: 0 | 1 | 2 | null, isShifted: boolean]>> = {
  frictionless: [PAID, 0, true],
  challenge: [PAID, 0, true],
  attempt: [PAID, 1, true],
  error: ['100.390.107', null, false],
  notEnrolled: [PAID, 2, false],
  notParticipating: [PAID, 2, false],
  none: [PAID, null, false],
};

test('every kind of card is there', () => {
  assert.deepEqual([...new Set(testCards.map(({ threeDSecure }) => threeDSecure))].sort(), Object.keys(plays).sort());
  assert.ok(testCards.length >= 70, String(testCards.length));
});

for (const { brand, number, threeDSecure, methodData } of testCards) {
  test(`${brand} ${number}: ${threeDSecure}${methodData ? ' after a hidden frame' : ''}`, async () => {
    const [code, at, isProven] = plays[threeDSecure] ?? ['', null, false];
    const answer = await shop.pay({
      paymentBrand: brand,
      'card.number': number,
      'card.cvv': brand === 'AMEX' ? '1234' : '123',
      ...SHOPPER,
      shopperResultUrl: 'https://shop.example/result',
    });
    const isPending = methodData || threeDSecure === 'challenge';
    assert.equal(answer.code === '000.200.000', isPending, JSON.stringify(answer.body));
    if (isPending) assert.equal(answer.body.redirect.preconditions !== undefined, methodData);
    if (threeDSecure === 'challenge') await goBack(await challenge(answer, 'submit', codeOn), answer);
    else if (isPending) await arrive(answer);
    const end = await shop.read(answer.id);
    assert.equal(end.code, code, JSON.stringify(end.body));
    if (at !== null) assert.equal(end.body.threeDSecure.eci, indicators(brand)[at]);
    const asked = acquirerAsked(answer.id);
    assert.equal(asked !== null, code === PAID);
    if (asked) assert.equal(isShifted(asked), isProven);
  });
}
