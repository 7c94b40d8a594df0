import type { Aggregation } from '../../settlement/ports.ts';
import { type RecordType, recordTypes, type SettlementRecord } from '../../settlement/record.ts';
import { DAY_MS } from '../../spec/time.ts';

/**
 * A day of sample data: `testMode=INTERNAL` returns such records, so that an integration can be tested before any payment is settled. The
 * same entity, day and currency always have the same records.
 */
export type SampleDay = {
  readonly merchantId: string;
  readonly entityId: string;
  readonly settledOn: string;
  readonly currency: string;
};

/** More than one page. */
const COUNT_MAX = 240;
/** At least one of every kind. */
const COUNT_MIN = 5;
const PRIME = 16_777_619;

/** FNV-1a. */
function numberOf(text: string): number {
  let sum = 2_166_136_261;
  for (const character of text) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), PRIME) >>> 0;
  return sum;
}

const hexOf = (text: string): string =>
  [0, 1, 2, 3].map((at) => numberOf(`${at} ${text}`).toString(16).padStart(8, '0')).join('');

const seedOf = ({ entityId, settledOn, currency }: SampleDay): string => `${entityId} ${settledOn} ${currency}`;

export const sampleCount = (day: SampleDay): number => COUNT_MIN + (numberOf(seedOf(day)) % COUNT_MAX);

type Kind = Pick<SettlementRecord, 'recordType' | 'transactionType' | 'cashflow' | 'reasonCode' | 'reasonText'>;

/** Every record type once, then mostly debits. */
function kindOf(line: number): Kind {
  const recordType: RecordType = line <= recordTypes.length ? (recordTypes[line - 1] as RecordType) : 'SETTLED';
  const isReversal = recordType === 'CHARGEBACK REVERSAL';
  const reason = { reasonCode: '10.4', reasonText: 'Other fraud, card absent' };
  switch (recordType) {
    case 'CHARGEBACK':
    case 'CHARGEBACK REVERSAL':
      return { recordType, transactionType: isReversal ? 'CREDIT' : 'DEBIT', cashflow: isReversal ? 'POS' : 'NEG', ...reason };
    case 'FEE':
      return { recordType, transactionType: 'MONTHLY', cashflow: 'NEG', reasonCode: null, reasonText: null };
    default: {
      const isRefund = line % 7 === 0;
      const [transactionType, cashflow] = isRefund ? (['REFUND', 'NEG'] as const) : (['DEBIT', 'POS'] as const);
      return { recordType, transactionType, cashflow, reasonCode: null, reasonText: null };
    }
  }
}

function sampleRecord(day: SampleDay, line: number): SettlementRecord {
  const seed = `${line} ${seedOf(day)}`;
  const kind = kindOf(line);
  const amount = 100n + BigInt(numberOf(seed) % 50_000);
  const fee = kind.recordType === 'FEE' ? null : amount / 100n;
  const paymentId = hexOf(`payment ${seed}`);
  const settledAt = Date.parse(`${day.settledOn}T00:00:00Z`);
  const presented = new Date(settledAt - DAY_MS + (numberOf(`at ${seed}`) % DAY_MS)).toISOString();
  return {
    ...kind,
    id: hexOf(seed),
    fileId: hexOf(`file ${seedOf(day)}`),
    format: 'sample',
    merchantId: day.merchantId,
    entityId: day.entityId,
    match: { status: 'MATCHED', paymentIds: [paymentId], by: 'sample', why: 'made up', isOpen: false },
    chargebackId: kind.recordType === 'CHARGEBACK' ? hexOf(`chargeback ${seed}`) : null,
    createdAt: settledAt + DAY_MS,
    revision: 1,
    line,
    clearingInstitute: {
      name: 'Sample Acquirer',
      merchantId: 'SAMPLE-0001',
      txId1: `T${numberOf(seed)}`,
      txId2: null,
      txId3: null,
    },
    settlementId: `S-${day.settledOn}-${line}`,
    paymentId,
    shortId: `${1000 + (numberOf(seed) % 9000)}.0000.${String(line).padStart(4, '0')}`,
    merchantTransactionId: `order-${10_000 + line}`,
    invoiceId: null,
    amount,
    currency: day.currency,
    paymentBrand: line % 3 === 0 ? 'MASTER' : 'VISA',
    presentedAt: `${presented.slice(0, 10)} ${presented.slice(11, 19)}`,
    settledAmount: amount - (fee ?? 0n),
    settledCurrency: day.currency,
    fee,
    fxRate: '1.00',
    settledOn: day.settledOn,
    status: 'SUCCESS',
    descriptor: `Sample ${line}`,
    last4: line % 3 === 0 ? '4444' : '0000',
    bankCode: null,
    holder: 'Jane Jones',
  };
}

/** The records of a day, optionally of one type. */
export function sampleRecords(day: SampleDay, recordType: RecordType | null = null): readonly SettlementRecord[] {
  const all = Array.from({ length: sampleCount(day) }, (_, at) => sampleRecord(day, at + 1));
  return recordType === null ? all : all.filter((record) => record.recordType === recordType);
}

export function sampleAggregation(day: SampleDay): Aggregation {
  const records = sampleRecords(day);
  const sum = (of: (record: SettlementRecord) => bigint): bigint => records.reduce((total, record) => total + of(record), 0n);
  return {
    settledOn: day.settledOn,
    currency: day.currency,
    count: records.length,
    amount: sum(({ cashflow, settledAmount }) => (cashflow === 'NEG' ? -settledAmount : settledAmount)),
    fee: sum(({ fee }) => fee ?? 0n),
  };
}
