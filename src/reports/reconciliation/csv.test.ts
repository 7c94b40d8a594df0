import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { amountOf, amountText } from '../../money/amount.ts';
import { examplePayment } from '../../payments/examples.ts';
import { settledExample } from '../../settlement/examples.ts';
import type { SettlementRecord } from '../../settlement/record.ts';
import { columnNames, defaultColumns, type ReconciliationColumn, reconciliationColumns } from '../../spec/reconciliation.ts';
import type { ReportRow } from './columns.ts';
import { csvChunks, textCell, textOfCell } from './csv.ts';

const place = { pspId: 'a'.repeat(32), divisionId: 'b'.repeat(32), channelName: 'Shop' };
const gathered = (record: SettlementRecord): ReportRow => ({ record, payment: null, channelPath: place });

async function fileOf(records: readonly SettlementRecord[], names: readonly string[] = columnNames): Promise<string> {
  const pieces: Uint8Array[] = [];
  const portions = (async function* () {
    yield records.map(gathered);
  })();
  for await (const piece of csvChunks(names, portions)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

const rowsOf = (text: string): string[][] => parse(text, { delimiter: ';', recordDelimiter: '\r\n' }) as string[][];

/** Puts a text into every text column that a record can fill. */
const filledWith = (text: string): SettlementRecord => ({
  ...settledExample,
  recordType: 'CHARGEBACK',
  merchantId: text,
  entityId: text,
  format: text,
  clearingInstitute: { name: text, merchantId: text, txId1: text, txId2: text, txId3: text },
  settlementId: text,
  paymentId: text,
  shortId: text,
  merchantTransactionId: text,
  invoiceId: text,
  currency: text,
  paymentBrand: text,
  presentedAt: text,
  settledCurrency: text,
  settledOn: text,
  descriptor: text,
  last4: text,
  bankCode: text,
  holder: text,
  reasonCode: text,
  reasonText: text,
  chargebackId: text,
  match: { ...settledExample.match, status: 'MULTIPLE_MATCHES', paymentIds: [text] },
});
/** Texts that are longer would be cut. */
const roomy = reconciliationColumns.filter(({ kind, most = 99 }: ReconciliationColumn) => kind === 'text' && most > 8);
const isOurs = (column: string): boolean => ['PspId', 'DivisionId', 'MerchantAccountName'].includes(column);

const hostile: readonly string[] = [
  ...['=1+1', '+1', '-1', '@SUM', '\t=1', '\r=1', '\n=1', '\0=1', ' =1', "'=1", "''-2", '＝1+1', '－1', '\u200b=1'],
  ...['a;b', 'a"b', '"', '""', ';', 'a\r\nb', 'a\nb', 'a\0b', 'a,b', ' a ', "'s-Gra", '-', '=', 'é€😀', '\u2028'],
];
for (const text of hostile) {
  test(`${JSON.stringify(text)} is one cell, no formula, and reads back as it was (reliability R28)`, async () => {
    const [head = [], row = []] = rowsOf(await fileOf([filledWith(text)]));
    for (const { column } of roomy) {
      if (isOurs(column)) continue;
      const cell = row[head.indexOf(column)] ?? '';
      assert.doesNotMatch(cell.replace(/^[\s\p{Cc}\p{Cf}]+/u, ''), /^[=+\-@＝＋－＠]/u, column);
      assert.equal(textOfCell(cell), text, column);
    }
  });
}

test('a file of hostile texts has as many lines and cells as it should', async () => {
  const rows = rowsOf(await fileOf(hostile.map(filledWith)));
  assert.equal(rows.length, hostile.length + 1);
  for (const row of rows) assert.equal(row.length, columnNames.length);
});

test('any text reads back as it was', () => {
  const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n\0\'";, a0') }));
  fc.assert(
    fc.property(fc.array(texts, { minLength: 2, maxLength: 6 }), (cells) => {
      const line = cells.map(textCell).join(';');
      const [row = []] = parse(`${line}\r\n`, { delimiter: ';', recordDelimiter: '\r\n', skip_empty_lines: false }) as string[][];
      assert.deepEqual(row.map(textOfCell), cells);
      for (const cell of row) assert.doesNotMatch(cell, /^[=+\-@]/);
    }),
    { numRuns: 3_000 },
  );
});

test('an amount goes through the file exactly (reliability R12), and a minus stays a minus', async () => {
  const amounts = [0n, 1n, 99n, 100n, 200n, 123_456_789_012_345n, 999_999_999_999_999n];
  const records = amounts.map((amount) => ({ ...settledExample, amount, settledAmount: amount, fee: amount }));
  const [head = [], ...rows] = rowsOf(await fileOf(records));
  for (const [at, row] of rows.entries()) {
    for (const column of ['Amount', 'SettlementAmount', 'SettlementFee'])
      assert.equal(amountOf(row[head.indexOf(column)] ?? ''), amounts[at]);
  }
  assert.equal(amountText(-200n), '-2.00');
  const negative = await fileOf([{ ...settledExample, amount: -200n }], ['Amount', 'Currency']);
  assert.equal(negative, 'Amount;Currency\r\n-2.00;EUR\r\n');
});

const rates: readonly (readonly [written: string, cell: string])[] = [
  ['1', '1.00'],
  ['1.5', '1.50'],
  ['1.', '1.00'],
  ['0.9213', '0.92'],
  ['1.2350', '1.24'],
  ['0.999', '1.00'],
  ['0.0062', '0.01'],
  ['123456.785', '123456.79'],
  ['1.00', '1.00'],
  ['=1', "'=1"],
];
for (const [written, cell] of rates) {
  test(`a rate of ${written} is written as ${cell}`, async () => {
    const text = await fileOf([{ ...settledExample, fxRate: written }], ['SettlementFxRate']);
    assert.equal(text.split('\r\n')[1], cell);
  });
}

test('a file of nothing is its first line, in the order of the document', async () => {
  assert.equal(await fileOf([], defaultColumns), `${defaultColumns.join(';')}\r\n`);
  assert.ok(defaultColumns.includes('ClearingInsitituteName'));
});

test('only the last four digits of a number are written, with any value in the file (reliability R26)', async () => {
  const text = await fileOf([{ ...settledExample, last4: '4200000000000042' }], ['AccountNumberLast4']);
  assert.equal(text, 'AccountNumberLast4\r\n0042\r\n');
});

test('what is longer than its column is cut between characters', async () => {
  const text = await fileOf([{ ...settledExample, holder: `${'a'.repeat(127)}😀b` }], ['AccountHolder']);
  assert.equal(text.split('\r\n')[1], `${'a'.repeat(127)}😀`);
});

test('reasons belong to chargebacks, and several matches stand in one cell', async () => {
  const settled = { ...settledExample, reasonCode: '10.4', reasonText: 'Fraud' };
  const several = {
    ...settled,
    recordType: 'CHARGEBACK',
    match: { ...settled.match, status: 'MULTIPLE_MATCHES', paymentIds: ['a', 'b'] },
  } as const;
  const names = ['ReconciliationType', 'ReasonCode', 'ReasonDesc', 'MatchedTransactions'];
  const [, one, other] = rowsOf(await fileOf([settled, several], names));
  assert.deepEqual(one, ['SETTLED', '', '', settled.match.paymentIds.join(',')]);
  assert.deepEqual(other, ['CHARGEBACK', '10.4', 'Fraud', 'a,b']);
});

const bare = { ...settledExample, last4: null, holder: null, paymentBrand: null, shortId: null, merchantTransactionId: null };
const cellsFrom = async (row: Partial<ReportRow>, names: readonly string[]): Promise<string> => {
  const pieces: Uint8Array[] = [];
  const portions = (async function* () {
    yield [{ record: bare, payment: null, channelPath: place, ...row }];
  })();
  for await (const piece of csvChunks(names, portions)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8').split('\r\n')[1] ?? '';
};

test('a capture or refund has the last four and holder of the first payment, and the references of its answer', async () => {
  const resultDetails = { ConnectorTxID1: 'one', ConnectorTxID2: 'two', ConnectorTxID3: 'three' };
  const clearingInstitute = { ...bare.clearingInstitute, txId1: 'file', txId2: null, txId3: null };
  const row = {
    record: { ...bare, clearingInstitute },
    payment: examplePayment({ paymentType: 'RF', instrument: null, details: { resultDetails } }),
    payer: examplePayment({}),
  };
  const names = ['ConnectorTxId1', 'ConnectorTxId2', 'ConnectorTxId3', 'AccountNumberLast4', 'AccountHolder'];
  const { instrument } = row.payer;
  assert.ok(instrument?.kind === 'card');
  assert.equal(await cellsFrom(row, names), ['file', 'two', 'three', instrument.last4Digits, instrument.holder ?? ''].join(';'));
});

test('a fee of no single channel has the merchant as its account, and a chargeback the words of its code', async () => {
  const fee: SettlementRecord = { ...bare, recordType: 'FEE', entityId: null, merchantId: 'c'.repeat(32) };
  assert.equal(await cellsFrom({ record: fee }, ['MerchantAccountId']), 'c'.repeat(32));
  const dispute: SettlementRecord = { ...bare, recordType: 'CHARGEBACK', reasonCode: '000.100.203', reasonText: null };
  assert.equal(
    await cellsFrom({ record: dispute }, ['ReasonCode', 'ReasonDesc']),
    '000.100.203;Charged back: insufficient funds',
  );
  const odd: SettlementRecord = { ...dispute, reasonCode: '000.100.277' };
  assert.equal(await cellsFrom({ record: odd }, ['ReasonCode', 'ReasonDesc']), '000.100.277;');
});
