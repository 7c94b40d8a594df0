import type { PaymentName } from '../ports.ts';
import type { SettledLine } from '../record.ts';

/** One thing by which a line names its payment. */
export type LineName = {
  /** How a person calls it. */
  readonly label: string;
  readonly value: string;
  /** Under which of our names it is looked for. */
  readonly as: readonly PaymentName['kind'][];
  /** A reference of the acquirer's own may be one that we never heard of; ours and the merchant's may not. */
  readonly isOurs: boolean;
};

const PAYMENT_ID = /^[0-9a-f]{32}$/;
const SHORT_ID = /^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$/;

function reference(label: string, value: string): LineName {
  if (PAYMENT_ID.test(value)) return { label, value, as: ['id', 'connectorTxId'], isOurs: true };
  if (SHORT_ID.test(value)) return { label, value, as: ['shortId', 'connectorTxId'], isOurs: true };
  return { label, value, as: ['connectorTxId'], isOurs: false };
}

/** What a line calls its payment, the most telling name first. */
export function namesOfLine(line: SettledLine): readonly LineName[] {
  const { paymentId, shortId, merchantTransactionId, clearingInstitute } = line;
  const references = [clearingInstitute.txId1, clearingInstitute.txId2, clearingInstitute.txId3];
  return [
    // A merchant's own reference may look like an id of ours, and come back in its place.
    ...(paymentId === null
      ? []
      : [{ label: 'payment id', value: paymentId, as: ['id', 'merchantTransactionId'], isOurs: true } as const]),
    ...references.flatMap((value, at) => (value === null ? [] : [reference(`reference ${at + 1}`, value)])),
    ...(shortId === null ? [] : [{ label: 'short id', value: shortId, as: ['shortId'], isOurs: true } as const]),
    ...(merchantTransactionId === null
      ? []
      : [
          {
            label: 'merchantTransactionId',
            value: merchantTransactionId,
            as: ['merchantTransactionId'],
            isOurs: true,
          } as const,
        ]),
  ];
}

/** What a store is asked for on behalf of a line. */
export const askedNames = (line: SettledLine): readonly PaymentName[] =>
  namesOfLine(line).flatMap(({ as, value }) => as.map((kind) => ({ kind, value })));
