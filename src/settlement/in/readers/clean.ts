import { maskCardNumbers, type ScanOptions } from '../../../spec/cards/cardNumbers.ts';
import { NETWORK_OR_PARCEL } from '../../../spec/row.ts';
import type { SentBatch } from '../../bankReport.ts';
import type { SettledLine } from '../../record.ts';
import { faultResult, type ReadResult } from './reader.ts';

/** Free texts of a line. */
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
