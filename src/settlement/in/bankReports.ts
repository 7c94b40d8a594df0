import { amountText } from '../../money/amount.ts';
import { isApproved } from '../../payments/balance.ts';
import { isOpen, type Payment, type PaymentRef } from '../../payments/payment.ts';
import type { ExceptionKind } from '../../spec/answers/settlement.ts';
import { bankReason } from '../../spec/bankReasons.ts';
import { type FileScopes, isWithin, subjectsOf } from '../match/checks.ts';
import type { SettlementStore } from '../ports.ts';
import { type BankReport, isFee, type Match, reportOfLine, type SettledLine, type SettlementFile } from '../record.ts';
import { applyReport, type BankNeeds, type FileConnector, isAccountOf, type Outcome, sendsFiles } from './applyReport.ts';
import type { LineResult } from './readers/reader.ts';

/** A line to be stored. `match`: it is decided already, with the payment if there is one; null: it is matched with payments. */
export type DecidedLine = { readonly line: SettledLine; readonly match: Match | null; readonly payment?: Payment };

export interface BankReader {
  /** Applies the reports about payments that were sent to the bank. Returns the lines to store. */
  apply(results: readonly LineResult[], renewLease: () => Promise<void>): Promise<readonly DecidedLine[]>;
}

type Store = Pick<SettlementStore, 'paymentsNamed' | 'recordsOfPayments'>;
type ReaderNeeds = { readonly bank: BankNeeds | null; readonly store: Store };
type FileGiven = { readonly file: SettlementFile; readonly scopes: FileScopes };

/** One file in the hands of the reader. */
type Reading = FileGiven & {
  readonly bank: BankNeeds;
  readonly store: Store;
  readonly sent: ReturnType<typeof createSentMessages>;
  /** Faults that were reported, and charges that were stored. */
  readonly alarmed: Set<string>;
  readonly charged: Set<string>;
};

/** Without accounts that send files, every line is matched as it is. */
export function createBankReader({ bank, store }: ReaderNeeds, { file, scopes }: FileGiven): BankReader {
  const accounts = bank?.accounts(file.entityId) ?? [];
  if (!bank || accounts.length === 0) return { apply: async (results) => results.flatMap(withoutAccounts) };
  const sent = createSentMessages(accounts);
  const reading: Reading = { bank, store, file, scopes, sent, alarmed: new Set(), charged: new Set() };
  return {
    async apply(results, renewLease) {
      const read = results.map((result, at) => ({ at, result, report: reportOf(result) }));
      const ids = read.flatMap(({ report }) =>
        report?.isWhole === false && report.paymentId !== null ? [report.paymentId] : [],
      );
      const known = await paymentsById(reading, [...new Set(ids)]);
      const stored = new Map<number, readonly DecidedLine[]>();
      // Bookings come first: a return in the same file is of money that was booked.
      const inOrder = read.toSorted((one, other) => rankOf(one.report) - rankOf(other.report) || one.at - other.at);
      for (const { at, result, report } of inOrder) {
        await renewLease();
        if (report === null) stored.set(at, withoutReport(result));
        else if (report.isWhole) stored.set(at, orUnread(result, await applyToAll(reading, report)));
        else stored.set(at, await applyToOne(reading, report, await current(reading, known.get(report.paymentId ?? ''))));
      }
      return read.flatMap(({ at }) => stored.get(at) ?? []);
    },
  };
}

/** The payments with these ids, of the entities that the file is of. */
async function paymentsById({ store, scopes }: Reading, ids: readonly string[]): Promise<ReadonlyMap<string, Payment>> {
  const found = new Map<string, Payment>();
  const { merchantIds } = scopes.whole;
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const names = ids.slice(at, at + IDS_AT_ONCE).map((value) => ({ kind: 'id', value }) as const);
    for (const { payment } of await store.paymentsNamed({ merchantIds, names, from: 0, before: 0, each: 1 }))
      if (isWithin(scopes.whole, payment)) found.set(payment.id, payment);
  }
  return found;
}

/** An earlier line of the same file may have moved it. */
async function current({ bank }: Reading, payment: Payment | undefined): Promise<Payment | undefined> {
  if (!payment) return undefined;
  const { merchantId, id } = payment;
  return (await bank.worldOf(merchantId).store.payment(merchantId, id)) ?? undefined;
}

/** The account that took a payment, when the report is of that account; null otherwise. */
async function accountOf({ bank, sent, scopes }: Reading, report: BankReport, payment: Payment): Promise<FileConnector | null> {
  const connector = bank.worldOf(payment.merchantId).connector(payment.connector, payment.entityId);
  if (!sendsFiles(connector)) return null;
  if (isStatus(report)) return (await sent.has(report, payment)) ? connector : null;
  const { line } = report;
  const isOwn = scopes.scopeOf(line) !== null && isAccountOf(connector, line.clearingInstitute.merchantId);
  return isOwn && (report.isWhole || subjectsOf(typed(line, payment)).includes(payment.paymentType)) ? connector : null;
}

async function applyToOne(reading: Reading, report: BankReport, payment: Payment | undefined): Promise<readonly DecidedLine[]> {
  const { line } = report;
  const connector = payment ? await accountOf(reading, report, payment) : null;
  if (!payment || !connector) return isStatus(report) ? [unknownStatus(report)] : [{ line, match: null }];
  if (report.is === 'rejected' && !report.isWhole && SECOND_COPY.has(report.reason ?? '')) {
    reportDuplicate(reading, report, [payment]);
    return [];
  }
  reportFault(reading, report, payment);
  const outcome = await applyReport(reading.bank, { report, payment, connector });
  return isStatus(report) ? [] : withCharges(reading, { own: decided(typed(line, payment), outcome), payment, outcome });
}

async function applyToAll(reading: Reading, report: BankReport): Promise<readonly DecidedLine[]> {
  const { line } = report;
  const refs = await reading.sent.payments(report);
  const ids = refs.map(({ paymentId }) => paymentId);
  const payments = [...(await paymentsById(reading, ids)).values()];
  if (payments.length === 0) return isStatus(report) ? [unknownStatus(report)] : [{ line, match: null }];
  if (report.is === 'booked') return applyBatchBooking(reading, report, payments);
  // That a bank took a whole message says nothing about a payment.
  if (report.is !== 'rejected') return [];
  if (DUPLICATE_FILE.has(report.reason ?? '')) reportDuplicate(reading, report, payments);
  else for (const payment of payments) await applyToOne(reading, report, payment);
  return [];
}

/** The bank received the message twice. The payments of the duplicate are those of the first and are not refused. */
const DUPLICATE_FILE: ReadonlySet<string> = new Set(['AM05', 'DUPL', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05']);
/** Of one transaction: its ids are not unique, and no other payment has them. AM05 and DUPL may also mean another payment like it. */
const SECOND_COPY: ReadonlySet<string> = new Set(['DU01', 'DU02', 'DU03', 'DU04', 'DU05']);

function reportDuplicate({ bank, alarmed }: Reading, { reason, messageId }: BankReport, [first]: readonly Payment[]): void {
  const key = `${messageId} ${reason}`;
  if (!first || alarmed.has(key)) return;
  alarmed.add(key);
  const about = { account: first.connector, reason: reason ?? '', messageId: messageId ?? '' };
  bank.worldOf(first.merchantId).alarm('a bank refuses a file that it has already', about);
}

/** A booking without details is that of all payments that were sent and not refused, when it has their sum. */
async function applyBatchBooking(
  reading: Reading,
  report: BankReport,
  payments: readonly Payment[],
): Promise<readonly DecidedLine[]> {
  const { bank } = reading;
  const { line } = report;
  const own: { payment: Payment; connector: FileConnector }[] = [];
  for (const payment of payments) {
    const connector = await accountOf(reading, report, payment);
    const isGone = !isOpen(payment) && !isApproved(payment) && !(await bank.statusesOf(payment)).includes('returned');
    if (connector && !isGone) own.push({ payment, connector });
  }
  if (own.length === 0) return [{ line, match: null }];
  if (own.some(({ payment }) => cashflowOf(payment) !== line.cashflow)) {
    const why = `the money of the batch ${report.reference} goes the wrong way for its payments`;
    return [{ line, match: exceptionOf('directionDiffers', why) }];
  }
  const sum = own.reduce((total, { payment }) => total + payment.amount, 0n);
  if (sum !== line.amount || own.some(({ payment }) => payment.currency !== line.currency)) {
    const [booked, sent] = [amountText(line.amount), amountText(sum)];
    const why = `${booked} was booked for the batch ${report.reference}, whose open and approved payments make ${sent}`;
    return [{ line, match: exceptionOf('amountDiffers', why) }];
  }
  const lines: DecidedLine[] = [];
  for (const { payment, connector } of own) {
    const part = typed({ ...line, ...partOf(payment), transactionType: 'DEBIT' }, payment);
    lines.push(decided(part, await applyReport(bank, { report: { ...report, line: part }, payment, connector })));
  }
  return line.fee === null || line.fee === 0n ? lines : [...lines, { line: feeOf(line, line.fee), match: null }];
}

type Charged = { readonly own: DecidedLine; readonly payment: Payment; readonly outcome: Outcome };

/** Adds the bank's charges for a return of money that was never approved. A chargeback has them in its own line. */
async function withCharges(
  { store, file, charged }: Reading,
  { own, payment, outcome }: Charged,
): Promise<readonly DecidedLine[]> {
  const { line } = own;
  const { merchantId, id } = payment;
  if (outcome.is !== 'explained' || line.fee === null || line.fee === 0n) return [own];
  const key = `${id} ${line.settledOn} ${line.fee}`;
  const earlier = await store.recordsOfPayments([merchantId], [id], file.id);
  const isCharged = earlier.some((one) => isFee(one) && one.settledOn === line.settledOn && one.amount === line.fee);
  if (charged.has(key) || isCharged) return [own];
  charged.add(key);
  const why = `the charges for the return of ${id}`;
  const match: Match = { status: 'MATCHED', paymentIds: [id], by: 'bank report', why, isOpen: false };
  return [own, { line: { ...feeOf(line, line.fee), transactionType: 'DEBIT' }, match, payment }];
}

/** A file that the bank refuses for faults of its own is alarmed about once. */
function reportFault({ bank, alarmed }: Reading, { is, reason, messageId }: BankReport, payment: Payment): void {
  const key = `${messageId} ${reason}`;
  if (is !== 'rejected' || !bankReason(reason).isOurs || alarmed.has(key)) return;
  alarmed.add(key);
  const about = { account: payment.connector, reason: reason ?? '', messageId: messageId ?? '' };
  bank.worldOf(payment.merchantId).alarm('a bank refuses what was sent to it: the file or its set-up is at fault', about);
}

const IDS_AT_ONCE = 500;

const withoutAccounts = (result: LineResult): readonly DecidedLine[] =>
  result.kind === 'status' ? [unknownStatus({ ...result.status, line: result.line })] : withoutReport(result);

const withoutReport = (result: LineResult): readonly DecidedLine[] =>
  result.kind === 'status' ? [] : orUnread(result, [{ line: result.line, match: null }]);

/** A line that could not be read is not matched as it is. */
function orUnread(result: LineResult, lines: readonly DecidedLine[]): readonly DecidedLine[] {
  if (result.kind !== 'unread') return lines;
  const { line, why } = result;
  const candidateIds = line.paymentId === null ? [] : [line.paymentId];
  return lines.map((one) =>
    one.line === line && one.match === null ? { line, match: exceptionOf('unreadable', why, candidateIds) } : one,
  );
}

const reportOf = (result: LineResult): BankReport | null =>
  result.kind === 'status' ? { ...result.status, line: result.line } : reportOfLine(result.line, result.sent);

const ranks: readonly BankReport['is'][] = ['accepted', 'booked', 'rejected', 'returned', 'restored'];
const rankOf = (report: BankReport | null): number => (report === null ? 0 : ranks.indexOf(report.is));

const isStatus = ({ is }: Pick<BankReport, 'is'>): boolean => is === 'rejected' || is === 'accepted';

/** A statement has no word for a payout that is no refund. */
const typed = (line: SettledLine, { paymentType }: Payment): SettledLine =>
  paymentType === 'CD' && line.transactionType === 'REFUND'
    ? { ...line, transactionType: 'CREDIT' }
    : paymentType === 'RF' && line.recordType === 'SETTLED'
      ? { ...line, transactionType: 'REFUND' }
      : line;

const cashflowOf = ({ paymentType }: Payment): SettledLine['cashflow'] => (paymentType === 'DB' ? 'POS' : 'NEG');

const partOf = ({ id, amount }: Payment): Partial<SettledLine> => ({
  paymentId: id,
  merchantTransactionId: null,
  amount,
  settledAmount: amount,
  fee: null,
});

const feeOf = (line: SettledLine, fee: bigint): SettledLine => ({
  ...line,
  recordType: 'FEE',
  transactionType: 'MONTHLY',
  cashflow: 'NEG',
  amount: fee,
  settledAmount: fee,
  fee: null,
});

const exceptionOf = (kind: ExceptionKind, why: string, candidateIds: readonly string[] = []): Match => ({
  status: 'NOT_MATCHED',
  paymentIds: [],
  by: 'bank report',
  why,
  isOpen: true,
  exception: { kind, candidateIds },
});

function unknownStatus(report: Pick<BankReport, 'line' | 'word' | 'reference' | 'messageId'>): DecidedLine {
  const { line, word, reference, messageId } = report;
  const why = `the bank reports ${word} for ${reference} of the message ${messageId}, and nothing of yours was sent with it`;
  return { line, match: exceptionOf('unknownReference', why) };
}

function decided(line: SettledLine, outcome: Outcome): DecidedLine {
  switch (outcome.is) {
    case 'match':
      return { line: outcome.as ? { ...line, ...outcome.as } : line, match: null };
    case 'explained':
      return { line, match: { status: 'NOT_MATCHED', paymentIds: [], by: 'bank report', why: outcome.why, isOpen: false } };
    case 'exception':
      return { line, match: exceptionOf(outcome.kind, outcome.why) };
  }
}

type SentMessage = { readonly refs: readonly PaymentRef[]; readonly ids: ReadonlySet<string> };

/** The messages that a file speaks of, each read once. */
function createSentMessages(accounts: readonly FileConnector[]) {
  const known = new Map<string, Promise<SentMessage>>();
  const message = ({ messageId, batchId }: Pick<BankReport, 'messageId' | 'batchId'>): Promise<SentMessage> => {
    const key = JSON.stringify([messageId, batchId]);
    const found = known.get(key) ?? findPayments(accounts, messageId, batchId).then(withIds);
    known.set(key, found);
    return found;
  };
  return {
    payments: async (report: BankReport): Promise<readonly PaymentRef[]> => (await message(report)).refs,
    has: async (report: BankReport, { merchantId, id }: Payment): Promise<boolean> =>
      (await message(report)).ids.has(`${merchantId}.${id}`),
  };
}

const withIds = (refs: readonly PaymentRef[]): SentMessage => ({
  refs,
  ids: new Set(refs.map(({ merchantId, paymentId }) => `${merchantId}.${paymentId}`)),
});

async function findPayments(
  accounts: readonly FileConnector[],
  messageId: string | null,
  batchId: string | null,
): Promise<readonly PaymentRef[]> {
  for (const { bankFiles } of accounts) {
    const found = await bankFiles.paymentsOfMessage(messageId, batchId);
    if (found.length > 0) return found;
  }
  return [];
}
