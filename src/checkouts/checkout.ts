import { isApproved } from '../payments/balance.ts';
import { isOpen, type Payment } from '../payments/payment.ts';
import { namesOf } from '../runtime/json.ts';
import type { LanguageCode } from '../spec/languages.ts';
import { MINUTE_MS } from '../spec/time.ts';
import { CHECKOUT_ID, type WidgetResult } from '../spec/widget.ts';

/**
 * A session of the payment widget: the merchant's prepared parameters, for half an hour. Its id alone lets a shopper's browser pay, so it
 * is random, and reveals nothing that a shopper may not see.
 */
export type Checkout = {
  /** 32 upper-case hex digits, a dot and the name of the node. */
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Counts the changes, from 1. */
  readonly revision: number;
  /** Nothing is charged: the details are stored. */
  readonly isRegistering: boolean;
  /** The merchant's parameters by the names that were sent; never a secret. */
  readonly fields: Readonly<Record<string, string>>;
  /** Read for a list: some of the fields are left out, and it cannot be stored. */
  readonly isBrief?: true;
  /** The secret parameters, sealed, such as a passport number; null: none. Never what must not be stored at all. */
  readonly sealed: string | null;
  /** Under which address the gateway was asked, and which build of the widget goes with it: both decide the bytes of its script. */
  readonly origin: string;
  readonly build: string;
  /** Pay as it was last clicked; null: not yet. */
  readonly submission: Submission | null;
  /** The shopper's form that the merchant has still to execute, sealed; without fields that may not be written anywhere. */
  readonly savedForm?: string | null;
  /** When the merchant last asked for its status. */
  readonly askedAt: number | null;
  /** When the merchant is notified; null: never, or already done. */
  readonly callAt: number | null;
  /** Set on a payment link: the gateway hosts its page, and it lives longer than the sessions of a shop. */
  readonly link?: PaymentLink;
};

/** The contents of a payment link's hosted page that are not part of the checkout. */
export type PaymentLink = {
  readonly description: string | null;
  /** Null: the language that the browser asks for. */
  readonly language: LanguageCode | null;
  /** The brands that are offered; empty: every card brand of the channel. */
  readonly brands: readonly string[];
};

/** How the shopper's browser submitted the form: where the result is shown, and which page is notified. */
export type Submission = {
  readonly at: number;
  /** `frame`: inside the shop's page, which is notified. `tab`: a page of the gateway, which then opens the shop. */
  readonly flow: 'frame' | 'tab';
  readonly shopOrigin: string | null;
  readonly language: string | null;
  /** Where the form leads to; it counts where the merchant has prepared no address. */
  readonly shopperResultUrl: string | null;
};

/** So many payments may be tried with one checkout. More are tried by programs, and each is read with the checkout. */
export const ATTEMPTS_MAX = 30;

export const CHECKOUT_MS = 30 * MINUTE_MS;
/** A merchant that has not read the status by then is notified, while the status can still be read. */
export const CALL_AFTER_MS = 29 * MINUTE_MS;

/** The path of the hosted page of a payment link. */
export const linkPathOf = ({ id }: Pick<Checkout, 'id'>): string => `/pay/${id}`;

/** Document 1 allows 48 characters in an id. An earlier version wrote a dot before the node's name. */
const NODE_NAME = /^[A-Za-z0-9-]{1,15}$/;

/** Whether a node may be called so in the ids of its checkouts. */
export const isNodeName = (text: string): boolean => NODE_NAME.test(text);

/** Whether a text has the form of a checkout's id at all. */
export const isCheckoutId = (text: string): boolean => CHECKOUT_ID.test(text);

/** A new id from 32 random hex digits. The id is the `ndc` of its answers, so it has letters, digits and hyphens alone. */
export const checkoutIdOf = (random: string, nodeName: string): string => `${random.toUpperCase()}-${nodeName}`;

/** Where a merchant asks for its status. */
export const resourcePathOf = ({ id }: Pick<Checkout, 'id'>, isRegistering: boolean): string =>
  `/v1/checkouts/${id}/${isRegistering ? 'registration' : 'payment'}`;

/** The stored details that it offers, by the names under which they were sent. */
export const offered = ({ fields }: Pick<Checkout, 'fields'>): readonly (readonly [name: string, id: string])[] =>
  namesOf(fields).flatMap((name) => (isOffer(name) ? [[name, fields[name] as string]] : []));

/** Whether a parameter names stored details to offer. */
export const isOffer = (name: string): boolean => name.startsWith('registrations[');

export const isOver = ({ expiresAt }: Pick<Checkout, 'expiresAt'>, now: number): boolean => now >= expiresAt;

/** Which of several attempts stands for the checkout: the one that succeeded, else the one under way, else the last that did not. */
export function decisiveAttempt(newestFirst: readonly Payment[]): Payment | null {
  return newestFirst.find(isApproved) ?? newestFirst.find(isOpen) ?? newestFirst[0] ?? null;
}

/** The shopper himself has ended it. */
const CANCELLED = /^100\.396\.10[14]$/;

/** How an attempt ended, in the words of the widget. */
export function outcomeOf(payment: Payment): WidgetResult['outcome'] {
  const { phase } = payment;
  if (phase.at !== 'final') return 'pending';
  if (isApproved(payment)) return 'success';
  return CANCELLED.test(phase.code) ? 'cancelled' : 'declined';
}
