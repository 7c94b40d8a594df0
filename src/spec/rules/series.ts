import { detectBrand } from '../cards/cardRanges.ts';
import type { ValueOf } from '../parameters.ts';
import { absent, type Finding, type Rule, requiredWhen, type Sent } from './rule.ts';

const [MODE, TYPE, SOURCE] = ['standingInstruction.mode', 'standingInstruction.type', 'standingInstruction.source'] as const;
const INSTALLMENTS = 'standingInstruction.numberOfInstallments';
const RECURRING = 'standingInstruction.recurringType';

/** A later payment that the merchant starts: the shopper is not there. */
const LATER = { [MODE]: ['REPEATED'], [SOURCE]: ['MIT'] };
/** Document 3: the proof of an authentication by an external 3D Secure server. */
const PROOF = [
  'eci',
  'verificationId',
  'authenticationStatus',
  'dsTransactionId',
  'acsTransactionId',
  'challengeMandatedIndicator',
  'version',
  'authType',
  'transactionStatusReason',
].map((field) => `threeDSecure.${field}`);

/** One network wants to know of every standing instruction whether its amount is fixed. */
function missingRecurringType(sent: Sent): readonly Finding[] {
  const brand = sent.text('paymentBrand') ?? detectBrand(sent.text('card.number') ?? '');
  const message = () => requiredWhen(`${sent.first([MODE, TYPE, SOURCE])} is sent and the brand is MASTER`);
  return brand === 'MASTER' ? absent(sent, [RECURRING], message) : [];
}

/** The brand of a checkout is not known before the shopper pays, and then it is too late to ask the merchant. */
function missingInCheckout(sent: Sent): readonly Finding[] {
  const message = () => requiredWhen(`${sent.first([MODE, TYPE, SOURCE])} is sent: the shopper may choose MASTER`);
  return absent(sent, [RECURRING], message);
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
    isDescriptive: true,
    needs: [MODE, TYPE, SOURCE],
  },
  {
    title: 'On a lenient channel mode and source require each other; the type is UNSCHEDULED when it is absent.',
    when: [MODE, TYPE, SOURCE],
    isLenientOnly: true,
    needs: [MODE, SOURCE],
    decision: '0011-dispatching-and-leniency.md',
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
    title: 'A checkout with a standing instruction requires standingInstruction.recurringType: the shopper may choose MASTER.',
    when: [MODE, TYPE, SOURCE],
    on: ['createCheckout'],
    isDescriptive: true,
    finds: missingInCheckout,
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
    isDescriptive: true,
    is: LATER,
    refuses: `must not be sent with ${MODE} REPEATED and ${SOURCE} MIT`,
  },
  {
    title: 'On a lenient channel the security code of a later merchant-initiated payment is ignored.',
    when: ['card.cvv'],
    isLenientOnly: true,
    is: LATER,
    ignores: ['card.cvv'],
    decision: '0011-dispatching-and-leniency.md',
  },
  {
    // A merchant-initiated authentication (3RI) has a proof of its own, and so does the token of a wallet that the merchant decrypted.
    title: 'A later merchant-initiated payment has no 3D Secure proof, except that of 3RI or of a wallet.',
    when: PROOF,
    on: ['pay', 'payRegistered', 'schedule', 'reschedule'],
    isDescriptive: true,
    is: LATER,
    unless: ['threeDSecure.channel', 'walletA.source', 'walletB.source', 'walletC.source'],
    refuses: `must not be sent with ${MODE} REPEATED and ${SOURCE} MIT, unless threeDSecure.channel is sent`,
    decision: '0011-dispatching-and-leniency.md',
  },
  {
    title: 'A later merchant-initiated payment with card data requires the reference of the first payment.',
    when: ['card.number', 'tokenAccount.number', 'walletA.paymentToken', 'walletB.paymentToken', 'walletC.paymentToken'],
    on: ['pay'],
    is: LATER,
    unless: ['referenceUuid'],
    needsOneOf: ['standingInstruction.initialTransactionId', 'standingInstruction.agreementId'],
  },
];

type RecurringMeaning = {
  readonly mode: ValueOf<'standingInstruction.mode'>;
  readonly source: ValueOf<'standingInstruction.source'>;
  readonly type: ValueOf<'standingInstruction.type'>;
};

/**
 * The older parameter recurringType in the words of a standing instruction. REGISTRATION_BASED is the one-click payment:
 * the shopper is present and pays with stored details.
 */
export const recurringTypes: Readonly<Record<ValueOf<'recurringType'>, RecurringMeaning>> = {
  INITIAL: { mode: 'INITIAL', source: 'CIT', type: 'RECURRING' },
  REPEATED: { mode: 'REPEATED', source: 'MIT', type: 'RECURRING' },
  REGISTRATION_BASED: { mode: 'REPEATED', source: 'CIT', type: 'UNSCHEDULED' },
};
