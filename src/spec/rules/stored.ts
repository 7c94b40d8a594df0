import type { EndpointName } from '../endpoints.ts';
import { recurringMigration } from '../parameters/storedCredentials.ts';
import { NOT_ALLOWED, type Rule } from './rule.ts';

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

const [NUMBER, TYPE] = ['tokenAccount.number', 'tokenAccount.type'] as const;
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
    needs: [NUMBER, TYPE],
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
    is: { [TYPE]: ['EXTERNAL'] },
    refuses: `must not be sent with ${TYPE} EXTERNAL`,
  },
  {
    // With a reference the cardholder has left, and the proof was that of the payment it refers to.
    title: 'A NETWORK token requires a cryptogram or a dtvc, except for merchant-initiated payments.',
    when: [NUMBER],
    on: ['pay'],
    is: { [TYPE]: ['NETWORK'] },
    isNot: { 'standingInstruction.source': ['MIT'], recurringType: ['REPEATED'] },
    unless: ['referenceUuid'],
    needsOneOf: [CRYPTOGRAM, DTVC],
  },
];
