import type { CheckoutState } from '../../../spec/answers/stored.ts';
import type { Tone } from '../../kit/Status.tsx';
import type { checkoutTexts } from '../../texts/checkouts.ts';

export type Words = (typeof checkoutTexts)['en'];

export const checkoutTones: Readonly<Record<CheckoutState, Tone>> = {
  paid: 'good',
  trying: 'accent',
  open: 'warn',
  over: 'quiet',
};
