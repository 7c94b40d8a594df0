import fc from 'fast-check';
import {
  recordIdOf,
  recordTypes,
  type SettlementFile,
  type SettlementRecord,
  transactionTypes,
} from '../../src/settlement/record.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW, nextId } from './storeFixtures.ts';

const hex64 = (): string => nextId() + nextId();

/** A file that is being imported by default. */
export function settlementFile(changes: Partial<SettlementFile> = {}): SettlementFile {
  return {
    id: nextId(),
    entityId: 'merchant',
    pspId: nextId(),
    name: 'day.csv',
    format: 'turnpike-csv',
    digest: hex64(),
    lines: 0,
    state: 'reading',
    readUntil: NOW + 60_000,
    faults: [],
    faultCount: 0,
    createdAt: NOW,
    ...changes,
  };
}

export const matchedWith = (paymentId: string): SettlementRecord['match'] => ({
  status: 'MATCHED',
  paymentIds: [paymentId],
  by: 'paymentId',
  why: 'the payment id names it',
  isOpen: false,
});

export const unmatched: SettlementRecord['match'] = {
  status: 'NOT_MATCHED',
  paymentIds: [],
  by: 'none',
  why: 'nothing is known by this name',
  isOpen: true,
};

/** A line that was matched with a payment of 92.00 by default. */
export function settlementRecord(file: SettlementFile, changes: Partial<SettlementRecord> = {}): SettlementRecord {
  const { line = 1 } = changes;
  return {
    id: recordIdOf(file.id, line),
    fileId: file.id,
    format: file.format,
    merchantId: 'merchant',
    entityId: 'channel',
    match: matchedWith(nextId()),
    chargebackId: null,
    createdAt: NOW,
    revision: 1,
    line,
    recordType: 'SETTLED',
    transactionType: 'DEBIT',
    cashflow: 'POS',
    clearingInstitute: { name: 'Acquirer', merchantId: 'ACQ-1', txId1: null, txId2: null, txId3: null },
    settlementId: null,
    paymentId: null,
    shortId: null,
    merchantTransactionId: null,
    invoiceId: null,
    amount: 9200n,
    currency: 'EUR',
    paymentBrand: 'VISA',
    presentedAt: null,
    settledAmount: 9100n,
    settledCurrency: 'EUR',
    fee: 100n,
    fxRate: '1.00',
    settledOn: '2031-10-02',
    status: 'SUCCESS',
    descriptor: null,
    last4: null,
    bankCode: null,
    holder: null,
    reasonCode: null,
    reasonText: null,
    ...changes,
  };
}

/** Brings a file with these lines and keeps it; answers both. */
export async function bring(store: Store, lines: readonly Partial<SettlementRecord>[], changes: Partial<SettlementFile> = {}) {
  const file = settlementFile(changes);
  await store.beginFile(file);
  const records = lines.map((line, at) => settlementRecord(file, { line: at + 1, ...line }));
  await store.addRecords(file.id, records, NOW + 60_000);
  const kept = { ...file, state: 'kept' as const, lines: records.length };
  await store.keepFile(kept);
  return { file: kept, records };
}

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const amount = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });

/** Everything that a line may say. */
export const lines: fc.Arbitrary<Partial<SettlementRecord>> = fc
  .record({
    recordType: fc.constantFrom(...recordTypes),
    transactionType: fc.constantFrom(...transactionTypes),
    cashflow: fc.constantFrom('POS' as const, 'NEG' as const),
    clearingInstitute: fc
      .record({ name: text, merchantId: text, txId1: orNull(text), txId2: orNull(text), txId3: orNull(text) })
      .map((one) => ({ ...one })),
    settlementId: orNull(text),
    paymentId: orNull(text),
    shortId: orNull(text),
    merchantTransactionId: orNull(text),
    invoiceId: orNull(text),
    amount,
    settledAmount: amount,
    fee: orNull(amount),
    presentedAt: orNull(fc.constant('2031-10-02 10:11:12')),
    status: fc.constantFrom('SUCCESS' as const, 'FAILED' as const),
    descriptor: orNull(text),
    last4: orNull(text),
    holder: orNull(text),
    reasonCode: orNull(text),
    reasonText: orNull(text),
    chargebackId: orNull(fc.constant('cb')),
    match: fc.oneof(
      fc.constant(matchedWith('p1')),
      fc.constant(unmatched),
      fc
        .record({ paymentIds: fc.array(fc.constantFrom('p1', 'p2'), { maxLength: 3 }), why: text, isOpen: fc.boolean() })
        .map((one) => ({ ...one, status: 'MULTIPLE_MATCHES' as const, by: 'none' })),
    ),
  })
  .map((changes) => ({ ...changes }));
