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
    title: 'Mode, type and source of a standing instruction come together.',
    when: [MODE, TYPE, SOURCE],
    needs: [MODE, TYPE, SOURCE],
  },
  {
    title: 'The first payment of a series is the cardholder’s.',
    when: [SOURCE],
    is: { [MODE]: ['INITIAL'], [SOURCE]: ['MIT'] },
    refuses: `must not be MIT with ${MODE} INITIAL`,
  },
  {
    title: 'A standing instruction of MASTER says whether its amount is fixed.',
    when: [MODE, TYPE, SOURCE],
    on: ['pay', 'register'],
    isDescriptive: true,
    finds: missingRecurringType,
  },
  {
    title: 'The older recurringType does not contradict the mode.',
    when: ['recurringType'],
    finds: contradiction,
  },
  {
    title: 'Installments with 3D Secure are counted.',
    when: ['threeDSecure.*'],
    is: { [TYPE]: ['INSTALLMENT'] },
    isNot: { 'threeDSecure.disable': ['true'] },
    needs: [INSTALLMENTS],
  },
  {
    title: 'Only installments are counted.',
    when: [INSTALLMENTS],
    isNot: { [TYPE]: ['INSTALLMENT'] },
    refuses: `must not be sent without ${TYPE} INSTALLMENT`,
  },
  {
    title: 'A later payment that the merchant starts has no security code.',
    when: ['card.cvv'],
    is: { [MODE]: ['REPEATED'], [SOURCE]: ['MIT'] },
    refuses: `must not be sent with ${MODE} REPEATED and ${SOURCE} MIT`,
  },
  {
    title: 'A merchant who keeps the card himself names the first payment of the series.',
    when: ['card.number', 'tokenAccount.number', 'walletA.paymentToken', 'walletB.paymentToken', 'walletC.paymentToken'],
    on: ['pay'],
    is: { [MODE]: ['REPEATED'], [SOURCE]: ['MIT'] },
    unless: ['referenceUuid'],
    needsOneOf: ['standingInstruction.initialTransactionId', 'standingInstruction.agreementId'],
  },
];
