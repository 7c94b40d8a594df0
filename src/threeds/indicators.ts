import { brands } from '../spec/cards/brands.ts';
import type { AuthenticationRequest, ParameterReader } from './authenticationRequest.ts';

/** Expiry and frequency of a series, for the issuer. */
export type Recurring = { readonly expiry: string; readonly frequency: string };

/**
 * The protocol's codes for the values of `threeDSecure.authenticationInd`. Codes from BILLING_AGREEMENT on exist only since 2.3.
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

/** Challenge indicators for an acquirer's exemptions: low value, risk analysis, trusted beneficiary, corporate payment. */
const indicatorByExemption: Readonly<Record<string, string>> = { '01': '02', '02': '05', '03': '08', '04': '02' };

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

/** The purpose of the authentication. A series without expiry or frequency counts as a payment; without a payment, a card is added. */
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

/** The challenge indicator: the merchant's own, else a mandate of the risk checks, else the one for the exemption. */
export function challengeIndOf(read: ParameterReader, isDemanded: boolean): string | null {
  const otherwise = isDemanded ? MANDATE : indicatorByExemption[read('threeDSecure.exemptionFlag') ?? ''];
  return read('threeDSecure.challengeIndicator') ?? otherwise ?? null;
}

/** The 3RI indicator: the merchant's own, or the type of the series; null when neither is known. */
export function threeRIIndOf({ read, instruction }: Pick<AuthenticationRequest, 'read' | 'instruction'>): string | null {
  const word = read('threeDSecure.threeRIInd') ?? instruction?.type;
  if (word === undefined || word === null) return null;
  return threeRIInds[word] ?? OTHER_PAYMENT;
}

/** Challenge indicators of 2.2 mapped to 2.1: challenge or no challenge preferred. */
export function challengeIndIn(version: string, indicator: string | null): string | null {
  if (indicator === null || version !== '2.1.0' || indicator <= '04') return indicator;
  return indicator === '09' ? '03' : '02';
}
