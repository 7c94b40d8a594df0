import { detectBrand } from '../cardRanges.ts';
import { recurringTypes } from '../recurringTypes.ts';
import { absent, type Finding, type Rule, requiredWhen, type Sent } from './rule.ts';

const [MODE, TYPE, SOURCE] = ['standingInstruction.mode', 'standingInstruction.type', 'standingInstruction.source'] as const;
const INSTALLMENTS = 'standingInstruction.numberOfInstallments';
const RECURRING = 'standingInstruction.recurringType';

/** One network wants to know of every standing instruction whether its amount is fixed. */
function missingRecurringType(sent: Sent): readonly Finding[] {
  const brand = sent.text('paymentBrand') ?? detectBrand(sent.text('card.number') ?? '');
  const message = () => requiredWhen(`${sent.first([MODE, TYPE, SOURCE])} is sent and the brand is MASTER`);
  return brand === 'MASTER' ? absent(sent, [RECURRING], message) : [];
}

/** The older parameter and the newer one may both be sent as long as they say the same. */
function contradiction(sent: Sent): readonly Finding[] {
  const [older, mode] = [sent.text('recurringType') as keyof typeof recurringTypes | undefined, sent.text(MODE)];
  if (older === undefined || mode === undefined || recurringTypes[older].mode === mode) return [];
  return [{ name: 'recurringType', message: `must not be ${older} with ${MODE} ${mode}` }];
}

/** Document 3, card-on-file and scheduling. */
export const series: readonly Rule[] = [
  {
    title: 'Mode, type and source of a standing instruction require each other.',
    when: [MODE, TYPE, SOURCE],
    needs: [MODE, TYPE, SOURCE],
  },
  {
    title: 'The INITIAL payment of a series is not merchant-initiated.',
    when: [SOURCE],
    is: { [MODE]: ['INITIAL'], [SOURCE]: ['MIT'] },
    refuses: `must not be MIT with ${MODE} INITIAL`,
  },
  {
    title: 'A standing instruction with MASTER requires standingInstruction.recurringType.',
    when: [MODE, TYPE, SOURCE],
    on: ['pay', 'register'],
    isDescriptive: true,
    finds: missingRecurringType,
  },
  {
    title: 'recurringType must not contradict standingInstruction.mode.',
    when: ['recurringType'],
    finds: contradiction,
  },
  {
    title: 'Instalments with 3D Secure require standingInstruction.numberOfInstallments.',
    when: ['threeDSecure.*'],
    is: { [TYPE]: ['INSTALLMENT'] },
    isNot: { 'threeDSecure.disable': ['true'] },
    needs: [INSTALLMENTS],
  },
  {
    title: 'standingInstruction.numberOfInstallments is allowed only for instalments.',
    when: [INSTALLMENTS],
    isNot: { [TYPE]: ['INSTALLMENT'] },
    refuses: `must not be sent without ${TYPE} INSTALLMENT`,
  },
  {
    title: 'A later merchant-initiated payment has no security code.',
    when: ['card.cvv'],
    is: { [MODE]: ['REPEATED'], [SOURCE]: ['MIT'] },
    refuses: `must not be sent with ${MODE} REPEATED and ${SOURCE} MIT`,
  },
  {
    title: 'A later merchant-initiated payment with card data requires the reference of the first payment.',
    when: ['card.number', 'tokenAccount.number', 'walletA.paymentToken', 'walletB.paymentToken', 'walletC.paymentToken'],
    on: ['pay'],
    is: { [MODE]: ['REPEATED'], [SOURCE]: ['MIT'] },
    unless: ['referenceUuid'],
    needsOneOf: ['standingInstruction.initialTransactionId', 'standingInstruction.agreementId'],
  },
];
