import { recurringMigration } from '../parameters/recurringMigration.ts';
import type { Rule } from './rule.ts';

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

/** A migrated series is told where details are stored: by a registration, or by a payment that stores them. */
const migrations: readonly Rule[] = ([{ on: ['register'] }, { on: ['pay'], is: isStoring }] as const).flatMap((where): Rule[] => [
  {
    title: 'A migrated series says how it began.',
    when: MIGRATION,
    ...where,
    needs: ['recurringMigration.paymentType'],
  },
  {
    title: 'A migrated series is known by the time or by the acquirer’s answer of its first payment.',
    when: MIGRATION,
    ...where,
    needsOneOf: MIGRATION.filter((name) => /requestTimestamp|connectorTxId/.test(name)),
  },
]);

/**
 * Stored payment details: document 3, tokenization flags and recurring migration. What is not read must be left out before any
 * other rule looks at it, so these rules come first.
 */
export const stored: readonly Rule[] = [
  {
    title: 'What belongs to a payment is not read where payment details are stored, deleted or kept longer.',
    when: OF_PAYMENTS,
    on: ['register', 'deregister', 'extendLife'],
    ignores: OF_PAYMENTS,
  },
  {
    title: 'Stored payment details know their brand; another one is not read.',
    when: ['paymentBrand'],
    on: ['payRegistered', 'deregister', 'extendLife'],
    ignores: ['paymentBrand'],
  },
  {
    title: 'Stored payment details are not stored again.',
    when: ['createRegistration'],
    on: ['payRegistered'],
    ignores: ['createRegistration'],
  },
  {
    title: 'A gift card is not stored: its PIN is asked for each time.',
    when: ['createRegistration'],
    on: ['pay'],
    is: { paymentBrand: ['GIFTCARD'] },
    ignores: ['createRegistration'],
  },
  {
    title: 'A holder is overridden in checkouts and payments with stored details; elsewhere the wish is not read.',
    when: ['overrideHolder'],
    on: ['pay', 'refer', 'register'],
    ignores: ['overrideHolder'],
  },
  {
    title: 'A holder beside stored payment details is read with overrideHolder only.',
    when: HOLDERS,
    on: ['payRegistered'],
    isNot: { overrideHolder: ['true'] },
    ignores: HOLDERS,
  },
  {
    title: 'Stored payment details pay alone.',
    when: details,
    on: ['payRegistered'],
    refuses: 'must not be sent with stored payment details',
  },
  {
    title: 'Storing, deleting and keeping payment details refers to no payment.',
    when: ['referenceUuid'],
    on: ['register', 'deregister', 'extendLife'],
    refuses: 'is not an allowed parameter',
  },
  {
    title: 'A series is migrated with a registration.',
    when: MIGRATION,
    on: ['refer', 'payRegistered'],
    refuses: 'must be sent where payment details are stored',
  },
  {
    title: 'A payment that migrates a series stores the payment details.',
    when: MIGRATION,
    on: ['pay'],
    isNot: isStoring,
    refuses: 'must not be sent without createRegistration true',
  },
  ...migrations,
];
