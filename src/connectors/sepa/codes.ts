import { bankReason, bankReasonCodes } from '../../spec/bankReasons.ts';
import type { CodeRow } from '../kind.ts';

/** Every reason of a bank: of a payment that it rejects, and of one that it takes back. */
export const codeRows: readonly CodeRow[] = bankReasonCodes.toSorted().map((theirs) => {
  const { declined, chargeback } = bankReason(theirs);
  return { theirs, ours: `${declined}; returned: CB ${chargeback}` };
});
