import type { TransactionType } from '../spec/paymentTypes.ts';
import { isApproved, isIncrement } from './balance.ts';
import type { Payment } from './payment.ts';

/** The codes by which an issuer says that there was not enough money: what a RESUBMISSION may follow. */
const INSUFFICIENT_FUNDS: ReadonlySet<string> = new Set(['800.100.155', '800.100.162', '800.100.203', '000.100.203']);

type Practice = {
  readonly types: readonly TransactionType[];
  /** Whether the payment named by referenceUuid can carry it. */
  readonly suits: (original: Payment) => boolean;
};

const wasAuthorised = (original: Payment) => original.paymentType === 'PA' && isApproved(original);
const wasAccepted = (original: Payment) => ['PA', 'DB', 'CP'].includes(original.paymentType) && isApproved(original);

/** The industry practices of document 3 (`standingInstruction.industryPractice`) and what each may refer to. */
export const practices: Readonly<Record<string, Practice>> = {
  INCREMENTAL_AUTH: { types: ['PA'], suits: (original) => wasAuthorised(original) && !isIncrement(original) },
  REAUTHORIZATION: { types: ['PA'], suits: wasAuthorised },
  DELAYED_CHARGES: { types: ['PA', 'DB'], suits: wasAccepted },
  NO_SHOW: { types: ['PA', 'DB'], suits: wasAccepted },
  RESUBMISSION: {
    types: ['PA', 'DB'],
    suits: ({ phase }) => phase.at === 'final' && INSUFFICIENT_FUNDS.has(phase.code),
  },
};
