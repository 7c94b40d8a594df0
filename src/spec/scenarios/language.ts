import type { CodeThat, NegativeCode } from '../resultCodes.ts';
import { DAY_MS, HOUR_MS } from '../time.ts';

/**
 * Instructions to the simulators. A scenario is a value: it can be written in TypeScript, sent as JSON, and means the same every time.
 * Every member is optional; the default is what happens without a scenario.
 */
export type Scenario = Acts & {
  readonly name: string;
  /** The story, as a sentence. */
  readonly says: string;
  /** The default seed. */
  readonly seed?: number;
  /** One of these comes on top, by chance. The seed decides which. */
  readonly oneOf?: readonly Option[];
};

export type Option = Acts & { readonly weight?: number };

export type Acts = {
  /** The acquirer's answers, one for each attempt; the last one holds for all that follow. */
  readonly acquirer?: readonly AcquirerAct[];
  /** Its answers to what follows the payment. */
  readonly later?: Readonly<Partial<Record<LaterType, AcquirerAct>>>;
  /** The shopper who pays elsewhere, and the bank that confirms it. */
  readonly bank?: BankAct;
  readonly threeDS?: ThreeDSAct;
  /** How a webhook answers events of this payment, one after the other; afterwards it is called as ever. */
  readonly receiver?: readonly ReceiverAct[];
  readonly settlement?: SettlementAct;
  readonly chargebacks?: readonly ChargebackAct[];
};

/** A length of time, or a range of which chance takes one. */
export type Duration = string;

export type LaterType = 'CP' | 'RV' | 'RF';

export type AcquirerAct = {
  readonly says: 'approved' | 'declined' | 'pending';
  /** Of a decline, of an approval, or what comes after pending; 000.100.110 or 800.100.151 where nothing is said. */
  readonly code?: CodeThat<'approved'> | NegativeCode;
  /** The merchant advice code of a decline. */
  readonly advice?: string;
  /** Declines only cardholders who were not authenticated. */
  readonly unless?: 'authenticated';
  readonly avs?: 'A' | 'Z' | 'N' | 'U' | 'F';
  readonly cvv?: 'M' | 'N' | 'P' | 'S' | 'U';
  /** The answer takes so long: 30 seconds at most. */
  readonly takes?: Duration;
  /** How the conversation goes wrong. */
  readonly goes?: 'lost' | 'lost-request' | 'late' | 'twice' | 'garbled' | 'down';
  /** How long it is down, by how much it is late, or how long it is pending. */
  readonly for?: Duration;
};

export type BankAct = {
  /** The action of the simulated shopper when no real one acts. */
  readonly shopper?: 'pays' | 'declines' | 'cancels';
  /** When the shopper does it. Default: two seconds after the payment began. */
  readonly after?: Duration;
  /** When the bank sends its callback. */
  readonly confirms?: 'before' | 'after' | 'twice' | 'never';
  /** How much later, with `after`. Default: two seconds. */
  readonly late?: Duration;
};

export type ThreeDSAct = {
  readonly enrolled?: boolean;
  readonly flow?: 'challenge' | 'frictionless';
  readonly status?: 'Y' | 'A' | 'N' | 'U' | 'R' | 'I';
  readonly reason?: string;
  readonly page?: 'code' | 'app';
  readonly directory?: 'down' | 'garbled' | 'foreign';
  readonly results?: 'lost' | 'after' | 'twice' | 'foreign';
};

export type ReceiverAct = {
  /** A status, `nothing`: no connection, or `late`: a time-out. */
  readonly answers: string;
  /** For how long, counted on from the act before; the first one from the instant of the events. */
  readonly for: Duration;
  /** The Retry-After header. */
  readonly retryAfter?: Duration;
};

export type SettlementAct = {
  /** When the money comes; two days after the payment where nothing is said. */
  readonly after?: Duration;
  readonly pays?: 'all' | 'part' | 'nothing' | 'twice';
  /** The part, in per cent. */
  readonly share?: number;
  /** When the rest of a part comes, counted from the part; never where nothing is said. */
  readonly rest?: Duration;
  /** By how much the amount is wrong, such as -0.10. */
  readonly off?: string;
  /** The fee in per cent and in money. */
  readonly feePercent?: string;
  readonly feeFixed?: string;
};

export type ChargebackAct = {
  /** When, counted from the payment. */
  readonly after: Duration;
  readonly code: CodeThat<'chargeback'>;
  /** How much of the payment, in per cent; all of it where nothing is said. */
  readonly share?: number;
  /** When it is taken back, counted from the chargeback; never where nothing is said. */
  readonly reversed?: Duration;
};

/** A length of time as scenarios write it: `40d`, `12h`, `90s`, `250ms`; `1m..5m` is one by chance between the two. */

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: HOUR_MS, d: DAY_MS } as const;
type Unit = keyof typeof UNITS_MS;

const ONE = '(0|[1-9][0-9]{0,10})(ms|s|m|h|d)';
export const duration = new RegExp(`^${ONE}$`);
/** One length, or two with dots between them. */
export const durationOrRange = new RegExp(`^${ONE}(?:\\.\\.${ONE})?$`);
/** The longest there is: a year and a day. */
const DURATION_MS_MAX = 366 * UNITS_MS.d;

const product = (count: string, unit: string): number => Number.parseInt(count, 10) * UNITS_MS[unit as Unit];

/** The milliseconds of a duration; null when the text is none, or too long a time. */
export function msOf(text: string): number | null {
  const [, count, unit] = duration.exec(text) ?? [];
  if (count === undefined || unit === undefined) return null;
  const ms = product(count, unit);
  return ms <= DURATION_MS_MAX ? ms : null;
}

/** The two ends of a range, the same where there is one length only; null when the text is neither or its ends are the wrong way round. */
export function endsOf(text: string): readonly [from: number, to: number] | null {
  const [from, to = from] = text.split('..').map(msOf);
  return durationOrRange.test(text) && from != null && to != null && from <= to ? [from, to] : null;
}

/** The shortest text of so many milliseconds. */
export function durationText(ms: number): string {
  const units: readonly Unit[] = ['d', 'h', 'm', 's'];
  const unit = ms === 0 ? 's' : (units.find((one) => ms % UNITS_MS[one] === 0) ?? 'ms');
  return `${ms / UNITS_MS[unit]}${unit}`;
}
