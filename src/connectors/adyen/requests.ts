import { type Amount, amountOf, NO_CURRENCY } from '../../money/amount.ts';
import { type Payment, type PaymentRef, parsePaymentRef, paymentRefText } from '../../payments/payment.ts';
import type { Attempt, StandingInstruction } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { amountFor, amountFrom, type Exponents } from '../kind.ts';
import { needsLineItems, paymentMethodOf, walletSource } from './paymentMethods.ts';
import type { AdyenSettings } from './settings.ts';

type Json = Readonly<Record<string, unknown>>;

/** A request to Adyen, or why there is none: nothing was sent. */
export type Composed =
  | { readonly is: 'request'; readonly path: string; readonly body: object; readonly reference: string }
  | { readonly is: 'impossible'; readonly code: NegativeCode };

const impossible = (code: NegativeCode): Composed => ({ is: 'impossible', code });

/** The amount in Adyen's units. Storing details moves no money but needs a currency. */
export function moneyOf(
  { amount, currency }: Pick<Payment, 'amount' | 'currency'>,
  { verificationCurrency }: Pick<AdyenSettings, 'verificationCurrency'>,
): { readonly currency: string; readonly value: bigint } | null {
  const counted = currency === NO_CURRENCY ? verificationCurrency : currency;
  const value = adyenValue(amount, counted);
  return value === undefined ? null : { currency: counted, value };
}

/** Adyen advises 22 characters of these; others are left out. */
const statementOf = (descriptor: string): string =>
  descriptor
    .replace(/[^a-zA-Z0-9 .,'_?+*/-]/g, '')
    .slice(0, 22)
    .trim();

const isCard = (type: string | undefined): boolean => type === 'scheme' || type === 'networkToken';

/** `POST /payments` of a payment that references none, or of one that a practice of the trade allows to follow. */
export function paymentRequest(attempt: Attempt, settings: AdyenSettings, returnUrl: string): Composed {
  const { payment, secrets } = attempt;
  const money = moneyOf(payment, settings);
  if (money === null) return impossible('800.100.174');
  const instrument = payment.instrument ?? attempt.registration?.instrument ?? null;
  const { paymentBrand, fields } = payment;
  const method = paymentMethodOf({ instrument, paymentBrand, secrets, fields });
  if (method === null) return impossible('800.100.175');
  const card = isCard(method.type);
  const credential = credentialPart(attempt);
  const shopper = shopperData(payment.fields);
  const authentication = card
    ? authenticationPart(
        attempt,
        authenticationOf(attempt, settings, { returnUrl, hasBrowser: shopper.browserInfo !== undefined }),
      )
    : ({ is: 'part', fields: {} } as const);
  if (authentication.is === 'unreadable') return impossible('100.390.102');
  const reference = referenceText(payment, money.value);
  const items = needsLineItems(payment.paymentBrand) ? lineItems(payment.fields, payment.currency) : [];
  const statement = statementOf(payment.descriptor);
  const additionalData = { ...additionalDataOf(attempt, settings), ...credential.additionalData };
  const body = {
    merchantAccount: settings.merchantAccount,
    amount: { currency: money.currency, value: Number(money.value) },
    reference,
    merchantOrderReference: payment.familyId,
    returnUrl,
    channel: 'Web',
    paymentMethod: card ? { ...method, ...credential.paymentMethod } : method,
    ...(card || method.type === 'sepadirectdebit' ? credential.fields : { shopperInteraction: 'Ecommerce' }),
    ...(payment.paymentType === 'DB' && { captureDelayHours: 0 }),
    ...authentication.fields,
    ...shopper,
    ...(items.length > 0 && { lineItems: items }),
    ...(statement !== '' && { shopperStatement: statement }),
    ...(Object.keys(additionalData).length > 0 && { additionalData }),
  };
  return { is: 'request', path: '/payments', body, reference };
}

const ORIGIN_CHARACTERS_MAX = 80;

/** The issuer needs to know the whole browser for a native authentication. Without it the shopper is sent to Adyen, which finds out. */
function authenticationOf(
  attempt: Attempt,
  { authentication }: AdyenSettings,
  { returnUrl, hasBrowser }: { readonly returnUrl: string; readonly hasBrowser: boolean },
): Authentication {
  const isPossible = hasShopper(attempt) && attempt.payment.fields.shopperResultUrl !== undefined;
  if (authentication === 'never' || !isPossible) return { is: 'never' };
  const origin = URL.parse(returnUrl)?.origin ?? '';
  const isNative = authentication === 'native' && hasBrowser && origin.length <= ORIGIN_CHARACTERS_MAX;
  return isNative ? { is: 'native', origin } : { is: 'redirect' };
}

function additionalDataOf({ payment, secrets }: Attempt, { preAuthorises }: AdyenSettings): Readonly<Record<string, string>> {
  const source = walletSource(payment.paymentBrand);
  const exemption = exemptionOf(payment.fields['threeDSecure.exemptionFlag']);
  const isDebit = payment.paymentType === 'DB';
  return {
    ...(!isDebit && { manualCapture: 'true' }),
    ...(payment.paymentType === 'PA' && preAuthorises && { authorisationType: 'PreAuth' }),
    ...(exemption !== undefined && { scaExemption: exemption }),
    ...(source !== undefined && { 'paymentdatasource.type': source }),
    ...(source === 'googlepay' && { 'paymentdatasource.tokenized': String(secrets.cryptogram !== undefined) }),
  };
}

type Fields = Readonly<Record<string, string>>;

/** A whole number of a field; undefined when it is none. */
const integer = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?[0-9]{1,6}$/.test(text) ? Number(text) : undefined;

/** An address counts only complete: Adyen refuses a part of one. */
function addressOf(fields: Fields, from: 'billing' | 'shipping'): Json | null {
  const read = (name: string): string | undefined => fields[`${from}.${name}`];
  const [street, city, postalCode, country] = [read('street1'), read('city'), read('postcode'), read('country')];
  if (!street || !city || !postalCode || !country || postalCode.length > 10) return null;
  const state = read('state');
  return {
    street,
    houseNumberOrName: read('houseNumber1') ?? read('street2') ?? 'N/A',
    city,
    postalCode,
    country,
    ...(state !== undefined && state.length <= 3 && { stateOrProvince: state }),
  };
}

/** The browser data of 3D Secure, which counts only when it is complete. The Accept header adds nothing to the browser's name. */
function browserInfo(fields: Fields): Json | null {
  const read = (name: string): string | undefined => fields[`customer.browser.${name}`];
  const numbers = {
    colorDepth: integer(read('screenColorDepth')) ?? 24,
    screenHeight: integer(read('screenHeight')),
    screenWidth: integer(read('screenWidth')),
    timeZoneOffset: integer(read('timezone')),
  };
  const [acceptHeader, language, userAgent] = [read('acceptHeader') || '*/*', read('language'), read('userAgent')];
  if (!language || !userAgent || Object.values(numbers).includes(undefined)) return null;
  return { ...numbers, acceptHeader, language, userAgent, javaEnabled: read('javaEnabled') === 'true' };
}

const IP = /^[0-9a-fA-F.:]{2,50}$/;
const ITEM = /^cart\.items\[([0-9]{1,4})\]\.name$/;

/** The shopper's data under Adyen's names. Values beyond Adyen's limits are left out. */
function shopperData(fields: Fields): Json {
  const read = (name: string): string | undefined => fields[`customer.${name}`];
  const [firstName, lastName, email, ip] = [read('givenName'), read('surname'), read('email'), read('ip')];
  const [billingAddress, deliveryAddress, browser] = [
    addressOf(fields, 'billing'),
    addressOf(fields, 'shipping'),
    browserInfo(fields),
  ];
  const telephoneNumber = read('mobile') ?? read('phone');
  const countryCode = fields['billing.country'] ?? fields['bankAccount.country'];
  const birthDate = read('birthDate');
  // Slips of Brazil carry the payer's tax number.
  const socialSecurityNumber = fields['customParameters[BRADESCO_cpfsacado]'];
  return {
    ...(firstName && lastName && { shopperName: { firstName, lastName } }),
    ...(email && { shopperEmail: email }),
    ...(ip && IP.test(ip) && { shopperIP: ip }),
    ...(telephoneNumber && telephoneNumber.length <= 64 && { telephoneNumber }),
    ...(countryCode && { countryCode }),
    ...(socialSecurityNumber && { socialSecurityNumber }),
    ...(birthDate && /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(birthDate) && { dateOfBirth: `${birthDate}T00:00:00Z` }),
    ...(billingAddress && { billingAddress }),
    ...(deliveryAddress && { deliveryAddress }),
    ...(browser && { browserInfo: browser }),
  };
}

/** The cart; an item whose price cannot be expressed is left out with all others, because sums must agree. */
function lineItems(fields: Fields, currency: string): readonly Json[] {
  const numbers = Object.keys(fields).flatMap((name) => ITEM.exec(name)?.[1] ?? []);
  const items = numbers.map((number) => {
    const read = (name: string): string | undefined => fields[`cart.items[${number}].${name}`];
    const price = amountOf(read('price') ?? '');
    const value = price === undefined ? undefined : adyenValue(price, currency);
    const quantity = integer(read('quantity')) ?? 1;
    const [id, description] = [read('merchantItemId') ?? number, read('name') ?? ''];
    const tax = Math.round(Number(read('tax') ?? '0') * 100);
    const taxPercentage = Number.isSafeInteger(tax) && tax > 0 ? tax : 0;
    return value === undefined ? null : { id, description, quantity, amountIncludingTax: Number(value), taxPercentage };
  });
  return items.every((item) => item !== null) ? items : [];
}

/**
 * Our reference at Adyen: merchant, payment and the value that was asked for. Adyen signs the reference in its notifications together with
 * the value, so that an approval for less is recognised without the payment. At most 80 characters.
 */
export const referenceText = (payment: { readonly merchantId: string; readonly id: string }, value: bigint): string =>
  `${paymentRefText(payment)}.${value}`;

export type AdyenReference = PaymentRef & { readonly value: string };

const REFERENCE = /^([0-9a-f]{32}\.[0-9a-f]{32})\.([0-9]{1,14})$/;

/** Null: not a reference of this gateway. */
export function parseReference(text: string): AdyenReference | null {
  const [, ref, value] = REFERENCE.exec(text) ?? [];
  const parsed = parsePaymentRef(ref ?? null);
  return parsed && value !== undefined ? { ...parsed, value } : null;
}

/** An id of Adyen: of a payment or of a modification. */
export const isPspReference = (text: unknown): text is string => typeof text === 'string' && /^[A-Z0-9]{16}$/.test(text);

/** Where Adyen counts in another unit than ISO 4217. */
export const adyenExponents: Exponents = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 };

/** Fits the 80 characters of a reference, which carries it. */
const VALUE_DIGITS_MAX = 14;

/** The amount in Adyen's smallest unit of the currency; undefined when it cannot be expressed in it. */
export function adyenValue(amount: Amount, currency: string): bigint | undefined {
  const value = amountFor(amount, currency, adyenExponents);
  return value !== undefined && String(value).length <= VALUE_DIGITS_MAX ? value : undefined;
}

/** Hundredths of a value in a notification; null when it is not exact in hundredths or no value. */
export function amountOfValue(value: string, currency: string): Amount | null {
  if (!/^[A-Z]{3}$/.test(currency) || !/^[0-9]{1,18}$/.test(value)) return null;
  return amountFrom(BigInt(value), currency, adyenExponents) ?? null;
}

/** Which series a payment belongs to, by `standingInstruction.type`. */
const models: Readonly<Record<string, string>> = {
  RECURRING: 'Subscription',
  INSTALLMENT: 'Subscription',
  UNSCHEDULED: 'UnscheduledCardOnFile',
};

/** Charges that a practice of the trade allows without the shopper. */
const usages: Readonly<Record<string, string>> = { DELAYED_CHARGES: 'delayedCharge', NO_SHOW: 'noShow' };

const MOTO: ReadonlySet<string> = new Set(['MO', 'TO', 'MOTO', 'PM']);

const isMerchantInitiated = ({ mode, source, practice }: StandingInstruction): boolean =>
  practice === null ? mode === 'REPEATED' && source !== 'CIT' : source !== 'CIT';

const isWithoutShopper = (series: StandingInstruction | null): boolean => series !== null && isMerchantInitiated(series);

type CredentialPart = {
  /** Members of the request itself. */
  readonly fields: Json;
  readonly paymentMethod: Readonly<Record<string, string>>;
  readonly additionalData: Readonly<Record<string, string>>;
};

/** Whether a shopper is there who can be sent to the issuer. */
const hasShopper = ({ payment, series }: Attempt): boolean =>
  !isWithoutShopper(series) && !MOTO.has(payment.fields.transactionCategory ?? '');

/** The use of stored credentials: the initiator, the series, and the payment that began it. */
function credentialPart(attempt: Attempt): CredentialPart {
  const { payment, series, registration } = attempt;
  const isMoto = MOTO.has(payment.fields.transactionCategory ?? '');
  const alone = { shopperInteraction: isMoto ? 'Moto' : 'Ecommerce' };
  // A stable id of the payer at this merchant, without anything personal.
  const shopperReference = registration?.id ?? payment.registrationId ?? payment.fingerprint ?? payment.id;
  if (series === null) {
    const isStored = registration !== null;
    const fields = isStored
      ? { shopperInteraction: isMoto ? 'Moto' : 'ContAuth', recurringProcessingModel: 'CardOnFile', shopperReference }
      : alone;
    return { fields, paymentMethod: {}, additionalData: {} };
  }
  const model = models[series.type ?? ''] ?? 'UnscheduledCardOnFile';
  const common = { shopperReference, storePaymentMethod: false };
  if (!isMerchantInitiated(series)) {
    const isFirst = series.mode !== 'REPEATED';
    const fields = isFirst
      ? { ...alone, ...common, recurringProcessingModel: model }
      : { shopperInteraction: 'ContAuth', ...common, recurringProcessingModel: 'CardOnFile' };
    return { fields, paymentMethod: {}, additionalData: {} };
  }
  const { initialTransactionId, agreementId, practice } = series;
  const industryUsage = usages[practice ?? ''];
  return {
    fields: {
      shopperInteraction: 'ContAuth',
      ...common,
      recurringProcessingModel: model,
      ...(industryUsage !== undefined && { industryUsage }),
    },
    paymentMethod: initialTransactionId === null ? {} : { networkPaymentReference: initialTransactionId },
    additionalData: agreementId === null ? {} : { transactionLinkId: agreementId },
  };
}

/** The part of a request about authentication, or a proof that Adyen would not read. */
type AuthenticationPart = { readonly is: 'part'; readonly fields: Json } | { readonly is: 'unreadable' };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const NEVER = { attemptAuthentication: 'never' };
const isBase64 = (text: string): boolean => text.length > 0 && BASE64.test(text);

/** Where the shopper is authenticated without a proof. Native: on a page of this origin. */
type Authentication = { readonly is: 'native'; readonly origin: string } | { readonly is: 'redirect' } | { readonly is: 'never' };

/**
 * The proof of an authentication: of a network token, of a device wallet, or of 3D Secure as the gateway or the merchant did it. Without
 * one the shopper is sent to the issuer where that is allowed; otherwise nothing is authenticated.
 */
function authenticationPart(attempt: Attempt, authentication: Authentication): AuthenticationPart {
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

/** The result of 3D Secure: the challenge's own, or without a challenge the answer of the directory server. */
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

const exemptionOf = (flag: string | undefined): string | undefined =>
  flag !== undefined && Object.hasOwn(exemptions, flag) ? exemptions[flag] : undefined;
