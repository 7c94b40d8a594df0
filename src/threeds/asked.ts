import type { Channel } from '../merchants/channel.ts';
import type { Amount } from '../money/amount.ts';
import { canonical } from '../spec/aliases.ts';

/** Reads a parameter by its canonical name: `threeDSecure.v2.network1.requestorId`, `customer.browser.language`. */
export type Read = (name: string) => string | undefined;

/** Reads kept fields, which have the names that were sent, by their canonical ones. */
export function readerOf(fields: Readonly<Record<string, string>>): Read {
  const byName = new Map(Object.entries(fields).map(([name, text]) => [canonical(name), text]));
  return (name) => byName.get(name);
}

/** The standing instruction of the request, as far as an authentication wants to know it. */
export type Instruction = {
  readonly mode: 'INITIAL' | 'REPEATED' | null;
  readonly source: 'CIT' | 'MIT' | null;
  readonly type: string | null;
  readonly practice: string | null;
  readonly expiry: string | null;
  readonly frequency: string | null;
  readonly numberOfInstallments: string | null;
};

/** The card as the directory server gets it. */
export type Card = {
  readonly number: string;
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
  readonly holder: string | null;
};

/** What somebody wants to do with a card, and everything that decides whether the cardholder is asked first. */
export type AuthenticationRequest = {
  /** `3D` stands for an authentication alone. */
  readonly paymentType: string;
  readonly paymentBrand: string | null;
  readonly amount: Amount;
  readonly currency: string;
  readonly read: Read;
  readonly instruction: Instruction | null;
  /** False for bank accounts, virtual accounts and tokens. */
  readonly isCard: boolean;
  /** A wallet's or network's cryptogram comes with it: the cardholder was authenticated elsewhere. */
  readonly hasCryptogram: boolean;
  /** The risk checks demand a challenge: what the merchant wishes against it does not count. */
  readonly isDemanded: boolean;
  readonly channel: Pick<Channel, 'threeDSecure'>;
};

export const STANDALONE = '3D';
