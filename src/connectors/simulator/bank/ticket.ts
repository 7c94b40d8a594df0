import type { Payment } from '../../../payments/payment.ts';
import type { AcquirerRecord } from '../acquirerRecords.ts';
import { macOf } from '../reference.ts';

/** The simulated bank's knowledge of a payment, which travels in the address. */
export type Ticket = {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly entityId: string;
  readonly paymentType: AcquirerRecord['paymentType'];
  readonly brand: string;
  /** Hundredths, as text. */
  readonly amount: string;
  readonly currency: string;
  /** The text on the shopper's statement. */
  readonly descriptor: string;
  /** The reference of a transfer. */
  readonly reference: string;
  readonly until: number;
  /** When the bank notifies the gateway of the shopper's decision. */
  readonly confirms: Confirmation;
  /** The delay of a later notification. Older tickets do not have it. */
  readonly confirmMs?: number;
  /** Begun in the payment widget, where a shop may embed the page. */
  readonly isOfWidget: boolean;
  /** The language of the request; null: use the browser's. */
  readonly language: string | null;
};

export type Confirmation = 'before' | 'after' | 'twice' | 'never';

const MAC_DIGITS = 32;

/** Encodes a ticket for an address. */
export function ticketText(ticket: Ticket): string {
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  return `${text}.${macOf('ticket', text).slice(0, MAC_DIGITS)}`;
}

/** Decodes the ticket of an address; null when its MAC is wrong. */
export function readTicket(address: string): Ticket | null {
  const [text = '', mac] = address.split('.');
  if (mac === undefined || mac !== macOf('ticket', text).slice(0, MAC_DIGITS)) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Ticket;
}

type ConfirmationTiming = { readonly confirms: Confirmation; readonly confirmMs: number };

export function ticketOf(payment: Payment, until: number, { confirms, confirmMs }: ConfirmationTiming): Ticket {
  const { merchantId, id, entityId, paymentType, paymentBrand, amount, currency, descriptor, shortId, fields, checkoutId } =
    payment;
  return {
    merchantId,
    paymentId: id,
    entityId,
    paymentType,
    brand: paymentBrand ?? '',
    amount: String(amount),
    currency,
    descriptor,
    reference: shortId,
    until,
    confirms,
    confirmMs,
    isOfWidget: checkoutId !== null,
    language: fields['customer.language'] ?? null,
  };
}
