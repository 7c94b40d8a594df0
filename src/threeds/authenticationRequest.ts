import type { Channel } from '../merchants/channel.ts';
import type { Amount } from '../money/amount.ts';
import { canonical } from '../spec/aliases.ts';

/** Reads a parameter by its canonical name: `threeDSecure.v2.network1.requestorId`, `customer.browser.language`. */
export type ParameterReader = (name: string) => string | undefined;

/** Reads stored fields, which have the names that were sent, by their canonical names. */
export function createParameterReader(fields: Readonly<Record<string, string>>): ParameterReader {
  const byName = new Map(Object.entries(fields).map(([name, text]) => [canonical(name), text]));
  return (name) => byName.get(name);
}

/** The parts of the standing instruction that an authentication uses. */
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

/** A payment or storage of a card, with everything that decides whether the cardholder is authenticated first. */
export type AuthenticationRequest = {
  /** `3D` stands for an authentication alone. */
  readonly paymentType: string;
  readonly paymentBrand: string | null;
  readonly amount: Amount;
  readonly currency: string;
  readonly read: ParameterReader;
  readonly instruction: Instruction | null;
  /** False for bank accounts, virtual accounts and tokens. */
  readonly isCard: boolean;
  /** The request carries a cryptogram of a wallet or network: the cardholder was authenticated there. */
  readonly hasCryptogram: boolean;
  /** The risk checks require a challenge: the merchant cannot opt out. */
  readonly isDemanded: boolean;
  readonly channel: Pick<Channel, 'threeDSecure' | 'isLenient'>;
};

export const STANDALONE = '3D';
