import type { Payment } from '../../payments/payment.ts';
import type { Result, ThreeDSOutcome, WebhookOutcome } from '../../spec/answers/statistics.ts';
import { brands } from '../../spec/brands.ts';
import { tookPlace } from '../../spec/resultCodes.ts';
import type { Delivery } from '../../webhooks/webhook.ts';
import { bucketOf } from './buckets.ts';

/** What is counted of a payment or of a delivery: a few words, made when it changes and kept until nothing more can change. */

/** Transactions that move or promise money; the others are not counted. */
const counted: ReadonlySet<string> = new Set(['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'CB', 'CR', 'RB', 'RC']);

const NONE = '-';
const SEPARATOR = '|';

/** Somebody tries to pay: what approval rates and reasons of declines are made of. */
const isAttempt = ({ paymentType, referencedId }: Payment): boolean =>
  (paymentType === 'DB' || paymentType === 'PA') && referencedId === null;

function resultOf({ phase, risk }: Payment): Result {
  if (phase.at !== 'final') return 'pending';
  if (tookPlace(phase.code)) return 'approved';
  return risk?.verdict.is === 'decline' ? 'rejected' : 'declined';
}

const asked: Readonly<Partial<Record<string, ThreeDSOutcome>>> = {
  attempted: 'attempted',
  informational: 'notAsked',
  notEnrolled: 'notEnrolled',
  notParticipating: 'notEnrolled',
  unavailable: 'unavailable',
  unsupportedDevice: 'unavailable',
  unreachable: 'unavailable',
  technical: 'unavailable',
};

/** The 3D Secure outcome: frictionless, challenged, or not authenticated. */
function threeDSOf({ threeDS }: Payment): ThreeDSOutcome {
  if (threeDS === null) return 'notAsked';
  const { phase } = threeDS.state;
  if (phase.at !== 'done') return 'pending';
  const { kind, flow } = phase.outcome;
  const wasAsked = flow === 'challenge' || flow === 'decoupled';
  if (kind === 'authenticated') return wasAsked ? 'challengePassed' : 'frictionless';
  return asked[kind] ?? (wasAsked || flow === null ? 'challengeFailed' : 'refused');
}

/**
 * From the moment a payment began, when its request had been checked, until its result was decided, in the merchant's own time. Payments
 * in which a shopper or a browser took part are left out: how long a person takes says nothing about the gateway.
 */
function latencyOf({ phase, threeDS, paymentBrand, createdAt, movedAt }: Payment): number | null {
  if (phase.at !== 'final' || brands[paymentBrand ?? '']?.workflow === 'async') return null;
  if (threeDS !== null) {
    const { state } = threeDS;
    const wasAlone = state.phase.at === 'done' && state.phase.outcome.flow === 'frictionless' && state.threeDSCompInd === 'U';
    if (!wasAlone) return null;
  }
  return bucketOf(movedAt - createdAt);
}

/** A payment as it is counted; null: it is not. */
export function paymentLine(payment: Payment): string | null {
  const { phase, createdAt, entityId, currency, paymentType, paymentBrand, amount } = payment;
  if (!counted.has(paymentType)) return null;
  const result = resultOf(payment);
  const own = isAttempt(payment)
    ? [paymentBrand ?? NONE, phase.at === 'final' ? phase.code : NONE, threeDSOf(payment), latencyOf(payment) ?? NONE]
    : [];
  return ['p', createdAt, entityId, currency, paymentType, result, amount, ...own].join(SEPARATOR);
}

const outcomes: Readonly<Record<Delivery['state'], WebhookOutcome>> = { delivered: 'later', due: 'waiting', dead: 'dead' };

/** A delivery as it is counted, at the time of what it tells; null: it has not been tried yet. */
export function deliveryLine({ event, state, tries }: Delivery): string | null {
  const [first] = tries;
  if (first === undefined && state !== 'dead') return null;
  const outcome = state === 'delivered' && tries.length === 1 ? 'first' : outcomes[state];
  const latency = first === undefined || first.status === null ? NONE : bucketOf(first.ms);
  return ['d', event.createdAt, event.entityId, outcome, latency].join(SEPARATOR);
}

/** What a line adds to the sheets of its channel and of everything above it. */
export type Added = {
  readonly at: number;
  readonly entityId: string;
  /** Nothing more can change. */
  readonly isFinal: boolean;
  readonly keys: readonly (readonly [key: string, amount: bigint | null])[];
};

/**
 * Keys begin with a letter. `v`: by currency, type and result. `b`: attempts by currency, brand and result. `c`: attempts that failed, by
 * code. `t`: attempts by what 3D Secure came to. `l`: attempts by latency. `w`: deliveries by what became of them. `x`: deliveries by
 * the latency of the first try.
 */
export function readLine(line: string): Added {
  const [kind, at, entityId = '', ...words] = line.split(SEPARATOR);
  return { at: Number(at), entityId, ...(kind === 'p' ? ofPayment(words) : ofDelivery(words)) };
}

function ofPayment([currency, type, result, amount = '0', brand, code, threeDS, latency]: readonly string[]) {
  const money = BigInt(amount);
  const keys: [string, bigint | null][] = [[`v ${currency} ${type} ${result}`, money]];
  if (brand !== undefined) {
    keys.push([`b ${currency} ${brand} ${result}`, money], [`t ${threeDS}`, null]);
    if (result === 'declined' || result === 'rejected') keys.push([`c ${code}`, null]);
    if (latency !== NONE) keys.push([`l ${latency}`, null]);
  }
  return { isFinal: result !== 'pending', keys };
}

function ofDelivery([outcome, latency]: readonly string[]) {
  const keys: [string, null][] = [[`w ${outcome}`, null]];
  if (latency !== NONE) keys.push([`x ${latency}`, null]);
  return { isFinal: outcome !== 'waiting', keys };
}
