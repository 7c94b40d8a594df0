import { canonical } from './aliases.ts';
import { entryName, matching, word } from './formats/formats.ts';
import { bankAccount, card, giftCard, tokenAccount, virtualAccount, wallets } from './parameters/accounts.ts';
import { billing, merchantBilling, merchantShipping, notOfMerchantShipping, shipping } from './parameters/addresses.ts';
import { asynchronous, authentication, basic, customParameters, forex, legacyAuthentication } from './parameters/basic.ts';
import { airline, cartItems, cartPayments, marketPlace } from './parameters/cart.ts';
import { corporate, customer, notOfShippingCustomer, shippingCustomer } from './parameters/customer.ts';
import { chargeback, risk, threeDSecure } from './parameters/fraudPrevention.ts';
import { merchant, recipient, sender } from './parameters/parties.ts';
import { insteadOfQuery, query, queryExtras, reporting, reportingExtras } from './parameters/queries.ts';
import {
  family,
  preview,
  recurringMigration,
  scheduling,
  standingInstruction,
  tokenization,
} from './parameters/storedCredentials.ts';
import type { Format, Row, Section } from './row.ts';

/** Every parameter a payment request may carry. Reports and queries give some of these names another format: see sections. */
export const parameters = {
  ...basic,
  ...forex,
  ...authentication,
  ...legacyAuthentication,
  ...card,
  ...wallets,
  ...virtualAccount,
  ...bankAccount,
  ...tokenAccount,
  ...customer,
  ...shippingCustomer,
  ...billing,
  ...merchantBilling,
  ...shipping,
  ...merchantShipping,
  ...corporate,
  ...sender,
  ...recipient,
  ...merchant,
  ...cartItems,
  ...cartPayments,
  ...marketPlace,
  ...airline,
  ...tokenization,
  ...family,
  ...recurringMigration,
  ...threeDSecure,
  ...customParameters,
  ...asynchronous,
  ...giftCard,
  ...risk,
  ...scheduling,
  ...standingInstruction,
  ...chargeback,
} satisfies Section['rows'];

export type ParameterName = keyof typeof parameters;

/** The inner value of a parameter: `bigint` for amounts, `boolean` for flags, a union for enumerations. */
export type ValueOf<Name extends ParameterName> = (typeof parameters)[Name] extends Row<infer Value> ? Value : never;

const section = (document: 2 | 3, heading: string, rows: Section['rows']): Section => ({ document, heading, rows });

/** The headings of documents 2 and 3 in their order. Parameters beyond the documents stand in the section that they belong to. */
export const sections = {
  basic: section(2, 'Basic payment', basic),
  forex: section(2, 'Forex', forex),
  authentication: section(2, 'Authentication parameters', { ...authentication, ...legacyAuthentication }),
  card: section(2, 'Card account', card),
  wallets: section(2, 'Digital wallets', wallets),
  virtualAccount: section(2, 'Virtual account', virtualAccount),
  bankAccount: section(2, 'Bank account', bankAccount),
  tokenAccount: section(2, 'Token account', tokenAccount),
  customer: section(2, 'Customer', customer),
  shippingCustomer: { ...section(2, 'Shipping customer', shippingCustomer), excludes: notOfShippingCustomer },
  billing: section(2, 'Billing address', billing),
  merchantBilling: section(2, 'Merchant billing address', merchantBilling),
  shipping: section(2, 'Shipping address', shipping),
  merchantShipping: { ...section(2, 'Merchant shipping address', merchantShipping), excludes: notOfMerchantShipping },
  corporate: section(2, 'Corporate', corporate),
  sender: section(2, 'Sender (the party that pays)', sender),
  recipient: section(2, 'Recipient (the party whose debt is paid)', recipient),
  merchant: section(2, 'Merchant (acceptor)', merchant),
  cartItems: section(3, 'Cart items', cartItems),
  cartPayments: section(3, 'Cart payments (already-made payments)', cartPayments),
  marketPlace: section(3, 'Marketplace', marketPlace),
  airline: section(3, 'Airline', airline),
  tokenization: section(3, 'Tokenization and registration flags', { ...tokenization, ...family }),
  recurringMigration: section(3, 'Recurring migration (deprecated)', recurringMigration),
  threeDSecure: section(3, '3D Secure', threeDSecure),
  customParameters: section(3, 'Custom parameters', customParameters),
  asynchronous: section(3, 'Asynchronous payments', asynchronous),
  reporting: section(3, 'Reporting parameters', { ...reporting, ...reportingExtras }),
  giftCard: section(3, 'Gift card', giftCard),
  risk: section(3, 'Risk', risk),
  scheduling: section(3, 'Scheduling (subscription jobs)', scheduling),
  standingInstruction: section(3, 'Card-on-file (standing instruction)', standingInstruction),
  chargeback: section(3, 'Chargeback', chargeback),
  query: { ...section(3, 'Query parameters', { ...query, ...queryExtras }), instead: insteadOfQuery },
  preview: section(3, 'Preview of a job', preview),
} as const;

export type SectionName = keyof typeof sections;

const riskKey = {
  source: '[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069\\[\\]]{3,64}',
  message: 'must be 3 to 64 characters on one line without square brackets',
};

/** The key in the brackets has a format of its own. Every row that ends in `[brand]`, `[key]` or `[name]` is here. */
export const mapKeys: Readonly<Record<string, Format>> = {
  'overridePaymentType[brand]': word('key AN 1-32 (letters, digits, underscore)', 1, 32),
  'merchant.data[key]': entryName('key AN 3-64 (letters, digits, dot, underscore)', 3, 64),
  'customParameters[name]': entryName('name AN 3-64 (letters, digits, dot, underscore)', 3, 64),
  'risk.parameters[name]': matching('name AN 3-64', riskKey, {
    good: ['abc', 'a-B 3ü', '__proto__', 'a'.repeat(64)],
    bad: ['ab', 'a[b', 'a]b', 'ab\u0000', 'ab\n', 'ab\u202E', 'a'.repeat(65)],
  }),
};

const mapsByPrefix: ReadonlyMap<string, string> = new Map(
  Object.keys(mapKeys).map((name): [string, string] => [name.slice(0, name.indexOf('[')), name]),
);
const INDEX = /\[(?:0|[1-9][0-9]{0,3})\]/g;

const isRow = (name: string): name is ParameterName => Object.hasOwn(parameters, name);

/**
 * The row a sent name belongs to, whatever its index or key: `cart.items[3].name` → `cart.items[n].name`. Whether the index is small
 * enough and the key well formed is for the checker to say; undefined is a name that no row has.
 */
export function rowNameOf(sent: string): ParameterName | undefined {
  const name = canonical(sent);
  const bracket = name.indexOf('[');
  if (bracket < 0) return isRow(name) ? name : undefined;
  const map = mapsByPrefix.get(name.slice(0, bracket));
  if (map !== undefined) return name.endsWith(']') && isRow(map) ? map : undefined;
  // `cart.items[n].name` as it stands is no name a client may send.
  const general = name.includes('[n]') ? name : name.replace(INDEX, '[n]');
  return isRow(general) && (general !== name || !general.includes('[n]')) ? general : undefined;
}
