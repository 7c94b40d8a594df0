import { isRecord } from '../json.ts';
import { isApproval, isNegative, isResultCode, resultCodes } from '../resultCodes.ts';
import { duration, durationOrRange, endsOf, msOf } from './durations.ts';
import type {
  AcquirerAct,
  Acts,
  BankAct,
  ChargebackAct,
  Duration,
  Option,
  ReceiverAct,
  Scenario,
  SettlementAct,
  ThreeDSAct,
} from './language.ts';
import { flag, free, listOf, needed, object, type Rows, type ScenarioFault, text, whole, words } from './shapes.ts';

/** The language as a table: the checker, the JSON Schema and the reference read it. */

export const SCENARIO_NAME = /^[a-z][a-z0-9-]{2,47}$/;
export const SEED_MAX = 999_999_999;
/** A scenario as JSON is no longer than this: it travels in a parameter and is kept, drawn, in another one of 2,048 characters. */
export const SCENARIO_LENGTH_MAX = 1_800;
const ANSWER_MS_MAX = 30_000;

const time = text<Duration>(
  durationOrRange,
  'must be a length of time such as 250ms, 90s, 10m, 12h or 40d, at most 366d, or a range of two such as 1m..5m',
  (it) => endsOf(it) !== null,
);
/** Where a time must be known without drawing. */
const fixedTime = text<Duration>(
  duration,
  'must be a length of time such as 90s, 12h or 40d, at most 366d',
  (it) => msOf(it) !== null,
);

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
    says: needed(words('approved', 'declined', 'pending'), 'What it decides.'),
    code: free(outcome, 'The result code; of pending: how it ends. 800.100.151 for a decline where nothing is said.'),
    advice: free(text(/^[0-9]{2}$/, 'must be two digits'), 'The merchant advice code of a decline.'),
    unless: free(
      words('authenticated'),
      'The decline is for those whom nobody authenticated; who was authenticated is approved.',
    ),
    avs: free(words('A', 'Z', 'N', 'U', 'F'), 'The result of the address check.'),
    cvv: free(words('M', 'N', 'P', 'S', 'U'), 'The result of the check of the security code.'),
    takes: free(time, 'The answer takes that long, 30s at most.'),
    goes: free(
      words('lost', 'lost-request', 'late', 'twice', 'garbled', 'down'),
      'How the conversation goes wrong: booked and no answer; never received; booked after the time to answer; received twice; ' +
        'booked and the answer cannot be read; not reachable.',
    ),
    for: free(time, 'How long it is pending (60s where nothing is said), down (60s), or by how much late (5s).'),
  },
  betweenAnswer,
);

const bankAct = object<BankAct>(
  {
    shopper: free(words('pays', 'declines', 'cancels'), 'What the shopper does by himself; nothing where nothing is said.'),
    after: free(time, 'When he does it, counted from the payment; 2s where nothing is said.'),
    confirms: free(words('before', 'after', 'twice', 'never'), 'When the bank tells the gateway by itself: before he is back.'),
    late: free(time, 'With after: how much later; 2s where nothing is said.'),
  },
  ({ shopper, after, confirms, late }) => [
    ...(after !== undefined && shopper === undefined ? [['after', 'goes with shopper'] as const] : []),
    ...(late !== undefined && confirms !== 'after' ? [['late', 'goes with confirms=after'] as const] : []),
  ],
);

const threeDSAct = object<ThreeDSAct>({
  enrolled: free(flag, 'Every card is enrolled, or none.'),
  flow: free(words('challenge', 'frictionless'), 'Whether the cardholder is asked.'),
  status: free(words('Y', 'A', 'N', 'U', 'R', 'I'), 'The transStatus at the end.'),
  reason: free(text(/^(?:0[1-9]|1[0-9]|2[0-6])$/, 'must be two digits, 01 to 26'), 'The transStatusReason of N, U and R.'),
  page: free(words('code', 'app'), 'How a challenge is made.'),
  directory: free(words('down', 'garbled', 'foreign'), 'What is wrong with the directory server.'),
  results: free(words('lost', 'after', 'twice', 'foreign'), 'What is wrong with the results request.'),
});

const receiverAct = object<ReceiverAct>(
  {
    answers: needed(
      text(/^(?:nothing|late|[345][0-9]{2})$/, 'must be nothing, late, or a status from 300 to 599'),
      'What a webhook answers to news of this payment: nobody is there, no answer in time, or a status. Nobody is called.',
    ),
    for: needed(time, 'For how long; the first from the instant of the news on, each other after the one before.'),
    retryAfter: free(fixedTime, 'What it says in Retry-After.'),
  },
  ({ answers, retryAfter }) =>
    retryAfter !== undefined && answers !== '429' && answers !== '503' ? [['retryAfter', 'goes with 429 and 503']] : [],
);

const share = whole(1, 100);
const money = text(/^[0-9]{1,6}\.[0-9]{2}$/, 'must be an amount such as 0.25');

const settlementAct = object<SettlementAct>(
  {
    after: free(time, 'When the money comes, counted from the payment; 2d where nothing is said.'),
    pays: free(words('all', 'part', 'nothing', 'twice'), 'How much of it comes.'),
    share: free(share, 'With part: the part in per cent.'),
    rest: free(time, 'With part: when the rest comes, counted from the part; never where nothing is said.'),
    off: free(text(/^-?[0-9]{1,6}\.[0-9]{2}$/, 'must be an amount such as -0.10'), 'By how much the amount is wrong.'),
    feePercent: free(
      text(/^(?:[0-9]|[1-9][0-9])(?:\.[0-9]{1,2})?$/, 'must be a number below 100 such as 1.4'),
      'The fee in per cent.',
    ),
    feeFixed: free(money, 'The fee in money.'),
  },
  ({ pays, share, rest }) => [
    ...(pays === 'part' && share === undefined ? [['share', 'may not be empty'] as const] : []),
    ...(pays !== 'part' && share !== undefined ? [['share', 'goes with pays=part'] as const] : []),
    ...(pays !== 'part' && rest !== undefined ? [['rest', 'goes with pays=part'] as const] : []),
  ],
);

const chargebackAct = object<ChargebackAct>({
  after: needed(time, 'When, counted from the payment.'),
  code: needed(
    text(
      /^000\.100\.2[0-9]{2}$/,
      'must be a result code of a chargeback',
      (it) => isResultCode(it) && resultCodes[it].means === 'chargeback',
    ),
    'Why.',
  ),
  share: free(share, 'How much of the payment, in per cent; all of it where nothing is said.'),
  reversed: free(time, 'When it is taken back, counted from the chargeback; never where nothing is said.'),
});

const acts: Rows<Acts> = {
  acquirer: free(
    listOf(acquirerAct, 8),
    'The answers of the acquirer, one for each attempt; the last one holds for all that follow.',
  ),
  later: free(
    object<NonNullable<Acts['later']>>({
      CP: free(acquirerAct, 'To a capture.'),
      RV: free(acquirerAct, 'To a reversal.'),
      RF: free(acquirerAct, 'To a refund.'),
    }),
    'Its answers to what follows the payment.',
  ),
  bank: free(bankAct, 'The shopper who pays elsewhere, and his bank.'),
  threeDS: free(threeDSAct, 'The directory server and the issuer.'),
  receiver: free(listOf(receiverAct, 5), 'How webhooks answer news of this payment; afterwards they are called as ever.'),
  settlement: free(settlementAct, 'How the money comes.'),
  chargebacks: free(listOf(chargebackAct, 4), 'What the payer takes back.'),
};

const option = object<Option>({
  ...acts,
  weight: free(whole(1, 1_000), 'How likely, beside the others; 1 where nothing is said.'),
});

export const scenarioShape = object<Scenario>({
  name: needed(text(SCENARIO_NAME, 'must be 3 to 48 characters of a-z, 0-9 and -, a letter first'), 'What it is called.'),
  says: needed(text(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, 'must be 1 to 200 characters on one line'), 'The story, as a sentence.'),
  seed: free(whole(0, SEED_MAX), 'The seed where whoever uses it gives none; 0 without it.'),
  ...acts,
  oneOf: free(listOf(option, 10), 'One of these comes on top, by chance: what it says holds in the place of what is said above.'),
});

/** A scenario that somebody sent, or everything that is wrong with it. */
export function scenarioOf(value: unknown): Scenario | { readonly faults: readonly ScenarioFault[] } {
  const length = JSON.stringify(value)?.length ?? 0;
  if (length > SCENARIO_LENGTH_MAX) {
    return { faults: [{ at: '', message: `must not be longer than ${SCENARIO_LENGTH_MAX} characters as JSON` }] };
  }
  const faults = scenarioShape.faults(value, '');
  return faults.length > 0 ? { faults } : (value as Scenario);
}

const playedActs = object<Acts>(acts);

/** Acts that were drawn and written down before; null when somebody else has written them. */
export const actsIn = (value: unknown): Acts | null =>
  isRecord(value) && playedActs.faults(value, '').length === 0 ? (value as Acts) : null;
