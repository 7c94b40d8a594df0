import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import type { AccountNeeds, KeptNotification } from '../ports.ts';
import { detailsOf } from './answers.ts';
import { codeOfReason } from './codes.ts';
import { parseReference } from './requests.ts';

/** One event of Adyen as it is stored: the signed values, and further ones that an answer needs. */
export type AdyenEvent = {
  readonly eventCode: string;
  readonly success: 'true' | 'false';
  readonly pspReference: string;
  /** The payment that was modified; empty without one. */
  readonly originalReference: string;
  readonly merchantReference: string;
  readonly value: string;
  readonly currency: string;
  readonly reason: string;
  /** Texts of the answer's details, by Adyen's names. */
  readonly additional: Readonly<Record<string, string>>;
};

export type KeptEvent = AdyenEvent & { readonly receivedAt: number };

/** The members of additional data that an answer is made of. */
const ADDITIONAL = [
  'authCode',
  'acquirerReference',
  'networkTxReference',
  'transactionLinkId',
  'avsResult',
  'cvcResult',
  'merchantAdviceCode',
];

/** The event as texts, for the record of notifications. */
export function eventData({ additional, ...fields }: AdyenEvent): Readonly<Record<string, string>> {
  const kept = ADDITIONAL.flatMap((name) => {
    const text = additional[name];
    return text === undefined ? [] : [[`+${name}`, text.slice(0, 100)] as const];
  });
  return { ...fields, reason: fields.reason.slice(0, 100), ...Object.fromEntries(kept) };
}

function readKept({ data, receivedAt }: KeptNotification): KeptEvent {
  const read = (name: string): string => data[name] ?? '';
  const additional = Object.entries(data).flatMap(([name, text]) =>
    name.startsWith('+') ? [[name.slice(1), text] as const] : [],
  );
  return {
    eventCode: read('eventCode'),
    success: read('success') === 'true' ? 'true' : 'false',
    pspReference: read('pspReference'),
    originalReference: read('originalReference'),
    merchantReference: read('merchantReference'),
    value: read('value'),
    currency: read('currency'),
    reason: read('reason'),
    additional: Object.fromEntries(additional),
    receivedAt,
  };
}

type Reader = Pick<AccountNeeds, 'notificationsOf'>;

/** The events about a payment, the oldest first. Adyen may name a modification by the reference of the payment that it modifies. */
export async function eventsOf(
  { notificationsOf }: Reader,
  ...payments: readonly (Pick<Payment, 'merchantId' | 'id'> | null)[]
): Promise<readonly KeptEvent[]> {
  const lists = await Promise.all(payments.flatMap((payment) => (payment ? [notificationsOf(payment)] : [])));
  return lists.flat().map(readKept);
}

/** An authorisation for the whole value that was asked for; one for less is undone. */
export const isWhole = ({ merchantReference, value }: AdyenEvent): boolean => parseReference(merchantReference)?.value === value;

export const isAuthorised = ({ eventCode, success }: AdyenEvent): boolean => eventCode === 'AUTHORISATION' && success === 'true';

/** The answer that an AUTHORISATION gives; null when it is for less than was asked. */
export function authorisationAnswer(event: AdyenEvent, isInitial: boolean): AcquirerAnswer | null {
  const { pspReference, additional, success, reason } = event;
  const details = detailsOf(additional, pspReference, isInitial);
  if (success === 'true') return isWhole(event) ? { is: 'approved', reference: pspReference, details } : null;
  return declinedBy(codeOfReason(reason), event);
}

/** A decline with the reason that Adyen gave. */
export function declinedBy(
  code: NegativeCode,
  { pspReference, originalReference, reason, additional }: AdyenEvent,
): AcquirerAnswer {
  const { resultDetails } = detailsOf(additional, pspReference, false);
  const known = { ...resultDetails, ...(originalReference !== '' && { ConnectorTxID2: originalReference }) };
  const said = reason.trim();
  const details = {
    resultDetails: { ...known, ...(said !== '' && said !== 'null' && { AcquirerResponse: said.slice(0, 100) }) },
  };
  return { is: 'declined', code, details, reference: pspReference };
}
