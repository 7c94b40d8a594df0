import type { Payment } from '../../../payments/payment.ts';
import type { AcquirerAnswer } from '../../../payments/ports.ts';
import { brands } from '../../../spec/cards/brands.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../spec/time.ts';
import type { ConnectorNeeds } from '../../ports.ts';
import type { AcquirerRecord } from '../acquirerRecords.ts';
import { macOf } from '../series.ts';

/** `over`: expired, or cancelled by the merchant. */
export type BankState = 'open' | 'paid' | 'refused' | 'over';

/** The choices of a shopper at the bank; `later` leaves the payment open. */
export type ShopperChoice = 'pay' | 'decline' | 'cancel' | 'later';

/** How a shopper pays at the bank of the sandbox: immediately, by a transfer with a payment slip, or later by invoice. */
type BankFlow = 'spot' | 'slip' | 'invoice';

/** The time limit and the choices. An invoice is accepted immediately; a bank cannot decline a transfer by slip. */
export const bankFlows: Readonly<Record<BankFlow, { readonly patienceMs: number; readonly choices: readonly ShopperChoice[] }>> =
  {
    spot: { patienceMs: 30 * MINUTE_MS, choices: ['pay', 'decline', 'cancel', 'later'] },
    slip: { patienceMs: 14 * DAY_MS, choices: ['pay', 'cancel', 'later'] },
    invoice: { patienceMs: 30 * MINUTE_MS, choices: ['pay', 'decline', 'cancel', 'later'] },
  };

/** Storing an account is agreed to immediately, whatever the brand, because nothing is paid yet. */
export const bankFlowOf = ({ brand, paymentType }: Pick<Ticket, 'brand' | 'paymentType'>): BankFlow =>
  paymentType === 'RG' ? 'spot' : (brands[brand]?.paidBy ?? 'spot');

type Named = Pick<Ticket, 'paymentId'>;

/** The answer to each choice; null: none yet. */
export const answerByChoice = {
  pay: ({ paymentId }) => ({ is: 'approved', details: { resultDetails: { ...detailsOf(paymentId), AcquirerResponse: '00' } } }),
  decline: ({ paymentId }) => ({ is: 'declined', code: '800.100.152', details: { resultDetails: detailsOf(paymentId) } }),
  cancel: ({ paymentId }) => ({ is: 'declined', code: '100.396.101', details: { resultDetails: detailsOf(paymentId) } }),
  later: () => null,
} as const satisfies Readonly<Record<ShopperChoice, (ticket: Named) => AcquirerAnswer | null>>;

const detailsOf = (paymentId: string) => ({
  clearingInstituteName: 'Turnpike Simulator',
  ConnectorTxID1: paymentId,
  ConnectorTxID2: paymentId.slice(0, 8),
  ConnectorTxID3: paymentId.slice(-22),
});

const AFTER_MS = 2_000;
const NOTIFICATIONS_MAX = 10;
/** Longer waits are dropped: the gateway inquires long before. */
export const WAIT_MS_MAX = HOUR_MS;

/** Notifies the gateway of the shopper's decision. */
export function createConfirmer({ sleep, notify }: Pick<ConnectorNeeds, 'sleep' | 'notify'>) {
  /** Repeats the notification until it is accepted; in the end the gateway inquires. */
  async function notifyUntilAccepted(ticket: Ticket, answer: AcquirerAnswer, firstMs: number): Promise<void> {
    if (firstMs > WAIT_MS_MAX) return;
    let waitMs = firstMs;
    for (let tries = 0; tries < NOTIFICATIONS_MAX; tries += 1) {
      await sleep(waitMs);
      waitMs = AFTER_MS;
      try {
        return await notify(ticket, answer);
      } catch {}
    }
  }

  return async function confirm(ticket: Ticket, answer: AcquirerAnswer): Promise<void> {
    const { confirms, confirmMs = AFTER_MS } = ticket;
    if (confirms === 'never') return;
    if (confirms === 'after') return void notifyUntilAccepted(ticket, answer, confirmMs);
    try {
      await notify(ticket, answer);
      if (confirms === 'twice') await notify(ticket, answer);
    } catch {
      void notifyUntilAccepted(ticket, answer, AFTER_MS);
    }
  };
}

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
