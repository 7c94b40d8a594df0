import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcquirerAnswer, Connector } from '../../src/payments/ports.ts';
import { passesLuhn } from '../../src/spec/cards/cardRanges.ts';
import type { FarSide } from './connector.ts';
import { exampleRegistration, INITIAL, LATER } from './connectorFixtures.ts';

/** What a connector must keep when instruments are stored and charged again. */

const detailsOf = (answer: AcquirerAnswer) => ('details' in answer ? answer.details : {});

export function seriesContract({ name, supports }: Connector, open: () => FarSide): void {
  const card = supports.CC;
  if (!card) return;

  test(`${name}: the references from the first payment of a series make later ones pass, in any process`, async () => {
    const { connector, attempt } = open();
    const { initialTransactionId } = detailsOf(await connector.send(attempt('approve', {}, { series: INITIAL })));
    assert.ok(initialTransactionId);
    const later = { secrets: { number: '4200000000000000' }, series: { ...LATER, initialTransactionId } };
    assert.equal((await connector.send(attempt('approve', {}, later))).is, 'approved');
    const another = open();
    assert.equal((await another.connector.send(another.attempt('approve', {}, later))).is, 'approved');
  });

  test(`${name}: a merchant-initiated payment without a series is declined, and not booked`, async () => {
    const { connector, attempt, bookings } = open();
    const unfounded = attempt('approve', {}, { series: LATER });
    const answer = await connector.send(unfounded);
    assert.equal(answer.is, 'declined');
    assert.deepEqual(await connector.inquire(unfounded), answer);
    assert.equal(bookings(unfounded.payment), 0);
  });

  if (!card.types.includes('RG')) return;
  test(`${name}: storing a card moves no money, is answered once, and can be declined`, async () => {
    const { connector, attempt, bookings } = open();
    const storing = { paymentType: 'RG', amount: 0n } as const;
    const stored = attempt('approve', storing);
    const answer = await connector.send(stored);
    assert.equal(answer.is, 'approved');
    assert.deepEqual(await connector.send(stored), answer);
    assert.deepEqual(await connector.inquire(stored), answer);
    assert.equal(bookings({ ...stored.payment, amount: 1n }), 0);
    assert.equal((await connector.send(attempt('decline', storing))).is, 'declined');
    const lost = attempt('lose the answer', storing);
    await assert.rejects(connector.send(lost));
    assert.equal((await connector.inquire(lost)).is, 'approved');
    assert.deepEqual(await connector.cancel({ payment: attempt('approve', storing).payment, referenced: null }), {
      is: 'cancelled',
    });
  });
}

export function tokensContract(name: string, open: () => FarSide): void {
  const NUMBER = '4200000000000000';

  /** A far side with a token for its card. */
  async function openToken() {
    const { connector, ...others } = open();
    const { tokens } = connector;
    const token = await tokens?.provide(exampleRegistration(), { number: NUMBER });
    assert.ok(tokens && token);
    return { ...others, connector, tokens, token };
  }

  test(`${name}: a stored card has one token, and it is not the card`, async () => {
    const { tokens, token } = await openToken();
    assert.deepEqual(await tokens.provide(exampleRegistration(), { number: NUMBER }), token);
    assert.notEqual(token.number, NUMBER);
    assert.ok(passesLuhn(token.number));
    assert.match(`${token.expiryMonth}/${token.expiryYear}`, /^(?:0[1-9]|1[0-2])\/20[0-9]{2}$/);
  });

  test(`${name}: a token pays with its cryptogram, booked once, and no answer reveals either`, async () => {
    const { connector, attempt, bookings, tokens, token } = await openToken();
    const cryptogram = await tokens.cryptogram(token);
    assert.notEqual(await tokens.cryptogram(token), cryptogram);
    const paying = attempt('approve', {}, { secrets: { number: NUMBER, networkToken: { ...token, cryptogram } } });
    const answers = [await connector.send(paying), await connector.send(paying), await connector.inquire(paying)];
    assert.deepEqual(
      answers.map(({ is }) => is),
      ['approved', 'approved', 'approved'],
    );
    assert.equal(bookings(paying.payment), 1);
    for (const secret of [NUMBER, token.number, cryptogram]) assert.ok(!JSON.stringify(answers).includes(secret));
  });

  test(`${name}: a token without its cryptogram pays nothing`, async () => {
    const { connector, attempt, bookings, token } = await openToken();
    const forged = { ...token, cryptogram: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' };
    const paying = attempt('approve', {}, { secrets: { number: NUMBER, networkToken: forged } });
    assert.equal((await connector.send(paying)).is, 'declined');
    assert.equal(bookings(paying.payment), 0);
  });
}
