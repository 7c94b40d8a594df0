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
const MIGRATED = 'recurringMigration requires the time or a connector id of the first payment.';

/** What a migrated series must tell, where details are stored by a registration and by a payment. */
const migrations = [
  { in: register, base: { entityId: channel, ...card } },
  ...['true', '1', 'on'].map((createRegistration) => ({ base: { ...cardPayment, createRegistration } })),
].flatMap((where): Case[] => [
  {
    title: 'recurringMigration requires recurringMigration.paymentType.',
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
    title: 'Parameters of a payment are ignored where payment details are stored, deleted or extended.',
    in: register,
    base: { entityId: channel, ...card },
    passes: [{}, anyhow, { amount: '1.50', currency: 'JPY', paymentType: 'DB' }],
    refused: [[{ ...anyhow, testMode: 'x', entityId: null }, 'testMode', 'entityId']],
  },
  ...[deregister, extendLife].map(
    (context): Case => ({
      title: 'Parameters of a payment are ignored where payment details are stored, deleted or extended.',
      in: context,
      base: { entityId: channel },
      passes: [{}, anyhow, { paymentBrand: 'nobody' }, { testMode: 'EXTERNAL', merchantTransactionId: 'order-1001' }],
      refused: [[{ ...anyhow, entityId: null }, 'entityId']],
    }),
  ),
  {
    title: 'paymentBrand is ignored with stored payment details.',
    in: payRegistered,
    base: order,
    passes: [{ paymentBrand: 'MASTER' }, { paymentBrand: 'GIROPAY' }, { paymentBrand: 'no brand at all' }],
    refused: [[{ paymentBrand: 'PAYPAL', amount: null }, 'amount']],
  },
  {
    title: 'createRegistration is ignored for a gift card, because its PIN is required each time.',
    base: { ...order, paymentBrand: 'GIFTCARD', 'giftCard.number': 'GIFT77' },
    passes: [{ createRegistration: 'true' }, { createRegistration: 'maybe' }],
    refused: [[{ createRegistration: 'true', currency: null }, 'currency']],
  },
  {
    title: 'createRegistration is ignored with stored payment details.',
    in: payRegistered,
    base: order,
    passes: [{ createRegistration: 'true' }, { createRegistration: 'maybe' }],
    refused: [[{ createRegistration: 'true', currency: null }, 'currency']],
  },
  ...[{}, { in: refer, base: capture }, { in: register }].map(
    (where): Case => ({
      title: 'overrideHolder is ignored except in checkouts and payments with stored payment details.',
      ...where,
      passes: [{ overrideHolder: '' }, { overrideHolder: 'true' }, { overrideHolder: 'yes' }],
      refused: [[{ overrideHolder: 'true', entityId: null }, 'entityId']],
    }),
  ),
  ...[checkout, payRegistered].map(
    (context): Case => ({
      title: 'overrideHolder is ignored except in checkouts and payments with stored payment details.',
      in: context,
      base: order,
      passes: [{ overrideHolder: 'true' }, { overrideHolder: 'false' }],
      refused: [[{ overrideHolder: 'yes' }, 'overrideHolder']],
    }),
  ),
  {
    title: 'A holder beside stored payment details is ignored without overrideHolder.',
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
    title: 'No other instrument may be sent with stored payment details.',
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
      title: 'referenceUuid is not allowed where payment details are stored, deleted or extended.',
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
      title: 'recurringMigration is allowed only where payment details are stored.',
      ...where,
      passes: [{}],
      refused: [
        [migration, ...Object.keys(migration)],
        [{ 'recurringMigration.amount': '1.00' }, 'recurringMigration.amount'],
      ],
    }),
  ),
  {
    title: 'A payment with recurringMigration requires createRegistration.',
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
