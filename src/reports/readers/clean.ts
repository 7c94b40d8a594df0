import { maskCardNumbers } from '../../spec/cardNumbers.ts';
import { NETWORK_ID } from '../../spec/row.ts';
import type { SettledLine } from '../record.ts';
import { isFault, type Read } from './reader.ts';

/** What people or systems write freely. */
const texts = ['merchantTransactionId', 'invoiceId', 'paymentId', 'shortId', 'descriptor', 'holder'] as const;
const moreTexts = ['reasonCode', 'reasonText', 'paymentBrand', 'bankCode'] as const;

/** The lines of a file without card numbers in their texts. */
export async function* withoutCardNumbers(read: AsyncIterable<readonly Read[]>): AsyncIterable<readonly Read[]> {
  for await (const lines of read) yield lines.map(cleaned);
}

const masked = (text: string | null): string | null => text && maskCardNumbers(text);

/** Numbers that an acquirer gives to its own things: payments are found by them, so only what is as long as a usual card is masked. */
const maskedReference = (text: string | null): string | null => text && maskCardNumbers(text, NETWORK_ID);

function cleaned(line: Read): Read {
  if (isFault(line)) return { ...line, message: maskCardNumbers(line.message, { isStrict: true }) };
  const { name, merchantId, txId1, txId2, txId3 } = line.clearingInstitute;
  const clean: SettledLine = {
    ...line,
    ...Object.fromEntries([...texts, ...moreTexts].map((field) => [field, masked(line[field])])),
    settlementId: maskedReference(line.settlementId),
    clearingInstitute: {
      name: maskCardNumbers(name),
      merchantId: maskCardNumbers(merchantId, NETWORK_ID),
      txId1: maskedReference(txId1),
      txId2: maskedReference(txId2),
      txId3: maskedReference(txId3),
    },
  };
  return clean;
}
