import fc from 'fast-check';
import type { AnswerDetails, Payment, Phase } from '../../src/payments/payment.ts';
import type { Instrument } from '../../src/registrations/instrument.ts';
import type { Registration, Series } from '../../src/registrations/registration.ts';
import type { Assessment, FiredRule, Verdict } from '../../src/risk/assess.ts';
import { anyCharacter } from '../anyCharacter.ts';
import { nextId, payment } from './storeFixtures.ts';
import { registration } from './storeRegistrationFixtures.ts';

/** Text as users write it. Columns hold no NUL and no lone surrogates: the HTTP layer refuses both. */
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => value.replaceAll('\0', ''));
/** What is kept inside JSON may be stranger still. */
const anyText = fc.oneof(
  text,
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom('\0', '\ud800', '\u2028', '"\\', '\x7f'),
);
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const digits = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const time = fc.integer({ min: 0, max: 8_640_000_000_000_000 });

/** With the prototype that JSON.parse gives. */
const plain = <T extends object>(value: T): T => ({ ...value });

const strangeName = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'a.b[0]',
  'customParameters[__proto__]',
);
/** Own properties only, with any name, as JSON.parse makes them. */
const record = (value: fc.Arbitrary<string>): fc.Arbitrary<Record<string, string>> =>
  fc.array(fc.tuple(fc.oneof(strangeName, anyText), value), { maxLength: 8 }).map((pairs) => Object.fromEntries(pairs));

const instrument: fc.Arbitrary<Instrument> = fc.oneof(
  fc.record({
    kind: fc.constant('card' as const),
    bin: orNull(digits(6)),
    last4Digits: digits(4),
    holder: orNull(anyText),
    expiryMonth: digits(2),
    expiryYear: digits(4),
  }),
  fc.record({
    kind: fc.constant('bankAccount' as const),
    holder: orNull(anyText),
    last4Digits: orNull(digits(4)),
    country: orNull(text),
    bankCode: orNull(text),
    bic: orNull(text),
    bankName: orNull(anyText),
  }),
  fc.record({ kind: fc.constant('virtualAccount' as const), accountId: anyText }),
  fc.record({
    kind: fc.constant('tokenAccount' as const),
    type: fc.constantFrom('EXTERNAL' as const, 'NETWORK' as const),
    last4Digits: digits(4),
    expiryMonth: orNull(digits(2)),
    expiryYear: orNull(digits(4)),
  }),
);

export const instruments = instrument.map(plain);

const phase: fc.Arbitrary<Phase> = fc.oneof(
  fc.record({ at: fc.constant('acquirer' as const), dueAt: time }),
  fc.record({ at: fc.constant('doubt' as const), tries: fc.nat(), dueAt: time }),
  fc.record({ at: fc.constant('cancelling' as const), tries: fc.nat(), dueAt: time }),
  fc.record({
    at: fc.constant('final' as const),
    code: fc.constantFrom('000.100.110' as const, '800.100.151' as const, '700.400.200' as const),
  }),
);

export const phases = phase.map(plain);

const details: fc.Arbitrary<AnswerDetails> = fc.record(
  {
    resultDetails: record(anyText),
    avsResponse: fc.constantFrom('A', 'Z', 'N', 'U', 'F'),
    cvvResponse: fc.constantFrom('M', 'N', 'P', 'S', 'U'),
    card: record(anyText),
    initialTransactionId: anyText,
    schemeReference: anyText,
  },
  { requiredKeys: [] },
);

const riskCode = fc.constantFrom('100.400.319' as const, '800.110.100' as const);
const score = fc.integer({ min: -99_999, max: 99_999 });

const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.record({ is: fc.constantFrom('accept' as const, 'challenge' as const, 'review' as const) }),
  fc.record({ is: fc.constant('decline' as const), code: riskCode }),
);

const fired: fc.Arbitrary<readonly FiredRule[]> = fc.array(
  fc
    .record({
      rule: text,
      says: anyText,
      verdict: fc.constantFrom('accept' as const, 'review' as const, 'challenge' as const, 'decline' as const),
      code: orNull(riskCode),
      score,
      values: record(anyText),
    })
    .map(plain),
  { maxLength: 4 },
);

/** What the risk checks may have said. */
export const assessments: fc.Arbitrary<Assessment> = fc
  .record({ ruleSet: text, verdict: verdict.map(plain), asksReview: fc.boolean(), score, fired, shadow: fired })
  .map(plain);

/** The first payment of a family, with everything in it that a payment may hold. */
export const payments: fc.Arbitrary<Payment> = fc
  .record({
    merchantId: text.map((name) => `m${name}`),
    entityId: text.map((name) => `e${name}`),
    paymentType: fc.constantFrom('PA' as const, 'DB' as const, 'CD' as const),
    paymentBrand: orNull(text),
    method: fc.constantFrom('CC' as const, 'DD' as const, 'VA' as const, 'NT' as const),
    amount: fc.oneof(fc.bigInt(0n, 999_999_999_999_999n), fc.constantFrom(0n, 1n, 999_999_999_999_999n)),
    currency: fc.stringMatching(/^[A-Z]{3}$/),
    mode: fc.constantFrom('INTERNAL' as const, 'EXTERNAL' as const, 'LIVE' as const),
    isBrandDetected: fc.boolean(),
    connector: text,
    shortId: text,
    ndc: anyText,
    descriptor: anyText,
    merchantTransactionId: orNull(text),
    industryPractice: orNull(fc.constantFrom('NO_SHOW', 'REAUTHORIZATION', 'INCREMENTAL_AUTH')),
    isLast: fc.boolean(),
    numberOfCaptures: orNull(fc.integer({ min: 1, max: 98 })),
    createdAt: time,
    movedAt: time,
    phase: phases,
    instrument: orNull(instruments),
    fingerprint: orNull(text),
    registrationId: orNull(anyText),
    checkoutId: orNull(text.map((name) => `${nextId()}${name}`)),
    details: details.map(plain),
    risk: orNull(assessments),
    fields: record(anyText),
  })
  .map((changes) => payment({ ...changes, id: nextId() }));

const series: fc.Arbitrary<Series> = fc.record({
  initialTransactionId: orNull(anyText),
  agreementId: orNull(anyText),
  type: orNull(text),
  recurringType: orNull(text),
  expiry: orNull(text),
  frequency: orNull(text),
  numberOfInstallments: orNull(text),
  migration: orNull(
    fc
      .record({
        paymentType: text,
        amount: orNull(text),
        requestTimestamp: orNull(text),
        connectorTxIds: fc.array(anyText, { maxLength: 3 }),
      })
      .map(plain),
  ),
});

/** A registration at the moment it is made, with everything in it that one may hold. */
export const registrations: fc.Arbitrary<Registration> = fc
  .record({
    merchantId: text.map((name) => `m${name}`),
    entityId: text.map((name) => `e${name}`),
    paymentBrand: orNull(text),
    method: fc.constantFrom('CC' as const, 'DD' as const, 'VA' as const, 'NT' as const),
    mode: fc.constantFrom('INTERNAL' as const, 'EXTERNAL' as const, 'LIVE' as const),
    connector: text,
    instrument: instruments,
    fingerprint: orNull(text),
    state: fc.constantFrom('open' as const, 'active' as const, 'rejected' as const, 'deleted' as const),
    code: fc.constantFrom('000.100.110' as const, '800.100.151' as const, '000.200.000' as const),
    series: orNull(series.map(plain)),
    networkToken: orNull(fc.record({ last4Digits: digits(4), expiryMonth: digits(2), expiryYear: digits(4) }).map(plain)),
    tokenDueAt: orNull(time),
    tokenTries: fc.nat(),
    createdAt: time,
    movedAt: time,
    usedAt: time,
    expiresAt: time,
    extendedUntil: orNull(time),
    ndc: anyText,
    fields: record(anyText),
  })
  .map((changes) => registration({ ...changes, id: nextId() }));
