import type { ListedSchedule } from '../../../spec/answers/stored.ts';
import type { Tone } from '../../kit/Status.tsx';
import type { scheduleTexts } from '../../texts/schedules.ts';

export type Words = (typeof scheduleTexts)['en'];

export const scheduleTones: Readonly<Record<ListedSchedule['state'], Tone>> = { active: 'good', ending: 'warn', over: 'quiet' };

/** Instants on the clocks of a zone. */
export const timesIn = (locale: string, timeZone: string, dateStyle: 'full' | 'medium'): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { timeZone, dateStyle, timeStyle: 'medium' });
