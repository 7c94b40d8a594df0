import fc from 'fast-check';
import type { AcquirerAct, Acts, BankAct, Scenario } from '../../src/spec/scenarios/language.ts';

/** Scenarios of every kind, for properties. */

/** No more than some hours: the gateway asks every five minutes, and a run asks as often. */
const unit = fc.constantFrom('ms', 's', 'm');
const time = fc.tuple(fc.integer({ min: 0, max: 900 }), unit).map(([count, of]) => `${count}${of}`);
const range = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 400, max: 900 }), unit)
  .map(([from, to, of]) => `${from}${of}..${to}${of}`);
const anyTime = fc.oneof(time, range);
const soon = fc.oneof(fc.constant('5ms'), fc.constant('1ms..20ms'));

const declineCode = fc.constantFrom('800.100.151', '800.100.155', '800.100.162', '300.100.100');
const goes = fc.constantFrom('lost', 'lost-request', 'late', 'twice', 'garbled', 'down');

/** Keeps only the members that have a value. */
const some = <Value extends object>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  value.map((all) => Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined)) as Value);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const plain = some(fc.record({ says: fc.constantFrom('approved', 'declined'), takes: maybe(soon) }));
const declined = some(
  fc.record({
    says: fc.constant('declined'),
    code: declineCode,
    advice: maybe(fc.constantFrom('01', '24')),
    unless: maybe(fc.constant('authenticated')),
  }),
);
const pending = some(fc.record({ says: fc.constant('pending'), code: maybe(declineCode), for: maybe(anyTime) }));
const troubled = goes.chain((how) =>
  some(
    fc.record({
      says: fc.constantFrom('approved', 'declined'),
      goes: fc.constant(how),
      for: how === 'late' || how === 'down' ? maybe(anyTime) : fc.constant(undefined),
    }),
  ),
);
export const anyAnswer = fc.oneof(plain, declined, pending, troubled) as fc.Arbitrary<AcquirerAct>;

export const anyBank = some(
  fc
    .record({
      shopper: fc.constantFrom('pays', 'declines', 'cancels'),
      after: maybe(fc.oneof(time, fc.constant('1s..9m'))),
      confirms: maybe(fc.constantFrom('before', 'after', 'twice', 'never')),
      late: maybe(anyTime),
    })
    .map(({ late, ...bank }) => ({ ...bank, late: bank.confirms === 'after' ? late : undefined })),
) as fc.Arbitrary<BankAct>;

const receiver = fc.array(fc.record({ answers: fc.constantFrom('nothing', 'late', '500', '410'), for: anyTime }), {
  minLength: 1,
  maxLength: 3,
});
const settlement = some(
  fc.record({
    pays: fc.constantFrom('all', 'nothing', 'twice'),
    after: maybe(anyTime),
    feePercent: maybe(fc.constantFrom('1.4', '0')),
  }),
);
const chargebacks = fc.array(
  some(
    fc.record({
      after: anyTime,
      code: fc.constantFrom('000.100.220', '000.100.221'),
      share: maybe(fc.integer({ min: 1, max: 100 })),
    }),
  ),
  { minLength: 1, maxLength: 3 },
);

const acts = some(
  fc.record({
    acquirer: maybe(fc.array(anyAnswer, { minLength: 1, maxLength: 3 })),
    bank: maybe(anyBank),
    threeDS: maybe(fc.record({ enrolled: fc.boolean(), status: fc.constantFrom('Y', 'N') })),
    receiver: maybe(receiver),
    settlement: maybe(settlement),
    chargebacks: maybe(chargebacks),
  }),
) as fc.Arbitrary<Acts>;

const options = fc.array(
  fc.tuple(acts, maybe(fc.integer({ min: 1, max: 9 }))).map(([one, weight]) => ({ ...one, ...(weight && { weight }) })),
  { minLength: 1, maxLength: 2 },
);

const base = { name: 'any-story', says: 'A story by chance.' } as const;

export const anyScenario: fc.Arbitrary<Scenario> = fc
  .tuple(acts, maybe(options))
  .map(([all, oneOf]) => ({ ...base, ...all, ...(oneOf && { oneOf }) }))
  .filter((scenario) => JSON.stringify(scenario).length <= 1_800);

export const anySeed = fc.integer({ min: 0, max: 999_999_999 });
