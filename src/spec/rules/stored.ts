import { detectBrand } from '../cards/cardRanges.ts';
import type { EndpointName } from '../endpoints.ts';
import { recurringMigration } from '../parameters/storedCredentials.ts';
import type { ValueOf } from '../parameters.ts';
import { absent, type Finding, NOT_ALLOWED, type Rule, requiredWhen, type Sent } from './rule.ts';

const OF_PAYMENTS = ['amount', 'currency', 'paymentType', 'createRegistration', 'sequence', 'numberOfCaptures'];
const HOLDERS = ['card.holder', 'bankAccount.holder'];
const MIGRATION = Object.keys(recurringMigration);
const isStoring = { createRegistration: ['true', '1', 'on'] };

/** The details themselves. A security code, a token's one-time values and the mandate of a debit belong to the one payment. */
const details = [
  ...['number', 'expiryMonth', 'expiryYear', 'numberType'].map((field) => `card.${field}`),
  ...['bankName', 'number', 'iban', 'bankCode', 'bic', 'country'].map((field) => `bankAccount.${field}`),
  'virtualAccount.accountId',
  ...['number', 'type', 'expiryMonth', 'expiryYear'].map((field) => `tokenAccount.${field}`),
  ...['walletA', 'walletB', 'walletC'].flatMap((wallet) => [`${wallet}.paymentToken`, `${wallet}.source`]),
  'walletA.cardNetwork',
  'walletA.cardType',
];

/** A migrated series is sent with the request that stores the details: a registration, or a payment that stores them. */
const migrations: readonly Rule[] = ([{ on: ['register'] }, { on: ['pay'], is: isStoring }] as const).flatMap((where): Rule[] => [
  {
    title: 'recurringMigration requires recurringMigration.paymentType.',
    when: MIGRATION,
    ...where,
    needs: ['recurringMigration.paymentType'],
  },
  {
    title: 'recurringMigration requires the time or a connector id of the first payment.',
    when: MIGRATION,
    ...where,
    needsOneOf: MIGRATION.filter((name) => /requestTimestamp|connectorTxId/.test(name)),
  },
]);

/**
 * Stored payment details: document 3, tokenization flags and recurring migration. These rules come first, because they drop the
 * parameters that no other rule may see.
 */
export const stored: readonly Rule[] = [
  {
    title: 'Parameters of a payment are ignored where payment details are stored, deleted or extended.',
    when: OF_PAYMENTS,
    on: ['register', 'deregister', 'extendLife'],
    ignores: OF_PAYMENTS,
  },
  {
    title: 'paymentBrand is ignored with stored payment details.',
    when: ['paymentBrand'],
    on: ['payRegistered', 'deregister', 'extendLife'],
    ignores: ['paymentBrand'],
  },
  {
    title: 'createRegistration is ignored with stored payment details.',
    when: ['createRegistration'],
    on: ['payRegistered'],
    ignores: ['createRegistration'],
  },
  {
    title: 'createRegistration is ignored for a gift card, because its PIN is required each time.',
    when: ['createRegistration'],
    on: ['pay'],
    is: { paymentBrand: ['GIFTCARD'] },
    ignores: ['createRegistration'],
  },
  {
    title: 'overrideHolder is ignored except in checkouts and payments with stored payment details.',
    when: ['overrideHolder'],
    on: ['pay', 'refer', 'register'],
    ignores: ['overrideHolder'],
  },
  {
    title: 'A holder beside stored payment details is ignored without overrideHolder.',
    when: HOLDERS,
    on: ['payRegistered'],
    isNot: { overrideHolder: ['true'] },
    ignores: HOLDERS,
  },
  {
    title: 'No other instrument may be sent with stored payment details.',
    when: details,
    on: ['payRegistered'],
    refuses: 'must not be sent with stored payment details',
  },
  {
    title: 'referenceUuid is not allowed where payment details are stored, deleted or extended.',
    when: ['referenceUuid'],
    on: ['register', 'deregister', 'extendLife'],
    refuses: NOT_ALLOWED,
  },
  {
    title: 'recurringMigration is allowed only where payment details are stored.',
    when: MIGRATION,
    on: ['refer', 'payRegistered'],
    refuses: 'must be sent where payment details are stored',
  },
  {
    title: 'A payment with recurringMigration requires createRegistration.',
    when: MIGRATION,
    on: ['pay'],
    isNot: isStoring,
    refuses: 'must not be sent without createRegistration true',
  },
  ...migrations,
];

const [TOKEN_NUMBER, TOKEN_TYPE] = ['tokenAccount.number', 'tokenAccount.type'] as const;
const [CRYPTOGRAM, DTVC] = ['tokenAccount.cryptogram', 'tokenAccount.dtvc'] as const;
const TOKEN_EXPIRY = ['tokenAccount.expiryMonth', 'tokenAccount.expiryYear'];

/** Where a token is sent as such. Beside a stored token only its one-time values are. */
const sentAnew: readonly EndpointName[] = ['pay', 'refer', 'register'];

/** Document 2, token account. */
export const tokens: readonly Rule[] = [
  {
    title: 'A token account requires number and type.',
    when: ['tokenAccount.*'],
    on: sentAnew,
    needs: [TOKEN_NUMBER, TOKEN_TYPE],
  },
  {
    title: 'Expiry month and year of a token require each other.',
    when: TOKEN_EXPIRY,
    on: sentAnew,
    needs: TOKEN_EXPIRY,
  },
  {
    title: 'A token has a cryptogram or a dtvc, not both.',
    when: [CRYPTOGRAM],
    forbids: [DTVC],
  },
  {
    title: 'A cryptogram is not allowed with an EXTERNAL token.',
    when: [CRYPTOGRAM],
    is: { [TOKEN_TYPE]: ['EXTERNAL'] },
    refuses: `must not be sent with ${TOKEN_TYPE} EXTERNAL`,
  },
  {
    // With a reference the cardholder has left, and the proof was that of the payment it refers to.
    title: 'A NETWORK token requires a cryptogram or a dtvc, except for merchant-initiated payments.',
    when: [TOKEN_NUMBER],
    on: ['pay'],
    is: { [TOKEN_TYPE]: ['NETWORK'] },
    isNot: { 'standingInstruction.source': ['MIT'], recurringType: ['REPEATED'] },
    unless: ['referenceUuid'],
    needsOneOf: [CRYPTOGRAM, DTVC],
  },
];

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
