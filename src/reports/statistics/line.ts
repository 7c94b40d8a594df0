import type { Payment } from '../../payments/payment.ts';
import type { Result, ThreeDSOutcome, WebhookOutcome } from '../../spec/answers/statistics.ts';
import { brands } from '../../spec/cards/brands.ts';
import { tookPlace } from '../../spec/resultCodes/accepted.ts';
import type { WebhookStore } from '../../webhooks/ports.ts';
import type { Delivery } from '../../webhooks/webhook.ts';
import { bucketOf } from './sheet.ts';

/**
 * A line has the counted facts of a payment or a delivery. It is made at every change, passes through the commit and the stores as one
 * string, and is read by the fold. It is kept until the subject is final.
 */

/** Transactions that move or promise money; the others are not counted. */
const counted: ReadonlySet<string> = new Set(['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'CB', 'CR', 'RB', 'RC']);

const NONE = '-';
const SEPARATOR = '|';

/** An attempt to pay: approval rates and decline reasons are computed from these. */
const isAttempt = ({ paymentType, referencedId }: Payment): boolean =>
  (paymentType === 'DB' || paymentType === 'PA') && referencedId === null;

function resultOf({ phase, risk }: Payment): Result {
  if (phase.at !== 'final') return 'pending';
  if (tookPlace(phase.code)) return 'approved';
  return risk?.verdict.is === 'decline' ? 'rejected' : 'declined';
}

const outcomesByKind: Readonly<Partial<Record<string, ThreeDSOutcome>>> = {
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
  return outcomesByKind[kind] ?? (wasAsked || flow === null ? 'challengeFailed' : 'refused');
}

/**
 * From the creation of a payment, after its request was checked, to its result, by the merchant's clock. Payments with a shopper or a
 * browser in between are left out: their duration is not the gateway's.
 */
function latencyOf({ phase, threeDS, paymentBrand, createdAt, movedAt }: Payment): number | null {
  if (phase.at !== 'final' || brands[paymentBrand ?? '']?.workflow === 'async') return null;
  if (threeDS !== null) {
    const { state } = threeDS;
    const wasAlone = state.phase.at === 'done' && state.phase.outcome.flow === 'frictionless' && state.threeDSCompInd === 'U';
    if (!wasAlone || state.browser !== undefined) return null;
  }
  return bucketOf(movedAt - createdAt);
}

/** The line of a payment; null: it is not counted. */
export function paymentLine(payment: Payment): string | null {
  const { phase, createdAt, entityId, currency, paymentType, paymentBrand, amount } = payment;
  if (!counted.has(paymentType)) return null;
  const result = resultOf(payment);
  const line = `p|${createdAt}|${entityId}|${currency}|${paymentType}|${result}|${amount}`;
  if (!isAttempt(payment)) return line;
  const code = phase.at === 'final' ? phase.code : NONE;
  return `${line}|${paymentBrand ?? NONE}|${code}|${threeDSOf(payment)}|${latencyOf(payment) ?? NONE}`;
}

const outcomes: Readonly<Record<Delivery['state'], WebhookOutcome>> = { delivered: 'later', due: 'waiting', dead: 'dead' };

/** The line of a delivery, at the time of its event; null: it was not attempted yet. */
function deliveryLine({ event, state, tries }: Delivery): string | null {
  const [first] = tries;
  if (first === undefined && state !== 'dead') return null;
  const outcome = state === 'delivered' && tries.length === 1 ? 'first' : outcomes[state];
  const latency = first === undefined || first.status === null ? NONE : bucketOf(first.ms);
  return ['d', event.createdAt, event.entityId, outcome, latency].join(SEPARATOR);
}

/** A line as the fold reads it. */
export type Line = {
  readonly at: number;
  readonly entityId: string;
  /** The subject cannot change any more. */
  readonly isFinal: boolean;
  /** 0 for a delivery. */
  readonly amount: bigint;
  /** The keys that the line adds to in the sheets of its channel and of all entities above it. */
  readonly keys: readonly (readonly [key: string, isMoney: boolean])[];
};

/**
 * Keys begin with a letter. `v`: by currency, type and result. `b`: attempts by currency, brand and result. `c`: failed attempts by
 * code. `t`: attempts by 3D Secure outcome. `l`: attempts by latency. `w`: deliveries by outcome. `x`: deliveries by the latency of the
 * first attempt.
 */
export function readLine(line: string): Line {
  const [subject, at, entityId = '', ...values] = line.split(SEPARATOR);
  return { at: Number(at), entityId, ...(subject === 'p' ? ofPayment(values) : ofDelivery(values)) };
}

type Counting = Pick<Line, 'isFinal' | 'amount' | 'keys'>;

function ofPayment([currency, type, result, amount = '0', brand, code, threeDS, latency]: readonly string[]): Counting {
  const keys: [string, boolean][] = [[`v ${currency} ${type} ${result}`, true]];
  if (brand !== undefined) {
    keys.push([`b ${currency} ${brand} ${result}`, true], [`t ${threeDS}`, false]);
    if (result === 'declined' || result === 'rejected') keys.push([`c ${code}`, false]);
    if (latency !== NONE) keys.push([`l ${latency}`, false]);
  }
  return { isFinal: result !== 'pending', amount: BigInt(amount), keys };
}

function ofDelivery([outcome, latency]: readonly string[]): Counting {
  const keys: [string, boolean][] = [[`w ${outcome}`, false]];
  if (latency !== NONE) keys.push([`x ${latency}`, false]);
  return { isFinal: outcome !== 'waiting', amount: 0n, keys };
}

/** A store that queues the statistics lines of deliveries in the same commit. */
export const countingDeliveries = <Store extends Pick<WebhookStore, 'saveDeliveries'>>(store: Store): Store => ({
  ...store,
  saveDeliveries: (deliveries) => store.saveDeliveries(deliveries, deliveries.map(deliveryLine)),
});
