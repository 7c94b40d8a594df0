import type { Payment } from '../../../payments/payment.ts';
import type { Entry } from '../book.ts';
import { macOf } from '../mac.ts';

/** What the simulated bank knows of a payment when the shopper stands before it: all of it is in the address. */
export type Ticket = {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly entityId: string;
  readonly paymentType: Entry['paymentType'];
  readonly brand: string;
  /** Hundredths, as text. */
  readonly amount: string;
  readonly currency: string;
  /** What stands on the shopper's statement. */
  readonly descriptor: string;
  /** What a transfer of his own is known by. */
  readonly reference: string;
  readonly until: number;
  /** When the bank tells the gateway by itself what the shopper did. */
  readonly confirms: Confirmation;
  /** How much later, where it tells afterwards. Tickets of earlier days do not say it. */
  readonly confirmMs?: number;
  /** Begun in the payment widget, where a shop may want the page inside its own. */
  readonly isOfWidget: boolean;
  /** The language that the request names; null: ask the browser. */
  readonly language: string | null;
};

export type Confirmation = 'before' | 'after' | 'twice' | 'never';

const MAC_DIGITS = 32;

/** The ticket as the end of an address. */
export function ticketText(ticket: Ticket): string {
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  return `${text}.${macOf('ticket', text).slice(0, MAC_DIGITS)}`;
}

/** The ticket in an address; null when nobody of ours has written it. */
export function readTicket(address: string): Ticket | null {
  const [text = '', mac] = address.split('.');
  if (mac === undefined || mac !== macOf('ticket', text).slice(0, MAC_DIGITS)) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Ticket;
}

type Confirming = { readonly confirms: Confirmation; readonly confirmMs: number };

export function ticketOf(payment: Payment, until: number, { confirms, confirmMs }: Confirming): Ticket {
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
