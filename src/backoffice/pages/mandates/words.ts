import type { MandateView } from '../../../spec/answers/stored.ts';
import type { Tone } from '../../kit/Status.tsx';
import type { mandateTexts } from '../../texts/mandates.ts';

export type Words = (typeof mandateTexts)['en'];

export const mandateTones: Readonly<Record<MandateView['state'], Tone>> = {
  active: 'good',
  ended: 'quiet',
  lapsed: 'bad',
};

const sequences = ['FRST', 'RCUR', 'OOFF', 'FNAL'] as const;

/** The name of a sequence, with its code. */
export function sequenceText(t: Words, sequence: string): string {
  const known = sequences.find((one) => one === sequence);
  return known ? `${t[known]} (${known})` : sequence;
}

export const accountText = ({ last4 }: Pick<MandateView, 'last4'>): string | null => (last4 === null ? null : `•••• ${last4}`);
