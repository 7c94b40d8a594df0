import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { recordTypes, type SettledLine, transactionTypes } from '../../record.ts';
import {
  currency,
  day,
  decoded,
  type Format,
  faultResult,
  last4,
  moment,
  oneOf,
  type ReadResult,
  type ReadValue,
  rate,
  readAmount,
  readLineResult,
  text,
  Unreadable,
} from './reader.ts';

const BATCH = 500;
/** The characters of one line, quotation marks included. */
const LINE_MAX = 16_384;

const firstLine = (head: string): string => /^[^\r\n]*/.exec(head)?.[0] ?? '';
const namesIn = (line: string, separator: string): readonly string[] =>
  line.split(separator).map((name) => lower(name.replace(/^"|"$/g, '')));

const lower = (name: string): string => {
  const own = name.trim().toLowerCase();
  return aliases[own] ?? own;
};

const separatorOf = (line: string): string => (line.split(';').length >= line.split(',').length ? ';' : ',');

/** The gateway's own CSV: a line of names, then a line for each settled transaction. */
export const ownCsv: Format = {
  name: 'turnpike-csv',
  description: 'CSV whose first line names its columns, ReconciliationType among them',
  recognises: (head) => {
    const line = firstLine(head);
    return namesIn(line, separatorOf(line)).includes('reconciliationtype');
  },
  async *read(bytes) {
    const texts = decoded(bytes)[Symbol.asyncIterator]();
    try {
      yield* linesIn(texts);
    } catch (error) {
      const { line, message } = unreadable(error);
      yield [faultResult(line, message)];
    }
  },
};

function unreadable(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  // Recognised by its class: the code for a quotation mark inside a value lacks the common prefix.
  if (!(error instanceof CsvError)) throw error;
  const { lines } = error as { readonly lines?: number };
  const message =
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? `a line is longer than ${LINE_MAX} characters`
      : 'quotation marks are not closed or stand in the wrong place';
  return new Unreadable(lines ?? 0, message);
}

type Row = { readonly record: readonly string[]; readonly info: Info };

async function* linesIn(texts: AsyncIterator<string>): AsyncIterable<readonly ReadResult[]> {
  const { head, all } = await withHead(texts);
  const parser = Readable.from(all).compose(
    parse({
      delimiter: separatorOf(firstLine(head)),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LINE_MAX,
    }),
  ) as AsyncIterable<Row>;
  let header: Header | null = null;
  let batch: ReadResult[] = [];
  for await (const { record, info } of parser) {
    if (header === null) {
      header = headerOf(record);
      if (header.faults.length > 0) {
        yield header.faults;
        return;
      }
      continue;
    }
    batch.push(...readLine(header, record, info.lines));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Reads far enough for the first line; `all` still yields the whole text. */
async function withHead(texts: AsyncIterator<string>): Promise<{ readonly head: string; readonly all: AsyncIterable<string> }> {
  let head = '';
  while (!/[\r\n]/.test(head) && head.length < LINE_MAX) {
    const { value, done } = await texts.next();
    if (done === true) break;
    head += value;
  }
  return {
    head,
    all: (async function* () {
      yield head;
      yield* { [Symbol.asyncIterator]: () => texts };
    })(),
  };
}

type Header = {
  readonly columns: readonly (Column | null)[];
  readonly faults: readonly ReadResult[];
};

const NAME_MAX = 64;

/** A name as a message repeats it: whatever a file holds, the message stays short. */
const shown = (name = ''): string => {
  const own = name.trim();
  return own.length > NAME_MAX ? `${own.slice(0, NAME_MAX).toWellFormed()}…` : own;
};

function headerOf(names: readonly string[]): Header {
  const known = new Map(columns.map((column) => [column.name.toLowerCase(), column]));
  const unread = new Set(unreadColumns.map((name) => name.toLowerCase()));
  const own = names.map(lower);
  const message = (name: string, at: number): readonly string[] => {
    if (!known.has(name) && !unread.has(name)) return [`there is no column ${JSON.stringify(shown(names[at]))}`];
    return own.indexOf(name) < at ? [`the column ${shown(names[at])} is there twice`] : [];
  };
  const missing = columns.filter(({ name, isRequired }) => isRequired && !own.includes(name.toLowerCase()));
  const messages = [...own.flatMap(message), ...missing.map(({ name }) => `the column ${name} is missing`)];
  return {
    columns: own.map((name) => known.get(name) ?? null),
    faults: messages.map((each) => faultResult(1, each)),
  };
}

/** Returns the line, or all its faults. An empty value counts as absent. */
function readLine(header: Header, cells: readonly string[], line: number): readonly ReadResult[] {
  const wrong = (message: string): ReadResult => faultResult(line, message);
  if (cells.length !== header.columns.length) {
    return [wrong(`there are ${cells.length} values where ${header.columns.length} columns are named`)];
  }
  const values: Record<string, unknown> = {};
  const faults = header.columns.flatMap((column, at): readonly ReadResult[] => {
    const text = cells[at] ?? '';
    if (column === null) return [];
    if (text === '') return column.isRequired ? [wrong(`${column.name} may not be empty`)] : [];
    const read = column.read(text);
    if (!read.ok) return [wrong(`${column.name} must ${read.must}`)];
    values[column.member] = read.value;
    return [];
  });
  if (faults.length > 0) return faults;
  const built = buildLine(line, values);
  return [typeof built === 'string' ? wrong(built) : readLineResult(built)];
}

/** One column of the gateway's own CSV. */
type Column = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly read: ReadValue<unknown>;
  /** The member of a line that it fills. */
  readonly member: string;
};

const column = (name: string, member: string, read: ReadValue<unknown>, isRequired = false): Column => ({
  name,
  member,
  read,
  isRequired,
});
const required = (name: string, member: string, read: ReadValue<unknown>): Column => column(name, member, read, true);

/** The names of the reconciliation record, in its order; see docs/settlement.md. */
export const columns: readonly Column[] = [
  required('ReconciliationType', 'recordType', oneOf(recordTypes)),
  required('PaymentType', 'transactionType', oneOf(transactionTypes)),
  required('Cashflow', 'cashflow', oneOf(['POS', 'NEG'])),
  required('ClearingInstituteMerchantId', 'acquirerMerchantId', text(5, 64)),
  column('SettlementTxId', 'settlementId', text(1, 64)),
  column('UniqueID', 'paymentId', text(1, 64)),
  column('ShortId', 'shortId', text(1, 14)),
  column('ConnectorTxId1', 'txId1', text(1, 64)),
  column('ConnectorTxId2', 'txId2', text(1, 64)),
  column('ConnectorTxId3', 'txId3', text(1, 64)),
  required('Amount', 'amount', readAmount),
  required('Currency', 'currency', currency),
  column('Brand', 'paymentBrand', text(1, 32)),
  column('TxRequestTime', 'presentedAt', moment),
  required('SettlementAmount', 'settledAmount', readAmount),
  required('SettlementCurrency', 'settledCurrency', currency),
  column('SettlementFee', 'fee', readAmount),
  column('SettlementFxRate', 'fxRate', rate),
  required('SettlementDate', 'settledOn', day),
  column('SettlementStatus', 'status', oneOf(['SUCCESS', 'FAILED'])),
  column('Descriptor', 'descriptor', text(1, 128)),
  column('AccountNumberLast4', 'last4', last4),
  column('BankCode', 'bankCode', text(1, 12)),
  column('AccountHolder', 'holder', text(1, 128)),
  column('ReasonCode', 'reasonCode', text(1, 32)),
  column('ReasonDesc', 'reasonText', text(1, 128)),
  required('ClearingInstituteName', 'acquirerName', text(1, 64)),
  column('TransactionId', 'merchantTransactionId', text(1, 255)),
  column('InvoiceId', 'invoiceId', text(1, 255)),
];

/** Columns of the reconciliation record that are accepted and ignored: the gateway knows their values itself. */
const unreadColumns: readonly string[] = [
  'MerchantAccountId',
  'MerchantAccountName',
  'PspId',
  'DivisionId',
  'MerchantId',
  'SettlementFileFormat',
  'MatchingStatus',
  'MatchedTransactions',
  'ChargebackId',
];

/** The misspelling of the reconciliation record. */
const aliases: Readonly<Record<string, string>> = { clearinginsititutename: 'clearinginstitutename' };

type Values = Readonly<Record<string, unknown>>;

/** Builds a line from its values; returns a message when they contradict each other. */
function buildLine(line: number, values: Values): SettledLine | string {
  const { acquirerName, acquirerMerchantId, txId1 = null, txId2 = null, txId3 = null, ...rest } = values;
  if (rest.fxRate === undefined && rest.currency !== rest.settledCurrency) {
    return 'SettlementFxRate may not be empty where the money was exchanged';
  }
  return {
    ...absent,
    fxRate: '1.00',
    status: 'SUCCESS',
    ...rest,
    line,
    clearingInstitute: { name: acquirerName, merchantId: acquirerMerchantId, txId1, txId2, txId3 },
  } as SettledLine;
}

const absent = {
  settlementId: null,
  paymentId: null,
  shortId: null,
  merchantTransactionId: null,
  invoiceId: null,
  paymentBrand: null,
  presentedAt: null,
  fee: null,
  descriptor: null,
  last4: null,
  bankCode: null,
  holder: null,
  reasonCode: null,
  reasonText: null,
} as const satisfies Partial<SettledLine>;
