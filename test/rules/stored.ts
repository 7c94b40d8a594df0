import { capture, card, cardPayment, channel, earlier, type Fields, order } from '../requests.ts';
import { type Case, checkout, cryptogram, deregister, extendLife, noCard, payRegistered, refer, register } from './case.ts';

const anyhow: Fields = {
  amount: '92,00',
  currency: 'EURO',
  paymentType: 'RG',
  createRegistration: 'maybe',
  sequence: 'FIRST',
  numberOfCaptures: '99',
};
const migration: Fields = { 'recurringMigration.paymentType': 'PA', 'recurringMigration.connectorTxId2': 'x' };
const MIGRATED = 'A migrated series is known by the time or by the acquirer’s answer of its first payment.';

/** What a migrated series must tell, where details are stored by a registration and by a payment. */
const migrations = [
  { in: register, base: { entityId: channel, ...card } },
  ...['true', '1', 'on'].map((createRegistration) => ({ base: { ...cardPayment, createRegistration } })),
].flatMap((where): Case[] => [
  {
    title: 'A migrated series says how it began.',
    ...where,
    passes: [{}, migration, { ...migration, 'recurringMigration.amount': '1.00' }],
    refused: [[{ 'recurringMigration.connectorTxId1': 'x' }, 'recurringMigration.paymentType']],
  },
  {
    title: MIGRATED,
    ...where,
    passes: [
      migration,
      { 'recurringMigration.paymentType': 'DB', 'recurringMigration.requestTimestamp': '2025-01-31 12:00:00' },
      { 'recurringMigration.paymentType': 'CD', 'recurringMigration.connectorTxId1': 'x' },
      { 'recurringMigration.paymentType': 'CD', 'recurringMigration.connectorTxId3': 'x' },
    ],
    refused: [[{ 'recurringMigration.paymentType': 'PA' }, 'recurringMigration.requestTimestamp']],
  },
]);

/** The rules of spec/rules/stored.ts. */
export const storedCases: readonly Case[] = [
  {
    title: 'What belongs to a payment is not read where payment details are stored, deleted or kept longer.',
    in: register,
    base: { entityId: channel, ...card },
    passes: [{}, anyhow, { amount: '1.50', currency: 'JPY', paymentType: 'DB' }],
    refused: [[{ ...anyhow, testMode: 'x', entityId: null }, 'testMode', 'entityId']],
  },
  ...[deregister, extendLife].map(
    (context): Case => ({
      title: 'What belongs to a payment is not read where payment details are stored, deleted or kept longer.',
      in: context,
      base: { entityId: channel },
      passes: [{}, anyhow, { paymentBrand: 'nobody' }, { testMode: 'EXTERNAL', merchantTransactionId: 'order-1001' }],
      refused: [[{ ...anyhow, entityId: null }, 'entityId']],
    }),
  ),
  {
    title: 'Stored payment details know their brand; another one is not read.',
    in: payRegistered,
    base: order,
    passes: [{ paymentBrand: 'MASTER' }, { paymentBrand: 'GIROPAY' }, { paymentBrand: 'no brand at all' }],
    refused: [[{ paymentBrand: 'PAYPAL', amount: null }, 'amount']],
  },
  {
    title: 'A gift card is not stored: its PIN is asked for each time.',
    base: { ...order, paymentBrand: 'GIFTCARD', 'giftCard.number': 'GIFT77' },
    passes: [{ createRegistration: 'true' }, { createRegistration: 'maybe' }],
    refused: [[{ createRegistration: 'true', currency: null }, 'currency']],
  },
  {
    title: 'Stored payment details are not stored again.',
    in: payRegistered,
    base: order,
    passes: [{ createRegistration: 'true' }, { createRegistration: 'maybe' }],
    refused: [[{ createRegistration: 'true', currency: null }, 'currency']],
  },
  ...[{}, { in: refer, base: capture }, { in: register }].map(
    (where): Case => ({
      title: 'A holder is overridden in checkouts and payments with stored details; elsewhere the wish is not read.',
      ...where,
      passes: [{ overrideHolder: '' }, { overrideHolder: 'true' }, { overrideHolder: 'yes' }],
      refused: [[{ overrideHolder: 'true', entityId: null }, 'entityId']],
    }),
  ),
  ...[checkout, payRegistered].map(
    (context): Case => ({
      title: 'A holder is overridden in checkouts and payments with stored details; elsewhere the wish is not read.',
      in: context,
      base: order,
      passes: [{ overrideHolder: 'true' }, { overrideHolder: 'false' }],
      refused: [[{ overrideHolder: 'yes' }, 'overrideHolder']],
    }),
  ),
  {
    title: 'A holder beside stored payment details is read with overrideHolder only.',
    in: payRegistered,
    base: order,
    passes: [
      { 'card.holder': 'Ann Example', overrideHolder: 'true' },
      { 'card.holder': '4111' },
      { 'bankAccount.holder': 'A', overrideHolder: 'false' },
    ],
    refused: [
      [{ 'card.holder': '4111', overrideHolder: 'true' }, 'card.holder'],
      [{ 'bankAccount.holder': 'A', overrideHolder: 'true' }, 'bankAccount.holder'],
    ],
  },
  {
    title: 'Stored payment details pay alone.',
    in: payRegistered,
    base: order,
    passes: [
      {},
      { 'card.cvv': '123' },
      cryptogram,
      { 'bankAccount.mandate.id': 'M-A', transactionDueDate: '2031-01-31' },
      { 'card.number': '' },
    ],
    refused: [
      [card, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
      [{ 'card.numberType': 'PAN', 'card.cvv': '123' }, 'card.numberType'],
      [{ 'bankAccount.iban': 'DE23100000001234567890', 'bankAccount.bic': 'MARKDEF1100' }, 'bankAccount.iban', 'bankAccount.bic'],
      [{ 'bankAccount.number': '1234567', 'bankAccount.bankCode': '1' }, 'bankAccount.number', 'bankAccount.bankCode'],
      [{ 'bankAccount.country': 'DE', 'bankAccount.bankName': 'ING' }, 'bankAccount.country', 'bankAccount.bankName'],
      [{ 'virtualAccount.accountId': 'ann' }, 'virtualAccount.accountId'],
      [
        { 'tokenAccount.number': '489537000000', 'tokenAccount.type': 'NETWORK', 'tokenAccount.expiryMonth': '01' },
        'tokenAccount.number',
        'tokenAccount.type',
        'tokenAccount.expiryMonth',
      ],
      [{ 'walletA.paymentToken': 'x', 'walletA.cardType': 'y' }, 'walletA.paymentToken', 'walletA.cardType'],
      [{ 'googlePay.paymentToken': 'x' }, 'googlePay.paymentToken'],
      [{ 'samsungPay.source': 'web' }, 'samsungPay.source'],
    ],
  },
  ...[register, deregister, extendLife].map(
    (context): Case => ({
      title: 'Storing, deleting and keeping payment details refers to no payment.',
      in: context,
      passes: [{}],
      refused: [[{ referenceUuid: earlier }, 'referenceUuid']],
    }),
  ),
  ...[
    { in: refer, base: capture },
    { in: payRegistered, base: order },
  ].map(
    (where): Case => ({
      title: 'A series is migrated with a registration.',
      ...where,
      passes: [{}],
      refused: [
        [migration, ...Object.keys(migration)],
        [{ 'recurringMigration.amount': '1.00' }, 'recurringMigration.amount'],
      ],
    }),
  ),
  {
    title: 'A payment that migrates a series stores the payment details.',
    passes: [{}, { ...migration, createRegistration: 'true' }],
    refused: [
      [migration, ...Object.keys(migration)],
      [{ ...migration, createRegistration: 'false' }, ...Object.keys(migration)],
      [{ ...migration, createRegistration: 'maybe' }, 'createRegistration'],
      [{ ...migration, ...noCard }, ...Object.keys(migration), ...Object.keys(noCard)],
    ],
  },
  ...migrations,
];
