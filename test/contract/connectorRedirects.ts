import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment, Redirect } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Attempt, Connector } from '../../src/payments/ports.ts';
import type { FarSide } from './connector.ts';
import { exampleRegistration } from './connectorFixtures.ts';

/** What a connector must keep that sends shoppers away. */

export type Decision = 'pay' | 'decline' | 'cancel';

/** The shopper at the far side, its messages to us, and the clock of both. */
export type Shopper = {
  /** A new attempt of a brand that sends the shopper away; the far side then tells by itself what he did, so often. */
  attempt(tells: 'never' | 'once' | 'twice', changes?: Partial<Payment>, others?: Partial<Omit<Attempt, 'payment'>>): Attempt;
  /** He goes where he was sent and decides. What becomes of it is for the contract to find out. */
  decide(redirect: Redirect, decision: Decision): Promise<void>;
  /** What the far side has told by itself of a payment, in its order. */
  told(payment: Payment): readonly AcquirerAnswer[];
  /** The next messages of the far side are not taken. */
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
  async function openAway(tells: 'never' | 'once' | 'twice' = 'never') {
    const { shopper, ...farSide } = open();
    assert.ok(shopper, 'who sends shoppers away is tried with one');
    const attempt = shopper.attempt(tells);
    const answer = await farSide.connector.send(attempt);
    assert.equal(answer.is, 'redirected');
    return { ...farSide, shopper, attempt, answer: answer as Away, payment: away(attempt, answer as Away) };
  }
  sendingContract(name, openAway);
  decidingContract(name, openAway);
  tellingContract(name, openAway);
  closingContract(name, openAway);
}

type OpenAway = (tells?: 'never' | 'once' | 'twice') => Promise<
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

  test(`${name}: an attempt that is sent again sends the shopper to the same place, and is decided once`, async () => {
    const { connector, shopper, attempt, answer, payment, bookings } = await openAway('once');
    const again = await Promise.all([connector.send(attempt), connector.send(attempt), connector.inquire(attempt.payment)]);
    for (const one of again) assert.deepEqual(one, answer);
    await shopper.decide(answer.redirect, 'pay');
    assert.equal((await connector.send(attempt)).is, 'approved');
    assert.equal((await connector.inquire(payment)).is, 'approved');
    assert.equal(bookings(payment), 1);
  });

  test(`${name}: nobody is sent away for what is stored, or for what follows a payment`, async () => {
    const { connector, shopper } = await openAway();
    const charged = shopper.attempt('never', {}, { registration: exampleRegistration() });
    const refunded = shopper.attempt('never', { paymentType: 'RF' });
    assert.equal((await connector.send(charged)).is, 'approved');
    assert.equal((await connector.send(refunded)).is, 'approved');
  });

  test(`${name}: where the shopper decides nothing is decided on the spot`, async () => {
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
    test(`${name}: before he decides it waits; who chooses to ${decision} is ${is}, and stays it`, async () => {
      const { connector, shopper, answer, payment, bookings } = await openAway();
      assert.ok(['waiting', 'redirected'].includes((await connector.inquire(payment)).is));
      assert.equal(bookings(payment), 0);
      await shopper.decide(answer.redirect, decision);
      const said = await connector.inquire(payment);
      assert.equal(said.is, is);
      for (const [other] of decisions) await shopper.decide(answer.redirect, other);
      assert.deepEqual(await connector.inquire(payment), said, 'what he decided first stands');
      assert.equal(bookings(payment), booked);
      if (is === 'declined') assert.deepEqual(await connector.cancel(payment), said);
    });
  }

  test(`${name}: who decides in several windows at once has decided one thing`, async () => {
    const { connector, shopper, answer, payment, bookings } = await openAway('twice');
    await Promise.all((['pay', 'cancel', 'pay', 'decline'] as const).map((one) => shopper.decide(answer.redirect, one)));
    const said = await connector.inquire(payment);
    assert.equal(bookings(payment), said.is === 'approved' ? 1 : 0);
    for (const told of shopper.told(payment)) assert.deepEqual(told, said);
  });
}

function tellingContract(name: string, openAway: OpenAway): void {
  for (const [tells, least] of [
    ['once', 1],
    ['twice', 2],
  ] as const) {
    for (const [decision] of decisions) {
      test(`${name}: it tells ${tells} that he chose to ${decision}, as it says when it is asked`, async () => {
        const { connector, shopper, answer, payment } = await openAway(tells);
        assert.deepEqual(shopper.told(payment), [], 'nothing before he decided');
        await shopper.decide(answer.redirect, decision);
        const told = shopper.told(payment);
        assert.ok(told.length >= least);
        const said = await connector.inquire(payment);
        for (const one of told) assert.deepEqual(one, said);
      });
    }
  }

  test(`${name}: what is not taken is told again`, async () => {
    const { connector, shopper, answer, payment } = await openAway('once');
    shopper.refuse(3);
    await shopper.decide(answer.redirect, 'pay');
    // Whoever tells again does it by himself, later.
    for (let turn = 0; turn < 100 && shopper.told(payment).length === 0; turn += 1) await new Promise(setImmediate);
    assert.deepEqual(shopper.told(payment), [await connector.inquire(payment)]);
  });
}

function closingContract(name: string, openAway: OpenAway): void {
  /** A yes after the cancellation is impossible; or it is said, so that we can take it back. */
  async function assertTakenBack({ connector, shopper, payment, bookings }: Awaited<ReturnType<OpenAway>>): Promise<void> {
    const said = await connector.inquire(payment);
    if (said.is === 'approved') {
      assert.ok(shopper.told(payment).some(({ is }) => is === 'approved'));
      assert.deepEqual(await connector.cancel(payment), { is: 'cancelled' });
    } else assert.ok(shopper.told(payment).every(({ is }) => is !== 'approved'));
    assert.deepEqual(await connector.inquire(payment), { is: 'cancelled' });
    assert.equal(bookings(payment), 0);
  }

  test(`${name}: cancelling while he is away closes the door`, async () => {
    const opened = await openAway('twice');
    const { connector, shopper, answer, payment } = opened;
    assert.deepEqual(await connector.cancel(payment), { is: 'cancelled' });
    for (const decision of ['pay', 'pay', 'decline'] as const) await shopper.decide(answer.redirect, decision);
    await assertTakenBack(opened);
  });

  test(`${name}: a cancellation that crosses his yes leaves nothing booked`, async () => {
    const opened = await openAway('never');
    const { connector, shopper, answer, payment } = opened;
    await Promise.all([shopper.decide(answer.redirect, 'pay'), connector.cancel(payment)]);
    assert.deepEqual(await connector.cancel(payment), { is: 'cancelled' });
    await assertTakenBack(opened);
  });

  test(`${name}: a yes that nobody heard of is taken back by cancelling`, async () => {
    const opened = await openAway('never');
    const { connector, shopper, answer, payment, bookings } = opened;
    await shopper.decide(answer.redirect, 'pay');
    assert.equal(bookings(payment), 1);
    assert.deepEqual(await connector.cancel(payment), { is: 'cancelled' });
    await assertTakenBack(opened);
  });

  test(`${name}: he has his time to the last instant, and none after it`, async () => {
    const inTime = await openAway();
    inTime.shopper.pass(inTime.answer.until - inTime.shopper.now() - 1);
    await inTime.shopper.decide(inTime.answer.redirect, 'pay');
    assert.equal((await inTime.connector.inquire(inTime.payment)).is, 'approved');

    const late = await openAway('twice');
    late.shopper.pass(late.answer.until - late.shopper.now());
    await late.shopper.decide(late.answer.redirect, 'pay');
    assert.notEqual((await late.connector.inquire(late.payment)).is, 'approved');
    assert.equal(late.bookings(late.payment), 0);
    assert.deepEqual(await late.connector.cancel(late.payment), { is: 'cancelled' });
    await late.shopper.decide(late.answer.redirect, 'pay');
    await assertTakenBack(late);
  });

  test(`${name}: an attempt that comes after its cancellation sends nobody anywhere that pays`, async () => {
    const opened = await openAway('never');
    const { connector, shopper, bookings } = opened;
    const late = shopper.attempt('never');
    assert.deepEqual(await connector.cancel(late.payment), { is: 'cancelled' });
    const answer = await connector.send(late);
    if (answer.is === 'redirected') await shopper.decide(answer.redirect, 'pay');
    assert.deepEqual(await connector.inquire(late.payment), { is: 'cancelled' });
    assert.equal(bookings(late.payment), 0);
  });
}
