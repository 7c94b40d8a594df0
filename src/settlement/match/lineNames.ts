import type { PaymentName } from '../ports.ts';
import type { SettledLine } from '../record.ts';

/** One reference of a line to its payment. */
export type LineName = {
  /** For messages. */
  readonly label: string;
  readonly value: string;
  /** The references of a payment that it is compared with. */
  readonly as: readonly PaymentName['kind'][];
  /** Given by the gateway or the merchant, so it must be known here. The acquirer's own references may be unknown. */
  readonly isOurs: boolean;
};

const PAYMENT_ID = /^[0-9a-f]{32}$/;
const SHORT_ID = /^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$/;

function reference(label: string, value: string): LineName {
  if (PAYMENT_ID.test(value)) return { label, value, as: ['id', 'connectorTxId'], isOurs: true };
  if (SHORT_ID.test(value)) return { label, value, as: ['shortId', 'connectorTxId'], isOurs: true };
  return { label, value, as: ['connectorTxId'], isOurs: false };
}

/** The references of a line, the most specific first. */
export function namesOfLine(line: SettledLine): readonly LineName[] {
  const { paymentId, shortId, merchantTransactionId, clearingInstitute } = line;
  const references = [clearingInstitute.txId1, clearingInstitute.txId2, clearingInstitute.txId3];
  return [
    // Acquirers return some merchants' own references in this field.
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

/**
 * The references of a line in a report of another platform of this API, which the connector `upstream` pays through: its payment id and
 * short id are the platform's, and the merchant's reference is our payment id. Null: it cannot be such a line.
 */
export function platformNamesOfLine({ paymentId, merchantTransactionId }: SettledLine): readonly LineName[] | null {
  if (paymentId === null || paymentId === merchantTransactionId) return null;
  const theirs: LineName = { label: "platform's payment id", value: paymentId, as: ['connectorTxId'], isOurs: true };
  if (merchantTransactionId === null || !PAYMENT_ID.test(merchantTransactionId)) return [theirs];
  return [theirs, { label: "platform's merchantTransactionId", value: merchantTransactionId, as: ['id'], isOurs: true }];
}

/** References as the store searches them. */
export const searchNames = (names: readonly LineName[]): readonly PaymentName[] =>
  names.flatMap(({ as, value }) => as.map((kind) => ({ kind, value })));
