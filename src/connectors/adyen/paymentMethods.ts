import type { Instrument, Secrets } from '../../registrations/instrument.ts';
import { brands } from '../../spec/cards/brands.ts';
import type { MethodCode } from '../../spec/paymentTypes.ts';

/**
 * The brands that the shopper pays elsewhere, on a page, in an app or with a slip: our name → Adyen's `paymentMethod.type`. `typeNeeds`
 * has the further fields of a type.
 */
export const redirectTypes: Readonly<Record<string, string>> = {
  IDEAL: 'ideal',
  SOFORTUEBERWEISUNG: 'directEbanking',
  TRUSTLY: 'trustly',
  PAYTRAIL: 'ebanking_FI',
  PAYPAL: 'paypal',
  ALIPAY: 'alipay',
  CHINAUNIONPAY: 'unionpay',
  PAYSAFECARD: 'paysafecard',
  AFFIRM: 'affirm',
  AFTERPAY: 'afterpaytouch',
  KLARNA_PAYMENTS_PAYLATER: 'klarna',
  KLARNA_PAYMENTS_BILLPAY: 'klarna',
  KLARNA_INVOICE: 'klarna',
  KLARNA_PAYMENTS_PAYNOW: 'klarna_paynow',
  KLARNA_PAYMENTS_SLICEIT: 'klarna_account',
  KLARNA_INSTALLMENTS: 'klarna_account',
  EPS: 'eps',
  PRZELEWY: 'onlineBanking_PL',
  MBWAY: 'mbway',
  SIBS_MULTIBANCO: 'multibanco',
  BOLETO: 'boletobancario',
  BRADESCO: 'boletobancario_bradesco',
  OXXO: 'oxxo',
};

/** The custom parameter with Adyen's id of the shopper's bank. */
export const ISSUER = 'customParameters[ADYEN_issuer]';

/** Members of `paymentMethod` that a type needs; one that the request does not give makes the payment impossible. */
const typeNeeds: Readonly<Record<string, (charged: Charged) => Readonly<Record<string, string | null | undefined>>>> = {
  eps: (charged) => ({ issuer: issuerIn(charged) }),
  onlineBanking_PL: (charged) => ({ issuer: issuerIn(charged) }),
  mbway: ({ instrument, fields }) => ({
    telephoneNumber: instrument?.kind === 'virtualAccount' ? instrument.accountId : fields['customer.mobile'],
    shopperEmail: fields['customer.email'],
  }),
};

/** Adyen's id of the bank, as the merchant sends it, or the name of the bank where a client sends such an id as the name. */
const issuerIn = ({ instrument, fields }: Charged): string | null | undefined =>
  fields[ISSUER] ?? (instrument?.kind === 'bankAccount' ? (instrument.bankName ?? instrument.bic) : null);

/** Brands whose provider requires the items of the cart. */
export const needsLineItems = (brand: string | null): boolean =>
  brand !== null && /^(?:klarna|afterpay|affirm)/.test(redirectTypes[brand] ?? '');

/** Adyen's name of a scheme, which a network token needs. */
const schemes: Readonly<Record<string, string>> = {
  VISA: 'visa',
  VISADEBIT: 'visa',
  VISAELECTRON: 'visa',
  VPAY: 'visa',
  MASTER: 'mc',
  MASTERDEBIT: 'mc',
  MAESTRO: 'maestro',
  AMEX: 'amex',
  DISCOVER: 'discover',
  DINERS: 'diners',
  JCB: 'jcb',
  UNIONPAY: 'cup',
};

/** The wallets whose tokens the gateway opens, as Adyen names the source of their data. */
const walletSources: Readonly<Record<string, string>> = {
  APPLEPAY: 'applepay',
  GOOGLEPAY: 'googlepay',
  SAMSUNGPAY: 'samsungpay',
};

export const walletSource = (brand: string | null): string | undefined =>
  brand !== null && Object.hasOwn(walletSources, brand) ? walletSources[brand] : undefined;

export type PaymentMethod = Readonly<Record<string, string>>;

type Charged = {
  readonly instrument: Instrument | null;
  readonly paymentBrand: string | null;
  readonly secrets: Secrets;
  readonly fields: Readonly<Record<string, string>>;
};

const present = (fields: Readonly<Record<string, string | null | undefined>>): PaymentMethod =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])));

/** The `paymentMethod` of a request; null when Adyen does not take this brand. */
export function paymentMethodOf(charged: Charged): PaymentMethod | null {
  const { instrument, paymentBrand, secrets } = charged;
  if (secrets.networkToken) {
    const { number, expiryMonth, expiryYear } = secrets.networkToken;
    return networkTokenMethod({ number, expiryMonth, expiryYear }, paymentBrand, holderIn(instrument));
  }
  switch (instrument?.kind) {
    case 'card': {
      const { holder, expiryMonth, expiryYear } = instrument;
      const { number, cvv } = secrets;
      if (number === undefined) return null;
      return present({ type: 'scheme', number, expiryMonth, expiryYear, cvc: cvv, holderName: holder });
    }
    case 'tokenAccount': {
      const { type, expiryMonth, expiryYear } = instrument;
      const { number } = secrets;
      return type === 'NETWORK' && number !== undefined
        ? networkTokenMethod({ number, expiryMonth, expiryYear }, paymentBrand, null)
        : null;
    }
    default:
      return bankOrRedirect(charged);
  }
}

function networkTokenMethod(
  { number, expiryMonth, expiryYear }: { number: string; expiryMonth: string | null; expiryYear: string | null },
  paymentBrand: string | null,
  holderName: string | null,
): PaymentMethod {
  const brand = schemes[paymentBrand ?? ''];
  return present({ type: 'networkToken', number, expiryMonth, expiryYear, brand, holderName });
}

const holderIn = (instrument: Instrument | null): string | null => (instrument?.kind === 'card' ? instrument.holder : null);

function bankOrRedirect(charged: Charged): PaymentMethod | null {
  const { instrument, paymentBrand, secrets } = charged;
  if (paymentBrand === null) return null;
  if (brands[paymentBrand]?.method === 'DD') {
    const ownerName = instrument?.kind === 'bankAccount' ? instrument.holder : null;
    return secrets.iban === undefined || ownerName === null ? null : { type: 'sepadirectdebit', iban: secrets.iban, ownerName };
  }
  const type = Object.hasOwn(redirectTypes, paymentBrand) ? redirectTypes[paymentBrand] : undefined;
  if (type === undefined) return null;
  const needed = Object.hasOwn(typeNeeds, type) ? (typeNeeds[type]?.(charged) ?? {}) : {};
  return Object.values(needed).every(Boolean) ? present({ type, ...needed }) : null;
}

/** Our brands that Adyen takes, by method. */
export const brandsTaken: Readonly<Partial<Record<MethodCode, readonly string[]>>> = Object.groupBy(
  ['DIRECTDEBIT_SEPA', ...Object.keys(redirectTypes)],
  (name) => brands[name]?.method ?? 'OT',
);
