import type { WidgetBrand } from '../../../spec/widget.ts';
import type { Environment } from '../contract.ts';
import type { Lifetime } from '../lifetime.ts';

/** Fields that are sent with the form, by wire names. */
export type Fields = Readonly<Record<string, string>>;

/** Untrusted data of a page or a wallet. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** Events of a wallet that nobody asked for. */
export type WalletEvents = {
  /** The shopper has closed the sheet. */
  closed(statusCode: string): void;
  /** The shopper has authorized again on a sheet that stayed open after a decline. */
  again(fields: Fields): void;
};

/** A wallet as the device has it. */
export interface WalletDevice {
  /** Whether this device can pay by it at all. */
  isAvailable(): Promise<boolean>;
  /** The wallet's own button; null: the widget's button is used. */
  button(press: () => void): HTMLElement | null;
  /** Opens its sheet within the click. Null: nothing is sent. */
  open(events: WalletEvents): Promise<Fields | null>;
  /** The attempt has ended: completes a waiting sheet with the result, and closes one that was not authorized. */
  end(isGood: boolean): void;
  /** Closes the sheet. */
  drop(): void;
}

/** The context that a wallet is created in. */
export type WalletContext = { readonly environment: Environment; readonly brand: WidgetBrand; readonly lifetime: Lifetime };

export const stringOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

export const stringsOr = (value: unknown, otherwise: readonly string[]): readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : otherwise;

/** An unknown value as a record. */
export const asRecord = (value: unknown): UnknownRecord =>
  typeof value === 'object' && value !== null ? (value as UnknownRecord) : {};

/** The options of these names that the page has set. */
export const pickDefined = (options: UnknownRecord, names: readonly string[]): UnknownRecord =>
  Object.fromEntries(names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));

/** The value that the page has set, or that its function returns now. */
export const resolveValue = (value: unknown): unknown => (typeof value === 'function' ? value() : value);

/** The shop's country, which the wallets want to know. */
export const countryOf = ({ countryCode }: UnknownRecord, { wallet }: WidgetBrand): string =>
  stringOr([countryCode].flat()[0], wallet?.country ?? 'DE');

/** Card brands by the names of Apple and Google, as far as every version of their sheets knows them. */
const networks: readonly (readonly [brand: string, apple: string, google: string])[] = [
  ['VISA', 'visa', 'VISA'],
  ['MASTER', 'masterCard', 'MASTERCARD'],
  ['AMEX', 'amex', 'AMEX'],
  ['DISCOVER', 'discover', 'DISCOVER'],
  ['JCB', 'jcb', 'JCB'],
  ['MAESTRO', 'maestro', ''],
];

/** The card networks of the checkout; the common ones where it names no card brands. */
export function networksOf({ session }: Environment, at: 1 | 2): readonly string[] {
  const taken = networks.filter(([brand]) => session.brands.some(({ name }) => name === brand));
  return (taken.length > 0 ? taken : networks.slice(0, 3)).map((names) => names[at]).filter(Boolean);
}

const names = {
  customer: ['givenName', 'surname', 'email', 'phone'],
  billing: ['street1', 'street2', 'city', 'state', 'postcode', 'country'],
  shipping: ['street1', 'street2', 'city', 'state', 'postcode', 'country'],
} as const;

/** The shopper data of the sheet that the page wants to send. Values of the checkout win at the gateway. */
export function partyFields(wanted: unknown, parties: Readonly<Record<keyof typeof names, UnknownRecord>>): Fields {
  const asked = stringsOr(wanted, []);
  const all = (['customer', 'billing', 'shipping'] as const).filter((party) => asked.includes(party));
  const pairs = all.flatMap((party) => names[party].map((name) => [`${party}.${name}`, stringOr(parties[party][name], '')]));
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
