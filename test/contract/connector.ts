import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Attempt, Connector } from '../../src/payments/ports.ts';
import { methods } from '../../src/spec/paymentTypes.ts';
import { redirectContract, type Shopper } from './connectorRedirects.ts';
import { seriesContract, tokensContract } from './connectorStored.ts';

/** How a far side can be made to treat an attempt: the contract needs to see each of them. */
export type Treatment = 'approve' | 'decline' | 'lose the answer' | 'lose the request';

/** A connector together with the far side it talks to, so that both can be asked what happened. */
export type FarSide = {
  readonly connector: Connector;
  /** A new attempt that will be treated so. Without a treatment's changes it is an ordinary debit by card. */
  attempt(treatment: Treatment, changes?: Partial<Payment>, others?: Partial<Omit<Attempt, 'payment'>>): Attempt;
  /** How often the far side has booked the payment. */
  bookings(payment: Payment): number;
  /** Of a connector that sends shoppers away. */
  readonly shopper?: Shopper;
};

const SILENCE = { is: 'silence' } as const;

/** The answer, or silence when none comes while the far side does all it can do. */
async function heard(promise: Promise<AcquirerAnswer>): Promise<AcquirerAnswer | typeof SILENCE> {
  const nothing = new Promise<typeof SILENCE>((resolve) => setImmediate(() => setImmediate(() => resolve(SILENCE))));
  return Promise.race([promise.catch(() => SILENCE), nothing]);
}

/** The contract of every connector. Each case opens its own far side. */
export function connectorContract(open: () => FarSide): void {
  const { connector } = open();
  bookingContract(connector.name, open);
  cancellingContract(connector.name, open);
  tableContract(connector, open);
  if (connector.decide) decidingContract(connector.name, open);
  seriesContract(connector, open);
  redirectContract(connector, open);
  if (connector.tokens) tokensContract(connector.name, open);
}

function bookingContract(name: string, open: () => FarSide): void {
  test(`${name}: an approved payment is booked once, however often and however fast it is sent`, async () => {
    const { connector, attempt, bookings } = open();
    const approved = attempt('approve');
    const answers = await Promise.all([connector.send(approved), connector.send(approved), connector.inquire(approved)]);
    const again = await connector.send(approved);
    assert.deepEqual(
      [...answers, again].map(({ is }) => is),
      ['approved', 'approved', 'approved', 'approved'],
    );
    assert.deepEqual(again, answers[0]);
    assert.equal(bookings(approved.payment), 1);
  });

  test(`${name}: a declined payment is not booked, and stays declined`, async () => {
    const { connector, attempt, bookings } = open();
    const declined = attempt('decline');
    const answer = await connector.send(declined);
    assert.equal(answer.is, 'declined');
    assert.deepEqual(await connector.inquire(declined), answer);
    assert.deepEqual(await connector.send(declined), answer);
    assert.deepEqual(await connector.cancel(declined), answer);
    assert.equal(bookings(declined.payment), 0);
  });

  test(`${name}: after silence an inquiry finds the booking`, async () => {
    const { connector, attempt, bookings } = open();
    const lost = attempt('lose the answer');
    assert.deepEqual(await heard(connector.send(lost)), SILENCE);
    assert.equal(bookings(lost.payment), 1);
    assert.equal((await connector.inquire(lost)).is, 'approved');
    await heard(connector.send(lost));
    assert.equal(bookings(lost.payment), 1);
  });
}

function cancellingContract(name: string, open: () => FarSide): void {
  test(`${name}: a payment that never arrived is absent, and cancelled for good`, async () => {
    const { connector, attempt, bookings } = open();
    const lost = attempt('lose the request');
    assert.deepEqual(await heard(connector.send(lost)), SILENCE);
    assert.deepEqual(await connector.inquire(lost), { is: 'absent' });
    assert.deepEqual(await connector.cancel(lost), { is: 'cancelled' });
    assert.deepEqual(await connector.inquire(lost), { is: 'cancelled' });
    assert.equal(bookings(lost.payment), 0);
  });

  test(`${name}: a request that comes after its cancellation is never booked`, async () => {
    const { connector, attempt, bookings } = open();
    const late = attempt('approve');
    assert.deepEqual(await connector.cancel(late), { is: 'cancelled' });
    assert.notEqual((await heard(connector.send(late))).is, 'approved');
    assert.deepEqual(await connector.inquire(late), { is: 'cancelled' });
    assert.deepEqual(await connector.cancel(late), { is: 'cancelled' });
    assert.equal(bookings(late.payment), 0);
  });

  test(`${name}: cancelling reverses a booking whose answer was lost`, async () => {
    const { connector, attempt, bookings } = open();
    const lost = attempt('lose the answer');
    await heard(connector.send(lost));
    assert.deepEqual(await connector.cancel(lost), { is: 'cancelled' });
    assert.deepEqual(await connector.inquire(lost), { is: 'cancelled' });
    assert.equal(bookings(lost.payment), 0);
  });
}

function tableContract({ name, supports, modes, answerMsMax }: Connector, open: () => FarSide): void {
  test(`${name}: the capability table names methods of the API only, and agrees with itself`, () => {
    assert.ok(Object.keys(supports).length > 0 && modes.length > 0 && answerMsMax > 0);
    for (const [method, { types, reversal, multipleCaptures, partialCapture }] of Object.entries(supports)) {
      assert.ok(method in methods, method);
      assert.ok(types.length > 0 && new Set(types).size === types.length, method);
      assert.equal(types.includes('RV'), reversal !== null, `${method}: reversal`);
      assert.ok(!types.includes('CP') || types.includes('PA'), `${method}: a capture needs an authorisation`);
      assert.ok(partialCapture || !multipleCaptures, `${method}: several captures are partial ones`);
      if (!reversal) continue;
      assert.match(reversal.until, /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/);
      assert.deepEqual(
        Object.keys(reversal.daysLater).filter((type) => !(types as readonly string[]).includes(type)),
        [],
      );
    }
  });

  for (const [method, { types }] of Object.entries(supports)) {
    test(`${name}: ${method} can do ${types.join(', ')}`, async () => {
      const { connector, attempt } = open();
      for (const paymentType of types) {
        const answer = await connector.send(attempt('approve', { method: method as Payment['method'], paymentType }));
        assert.equal(answer.is, 'approved', paymentType);
      }
    });
  }

  test(`${name}: no answer contains a card number or security code`, async () => {
    const { connector, attempt } = open();
    for (const treatment of ['approve', 'decline', 'lose the answer'] as const) {
      const secretive = attempt(treatment);
      const everything = [
        await heard(connector.send(secretive)),
        await connector.inquire(secretive),
        connector.decide?.(secretive),
      ];
      const text = JSON.stringify(everything);
      for (const secret of Object.values(secretive.secrets).filter((value) => typeof value === 'string'))
        assert.ok(!text.includes(`"${secret}"`) && !holdsNumber(text, secret), treatment);
    }
  });
}

/** An id may contain a security code of three digits by chance, but no account number. */
const holdsNumber = (text: string, secret: string) => secret.length >= 8 && text.includes(secret);

function decidingContract(name: string, open: () => FarSide): void {
  test(`${name}: a decision equals the later answer, and leaves no trace until it is booked`, async () => {
    const { connector, attempt, bookings } = open();
    for (const treatment of ['approve', 'decline'] as const) {
      const quick = attempt(treatment);
      const decided = connector.decide?.(quick) ?? null;
      assert.deepEqual(connector.decide?.(quick), decided);
      assert.deepEqual(await connector.inquire(quick), { is: 'absent' });
      assert.equal(bookings(quick.payment), 0);
      assert.deepEqual(await connector.send(quick), decided);
    }
  });

  test(`${name}: a committed decision is booked once, and not after a cancellation`, async () => {
    const { connector, attempt, bookings } = open();
    const [kept, cancelled] = [attempt('approve'), attempt('approve')];
    const final = ({ payment }: Attempt): Payment => ({ ...payment, phase: { at: 'final', code: '000.100.110' } });
    connector.book?.(final(kept));
    connector.book?.(final(kept));
    assert.equal(bookings(kept.payment), 1);
    assert.equal((await connector.inquire(kept)).is, 'approved');
    await connector.cancel(cancelled);
    connector.book?.(final(cancelled));
    assert.equal(bookings(cancelled.payment), 0);
  });

  test(`${name}: it decides nothing in advance when the exchange is to fail`, () => {
    const { connector, attempt } = open();
    assert.equal(connector.decide?.(attempt('lose the answer')), null);
    assert.equal(connector.decide?.(attempt('lose the request')), null);
  });
}
