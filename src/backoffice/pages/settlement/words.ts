import type { SettlementLine, SettlementShown } from '../../../spec/answers/settlement.ts';
import type { ExceptionKind } from '../../../spec/exceptionKinds.ts';
import type { Tone } from '../../kit/Status.tsx';
import type { settlementTexts } from '../../texts/settlement.ts';

export type Words = (typeof settlementTexts)['en'];

export const NOTE_MAX = 64;

const kindOf = ({ exception }: Pick<SettlementLine, 'exception'>): ExceptionKind | 'unmatched' => exception ?? 'unmatched';

/** Why a line was not matched, in a word or two, and in a sentence. */
export const kindText = (t: Words, line: Pick<SettlementLine, 'exception'>): string => t[`kind.${kindOf(line)}`];
export const kindSays = (t: Words, line: Pick<SettlementLine, 'exception'>): string => t[`kindSays.${kindOf(line)}`];

/** The amount as it moves the account: a file states the direction beside it. */
export const signedAmount = ({ amount, cashflow }: Pick<SettlementLine, 'amount' | 'cashflow'>): string =>
  cashflow === 'NEG' && !amount.startsWith('-') ? `-${amount}` : amount;

export const fileTones: Readonly<Record<SettlementShown['state'], Tone>> = { reading: 'accent', kept: 'good', refused: 'bad' };

export const fileState = (t: Words, state: SettlementShown['state']): string =>
  ({ reading: t.stateReading, kept: t.stateKept, refused: t.stateRefused })[state];
