import type { ModuleSettings } from '../merchants/moduleSettings.ts';
import { isRecord } from '../runtime/json.ts';
import { isNegative, type ResultCode, resultCodes } from '../spec/resultCodes.ts';
import { HOUR_MS } from '../spec/time.ts';

/** How long and how often a declined charge of a schedule is tried again. */
type RetryPolicy = {
  /** Tries of one run, the first one included; 1 switches retries off. */
  readonly triesMax: number;
  /** No try later than so many days after the first one. */
  readonly days: number;
  /** The wait after a soft decline that came without advice. */
  readonly waitHoursDefault: number;
  /** The wait by merchant advice code, two digits. */
  readonly waitHoursByAdvice: Readonly<Record<string, number>>;
};

export const defaultRetryPolicy: RetryPolicy = {
  triesMax: 5,
  days: 20,
  waitHoursDefault: 24,
  waitHoursByAdvice: { '02': 72, '24': 1, '25': 24, '26': 48, '27': 96, '28': 144, '29': 192, '30': 240 },
};

/** Why a charge is not tried again. */
export type RetryStop =
  | 'not declined'
  | 'outcome open'
  | 'new data needed'
  | 'never'
  | 'token required'
  | 'recurring cancelled'
  | 'no instalments'
  | 'set-up wrong'
  | 'tries used up'
  | 'time used up'
  | 'next run is sooner';

export type Retry = { readonly is: 'retry'; readonly at: number } | { readonly is: 'stop'; readonly why: RetryStop };

/** A charge of a run that has come to its end; instants are milliseconds. */
export type ChargeOutcome = {
  readonly code: ResultCode;
  /** `resultDetails.MerchantAdviceCode`, or null. */
  readonly adviceCode: string | null;
  /** How often this run was charged so far, this time included. */
  readonly tries: number;
  readonly firstTriedAt: number;
  readonly now: number;
  /** The next regular run of the schedule, or null when there is none. */
  readonly nextRegularAt: number | null;
};

/**
 * The retries that an advice code forbids. 40 to 43 only tell about the card, and an unknown code tells nothing: then the result code
 * decides.
 */
const stopByAdvice: ReadonlyMap<string, RetryStop> = new Map([
  ['01', 'new data needed'],
  ['03', 'never'],
  ['04', 'token required'],
  ['21', 'recurring cancelled'],
  ['22', 'no instalments'],
]);

/**
 * Whether and when a declined charge is tried again. The issuer's advice counts more than the result code, except that a stolen card
 * or a closed account is never tried again. A retry that would not come before the next regular run is dropped: that run is the retry.
 */
export function retryAfter(charged: ChargeOutcome, policy: RetryPolicy = defaultRetryPolicy): Retry {
  const wait = waitHours(charged, policy);
  if (typeof wait === 'string') return { is: 'stop', why: wait };
  if (charged.tries >= Math.min(policy.triesMax, resultCodes[charged.code].retry.triesMax))
    return { is: 'stop', why: 'tries used up' };
  const at = charged.now + wait * HOUR_MS;
  if (at > charged.firstTriedAt + policy.days * 24 * HOUR_MS) return { is: 'stop', why: 'time used up' };
  if (charged.nextRegularAt !== null && at >= charged.nextRegularAt) return { is: 'stop', why: 'next run is sooner' };
  return { is: 'retry', at };
}

function waitHours({ code, adviceCode }: ChargeOutcome, policy: RetryPolicy): number | RetryStop {
  if (!isNegative(code)) return resultCodes[code].means === 'pending' ? 'outcome open' : 'not declined';
  const { advice: catalogued, retry } = resultCodes[code];
  const advice = adviceOf(code, adviceCode);
  const forbidden = stopByAdvice.get(advice);
  if (forbidden !== undefined) return forbidden;
  if (catalogued === 'wait') return 'outcome open';
  if (retry.again === 'never') return cancelledByHolder(code) ? 'recurring cancelled' : 'never';
  const advised = policy.waitHoursByAdvice[advice];
  if (advised !== undefined) return advised;
  if (retry.again === 'later') return Math.max(policy.waitHoursDefault, retry.afterDays * 24);
  if (catalogued === 'fix data' || catalogued === 'ask shopper') return 'new data needed';
  return catalogued === 'contact support' ? 'set-up wrong' : 'never';
}

const ADVICE = /^[0-9]{1,2}$/;

/** The retry control of the gateway names the advice it keeps in the last digits of its codes: 700.600.024 is advice 24. */
function adviceOf(code: ResultCode, sent: string | null): string {
  if (resultCodes[code].group === 'retry-control-mac') return code.slice(-2);
  return sent !== null && ADVICE.test(sent) ? sent.padStart(2, '0') : '';
}

const cancelledByHolder = (code: ResultCode): boolean => code === '800.100.500' || code === '800.100.501';

/** The setting `schedules` of an entity: how often and how long declined charges are retried. */

const whole = (least: number, most: number) => ({
  says: `a whole number from ${least} to ${most}`,
  fits: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
});

const hours = whole(1, 30 * 24);
const ADVICE_KEY = /^[0-9]{2}$/;

const kinds: Readonly<Record<keyof RetryPolicy, { readonly says: string; readonly fits: (value: unknown) => boolean }>> = {
  triesMax: whole(1, 20),
  days: whole(1, 60),
  waitHoursDefault: hours,
  waitHoursByAdvice: {
    says: `an object of hours, each ${hours.says}, by merchant advice codes of two digits`,
    fits: (value) =>
      isRecord(value) && Object.entries(value).every(([advice, wait]) => ADVICE_KEY.test(advice) && hours.fits(wait)),
  },
};

/** The faults of the setting, a sentence each. */
export function scheduleSettingFaults(value: unknown): readonly string[] {
  if (!isRecord(value)) return ['the setting "schedules" must be an object'];
  return Object.entries(value).flatMap(([name, part]) => {
    if (!Object.hasOwn(kinds, name)) return [`the setting "schedules.${name}" does not exist`];
    const kind = kinds[name as keyof RetryPolicy];
    return kind.fits(part) ? [] : [`the setting "schedules.${name}" must be ${kind.says}`];
  });
}

/** The retry policy of a channel, with defaults. */
export function policyOf(settings: ModuleSettings): RetryPolicy {
  const own = settings as Partial<RetryPolicy>;
  return {
    ...defaultRetryPolicy,
    ...own,
    waitHoursByAdvice: { ...defaultRetryPolicy.waitHoursByAdvice, ...own.waitHoursByAdvice },
  };
}
