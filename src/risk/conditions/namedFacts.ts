import type { Amount } from '../../money/amount.ts';
import type { RiskFacts } from '../facts.ts';
import { countryOf, domainOf, emailOf, ipOf, isSamePerson } from '../normalise.ts';

/** The type of a fact: only facts of equal type are compared. */
export type Kind = 'text' | 'amount' | 'number' | 'span' | 'flag';

type TextFact = {
  readonly kind: 'text';
  readonly of: (facts: RiskFacts) => string | null;
  /** The normal form of a text it is compared with; null when the text can never be equal. */
  readonly form?: (text: string) => string | null;
  /** Masked in explanations. */
  readonly isHidden?: boolean;
};
type AmountFact = { readonly kind: 'amount'; readonly of: (facts: RiskFacts) => Amount | null };
type NumberFact = { readonly kind: 'number'; readonly of: (facts: RiskFacts) => number | null };
type FlagFact = { readonly kind: 'flag'; readonly of: (facts: RiskFacts) => boolean | null };
export type Fact = TextFact | AmountFact | NumberFact | FlagFact;

const text = (of: TextFact['of'], form?: TextFact['form']): TextFact => ({ kind: 'text', of, ...(form && { form }) });
const country = (of: TextFact['of']): TextFact => text(of, countryOf);

/** The local hour, 0 to 23. */
const hourAt = (instant: number, timeZone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).hour;

const addressFacts = (at: 'billing' | 'shipping'): Readonly<Record<string, Fact>> => ({
  [`${at}.country`]: country((facts) => facts[at].country),
  [`${at}.state`]: text((facts) => facts[at].state),
  [`${at}.city`]: text((facts) => facts[at].city),
  [`${at}.postcode`]: text((facts) => facts[at].postcode),
  [`${at}.street1`]: text((facts) => facts[at].street1),
});

/** Every fact that a condition may use, under its API name where it has one. */
export const namedFacts: Readonly<Record<string, Fact>> = {
  amount: { kind: 'amount', of: ({ amount }) => amount },
  currency: text(({ currency }) => currency),
  paymentType: text(({ paymentType }) => paymentType),
  paymentBrand: text(({ paymentBrand }) => paymentBrand),
  method: text(({ method }) => method),
  'card.bin': text(({ bin }) => bin),
  'card.holder': text(({ holder }) => holder),
  'card.expiryMonth': { kind: 'number', of: ({ expiryMonth }) => wholeOf(expiryMonth) },
  'card.expiryYear': { kind: 'number', of: ({ expiryYear }) => wholeOf(expiryYear) },
  'card.country': country(({ issuer }) => issuer.country),
  'card.type': text(({ issuer }) => issuer.type),
  'card.bank': text(({ issuer }) => issuer.bank),
  'customer.email': text(({ customer }) => customer.email, emailOf),
  'customer.emailDomain': text(
    ({ customer }) => customer.email && domainOf(customer.email),
    (domain) => domain.toLowerCase(),
  ),
  'customer.ip': text(({ customer }) => customer.ip, ipOf),
  'customer.ipCountry': country(({ customer }) => customer.ipCountry),
  'customer.merchantCustomerId': text(({ customer }) => customer.merchantCustomerId),
  'customer.givenName': text(({ customer }) => customer.givenName),
  'customer.surname': text(({ customer }) => customer.surname),
  'customer.companyName': text(({ customer }) => customer.companyName),
  'customer.phone': text(({ customer }) => customer.phone),
  'customer.mobile': text(({ customer }) => customer.mobile),
  'customer.birthDate': text(({ customer }) => customer.birthDate),
  'customer.status': text(({ customer }) => customer.status),
  'customer.category': text(({ customer }) => customer.category),
  'customer.language': text(({ customer }) => customer.language),
  ...addressFacts('billing'),
  ...addressFacts('shipping'),
  checkoutId: text(({ checkoutId }) => checkoutId),
  registrationId: text(({ registration }) => registration?.id ?? null),
  merchantTransactionId: text(({ merchantTransactionId }) => merchantTransactionId),
  merchantInvoiceId: text(({ merchantInvoiceId }) => merchantInvoiceId),
  'risk.channelId': text(({ risk }) => risk.channelId),
  'risk.serviceId': text(({ risk }) => risk.serviceId),
  'risk.merchantWebsite': text(({ risk }) => risk.merchantWebsite),
  'risk.accountToken': { ...text(({ risk }) => risk.accountToken), isHidden: true },
  orderHour: { kind: 'number', of: ({ orderedAt, timeZone }) => hourAt(orderedAt, timeZone) },
  isMerchantInitiated: { kind: 'flag', of: ({ isMerchantInitiated }) => isMerchantInitiated },
  isHolderCustomer: { kind: 'flag', of: samePerson },
};

const PARAMETER = 'risk.parameters[';

/** The fact of a name, custom risk data included; undefined when there is none. */
export function factNamed(name: string): Fact | undefined {
  if (Object.hasOwn(namedFacts, name)) return namedFacts[name];
  if (!name.startsWith(PARAMETER)) return undefined;
  const key = name.slice(PARAMETER.length, -1);
  return text(({ risk }) => risk.parameters.get(key) ?? null);
}

function wholeOf(digits: string | null): number | null {
  return digits !== null && /^[0-9]{1,4}$/.test(digits) ? Number(digits) : null;
}

function samePerson({ holder, customer: { givenName, surname } }: RiskFacts): boolean | null {
  return holder === null || givenName === null || surname === null ? null : isSamePerson(holder, givenName, surname);
}
