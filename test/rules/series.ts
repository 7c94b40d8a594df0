import { cardPayment, earlier, type Fields } from '../requests.ts';
import { type Case, noCard, practice, proof, query, repeated, reporting, token } from './case.ts';

/** The rules of spec/rules/series.ts and queries.ts. */
export const seriesCases: readonly Case[] = [
  {
    says: 'Mode, type and source of a standing instruction come together.',
    passes: [
      repeated,
      { ...repeated, 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT', 'card.cvv': '123' },
    ],
    refused: [
      [{ 'standingInstruction.mode': 'INITIAL' }, 'standingInstruction.type', 'standingInstruction.source'],
      [{ ...repeated, 'standingInstruction.type': null }, 'standingInstruction.type'],
    ],
  },
  {
    says: 'Installments with 3D Secure are counted.',
    base: { ...cardPayment, ...repeated, 'standingInstruction.type': 'INSTALLMENT' },
    passes: [
      {},
      { 'threeDSecure.disable': 'true' },
      { ...proof, 'standingInstruction.numberOfInstallments': '12' },
      { ...proof, 'standingInstruction.type': 'RECURRING' },
    ],
    refused: [[proof, 'standingInstruction.numberOfInstallments']],
  },
  {
    says: 'Only installments are counted.',
    base: { ...cardPayment, ...repeated, 'standingInstruction.numberOfInstallments': '12' },
    passes: [{ 'standingInstruction.type': 'INSTALLMENT' }],
    refused: [
      [{ 'standingInstruction.type': 'RECURRING' }, 'standingInstruction.numberOfInstallments'],
      [
        { 'standingInstruction.type': null, 'standingInstruction.mode': null, 'standingInstruction.source': null },
        'standingInstruction.numberOfInstallments',
      ],
    ],
  },
  {
    says: 'A later payment that the merchant starts has no security code.',
    base: { ...cardPayment, ...repeated },
    passes: [{}, { 'standingInstruction.source': 'CIT', 'card.cvv': '123' }],
    refused: [[{ 'card.cvv': '123' }, 'card.cvv']],
  },
  {
    says: 'A merchant who keeps the card himself names the first payment of the series.',
    base: { ...cardPayment, ...repeated, 'standingInstruction.initialTransactionId': null },
    passes: [
      { 'standingInstruction.initialTransactionId': '0123' },
      { 'standingInstruction.agreementId': '0123' },
      { 'standingInstruction.source': 'CIT' },
      { referenceUuid: earlier, [practice]: 'NO_SHOW' },
      { ...noCard, ...token },
    ],
    refused: [[{}, 'standingInstruction.initialTransactionId']],
  },
  {
    says: 'A migrated series says how it began.',
    passes: [{ 'recurringMigration.paymentType': 'PA', 'recurringMigration.amount': '1.00' }],
    refused: [[{ 'recurringMigration.connectorTxId1': 'x' }, 'recurringMigration.paymentType']],
  },
  {
    says: 'A cron expression has six fields, or seven with the year.',
    passes: [{ 'job.expression': '0 0/5 12-14 L * ?' }, { 'job.expression': '0 0 12 ? 1,7 6#3 2030-2040' }],
    refused: [
      '0 0 12 1 *',
      '0 0 12 1 * ? 2031 x',
      '0  0 12 1 * ?',
      ' 0 0 12 1 * ?',
      '0 0 12 1 * ? ',
      '\uFF10 0 12 1 * ?',
      '@daily',
    ].map((expression): [Fields, string] => [{ 'job.expression': expression }, 'job.expression']),
  },
  {
    says: 'A job runs on days of the month or on days of the week.',
    passes: [
      { 'job.dayOfMonth': '15' },
      { 'job.dayOfWeek': 'MON' },
      { 'job.dayOfMonth': '15', 'job.dayOfWeek': '?' },
      { 'job.dayOfMonth': '?', 'job.dayOfWeek': 'MON' },
      { 'job.expression': '0 0 12 1 * ?' },
      { 'job.expression': '0 0 12 ? * MON 2031', 'job.dayOfMonth': '1', 'job.dayOfWeek': '1' },
    ],
    refused: [
      [{ 'job.dayOfMonth': '15', 'job.dayOfWeek': 'MON' }, 'job.dayOfWeek'],
      [{ 'job.dayOfMonth': '?', 'job.dayOfWeek': '?' }, 'job.dayOfWeek'],
      [{ 'job.expression': '0 0 12 1 * MON' }, 'job.expression'],
      [{ 'job.expression': '0 0 12 ? * ?' }, 'job.expression'],
    ],
  },
  {
    says: 'A time frame has a beginning and an end.',
    in: query,
    base: {},
    passes: [
      { 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02 00:00:00' },
      { 'date.from': '2025-01-01 00:00:00', merchantTransactionId: 'order-1' },
    ],
    refused: [
      [{ 'date.from': '2025-01-01 00:00:00' }, 'date.to'],
      [{ 'date.to': '2025-01-01 00:00:00' }, 'date.from'],
    ],
  },
  {
    says: 'A time frame has a beginning and an end.',
    in: reporting,
    base: {},
    passes: [{ 'date.from': '2025-01-01', 'date.to': '2025-01-01' }],
    refused: [
      [{}, 'date.from', 'date.to'],
      [{ 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02' }, 'date.from'],
    ],
  },
  {
    says: 'A time frame does not end before it begins.',
    in: query,
    base: {},
    passes: [{ 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-01 00:00:00' }],
    refused: [[{ 'date.from': '2025-01-01 00:00:01', 'date.to': '2025-01-01 00:00:00' }, 'date.to']],
  },
  {
    says: 'The merchant’s reference is not looked for in a time frame.',
    in: query,
    base: {},
    passes: [{ merchantTransactionId: 'o' }],
    refused: [
      [
        { merchantTransactionId: 'o', 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02 00:00:00' },
        'merchantTransactionId',
      ],
    ],
  },
  {
    says: 'A short id is looked for with the merchant’s reference or in a time frame.',
    in: query,
    base: {},
    passes: [
      { shortId: '1234.5678.9012', merchantTransactionId: 'o' },
      { shortId: '1234.5678.9012', 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02 00:00:00' },
    ],
    refused: [[{ shortId: '1234.5678.9012' }, 'date.from', 'date.to']],
  },
];
