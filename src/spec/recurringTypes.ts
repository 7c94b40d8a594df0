import type { ValueOf } from './parameters.ts';

type Meaning = {
  readonly mode: ValueOf<'standingInstruction.mode'>;
  readonly source: ValueOf<'standingInstruction.source'>;
  readonly type: ValueOf<'standingInstruction.type'>;
};

/**
 * What the older parameter recurringType says in the words of a standing instruction. REGISTRATION_BASED is the one-click payment:
 * the shopper is present and pays with stored details.
 */
export const recurringTypes: Readonly<Record<ValueOf<'recurringType'>, Meaning>> = {
  INITIAL: { mode: 'INITIAL', source: 'CIT', type: 'RECURRING' },
  REPEATED: { mode: 'REPEATED', source: 'MIT', type: 'RECURRING' },
  REGISTRATION_BASED: { mode: 'REPEATED', source: 'CIT', type: 'UNSCHEDULED' },
};
