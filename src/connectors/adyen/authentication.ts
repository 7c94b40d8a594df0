import type { Attempt } from '../../payments/ports.ts';
import { walletSource } from './paymentMethods.ts';

type Json = Readonly<Record<string, unknown>>;

/** The part of a request about authentication, or a proof that Adyen would not read. */
export type AuthenticationPart = { readonly is: 'part'; readonly fields: Json } | { readonly is: 'unreadable' };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const NEVER = { attemptAuthentication: 'never' };
const isBase64 = (text: string): boolean => text.length > 0 && BASE64.test(text);

/** Where the shopper is authenticated without a proof. Native: on a page of this origin. */
export type Authentication =
  | { readonly is: 'native'; readonly origin: string }
  | { readonly is: 'redirect' }
  | { readonly is: 'never' };

/**
 * The proof of an authentication: of a network token, of a device wallet, or of 3D Secure as the gateway or the merchant did it. Without
 * one the shopper is sent to the issuer where that is allowed; otherwise nothing is authenticated.
 */
export function authenticationPart(attempt: Attempt, authentication: Authentication): AuthenticationPart {
  const { payment, secrets } = attempt;
  const { fields } = payment;
  const eci = fields['threeDSecure.eci'];
  const token =
    secrets.networkToken?.cryptogram ?? (payment.instrument?.kind === 'tokenAccount' ? secrets.cryptogram : undefined);
  if (token !== undefined) {
    if (!isBase64(token)) return { is: 'unreadable' };
    return part({ ...(eci && { eci }), tokenAuthenticationVerificationValue: token });
  }
  if (walletSource(payment.paymentBrand) !== undefined && secrets.cryptogram !== undefined) {
    if (!isBase64(secrets.cryptogram)) return { is: 'unreadable' };
    return part({ cavv: secrets.cryptogram, eci: eci ?? '07', directoryResponse: 'Y', authenticationResponse: 'Y' });
  }
  const status = fields['threeDSecure.authenticationStatus'];
  if (secrets.verificationId !== undefined || status !== undefined) return schemeProof(attempt);
  switch (authentication.is) {
    case 'native':
      return { is: 'part', fields: { authenticationData: asked('preferred'), origin: authentication.origin } };
    case 'redirect':
      return { is: 'part', fields: { authenticationData: asked('disabled') } };
    case 'never':
      return { is: 'part', fields: { authenticationData: NEVER } };
  }
}

const asked = (nativeThreeDS: 'preferred' | 'disabled'): Json => ({ threeDSRequestData: { nativeThreeDS } });

const part = (mpiData: Json): AuthenticationPart => ({ is: 'part', fields: { mpiData, authenticationData: NEVER } });

/** What 3D Secure left behind. A challenge answers by itself; without one the directory's answer is the result. */
function schemeProof({ payment: { fields }, secrets }: Attempt): AuthenticationPart {
  const read = (name: string): string | undefined => fields[`threeDSecure.${name}`];
  const cavv = secrets.verificationId;
  if (cavv !== undefined && !isBase64(cavv)) return { is: 'unreadable' };
  const status = read('authenticationStatus') ?? 'Y';
  const wasChallenged = read('challengeMandatedIndicator') === 'Y';
  const [eci, dsTransID, threeDSVersion, transStatusReason] = [
    read('eci'),
    read('dsTransactionId'),
    read('version'),
    read('transactionStatusReason'),
  ];
  return part({
    ...(cavv !== undefined && { cavv }),
    ...(eci && { eci }),
    ...(dsTransID && { dsTransID }),
    ...(threeDSVersion && { threeDSVersion }),
    ...(transStatusReason && { transStatusReason }),
    directoryResponse: wasChallenged ? 'C' : status,
    ...(wasChallenged && { authenticationResponse: status }),
  });
}

/** `threeDSecure.exemptionFlag` in Adyen's words; a trusted beneficiary is the issuer's own affair. */
const exemptions: Readonly<Record<string, string>> = {
  '01': 'lowValue',
  '02': 'transactionRiskAnalysis',
  '04': 'secureCorporate',
};

export const exemptionOf = (flag: string | undefined): string | undefined =>
  flag !== undefined && Object.hasOwn(exemptions, flag) ? exemptions[flag] : undefined;
