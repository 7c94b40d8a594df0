import { type Amount, amountOf } from '../../../money/amount.ts';
import { maskCardNumbers, type ScanOptions } from '../../../spec/cards/cardNumbers.ts';
import { isCurrency } from '../../../spec/currencies.ts';
import { NETWORK_OR_PARCEL } from '../../../spec/row.ts';
import type { BankStatus, LineFault, SentBatch, SettledLine } from '../../record.ts';

/** One line of a file, a status of payments that were sent to a bank, or a fault of either. */
export type ReadResult =
  | { readonly kind: 'line'; readonly line: SettledLine; readonly sent: SentBatch | null }
  /** `line`: for the exception that it becomes when its payment is not known. It is no line of a settlement. */
  | { readonly kind: 'status'; readonly line: SettledLine; readonly status: BankStatus }
  /** Refuses the file. */
  | { readonly kind: 'fault'; readonly fault: LineFault }
  /** An entry that becomes an exception, unless `sent` names a batch that is known. `why`: its fault, and its place. */
  | { readonly kind: 'unread'; readonly line: SettledLine; readonly sent: SentBatch | null; readonly why: string }
  /** Something about the file that needs no decision, such as an entry that was skipped. */
  | { readonly kind: 'note'; readonly note: LineFault }
  /** The details of this entry, counted from 1, do not make up its amount: the next reading must not read them one by one. */
  | { readonly kind: 'unsplit'; readonly entry: number };

/** A result that becomes a line of the file. */
export type LineResult = Extract<ReadResult, { readonly line: SettledLine }>;
export const isLine = (result: ReadResult): result is LineResult => 'line' in result;

export const readLineResult = (line: SettledLine, sent: SentBatch | null = null): ReadResult => ({ kind: 'line', line, sent });
export const faultResult = (line: number, message: string): ReadResult => ({ kind: 'fault', fault: { line, message } });

/** A file format. */
export interface Format {
  readonly name: string;
  /** For the documentation, and for the message that refuses other formats. */
  readonly description: string;
  /** A file without lines says that nothing happened; otherwise it is a mistake. */
  readonly mayBeEmpty?: true;
  /** Whether a file that begins with this text has this format. */
  readonly recognises: (head: string) => boolean;
  /**
   * Yields the lines in batches as the bytes arrive and holds one batch in memory. A fault that ends the reading comes last. An entry with
   * many details shows only at its end whether they make up its amount, so a file is read twice: `unsplit` are the entries that the first
   * reading has found.
   */
  read(bytes: AsyncIterable<Uint8Array>, unsplit?: ReadonlySet<number>): AsyncIterable<readonly ReadResult[]>;
}

/** The file cannot be read from this line on. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Free-text fields of a line. */
const texts = [
  'merchantTransactionId',
  'invoiceId',
  'paymentId',
  'shortId',
  'descriptor',
  'holder',
  'reasonCode',
  'reasonText',
  'paymentBrand',
  'bankCode',
] as const;

/** Masks card numbers in the texts of a file. */
export async function* withoutCardNumbers(read: AsyncIterable<readonly ReadResult[]>): AsyncIterable<readonly ReadResult[]> {
  for await (const results of read) yield results.map(cleanResult);
}

/** The acquirer's own references. Payments are found by them, so only numbers as long as a usual card are masked. */
const references = ['merchantId', 'txId1', 'txId2', 'txId3'] as const;

/** The members that have to change; null for most lines, which are then not copied. */
function changesIn<Name extends string>(
  values: Readonly<Record<Name, string | null>>,
  names: readonly Name[],
  options: ScanOptions,
): Partial<Record<Name, string>> | null {
  let changes: Partial<Record<Name, string>> | null = null;
  for (const name of names) {
    const text = values[name];
    const clean = text && maskCardNumbers(text, options);
    if (clean && clean !== text) changes = { ...changes, [name]: clean } as Partial<Record<Name, string>>;
  }
  return changes;
}

/** The same value with its references and texts masked; most have nothing to mask and are not copied. */
function masked<Name extends string, Value extends Readonly<Record<Name, string | null>>>(
  value: Value,
  referenceNames: readonly Name[],
  textNames: readonly Name[],
): Value {
  const named = changesIn<Name>(value, referenceNames, NETWORK_OR_PARCEL);
  const said = changesIn<Name>(value, textNames, {});
  return named || said ? { ...value, ...named, ...said } : value;
}

/** The message and the batch in which payments were sent to a bank. */
const sentAs = ['messageId', 'batchId'] as const;

const cleanSent = (sent: SentBatch | null): SentBatch | null => sent && masked(sent, sentAs, ['reason']);

const cleanMessage = (message: string): string => maskCardNumbers(message, { isStrict: true });

function cleanResult(result: ReadResult): ReadResult {
  if (result.kind === 'unsplit') return result;
  if (result.kind === 'fault') return faultResult(result.fault.line, cleanMessage(result.fault.message));
  if (result.kind === 'note') return { ...result, note: { ...result.note, message: cleanMessage(result.note.message) } };
  const line = cleanLine(result.line);
  if (result.kind === 'unread') return { ...result, line, sent: cleanSent(result.sent), why: cleanMessage(result.why) };
  if (result.kind === 'line') return { ...result, line, sent: cleanSent(result.sent) };
  const status = masked(result.status, [...sentAs, 'reference'], ['paymentId', 'word', 'reason', 'verification']);
  return { ...result, line, status };
}

function cleanLine(line: SettledLine): SettledLine {
  const clean = masked(line, ['settlementId'], texts);
  const clearingInstitute = masked(line.clearingInstitute, references, ['name']);
  return clearingInstitute === line.clearingInstitute ? clean : { ...clean, clearingInstitute };
}

/** Encodings that banks declare, with their names for TextDecoder. */
const encodings: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  'windows-1252': 'windows-1252',
};

/** Decodes a file chunk by chunk, without its byte order mark. Throws `Unreadable` at a byte outside the encoding. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding = 'utf-8'): AsyncIterable<string> {
  const known = encodings[encoding.toLowerCase()];
  if (known === undefined) throw new Unreadable(1, `the encoding ${JSON.stringify(encoding)} is not read; send UTF-8`);
  const decoder = new TextDecoder(known, { fatal: true });
  let line = 1;
  const read = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new Unreadable(line, `this is not ${encoding.toUpperCase()}, on this line or not far behind it`);
    }
  };
  for await (const chunk of bytes) {
    const text = read(chunk);
    yield text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line += 1;
  }
  yield read();
}

/** An envelope may have a signature in front of its document. */
const HEAD_BYTES = 65_536;

/** The beginning of a file as text. Only its ASCII part is reliable, because the encoding is not known yet. */
export async function headOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks)
    .subarray(0, HEAD_BYTES)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** A parsed value, or the rule that it breaks, without the name of its field: `be one of POS, NEG`. */
type Value<Parsed> = { readonly ok: true; readonly value: Parsed } | { readonly ok: false; readonly must: string };

export type ReadValue<Parsed> = (text: string) => Value<Parsed>;

const parsed = <Parsed>(value: Parsed): Value<Parsed> => ({ ok: true, value });
const invalid = (must: string): Value<never> => ({ ok: false, must });

const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export const text =
  (least: number, most: number): ReadValue<string> =>
  (value) =>
    value.length >= least && value.length <= most && !control.test(value)
      ? parsed(value)
      : invalid(`be ${least === 0 ? `at most ${most}` : `${least} to ${most}`} characters on one line`);

export const oneOf =
  <const Word extends string>(words: readonly Word[]): ReadValue<Word> =>
  (value) => {
    const word = words.find((one) => one === value);
    return word === undefined ? invalid(`be one of ${words.join(', ')}`) : parsed(word);
  };

export const readAmount: ReadValue<Amount> = (value) => {
  const amount = amountOf(value);
  return amount === undefined ? invalid('be an amount such as 92.00; the sign stands in Cashflow') : parsed(amount);
};

/** A number of XML Schema as hundredths. `isExact`: further decimals are zeros. */
type Decimal = { readonly amount: Amount; readonly isExact: boolean };

const DECIMAL = /^\+?([0-9]*)(?:\.([0-9]*))?$/;

/** Reads a decimal number, which may have a plus sign, zeros in front and any number of decimals; null: it is none, or too large. */
export function decimal(value: string): Decimal | null {
  const [, whole = '', part = ''] = DECIMAL.exec(value) ?? [];
  if (whole === '' && part === '') return null;
  const amount = amountOf(`${whole.replace(/^0+(?=[0-9])/, '') || '0'}.${part.slice(0, 2).padEnd(2, '0')}`);
  return amount === undefined ? null : { amount, isExact: /^0*$/.test(part.slice(2)) };
}

export const currency: ReadValue<string> = (value) => (isCurrency(value) ? parsed(value) : invalid('be a currency of ISO 4217'));

const RATE = /^(?=.*[1-9])[0-9]{1,9}(?:\.[0-9]{1,10})?$/;

export const rate: ReadValue<string> = (value) =>
  RATE.test(value) ? parsed(value) : invalid('be a rate above zero such as 1.0845');

const isDay = (value: string): boolean => {
  if (!/^(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  try {
    return Temporal.PlainDate.from(value).toString() === value;
  } catch {
    return false;
  }
};

export const day: ReadValue<string> = (value) => (isDay(value) ? parsed(value) : invalid('be a day such as 2031-10-02'));

const TIME = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$/;

/** Accepts `T` instead of the blank, and no time zone. */
export const moment: ReadValue<string> = (value) =>
  isDay(value.slice(0, 10)) && /[ T]/.test(value[10] ?? '') && TIME.test(value.slice(11))
    ? parsed(`${value.slice(0, 10)} ${value.slice(11)}`)
    : invalid('be a time such as 2031-10-02 09:15:31');

export const last4: ReadValue<string> = (value) =>
  /^[A-Za-z0-9]{4}$/.test(value) ? parsed(value) : invalid('be four letters or digits');
