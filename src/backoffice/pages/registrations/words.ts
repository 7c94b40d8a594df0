import type { SeenRegistration } from '../../../spec/answers/stored.ts';
import type { Tone } from '../../kit/Status.tsx';
import type { registrationTexts } from '../../texts/registrations.ts';

export type Words = (typeof registrationTexts)['en'];

export const registrationTones: Readonly<Record<SeenRegistration['state'], Tone>> = {
  open: 'accent',
  active: 'good',
  rejected: 'bad',
  deleted: 'quiet',
};
