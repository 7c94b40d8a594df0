import type { RegistrationView } from '../../../spec/answers/stored.ts';
import type { Tone } from '../../kit/Status.tsx';
import type { registrationTexts } from '../../texts/registrations.ts';

export type Words = (typeof registrationTexts)['en'];

export const registrationTones: Readonly<Record<RegistrationView['state'], Tone>> = {
  open: 'accent',
  active: 'good',
  rejected: 'bad',
  deleted: 'quiet',
};
