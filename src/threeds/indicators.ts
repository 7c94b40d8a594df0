import { brands } from '../spec/brands.ts';
import type { AuthenticationRequest, Read } from './asked.ts';

/** The frame of a series as the issuer is told it. */
export type Recurring = { readonly expiry: string; readonly frequency: string };

/**
 * What the protocol calls the words of `threeDSecure.authenticationInd`. Those from BILLING_AGREEMENT on exist since 2.3
 * only.
 */
const authenticationInds: Readonly<Record<string, string>> = {
  PAYMENT: '01',
  RECURRING: '02',
  INSTALLMENT: '03',
  ADD_CARD: '04',
  MAINTAIN_CARD: '05',
  EMV_ID: '06',
};

const threeRIInds: Readonly<Record<string, string>> = {
  RECURRING: '01',
  INSTALLMENT: '02',
  SPLIT_SHIPMENT: '06',
  DELAYED_SHIPMENT: '06',
};
const OTHER_PAYMENT = '11';

/** Exemptions of an acquirer as wishes to the issuer: low value, analysed risk, trusted beneficiary, corporate payment. */
const wishByExemption: Readonly<Record<string, string>> = { '01': '02', '02': '05', '03': '08', '04': '02' };

/** Expiry and frequency of the series; null when one is unknown, and then the series is not mentioned at all (document 3). */
export function recurringOf({
  instruction,
  paymentBrand,
}: Pick<AuthenticationRequest, 'instruction' | 'paymentBrand'>): Recurring | null {
  const defaults = brands[paymentBrand ?? '']?.seriesDefaults ?? null;
  const expiry = instruction?.expiry ?? defaults?.expiry;
  const frequency = instruction?.frequency ?? defaults?.frequency;
  return expiry === undefined || frequency === undefined ? null : { expiry, frequency };
}

/** What the authentication is for. A series whose frame is unknown is a payment; without a payment a card is being added. */
export function authenticationIndOf(
  { read, instruction }: Pick<AuthenticationRequest, 'read' | 'instruction'>,
  category: '01' | '02',
  recurring: Recurring | null,
): string {
  const otherwise = category === '01' ? '01' : '04';
  const word = read('threeDSecure.authenticationInd')?.replace(/^_/, '') ?? seriesWord(instruction);
  const meant = authenticationInds[word ?? ''] ?? otherwise;
  return (meant === '02' || meant === '03') && recurring === null ? otherwise : meant;
}

const seriesWord = (instruction: AuthenticationRequest['instruction']): string | null =>
  instruction?.type === 'RECURRING' || instruction?.type === 'INSTALLMENT' ? instruction.type : null;

const MANDATE = '04';

/** What the issuer is told about a challenge: the merchant's own word, what the risk checks demand, or what his exemption means. */
export function challengeIndOf(read: Read, isDemanded: boolean): string | null {
  const otherwise = isDemanded ? MANDATE : wishByExemption[read('threeDSecure.exemptionFlag') ?? ''];
  return read('threeDSecure.challengeIndicator') ?? otherwise ?? null;
}

/** Why the merchant starts it: his word, or the kind of his series; null when neither tells. */
export function threeRIIndOf({ read, instruction }: Pick<AuthenticationRequest, 'read' | 'instruction'>): string | null {
  const word = read('threeDSecure.threeRIInd') ?? instruction?.type;
  if (word === undefined || word === null) return null;
  return threeRIInds[word] ?? OTHER_PAYMENT;
}

/** Wishes of 2.2 in the words of 2.1: no challenge please, or a challenge please. */
export function challengeIndIn(version: string, wish: string | null): string | null {
  if (wish === null || version !== '2.1.0' || wish <= '04') return wish;
  return wish === '09' ? '03' : '02';
}
