import type { Amount } from '../../../money/amount.ts';
import type { SentBatch, SettledLine } from '../../record.ts';
import {
  accountPaths,
  bookedMoney,
  chargesIn,
  entryPaths,
  headerPaths,
  type Money,
  partOf,
  pick,
  pickAll,
  sumsOf,
  txPaths,
  type Values,
} from './camtValues.ts';
import { day, type Format, moment, type ReadResult, readLineResult } from './reader.ts';
import { isMessage, type MessageKind, type OpenElement, readMessage, type Visitor } from './xml.ts';

type Element = { readonly values: Values; readonly line: number };
/** `number`: its place among the entries of the file, from 1. */
type Entry = Element & { readonly number: number; readonly account: Values; readonly header: Values };

const NO_VALUES: ReadonlyMap<string, string> = new Map();

/** Where an entry stands, for messages. */
const placeOf = ({ number, values }: Entry): string => {
  const reference = cut(pick(values, 'bankRef') ?? pick(values, 'entryRef'), 35);
  return reference === null ? `entry ${number}` : `entry ${number} (${reference})`;
};

const noteAt = (entry: Entry, text: string): ReadResult => ({
  kind: 'note',
  note: { line: entry.line, message: `${placeOf(entry)} ${text}` },
});

/** Only booked entries are read. Announced and informative ones may still change. */
const isBooked = ({ values }: Entry): boolean => (pick(values, 'status') ?? 'BOOK') === 'BOOK';

const skipped = (entry: Entry): ReadResult =>
  noteAt(entry, `was skipped: it is not booked (Sts ${cut(pick(entry.values, 'status'), 35) ?? 'is empty'})`);

type Sign = 'CRDT' | 'DBIT';
const signIn = (values: Values): Sign | null => {
  const sign = pick(values, 'sign');
  return sign === 'CRDT' || sign === 'DBIT' ? sign : null;
};

type Day = { readonly settledOn: string; readonly isGuess: boolean };

/** The day of value, or the day of booking. An entry may have neither: the day of its statement is the nearest known. */
function dayOf({ values, account, header }: Entry): Day | null {
  const own = [pick(values, 'valueDay'), pick(values, 'bookingDay')];
  const others = [pick(account, 'periodEnd'), pick(account, 'createdAt'), pick(header, 'createdAt')];
  for (const [at, text] of [...own, ...others].entries()) {
    const read = day((text ?? '').slice(0, 10));
    if (read.ok) return { settledOn: read.value, isGuess: at >= own.length };
  }
  return null;
}

/** The values that all lines of an entry share. `why`: the reason why the entry cannot be read; null: it can. */
type Booking = { readonly money: Money; readonly sign: Sign; readonly settledOn: string; readonly why: string | null };

/** Days of a line that has none. It is an exception. */
const NO_DAY = '1970-01-01';

function bookingOf(entry: Entry): Booking {
  const { money, why } = bookedMoney(entry.values);
  const sign = signIn(entry.values);
  const on = dayOf(entry);
  const wrong = why ?? (sign ? (on ? null : 'neither it nor its statement has a day') : 'its CdtDbtInd is neither CRDT nor DBIT');
  return { money, sign: sign ?? 'CRDT', settledOn: on?.settledOn ?? NO_DAY, why: wrong };
}

/** Says which day counts, where the entry has none. */
function remarks(entry: Entry): readonly ReadResult[] {
  const on = dayOf(entry);
  return on?.isGuess === true
    ? [noteAt(entry, `has neither ValDt nor BookgDt: ${on.settledOn}, the day of its statement, counts`)]
    : [];
}

/** Reads an entry with one detail or none: a batch, a fee, or one transaction. Its own amount is booked, whatever its detail says. */
function readEntry(entry: Entry, detail: Element | null): ReadResult {
  const booking = bookingOf(entry);
  const values = detail?.values ?? NO_VALUES;
  const charges = chargesIn(values, booking.money.currency) ?? chargesIn(entry.values, booking.money.currency);
  const { line, sent } = lineOf(entry, { booking, detail: values, at: detail?.line ?? entry.line, charges });
  return booking.why === null ? readLineResult(line, sent) : unread(entry, booking.why, { line, sent: null });
}

const unread = (entry: Entry, why: string, { line, sent }: LineGiven): ReadResult => ({
  kind: 'unread',
  line,
  sent,
  why: `${placeOf(entry)} cannot be read as a payment: ${why}`,
});

/** One of several details. `signed`: its effect on the account, in the currency of its entry. */
type Part = { readonly signed: Amount; readonly result: ReadResult };

/** Reads one of several details; null: it has no amount in the currency of the entry. */
function readPart(entry: Entry, detail: Element): Part | null {
  const booking = bookingOf(entry);
  const money = partOf(detail.values, booking.money.currency);
  if (booking.why !== null || money === null || !isBooked(entry)) return null;
  const sign = pick(detail.values, 'sign') === null ? booking.sign : signIn(detail.values);
  if (sign === null) return null;
  const charges = chargesIn(detail.values, money.currency);
  const { line, sent } = lineOf(entry, { booking: { ...booking, money, sign }, detail: detail.values, at: detail.line, charges });
  return { signed: signedOf(money.amount, sign), result: readLineResult(line, sent) };
}

const signedOf = (amount: Amount, sign: Sign): Amount => (sign === 'CRDT' ? amount : -amount);

/** The parts of an entry. `sum`: of all of them; null: one has no amount. */
type Parts = { readonly count: number; readonly sum: Amount | null };

/**
 * Reads the end of an entry with several details, which make up its amount, or make it up with the charges of the entry taken from them.
 * Null: they do neither.
 */
function readRest(entry: Entry, { sum }: Parts): readonly ReadResult[] | null {
  const booking = bookingOf(entry);
  if (sum === null || booking.why !== null || !isBooked(entry)) return null;
  const { money, sign } = booking;
  const rest = sum - signedOf(money.amount, sign);
  if (rest === 0n) return [];
  const charges = chargesIn(entry.values, money.currency);
  if (charges === null || rest !== charges) return null;
  const taken: Booking = { ...booking, sign: 'DBIT', money: { ...money, amount: charges } };
  const { line } = lineOf(entry, { booking: taken, detail: NO_VALUES, at: entry.line, charges: null });
  return [readLineResult({ ...line, recordType: 'FEE', transactionType: 'MONTHLY' })];
}

/** An entry whose details do not make up its amount, as one line about all of them. */
function readWhole(entry: Entry, { count, sum }: Parts): ReadResult {
  const booking = bookingOf(entry);
  const batch = lineOf(entry, {
    booking,
    detail: NO_VALUES,
    at: entry.line,
    charges: chargesIn(entry.values, booking.money.currency),
  });
  const line: SettledLine = { ...batch.line, recordType: 'SETTLED', transactionType: 'BATCH', status: 'SUCCESS' };
  if (booking.why !== null) return unread(entry, booking.why, { line, sent: null });
  const missing =
    sum === null ? 'not every one has an amount in its currency' : 'their amounts do not make up the amount of the entry';
  const isReturn = batch.line.recordType !== 'SETTLED' || batch.line.status === 'FAILED';
  return unread(entry, `it has ${count} details, and ${missing}`, { line, sent: isReturn ? null : batch.sent });
}

const FEES = ['CHRG', 'FEES', 'COMM', 'COME', 'COMI', 'COMT', 'TAXE'];
/** Unpaid direct debits, card chargebacks, reversals after a return. */
const RETURNS = ['UPDD', 'RPMT', 'CHBK', 'PRDD'];
/** The family of collections that the account holder issued. Money of a return that comes is the return reversed. */
const COLLECTIONS = 'IDDT';
/** A transfer of the account holder that came back. */
const RETURNED_TRANSFER = 'RRTN';

type LineKind = Pick<SettledLine, 'recordType' | 'transactionType' | 'cashflow'> & { readonly isReturned: boolean };

function kindOf(entry: Values, detail: Values, sign: Sign): LineKind {
  const cashflow = sign === 'CRDT' ? 'POS' : 'NEG';
  const kind = pick(detail, 'kind') ?? pick(entry, 'kind') ?? '';
  const isCollection = (pick(detail, 'family') ?? pick(entry, 'family')) === COLLECTIONS;
  const isReturnedTransfer = kind === RETURNED_TRANSFER && cashflow === 'POS';
  const isReturn = pick(detail, 'reason') !== null || RETURNS.includes(kind) || isReturnedTransfer;
  const isReversed = ['true', '1'].includes(pick(entry, 'reversed') ?? '');
  const of = (recordType: SettledLine['recordType'], transactionType: SettledLine['transactionType'], isReturned = false) =>
    ({ recordType, transactionType, cashflow, isReturned }) as const;
  if (isReturn && cashflow === 'NEG') return of('CHARGEBACK', 'DEBIT');
  if (isReturn && (isCollection || isReversed)) return of('CHARGEBACK REVERSAL', 'DEBIT');
  // A payout that came back was not settled after all.
  if (isReturn) return of('SETTLED', 'REFUND', true);
  if (FEES.includes(kind)) return of('FEE', 'MONTHLY');
  if (detail === NO_VALUES && pick(entry, 'batch') !== null) return of('SETTLED', 'BATCH');
  return of('SETTLED', cashflow === 'POS' ? 'DEBIT' : 'REFUND');
}

type LineGiven = { readonly line: SettledLine; readonly sent: SentBatch | null };
type LineParts = { readonly booking: Booking; readonly detail: Values; readonly at: number; readonly charges: Amount | null };

/** `at`: the line of the file. */
function lineOf({ values: entry, account }: Entry, { booking, detail, at, charges }: LineParts): LineGiven {
  const { money, sign, settledOn } = booking;
  const kind = kindOf(entry, detail, sign);
  const { isReturned, ...types } = kind;
  const isSettled = types.recordType === 'SETTLED';
  const line: SettledLine = {
    ...types,
    ...sumsOf(money, { detail, charges, isIn: sign === 'CRDT', isReturn: !isSettled || isReturned }),
    ...referencesIn(detail, entry),
    ...partiesIn(detail, { kind, ownAccount: pick(account, 'account') }),
    line: at,
    clearingInstitute: {
      name: cut(pick(account, 'institute'), 64) ?? 'not named',
      merchantId: cut(pick(account, 'account'), 64) ?? 'not named',
      txId1: cut(pick(detail, 'detailRef') ?? pick(entry, 'bankRef'), 64),
      txId2: cut(pick(detail, 'txId'), 64),
      txId3: cut(pick(detail, 'clearing'), 64),
    },
    presentedAt: momentOf(pick(detail, 'at')),
    settledOn,
    status: isReturned ? 'FAILED' : 'SUCCESS',
    descriptor: cut(pick(detail, 'remark'), 128),
    invoiceId: null,
    paymentBrand: null,
    reasonCode: isSettled ? null : cut(pick(detail, 'reason'), 32),
    reasonText: isSettled ? null : cut(pick(detail, 'reasonText'), 128),
  };
  const sent: SentBatch = {
    messageId: cut(pick(detail, 'message') ?? pick(entry, 'batchMessage'), 35),
    batchId: cut(pick(detail, 'messageBatch') ?? pick(entry, 'batchId'), 35),
    reason: cut(pick(detail, 'reason'), 32),
  };
  return { line, sent };
}

/** Banks may write references in capitals. */
const PAYMENT_ID = /^[0-9a-f]{32}$/i;
const SHORT_ID = /^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$/;

/** The party that collects the money chooses the reference: the payment's id, its short id or the merchant's own. */
function referencesIn(
  values: Values,
  entry: Values,
): Pick<SettledLine, 'paymentId' | 'shortId' | 'merchantTransactionId' | 'settlementId'> {
  const all = pickAll(values, 'own').filter((text) => text !== 'NOTPROVIDED');
  // The reference of a batch counts where the line has none of its own.
  const given = all.length > 0 ? all : pickAll(values, 'messageBatch');
  const other = given.find((text) => !PAYMENT_ID.test(text) && !SHORT_ID.test(text));
  return {
    paymentId: given.find((text) => PAYMENT_ID.test(text))?.toLowerCase() ?? null,
    shortId: given.find((text) => SHORT_ID.test(text)) ?? null,
    merchantTransactionId: cut(other ?? null, 255),
    settlementId: cut(pick(values, 'detailRef') ?? pick(entry, 'bankRef') ?? pick(entry, 'entryRef'), 64),
  };
}

type PartyGiven = { readonly kind: LineKind; readonly ownAccount: string | null };

/**
 * The other side of a booking, with the last four characters of its account. It is the payer of incoming money and of its returns, and
 * the payee of outgoing money and of its returns. A bank may swap the sides of a return, but the account of the statement is never the
 * other side.
 */
function partiesIn(values: Values, { kind, ownAccount }: PartyGiven): Pick<SettledLine, 'last4' | 'holder' | 'bankCode'> {
  const { recordType, cashflow, isReturned } = kind;
  const pays = recordType !== 'SETTLED' || (cashflow === 'POS' && !isReturned);
  const [payer, payee] = [pick(values, 'payerAccount'), pick(values, 'payeeAccount')];
  const isPayer = ownAccount !== null && (pays ? payer : payee) === ownAccount ? !pays : pays;
  const iban = isPayer ? payer : payee;
  return {
    last4: iban === null || iban.length < 4 ? null : iban.slice(-4),
    holder: cut(pick(values, isPayer ? 'payer' : 'payee'), 128),
    bankCode: cut(pick(values, 'payerBank'), 12),
  };
}

function momentOf(text: string | null): string | null {
  const read = moment((text ?? '').slice(0, 19));
  return read.ok ? read.value : null;
}

export const cut = (text: string | null, most: number): string | null => {
  const own = (text ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return own === '' ? null : own.slice(0, most);
};

type CamtKind = MessageKind & { readonly container: string };

/** An account report, statement or notification of ISO 20022: its booked entries, with their details where there are any. */
const camt = (kind: CamtKind): Format => ({
  name: kind.name,
  description: `ISO 20022 ${kind.name}, versions ${kind.versionsText}`,
  // Nothing was booked on that day.
  mayBeEmpty: true,
  recognises: (head) => isMessage(kind, head),
  read: (bytes, unsplit = NOTHING_UNSPLIT) => readMessage(kind, createVisitor(kind, unsplit), bytes),
});

const NOTHING_UNSPLIT: ReadonlySet<number> = new Set();

const versions = { versions: /^(?:0[2-9]|1[0-3])$/, versionsText: '02 to 13' };
export const report = camt({ name: 'camt.052', container: 'Rpt', ...versions });
export const statement = camt({ name: 'camt.053', container: 'Stmt', ...versions });
export const notification = camt({ name: 'camt.054', container: 'Ntfctn', ...versions });

/** One account, one entry and two details at most are held in memory. */
function createVisitor({ container }: CamtKind, unsplit: ReadonlySet<number>): Visitor {
  const results: ReadResult[] = [];
  let header: OpenElement | null = null;
  let headerValues = NO_VALUES;
  let account: OpenElement | null = null;
  let entry: OpenElement | null = null;
  let detail: OpenElement | null = null;
  let numbers = 0;
  let reader = createEntryReader(results, false);
  const entryHeld = ({ values, line }: OpenElement): Entry => ({
    values,
    line,
    number: numbers,
    account: account?.values ?? NO_VALUES,
    header: headerValues,
  });
  return {
    results,
    inner: () => detail ?? entry ?? account ?? header,
    open(path, line) {
      const name = path.at(-1);
      const openElement = (paths: ReadonlySet<string>): OpenElement => ({ values: new Map(), depth: path.length, paths, line });
      if (path.length === 3 && name === 'GrpHdr') header = openElement(headerPaths);
      else if (path.length === 3 && name === container) account = openElement(accountPaths);
      else if (account && path.length === 4 && name === 'Ntry') {
        entry = openElement(entryPaths);
        numbers += 1;
        reader = createEntryReader(results, unsplit.has(numbers));
      } else if (entry && !detail && path.length === 6 && name === 'TxDtls') detail = openElement(txPaths);
    },
    close(path) {
      if (entry && detail && path.length === detail.depth) {
        reader.add(entryHeld(entry), detail);
        detail = null;
      } else if (entry && path.length === entry.depth) {
        reader.end(entryHeld(entry));
        entry = null;
      } else if (account && path.length === account.depth) account = null;
      else if (header && path.length === header.depth) {
        headerValues = header.values;
        header = null;
      }
    },
  };
}

/** The details of one entry. Only a second one shows that they are parts of its amount. */
function createEntryReader(results: ReadResult[], isUnsplit: boolean) {
  let only: Element | null = null;
  let count = 0;
  let sum: Amount | null = 0n;
  /** Parts that may not be among the results, if they do not make up the amount. */
  let hasParts = false;
  const addPart = (entry: Entry, detail: Element): void => {
    const part = readPart(entry, detail);
    sum = part === null || sum === null ? null : sum + part.signed;
    if (part === null || isUnsplit) return;
    results.push(part.result);
    hasParts = true;
  };
  return {
    add(entry: Entry, detail: Element): void {
      count += 1;
      if (count === 2 && only) addPart(entry, only);
      if (count >= 2) addPart(entry, detail);
      only = count === 1 ? detail : null;
    },
    end(entry: Entry): void {
      const parts: Parts = { count, sum };
      const rest = count >= 2 ? readRest(entry, parts) : null;
      if (hasParts && rest === null) results.push({ kind: 'unsplit', entry: entry.number });
      if (!isBooked(entry)) results.push(skipped(entry));
      else if (rest !== null) results.push(...rest, ...remarks(entry));
      else results.push(count >= 2 ? readWhole(entry, parts) : readEntry(entry, only), ...remarks(entry));
    },
  };
}
