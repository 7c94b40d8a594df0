import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment, Redirect } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Attempt, Connector } from '../../src/payments/ports.ts';
import type { FarSide } from './connector.ts';
import { exampleRegistration } from './connectorFixtures.ts';

/** What a connector must keep that sends shoppers away. */

export type Decision = 'pay' | 'decline' | 'cancel';

/** The shopper at the far side, its callbacks, and the clock of both. */
export type Shopper = {
  /** A new attempt of a redirect brand, with this number of callbacks from the far side. */
  attempt(callback: 'never' | 'once' | 'twice', changes?: Partial<Payment>, others?: Partial<Omit<Attempt, 'payment'>>): Attempt;
  /** The shopper follows the redirect and decides. */
  decide(redirect: Redirect, decision: Decision): Promise<void>;
  /** The callbacks of the far side about a payment, in order. */
  callbacks(payment: Payment): readonly AcquirerAnswer[];
  /** The next callbacks of the far side are not accepted. */
  refuse(times: number): void;
  now(): number;
  pass(ms: number): void;
};

type Away = Extract<AcquirerAnswer, { is: 'redirected' }>;

/** The payment as it is while the shopper is away. */
const away = ({ payment }: Attempt, { redirect, until }: Away): Payment => ({
  ...payment,
  phase: { at: 'shopper', redirect, until, tries: 0, dueAt: until },
});

export function redirectContract(connector: Connector, open: () => FarSide): void {
  const { name, supports } = connector;
  if (!Object.values(supports).some(({ redirects }) => redirects)) return;

  /** A far side at which a shopper is awaited. */
  async function openAway(callback: 'never' | 'once' | 'twice' = 'never') {
    const { shopper, ...farSide } = open();
    assert.ok(shopper, 'who sends shoppers away is tried with one');
    const attempt = shopper.attempt(callback);
    const answer = await farSide.connector.send(attempt);
    assert.equal(answer.is, 'redirected');
    return { ...farSide, shopper, attempt, answer: answer as Away, payment: away(attempt, answer as Away) };
  }
  sendingContract(name, openAway);
  decidingContract(name, openAway);
  callbackContract(name, openAway);
  closingContract(name, openAway);
}

type OpenAway = (callback?: 'never' | 'once' | 'twice') => Promise<
  Omit<FarSide, 'attempt' | 'shopper'> & {
    readonly shopper: Shopper;
    readonly attempt: Attempt;
    readonly answer: Away;
    readonly payment: Payment;
  }
>;

function sendingContract(name: string, openAway: OpenAway): void {
  test(`${name}: a redirect can be followed by any client`, async () => {
    const { answer, attempt, shopper } = await openAway();
    const { url, method, parameters, ...others } = answer.redirect;
    assert.match(url, /^(?:https?:\/\/[^/\s]|\/[^/\s])[^\s]*$/, 'absolute, or a page of our own');
    assert.ok(url.length >= 6 && url.length <= 1024, 'short enough to stand behind any address of ours');
    assert.ok(method === undefined || method === 'GET' || method === 'POST');
    assert.ok(Array.isArray(parameters));
    for (const { name: key, value } of parameters) for (const text of [key, value]) assert.match(text, /^.{1,255}$/u);
    assert.deepEqual(others, {});
    assert.ok(Number.isSafeInteger(answer.until) && answer.until > shopper.now());
    for (const secret of Object.values(attempt.secrets).filter((value) => typeof value === 'string' && value.length > 4))
      assert.ok(!JSON.stringify(answer).includes(secret as string));
  });

  test(`${name}: an attempt that is sent again redirects the shopper to the same address, and is decided once`, async () => {
    const { connector, shopper, attempt, answer, payment, bookings } = await openAway('once');
    const again = await Promise.all([connector.send(attempt), connector.send(attempt), connector.inquire(attempt)]);
    for (const one of again) assert.deepEqual(one, answer);
    await shopper.decide(answer.redirect, 'pay');
    assert.equal((await connector.send(attempt)).is, 'approved');
    assert.equal((await connector.inquire({ payment, referenced: null })).is, 'approved');
    assert.equal(bookings(payment), 1);
  });

  test(`${name}: no shopper is redirected for stored details or for follow-ups of a payment`, async () => {
    const { connector, shopper } = await openAway();
    const charged = shopper.attempt('never', {}, { registration: exampleRegistration() });
    const refunded = shopper.attempt('never', { paymentType: 'RF' });
    assert.equal((await connector.send(charged)).is, 'approved');
    assert.equal((await connector.send(refunded)).is, 'approved');
  });

  test(`${name}: with a redirect nothing is decided in advance`, async () => {
    const { connector, shopper } = await openAway();
    assert.equal(connector.decide?.(shopper.attempt('never')) ?? null, null);
  });
}

const decisions: readonly (readonly [decision: Decision, is: AcquirerAnswer['is'], bookings: number])[] = [
  ['pay', 'approved', 1],
  ['decline', 'declined', 0],
  ['cancel', 'declined', 0],
];

function decidingContract(name: string, openAway: OpenAway): void {
  for (const [decision, is, booked] of decisions) {
    test(`${name}: the payment waits for the shopper; after ${decision} it is ${is} for good`, async () => {
      const { connector, shopper, answer, payment, bookings } = await openAway();
      assert.ok(['waiting', 'redirected'].includes((await connector.inquire({ payment, referenced: null })).is));
      assert.equal(bookings(payment), 0);
      await shopper.decide(answer.redirect, decision);
      const said = await connector.inquire({ payment, referenced: null });
      assert.equal(said.is, is);
      for (const [other] of decisions) await shopper.decide(answer.redirect, other);
      assert.deepEqual(await connector.inquire({ payment, referenced: null }), said, 'what he decided first stands');
      assert.equal(bookings(payment), booked);
      if (is === 'declined') assert.deepEqual(await connector.cancel({ payment, referenced: null }), said);
    });
  }

  test(`${name}: decisions in several windows at once count as one`, async () => {
    const { connector, shopper, answer, payment, bookings } = await openAway('twice');
    await Promise.all((['pay', 'cancel', 'pay', 'decline'] as const).map((one) => shopper.decide(answer.redirect, one)));
    const said = await connector.inquire({ payment, referenced: null });
    assert.equal(bookings(payment), said.is === 'approved' ? 1 : 0);
    for (const callbacks of shopper.callbacks(payment)) assert.deepEqual(callbacks, said);
  });
}

function callbackContract(name: string, openAway: OpenAway): void {
  for (const [callback, least] of [
    ['once', 1],
    ['twice', 2],
  ] as const) {
    for (const [decision] of decisions) {
      test(`${name}: a callback ${callback} reports ${decision}, like an inquiry`, async () => {
        const { connector, shopper, answer, payment } = await openAway(callback);
        assert.deepEqual(shopper.callbacks(payment), [], 'nothing before the decision');
        await shopper.decide(answer.redirect, decision);
        const callbacks = shopper.callbacks(payment);
        assert.ok(callbacks.length >= least);
        const said = await connector.inquire({ payment, referenced: null });
        for (const one of callbacks) assert.deepEqual(one, said);
      });
    }
  }

  test(`${name}: a callback that is not accepted is repeated`, async () => {
    const { connector, shopper, answer, payment } = await openAway('once');
    shopper.refuse(3);
    await shopper.decide(answer.redirect, 'pay');
    // The far side repeats a callback on its own, later.
    for (let turn = 0; turn < 100 && shopper.callbacks(payment).length === 0; turn += 1) await new Promise(setImmediate);
    assert.deepEqual(shopper.callbacks(payment), [await connector.inquire({ payment, referenced: null })]);
  });
}

function closingContract(name: string, openAway: OpenAway): void {
  /** A yes after the cancellation is impossible; or it is said, so that we can take it back. */
  async function assertTakenBack({ connector, shopper, payment, bookings }: Awaited<ReturnType<OpenAway>>): Promise<void> {
    const said = await connector.inquire({ payment, referenced: null });
    if (said.is === 'approved') {
      assert.ok(shopper.callbacks(payment).some(({ is }) => is === 'approved'));
      assert.deepEqual(await connector.cancel({ payment, referenced: null }), { is: 'cancelled' });
    } else assert.ok(shopper.callbacks(payment).every(({ is }) => is !== 'approved'));
    assert.deepEqual(await connector.inquire({ payment, referenced: null }), { is: 'cancelled' });
    assert.equal(bookings(payment), 0);
  }

  test(`${name}: cancelling during the redirect ends the payment`, async () => {
    const opened = await openAway('twice');
    const { connector, shopper, answer, payment } = opened;
    assert.deepEqual(await connector.cancel({ payment, referenced: null }), { is: 'cancelled' });
    for (const decision of ['pay', 'pay', 'decline'] as const) await shopper.decide(answer.redirect, decision);
    await assertTakenBack(opened);
  });

  test(`${name}: a cancellation that crosses the approval leaves nothing booked`, async () => {
    const opened = await openAway('never');
    const { connector, shopper, answer, payment } = opened;
    await Promise.all([shopper.decide(answer.redirect, 'pay'), connector.cancel({ payment, referenced: null })]);
    assert.deepEqual(await connector.cancel({ payment, referenced: null }), { is: 'cancelled' });
    await assertTakenBack(opened);
  });

  test(`${name}: an approval whose callback was lost is reversed by cancelling`, async () => {
    const opened = await openAway('never');
    const { connector, shopper, answer, payment, bookings } = opened;
    await shopper.decide(answer.redirect, 'pay');
    assert.equal(bookings(payment), 1);
    assert.deepEqual(await connector.cancel({ payment, referenced: null }), { is: 'cancelled' });
    await assertTakenBack(opened);
  });

  test(`${name}: the shopper may decide until the last instant, and not after it`, async () => {
    const inTime = await openAway();
    inTime.shopper.pass(inTime.answer.until - inTime.shopper.now() - 1);
    await inTime.shopper.decide(inTime.answer.redirect, 'pay');
    assert.equal((await inTime.connector.inquire({ payment: inTime.payment, referenced: null })).is, 'approved');

    const late = await openAway('twice');
    late.shopper.pass(late.answer.until - late.shopper.now());
    await late.shopper.decide(late.answer.redirect, 'pay');
    assert.notEqual((await late.connector.inquire({ payment: late.payment, referenced: null })).is, 'approved');
    assert.equal(late.bookings(late.payment), 0);
    assert.deepEqual(await late.connector.cancel({ payment: late.payment, referenced: null }), { is: 'cancelled' });
    await late.shopper.decide(late.answer.redirect, 'pay');
    await assertTakenBack(late);
  });

  test(`${name}: an attempt after its cancellation redirects no shopper to a page that pays`, async () => {
    const opened = await openAway('never');
    const { connector, shopper, bookings } = opened;
    const late = shopper.attempt('never');
    assert.deepEqual(await connector.cancel(late), { is: 'cancelled' });
    const answer = await connector.send(late);
    if (answer.is === 'redirected') await shopper.decide(answer.redirect, 'pay');
    assert.deepEqual(await connector.inquire(late), { is: 'cancelled' });
    assert.equal(bookings(late.payment), 0);
  });
}
