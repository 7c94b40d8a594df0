import { createAcquirerRecords } from '../../src/connectors/simulator/acquirerRecords.ts';
import { simulator } from '../../src/connectors/simulator/simulator.ts';
import { examplePayment } from '../../src/payments/examples.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Attempt, StandingInstruction } from '../../src/payments/ports.ts';
import type { Registration } from '../../src/registrations/registration.ts';

export const START = 1_790_000_000_000;
export const FINGERPRINT = 'R3v0l5fDqv0m0nW3Yb1mZ0m1Q8Jd4b2sK7tX9pLwEcA';

/** An attempt of an ordinary debit by card: give only what the case is about. */
export function exampleAttempt(payment: Partial<Payment> = {}, others: Partial<Omit<Attempt, 'payment'>> = {}): Attempt {
  return {
    payment: examplePayment({
      phase: { at: 'acquirer', dueAt: START + 35_000 },
      createdAt: START,
      fingerprint: FINGERPRINT,
      ...payment,
    }),
    secrets: { number: '4200000000000000', cvv: '123' },
    referenced: null,
    registration: null,
    series: null,
    ...others,
  };
}

/** A standing instruction of which nothing is known but what the case is about. */
export function instructed(given: Partial<StandingInstruction>): StandingInstruction {
  return {
    mode: null,
    source: null,
    practice: null,
    initialTransactionId: null,
    agreementId: null,
    type: null,
    recurringType: null,
    expiry: null,
    frequency: null,
    numberOfInstallments: null,
    migration: null,
    ...given,
  };
}

export const INITIAL = instructed({ mode: 'INITIAL', source: 'CIT', type: 'UNSCHEDULED' });
export const LATER = instructed({ mode: 'REPEATED', source: 'MIT', type: 'UNSCHEDULED' });

/** A stored card, as the transaction that stored it left it. */
export function exampleRegistration(given: Partial<Registration> = {}): Registration {
  const { id, merchantId, entityId, paymentBrand, method, mode, connector, instrument, ndc } = examplePayment();
  if (!instrument) throw new Error('the example has a card');
  return {
    id,
    merchantId,
    entityId,
    paymentId: id,
    paymentBrand,
    method,
    mode,
    connector,
    instrument,
    fingerprint: FINGERPRINT,
    state: 'active',
    code: '000.100.110',
    series: null,
    networkToken: null,
    tokenDueAt: null,
    tokenTries: 0,
    createdAt: START,
    movedAt: START,
    usedAt: START,
    expiresAt: START,
    extendedUntil: null,
    revision: 1,
    ndc,
    fields: {},
    ...given,
  };
}

/** A simulator with a clock to move, its records, and the notifications it sends; a refused one is repeated. Random bytes are a counter. */
export function openSimulator() {
  const time = { now: START, slept: [] as number[] };
  const records = createAcquirerRecords({ keep: null });
  const notifications: { readonly paymentId: string; readonly answer: AcquirerAnswer }[] = [];
  const receiver = { refusals: 0 };
  let drawn = 0;
  const connector = simulator.create({
    clockOf: () => ({ now: () => time.now }),
    async notify({ paymentId }, answer) {
      receiver.refusals -= 1;
      if (receiver.refusals >= 0) throw new Error('not accepted');
      notifications.push({ paymentId, answer });
    },
    async sleep(ms) {
      time.slept.push(ms);
      time.now += ms;
    },
    random(bytes) {
      drawn += 1;
      return Buffer.from(drawn.toString(16).padStart(2 * bytes, '0'), 'hex');
    },
    records,
  });
  return { time, records, notifications, receiver, connector };
}
