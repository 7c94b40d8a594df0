import type { ModuleSettings } from '../merchants/moduleSettings.ts';
import { isRecord } from '../runtime/json.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';

/** The setting `schedules` of an entity: how often and how long declined charges are retried. */

const whole = (least: number, most: number) => ({
  says: `a whole number from ${least} to ${most}`,
  fits: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
});

const hours = whole(1, 30 * 24);
const ADVICE = /^[0-9]{2}$/;

const kinds: Readonly<Record<keyof RetryPolicy, { readonly says: string; readonly fits: (value: unknown) => boolean }>> = {
  triesMax: whole(1, 20),
  days: whole(1, 60),
  waitHoursDefault: hours,
  waitHoursByAdvice: {
    says: `an object of hours, each ${hours.says}, by merchant advice codes of two digits`,
    fits: (value) => isRecord(value) && Object.entries(value).every(([advice, wait]) => ADVICE.test(advice) && hours.fits(wait)),
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
