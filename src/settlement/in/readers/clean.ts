import { maskCardNumbers, type ScanOptions } from '../../../spec/cards/cardNumbers.ts';
import { NETWORK_OR_PARCEL } from '../../../spec/row.ts';
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

/** What a bank is asked about is named by our own references; its words and reasons are texts. */
const sentAs = ['messageId', 'batchId'] as const;

function cleanResult(result: ReadResult): ReadResult {
  if (result.kind === 'fault') return faultResult(result.fault.line, maskCardNumbers(result.fault.message, { isStrict: true }));
  const line = cleanLine(result.line);
  if (result.kind === 'line') {
    const { sent } = result;
    const changes = sent && { ...changesIn(sent, sentAs, NETWORK_OR_PARCEL), ...changesIn(sent, ['reason'], {}) };
    return { ...result, line, sent: sent && { ...sent, ...changes } };
  }
  const { status } = result;
  const named = changesIn(status, [...sentAs, 'reference'], NETWORK_OR_PARCEL);
  const said = changesIn(status, ['paymentId', 'word', 'reason', 'verification'], {});
  return { ...result, line, status: { ...status, ...named, ...said } };
}

function cleanLine(line: SettledLine): SettledLine {
  const ofLine = changesIn(line, texts, {});
  const ofFile = changesIn(line, ['settlementId'], NETWORK_OR_PARCEL);
  const named = changesIn(line.clearingInstitute, ['name'], {});
  const numbered = changesIn(line.clearingInstitute, references, NETWORK_OR_PARCEL);
  if (!ofLine && !ofFile && !named && !numbered) return line;
  return { ...line, ...ofLine, ...ofFile, clearingInstitute: { ...line.clearingInstitute, ...named, ...numbered } };
}
