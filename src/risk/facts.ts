import { type Amount, amountOf } from '../money/amount.ts';
import type { Instrument } from '../registrations/instrument.ts';
import type { MethodCode } from '../spec/paymentTypes.ts';
import { countryOf, emailOf, ipOf, phoneOf } from './normalise.ts';

/** An address; a field that was not sent is null. */
export type AddressFacts = {
  readonly country: string | null;
  readonly state: string | null;
  readonly city: string | null;
  readonly postcode: string | null;
  readonly street1: string | null;
};

/** The card's issuer, derived from the BIN. */
export type Issuer = {
  readonly country: string | null;
  readonly type: string | null;
  readonly bank: string | null;
  readonly level?: string;
  /** Whether the fees of the card are regulated. */
  readonly isRegulated?: boolean;
  readonly phone?: string;
  readonly website?: string;
};

type Customer = {
  readonly email: string | null;
  readonly ip: string | null;
  readonly ipCountry: string | null;
  readonly merchantCustomerId: string | null;
  readonly givenName: string | null;
  readonly surname: string | null;
  readonly companyName: string | null;
  readonly phone: string | null;
  readonly mobile: string | null;
  readonly birthDate: string | null;
  readonly status: string | null;
  readonly category: string | null;
  readonly language: string | null;
};

/**
 * Everything that rules may use of one request, as plain data; null means unknown. It contains no card or account number, CVV, mandate
 * or due date, so that no rule can use or repeat one.
 */
export type RiskFacts = {
  readonly merchantId: string;
  readonly entityId: string;
  readonly now: number;
  /** The channel's, in which `risk.orderTimestamp` is meant. */
  readonly timeZone: string;
  /** When the order was made: `risk.orderTimestamp`, or now. */
  readonly orderedAt: number;
  /** `risk.amount` when it was sent. */
  readonly amount: Amount;
  readonly currency: string;
  readonly paymentType: string;
  /** `risk.brand` when it was sent. */
  readonly paymentBrand: string | null;
  readonly method: MethodCode;
  readonly bin: string | null;
  /** Keyed hash of the number: equal for equal cards of one merchant. */
  readonly fingerprint: string | null;
  readonly holder: string | null;
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
  readonly issuer: Issuer;
  readonly customer: Customer;
  readonly billing: AddressFacts;
  readonly shipping: AddressFacts;
  readonly checkoutId: string | null;
  readonly merchantTransactionId: string | null;
  readonly merchantInvoiceId: string | null;
  readonly registration: { readonly id: string; readonly createdAt: number } | null;
  readonly risk: {
    readonly channelId: string | null;
    readonly serviceId: string | null;
    readonly merchantWebsite: string | null;
    readonly accountToken: string | null;
    readonly parameters: ReadonlyMap<string, string>;
  };
  /** The shopper is absent: a scheduled or otherwise agreed payment. */
  readonly isMerchantInitiated: boolean;
};

/** Data that the flat fields of a request do not contain. */
export type FactSources = {
  readonly merchantId: string;
  readonly entityId: string;
  readonly timeZone: string;
  readonly now: number;
  readonly amount: Amount;
  readonly currency: string;
  readonly paymentType: string;
  readonly paymentBrand: string | null;
  readonly method: MethodCode;
  readonly instrument: Instrument | null;
  readonly fingerprint: string | null;
  readonly issuer: Issuer | null;
  readonly ipCountry: string | null;
  readonly checkoutId: string | null;
  /** When it is not among the fields. */
  readonly merchantTransactionId?: string | null;
  readonly registration: { readonly id: string; readonly createdAt: number } | null;
  readonly isMerchantInitiated: boolean;
};

const unknownIssuer: Issuer = { country: null, type: null, bank: null };
const noParameters: ReadonlyMap<string, string> = new Map();
const PARAMETER = 'risk.parameters[';

type Fields = Readonly<Record<string, string>>;

/**
 * The facts of a request. Only the fields named here are read. None of the names exists on every object, and each is a literal: a computed
 * property name is slower to look up.
 */
export function collectFacts(fields: Fields, about: FactSources): RiskFacts {
  const { instrument } = about;
  const expires = instrument?.kind === 'card' || instrument?.kind === 'tokenAccount' ? instrument : null;
  return {
    merchantId: about.merchantId,
    entityId: about.entityId,
    now: about.now,
    timeZone: about.timeZone,
    orderedAt: instantOf(nonEmpty(fields['risk.orderTimestamp']), about.timeZone) ?? about.now,
    amount: amountIn(fields) ?? about.amount,
    currency: about.currency,
    paymentType: about.paymentType,
    paymentBrand: nonEmpty(fields['risk.brand']) ?? about.paymentBrand,
    method: about.method,
    bin: instrument?.kind === 'card' ? instrument.bin : null,
    fingerprint: about.fingerprint,
    holder: instrument?.kind === 'card' || instrument?.kind === 'bankAccount' ? instrument.holder : null,
    expiryMonth: expires?.expiryMonth ?? null,
    expiryYear: expires?.expiryYear ?? null,
    issuer:
      about.issuer ?? (instrument?.kind === 'bankAccount' ? { ...unknownIssuer, country: instrument.country } : unknownIssuer),
    customer: customerOf(fields, about.ipCountry),
    billing: billingOf(fields),
    shipping: shippingOf(fields),
    checkoutId: about.checkoutId,
    merchantTransactionId: about.merchantTransactionId ?? nonEmpty(fields.merchantTransactionId),
    merchantInvoiceId: nonEmpty(fields.merchantInvoiceId),
    registration: about.registration,
    risk: new RequestRisk(fields),
    isMerchantInitiated: about.isMerchantInitiated,
  };
}

const nonEmpty = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

const normal = (text: string | undefined, form: (text: string) => string | null): string | null =>
  text === undefined || text === '' ? null : form(text);

const amountIn = (fields: Fields): Amount | null => {
  const text = nonEmpty(fields['risk.amount']);
  return text === null ? null : (amountOf(text) ?? null);
};

const customerOf = (fields: Fields, ipCountry: string | null): Customer => ({
  email: normal(fields['customer.email'], emailOf),
  ip: normal(fields['customer.ip'], ipOf),
  ipCountry: normal(ipCountry ?? undefined, countryOf),
  merchantCustomerId: nonEmpty(fields['customer.merchantCustomerId']),
  givenName: nonEmpty(fields['customer.givenName']),
  surname: nonEmpty(fields['customer.surname']),
  companyName: nonEmpty(fields['customer.companyName']),
  phone: normal(fields['customer.phone'], phoneOf),
  mobile: normal(fields['customer.mobile'], phoneOf),
  birthDate: nonEmpty(fields['customer.birthDate']),
  status: nonEmpty(fields['customer.status']),
  category: nonEmpty(fields['customer.category']),
  language: nonEmpty(fields['customer.language']),
});

const billingOf = (fields: Fields): AddressFacts => ({
  country: normal(fields['billing.country'], countryOf),
  state: nonEmpty(fields['billing.state']),
  city: nonEmpty(fields['billing.city']),
  postcode: nonEmpty(fields['billing.postcode']),
  street1: nonEmpty(fields['billing.street1']),
});

const shippingOf = (fields: Fields): AddressFacts => ({
  country: normal(fields['shipping.country'], countryOf),
  state: nonEmpty(fields['shipping.state']),
  city: nonEmpty(fields['shipping.city']),
  postcode: nonEmpty(fields['shipping.postcode']),
  street1: nonEmpty(fields['shipping.street1']),
});

/**
 * The risk parameters of a request. They are collected on demand: hardly any rule uses them, and looking through a long form takes
 * milliseconds. A class, because the engine gives an object of its own kind to every literal with a getter (decisions/0083).
 */
class RequestRisk {
  readonly channelId: string | null;
  readonly serviceId: string | null;
  readonly merchantWebsite: string | null;
  readonly accountToken: string | null;
  readonly #fields: Fields;
  constructor(fields: Fields) {
    this.channelId = nonEmpty(fields['risk.channelId']);
    this.serviceId = nonEmpty(fields['risk.serviceId']);
    this.merchantWebsite = nonEmpty(fields['risk.merchantWebsite']);
    this.accountToken = nonEmpty(fields['risk.accountToken']);
    this.#fields = fields;
  }

  /** A Map, because `risk.parameters[__proto__]` is a legal name. */
  get parameters(): ReadonlyMap<string, string> {
    let found: Map<string, string> | null = null;
    for (const name in this.#fields) {
      if (!name.startsWith(PARAMETER) || !name.endsWith(']')) continue;
      found ??= new Map();
      found.set(name.slice(PARAMETER.length, -1), this.#fields[name] as string);
    }
    return found ?? noParameters;
  }
}

/** The facts as data alone, as they may cross to another thread. */
export const plainFacts = (facts: RiskFacts): RiskFacts => ({
  ...facts,
  risk: { ...facts.risk, parameters: facts.risk.parameters },
});

/** The instant at which clocks of the zone showed this; null when the string is no such time. */
function instantOf(text: string | null, timeZone: string): number | null {
  if (text === null) return null;
  try {
    return Temporal.PlainDateTime.from(text.replace(' ', 'T')).toZonedDateTime(timeZone).epochMilliseconds;
  } catch {
    return null;
  }
}
