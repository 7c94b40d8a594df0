import type { ListedSchedule } from '../../../spec/answers/stored.ts';
import type { Tone } from '../../kit/Status.tsx';
import type { scheduleTexts } from '../../texts/schedules.ts';

export type Words = (typeof scheduleTexts)['en'];

export const scheduleTones: Readonly<Record<ListedSchedule['state'], Tone>> = { active: 'good', ending: 'warn', over: 'quiet' };
