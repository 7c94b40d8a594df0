import { maskCardNumbers, type ScanOptions } from '../../../spec/cardNumbers.ts';
import { NETWORK_OR_PARCEL } from '../../../spec/row.ts';
import { isFault, type ReadResult } from './reader.ts';

/** What people or systems write freely. */
const texts = [
  ...(['merchantTransactionId', 'invoiceId', 'paymentId', 'shortId', 'descriptor', 'holder'] as const),
  ...(['reasonCode', 'reasonText', 'paymentBrand', 'bankCode'] as const),
];

/** The lines of a file without card numbers in their texts. */
export async function* withoutCardNumbers(read: AsyncIterable<readonly ReadResult[]>): AsyncIterable<readonly ReadResult[]> {
  for await (const lines of read) yield lines.map(cleaned);
}

/** Numbers that an acquirer gives to its own things: payments are found by them, so only what is as long as a usual card is masked. */
const references = ['merchantId', 'txId1', 'txId2', 'txId3'] as const;

/** What of some members has to change; most lines have nothing of it, and are not copied. */
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

function cleaned(line: ReadResult): ReadResult {
  if (isFault(line)) return { ...line, message: maskCardNumbers(line.message, { isStrict: true }) };
  const ofLine = changesIn(line, texts, {});
  const ofFile = changesIn(line, ['settlementId'], NETWORK_OR_PARCEL);
  const named = changesIn(line.clearingInstitute, ['name'], {});
  const numbered = changesIn(line.clearingInstitute, references, NETWORK_OR_PARCEL);
  if (!ofLine && !ofFile && !named && !numbered) return line;
  return { ...line, ...ofLine, ...ofFile, clearingInstitute: { ...line.clearingInstitute, ...named, ...numbered } };
}
