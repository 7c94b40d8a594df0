import type { Amount } from '../../money/amount.ts';
import type { RiskFacts } from '../facts.ts';
import { countryOf, domainOf, emailOf, ipOf, isSamePerson } from '../normalise.ts';
import { globFault } from './glob.ts';
import { type Comparison, ConditionSyntaxError, type Literal, type Operand, type TextTest } from './syntax.ts';

/** The type of a fact: only facts of equal type are compared. */
type Kind = 'text' | 'amount' | 'number' | 'span' | 'flag';

type TextFact = {
  readonly kind: 'text';
  readonly of: (facts: RiskFacts) => string | null;
  /** The normal form of a string it is compared with; null when the string can never be equal. */
  readonly form?: (text: string) => string | null;
  /** Masked in explanations. */
  readonly isHidden?: boolean;
};
type AmountFact = { readonly kind: 'amount'; readonly of: (facts: RiskFacts) => Amount | null };
type NumberFact = { readonly kind: 'number'; readonly of: (facts: RiskFacts) => number | null };
type FlagFact = { readonly kind: 'flag'; readonly of: (facts: RiskFacts) => boolean | null };
type Fact = TextFact | AmountFact | NumberFact | FlagFact;

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

/** Type checks of conditions, when they are parsed. */

const WHOLE_MAX = 10n ** 15n;

export function kindOf(operand: Operand): Kind {
  switch (operand.is) {
    case 'text':
    case 'number':
    case 'span':
      return operand.is;
    case 'fact':
      return factNamed(operand.name)?.kind ?? 'text';
    case 'window':
      return operand.window.measure === 'sum' ? 'amount' : 'number';
    case 'total':
      return 'amount';
    case 'age':
      return 'span';
    case 'listed':
      return 'flag';
  }
}

const isLiteral = ({ is }: Operand): boolean => is === 'text' || is === 'number' || is === 'span';

type Sides = { readonly left: Operand; readonly right: Operand };
type Positions = { readonly at: number; readonly rightAt: number };

/** Both sides, with literals in the normal form of the fact they are compared with. */
export function checkCompare({ at, rightAt }: Positions, by: Comparison, { left, right }: Sides): Sides {
  if (isLiteral(left)) throw new ConditionSyntaxError(at, 'a name stands on the left, what it is compared with on the right');
  const kind = kindOf(left);
  if (kind === 'flag') throw new ConditionSyntaxError(at, 'this is true or false by itself and is not compared; "not" denies it');
  if (kind === 'text' && by !== '=' && by !== '!=')
    throw new ConditionSyntaxError(at, 'texts are equal (=) or not (!=), none is greater');
  if (isLiteral(right)) return { left, right: normaliseLiteral(rightAt, left, right as Literal) };
  if (kindOf(right) !== kind) throw new ConditionSyntaxError(rightAt, `a ${kind} is compared with a ${kindOf(right)} here`);
  return { left, right };
}

export function checkIn(at: number, left: Operand, items: readonly { literal: Literal; at: number }[]): readonly Literal[] {
  const kind = kindOf(left);
  if (isLiteral(left) || kind === 'flag' || kind === 'span')
    throw new ConditionSyntaxError(at, 'only texts, numbers and amounts are in a list');
  return items.map((item) => normaliseLiteral(item.at, left, item.literal));
}

export function checkFlag(at: number, operand: Operand): void {
  if (kindOf(operand) !== 'flag')
    throw new ConditionSyntaxError(at, 'this is neither true nor false by itself; a comparison is missing');
}

type TextTestOperands = { readonly left: Operand; readonly by: TextTest; readonly text: string; readonly textAt: number };

export function checkTest(at: number, { left, by, text, textAt }: TextTestOperands): void {
  if (isLiteral(left) || kindOf(left) !== 'text') throw new ConditionSyntaxError(at, `"${by}" is asked of a text`);
  const says = by === 'matches' ? globFault(text) : null;
  if (says !== null) throw new ConditionSyntaxError(textAt, says);
}

/** A literal in the normal form of the fact it is compared with: `'de'` for a country becomes `'DE'`. */
function normaliseLiteral(at: number, left: Operand, literal: Literal): Literal {
  const kind = kindOf(left);
  if (kind === 'text') {
    if (literal.is !== 'text') throw new ConditionSyntaxError(at, 'this is compared with a text in single quotes');
    return { is: 'text', value: normaliseText(at, left, literal.value) };
  }
  if (kind === 'span') {
    if (literal.is !== 'span') throw new ConditionSyntaxError(at, 'this is compared with a span of time such as 24h');
    return literal;
  }
  if (literal.is !== 'number') throw new ConditionSyntaxError(at, 'this is compared with a number');
  const isWhole = literal.hundredths % 100n === 0n && literal.hundredths / 100n <= WHOLE_MAX;
  if (kind === 'number' && !isWhole) throw new ConditionSyntaxError(at, 'this is compared with a whole number');
  return literal;
}

function normaliseText(at: number, left: Operand, value: string): string {
  const name = left.is === 'fact' ? factNamed(left.name) : undefined;
  if (name?.kind !== 'text' || !name.form) return value;
  const form = name.form(value);
  if (form === null) throw new ConditionSyntaxError(at, 'nothing that it is compared with ever looks like this');
  return form;
}
