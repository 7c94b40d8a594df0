import { isRecord } from '../../runtime/json.ts';
import type { Json, JsonObject } from '../openApi/schemas.ts';
import { isApproval, isNegative, isResultCode, resultCodes } from '../resultCodes.ts';
import {
  type AcquirerAct,
  type Acts,
  type BankAct,
  type ChargebackAct,
  type Duration,
  duration,
  durationOrRange,
  endsOf,
  msOf,
  type Option,
  type ReceiverAct,
  type Scenario,
  type SettlementAct,
  type ThreeDSAct,
} from './language.ts';

/** One thing wrong with a scenario, and where in it. */
type ScenarioFault = { readonly at: string; readonly message: string };

/** The shape of a value in a scenario. */
interface Shape<Value> {
  readonly schema: JsonObject;
  /** The rule in words: `must be two digits`. */
  readonly message: string;
  faults(value: unknown, at: string): readonly ScenarioFault[];
  /** The members below it, by their paths from here. */
  readonly members: readonly Member[];
  /** Only for the type: it binds the shape to `Value`. */
  readonly of?: (value: Value) => void;
}

export type Member = {
  readonly path: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly message: string;
};

const wrong = (at: string, message: string): readonly ScenarioFault[] => [{ at, message }];

const text = <Value extends string>(pattern: RegExp, message: string, fits = (it: string) => pattern.test(it)): Shape<Value> => ({
  schema: { type: 'string', pattern: pattern.source },
  message,
  faults: (value, at) => (typeof value === 'string' && fits(value) ? [] : wrong(at, message)),
  members: [],
});

const words = <Word extends string>(...all: readonly Word[]): Shape<Word> => {
  const message = `must be one of ${all.join(', ')}`;
  return {
    schema: { type: 'string', enum: all },
    message,
    faults: (value, at) => (all.some((word) => word === value) ? [] : wrong(at, message)),
    members: [],
  };
};

const whole = (least: number, most: number): Shape<number> => {
  const message = `must be a whole number from ${least} to ${most}`;
  return {
    schema: { type: 'integer', minimum: least, maximum: most },
    message,
    faults: (value, at) =>
      Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most ? [] : wrong(at, message),
    members: [],
  };
};

const flag: Shape<boolean> = {
  schema: { type: 'boolean' },
  message: 'must be true or false',
  faults: (value, at) => (typeof value === 'boolean' ? [] : wrong(at, 'must be true or false')),
  members: [],
};

const listOf = <Value>(one: Shape<Value>, most: number): Shape<readonly Value[]> => {
  const message = `must be a list of 1 to ${most}`;
  return {
    schema: { type: 'array', items: one.schema, minItems: 1, maxItems: most },
    message,
    faults: (value, at) =>
      Array.isArray(value) && value.length >= 1 && value.length <= most
        ? value.flatMap((item, index) => one.faults(item, `${at}[${index}]`))
        : wrong(at, message),
    members: one.members.map((member) => ({ ...member, path: `[].${member.path}` })),
  };
};

type Entry<Value> = { readonly shape: Shape<Value>; readonly description: string; readonly isRequired: boolean };

const required = <Value>(shape: Shape<Value>, description: string): Entry<Value> => ({
  shape,
  description,
  isRequired: true,
});
const optional = <Value>(shape: Shape<Value>, description: string): Entry<Value> => ({
  shape,
  description,
  isRequired: false,
});

/** A row for every member of the type, or it does not compile. */
type Rows<Value> = { readonly [Name in keyof Value]-?: Entry<Exclude<Value[Name], undefined>> };

/** `between` finds members that exclude each other. */
function object<Value>(
  rows: Rows<Value>,
  between: (value: Value) => readonly (readonly [member: string, message: string])[] = () => [],
): Shape<Value> {
  const entries = Object.entries(rows) as [string, Entry<unknown>][];
  const message = `must be an object of ${entries.map(([name]) => name).join(', ')}`;
  const known = new Map(entries);
  const under = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        entries.map(([name, { shape, description }]): [string, Json] => [name, { ...shape.schema, description }]),
      ),
      required: entries.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
      additionalProperties: false,
    },
    message,
    members: entries.flatMap(([name, { shape, description, isRequired }]) => [
      { path: name, isRequired, description, message: shape.message },
      ...shape.members.map((member) => ({
        ...member,
        path: member.path.startsWith('[') ? name + member.path : `${name}.${member.path}`,
      })),
    ]),
    faults(value, at) {
      if (!isRecord(value)) return wrong(at, message);
      const members = Object.entries(value).flatMap(([name, member]) => {
        const entry = known.get(name);
        return entry ? entry.shape.faults(member, under(at, name)) : wrong(under(at, shown(name)), 'is not known here');
      });
      const missing = entries.flatMap(([name, { isRequired }]) =>
        isRequired && !Object.hasOwn(value, name) ? wrong(under(at, name), 'may not be empty') : [],
      );
      const faults = [...members, ...missing];
      if (faults.length > 0) return faults;
      return between(value as Value).map(([member, message]) => ({ at: under(at, member), message }));
    },
  };
}

/** Foreign text is shown short and on one line. */
const shown = (name: string): string => name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 64);

/** The language as a table: the checker, the JSON Schema and the reference read it. */

export const SCENARIO_NAME = /^[a-z][a-z0-9-]{2,47}$/;
export const SEED_MAX = 999_999_999;
/** A scenario as JSON is no longer than this: it travels in a parameter and is kept, drawn, in another one of 2,048 characters. */
export const SCENARIO_LENGTH_MAX = 1_800;
const ANSWER_MS_MAX = 30_000;

const time = text<Duration>(
  durationOrRange,
  'must be a duration such as 250ms, 90s, 10m, 12h or 40d, at most 366d, or a range such as 1m..5m',
  (it) => endsOf(it) !== null,
);
/** Where a time must be known without drawing. */
const fixedTime = text<Duration>(duration, 'must be a duration such as 90s, 12h or 40d, at most 366d', (it) => msOf(it) !== null);

const outcome = text<NonNullable<AcquirerAct['code']>>(
  /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/,
  'must be a result code of an approval, a decline or a refusal',
  (it) => isResultCode(it) && (isApproval(it) || isNegative(it)),
);

function betweenAnswer({ says, code, advice, unless, goes, takes, for: time }: AcquirerAct): [string, string][] {
  const found: [string, string][] = [];
  if (code !== undefined && says === 'declined' && !isNegative(code)) found.push(['code', 'must be the code of a decline']);
  if (code !== undefined && says === 'approved' && !isApproval(code)) found.push(['code', 'must be the code of an approval']);
  if (advice !== undefined && says !== 'declined') found.push(['advice', 'goes with declined']);
  if (unless !== undefined && says !== 'declined') found.push(['unless', 'goes with declined']);
  if (time !== undefined && says !== 'pending' && goes !== 'late' && goes !== 'down') {
    found.push(['for', 'goes with pending, late or down']);
  }
  if (takes !== undefined && (endsOf(takes)?.[1] ?? 0) > ANSWER_MS_MAX) found.push(['takes', 'must be 30s at most']);
  return found;
}

const acquirerAct = object<AcquirerAct>(
  {
    says: required(words('approved', 'declined', 'pending'), 'The decision.'),
    code: optional(outcome, 'The result code, for pending the final one; default for a decline 800.100.151.'),
    advice: optional(text(/^[0-9]{2}$/, 'must be two digits'), 'The merchant advice code of a decline.'),
    unless: optional(words('authenticated'), 'Decline only without 3D Secure authentication; approve with it.'),
    avs: optional(words('A', 'Z', 'N', 'U', 'F'), 'The result of the address check.'),
    cvv: optional(words('M', 'N', 'P', 'S', 'U'), 'The result of the check of the security code.'),
    takes: optional(time, 'Latency of the reply, at most 30s.'),
    goes: optional(
      words('lost', 'lost-request', 'late', 'twice', 'garbled', 'down'),
      'What goes wrong: booked and no reply; never received; booked after the time-out; received twice; ' +
        'booked and the reply unreadable; not reachable.',
    ),
    for: optional(time, 'Duration: pending (default 60s), down (60s), late (5s).'),
  },
  betweenAnswer,
);

const bankAct = object<BankAct>(
  {
    shopper: optional(words('pays', 'declines', 'cancels'), 'What the simulated shopper does; default nothing.'),
    after: optional(time, 'When, counted from the payment; default 2s.'),
    confirms: optional(
      words('before', 'after', 'twice', 'never'),
      'When the bank confirms by itself; default before the shopper returns.',
    ),
    late: optional(time, 'With after: the delay; default 2s.'),
  },
  ({ shopper, after, confirms, late }) => [
    ...(after !== undefined && shopper === undefined ? [['after', 'goes with shopper'] as const] : []),
    ...(late !== undefined && confirms !== 'after' ? [['late', 'goes with confirms=after'] as const] : []),
  ],
);

const threeDSAct = object<ThreeDSAct>({
  enrolled: optional(flag, 'Every card is enrolled, or none.'),
  flow: optional(words('challenge', 'frictionless'), 'Whether the cardholder is challenged.'),
  status: optional(words('Y', 'A', 'N', 'U', 'R', 'I'), 'The transStatus at the end.'),
  reason: optional(text(/^(?:0[1-9]|1[0-9]|2[0-6])$/, 'must be two digits, 01 to 26'), 'The transStatusReason of N, U and R.'),
  page: optional(words('code', 'app'), 'How a challenge is made.'),
  directory: optional(words('down', 'garbled', 'foreign'), 'What is wrong with the directory server.'),
  results: optional(words('lost', 'after', 'twice', 'foreign'), 'What is wrong with the results request.'),
});

const receiverAct = object<ReceiverAct>(
  {
    answers: required(
      text(/^(?:nothing|late|[345][0-9]{2})$/, 'must be nothing, late, or a status from 300 to 599'),
      'The answer to deliveries about this payment: nothing (connection refused), late (time-out), or a status. The webhook is not called.',
    ),
    for: required(time, 'Duration; the first from the event on, the next after the previous one.'),
    retryAfter: optional(fixedTime, 'The Retry-After header.'),
  },
  ({ answers, retryAfter }) =>
    retryAfter !== undefined && answers !== '429' && answers !== '503' ? [['retryAfter', 'goes with 429 and 503']] : [],
);

const share = whole(1, 100);
const money = text(/^[0-9]{1,6}\.[0-9]{2}$/, 'must be an amount such as 0.25');

const settlementAct = object<SettlementAct>(
  {
    after: optional(time, 'When the payment is settled, counted from the payment; default 2d.'),
    pays: optional(words('all', 'part', 'nothing', 'twice'), 'How much is settled.'),
    share: optional(share, 'With part: the share in percent.'),
    rest: optional(time, 'With part: when the rest is settled, counted from the part; default never.'),
    off: optional(text(/^-?[0-9]{1,6}\.[0-9]{2}$/, 'must be an amount such as -0.10'), 'By how much the amount is wrong.'),
    feePercent: optional(
      text(/^(?:[0-9]|[1-9][0-9])(?:\.[0-9]{1,2})?$/, 'must be a number below 100 such as 1.4'),
      'The fee in percent.',
    ),
    feeFixed: optional(money, 'The fixed fee.'),
  },
  ({ pays, share, rest }) => [
    ...(pays === 'part' && share === undefined ? [['share', 'may not be empty'] as const] : []),
    ...(pays !== 'part' && share !== undefined ? [['share', 'goes with pays=part'] as const] : []),
    ...(pays !== 'part' && rest !== undefined ? [['rest', 'goes with pays=part'] as const] : []),
  ],
);

const chargebackAct = object<ChargebackAct>({
  after: required(time, 'When, counted from the payment.'),
  code: required(
    text(
      /^000\.100\.2[0-9]{2}$/,
      'must be a result code of a chargeback',
      (it) => isResultCode(it) && resultCodes[it].means === 'chargeback',
    ),
    'The reason.',
  ),
  share: optional(share, 'Share of the payment in percent; default 100.'),
  reversed: optional(time, 'When it is reversed, counted from the chargeback; default never.'),
});

const acts: Rows<Acts> = {
  acquirer: optional(
    listOf(acquirerAct, 8),
    "The acquirer's answers, one per attempt; the last one applies to all further attempts.",
  ),
  later: optional(
    object<NonNullable<Acts['later']>>({
      CP: optional(acquirerAct, 'To a capture.'),
      RV: optional(acquirerAct, 'To a reversal.'),
      RF: optional(acquirerAct, 'To a refund.'),
    }),
    'Its answers to captures, reversals and refunds.',
  ),
  bank: optional(bankAct, 'The shopper and the bank of a redirect payment.'),
  threeDS: optional(threeDSAct, 'The directory server and the issuer.'),
  receiver: optional(listOf(receiverAct, 5), 'Simulated answers of webhook receivers; after them the webhooks are called.'),
  settlement: optional(settlementAct, 'The settlement.'),
  chargebacks: optional(listOf(chargebackAct, 4), 'The chargebacks.'),
};

const option = object<Option>({
  ...acts,
  weight: optional(whole(1, 1_000), 'Relative probability; default 1.'),
});

export const scenarioShape = object<Scenario>({
  name: required(text(SCENARIO_NAME, 'must be 3 to 48 characters of a-z, 0-9 and -, a letter first'), 'The name.'),
  says: required(
    text(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, 'must be 1 to 200 characters on one line'),
    'A description in one sentence.',
  ),
  seed: optional(whole(0, SEED_MAX), 'The default seed; default 0.'),
  ...acts,
  oneOf: optional(listOf(option, 10), 'One of these is drawn and overrides the members above.'),
});

type ScenarioResult =
  | { readonly is: 'scenario'; readonly scenario: Scenario }
  | { readonly is: 'faulty'; readonly faults: readonly ScenarioFault[] };

/** Reads a scenario: the scenario, or all of its faults. */
export function parseScenario(value: unknown): ScenarioResult {
  const length = JSON.stringify(value)?.length ?? 0;
  if (length > SCENARIO_LENGTH_MAX) {
    return { is: 'faulty', faults: [{ at: '', message: `must not be longer than ${SCENARIO_LENGTH_MAX} characters as JSON` }] };
  }
  const faults = scenarioShape.faults(value, '');
  return faults.length > 0 ? { is: 'faulty', faults } : { is: 'scenario', scenario: value as Scenario };
}

const playedActs = object<Acts>(acts);

/** Acts that were drawn and stored earlier; null when they are not valid. */
export const actsIn = (value: unknown): Acts | null =>
  isRecord(value) && playedActs.faults(value, '').length === 0 ? (value as Acts) : null;
