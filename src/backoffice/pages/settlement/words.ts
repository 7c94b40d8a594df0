import type { SettlementShown } from '../../../spec/answers/settlement.ts';
import type { Tone } from '../../kit/Status.tsx';
import type { settlementTexts } from '../../texts/settlement.ts';

export type Words = (typeof settlementTexts)['en'];

export const fileTones: Readonly<Record<SettlementShown['state'], Tone>> = { reading: 'accent', kept: 'good', refused: 'bad' };

export const fileState = (t: Words, state: SettlementShown['state']): string =>
  ({ reading: t.stateReading, kept: t.stateKept, refused: t.stateRefused })[state];
