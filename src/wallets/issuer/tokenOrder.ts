import { sandbox } from '../../merchants/sandbox.ts';
import { amountOf, minorUnits } from '../../money/amount.ts';
import { aliases } from '../../spec/aliases.ts';
import { testCards } from '../../spec/cards/testCards.ts';
import { digitsOf } from '../../spec/currencies.ts';
import type { WalletFault, WalletName } from '../wallet.ts';
import { type WalletOrder, walletVersions } from './order.ts';

/** A token order of the page or the command line: texts by field name. */
export type OrderFields = ReadonlyMap<string, string>;

/** A fault of one field, for the user who filled it in. */
export type OrderFieldFault = { readonly name: string; readonly says: string };

export type InvalidOrder = { readonly is: 'invalid'; readonly faults: readonly OrderFieldFault[] };

export type TokenOrder = {
  readonly is: 'valid';
  readonly entityId: string;
  readonly wallet: WalletName;
  readonly order: WalletOrder;
};

/** The wallets with the names that clients send. */
export const walletNames: readonly { readonly wallet: WalletName; readonly alias: string }[] = Object.entries(
  aliases.wallets,
).map(([alias, wallet]) => ({ wallet, alias }));

/** Faults that a token can be issued with. */
export const tokenFaults: Readonly<Record<WalletFault['why'], string>> = {
  expired: 'It was made too long ago.',
  tampered: 'One bit was changed on the way.',
  otherMerchant: 'It was made for another merchant.',
  untrusted: 'It was signed with a key that is not trusted.',
  unknownKey: 'It was encrypted for a key the merchant does not have.',
  unsupported: 'Its version is unknown.',
  malformed: 'Its end is missing.',
};

const AMOUNT = /^[0-9]{1,10}(?:\.[0-9]{2})?$/;
const HOLDER = /^[^\p{Cc}\p{Cs}]{1,128}$/u;

/** The defaults of the form: a valid token for the first channel of the sandbox. */
export function tokenOrderDefaults(now: number): Readonly<Record<string, string>> {
  return {
    entityId: sandbox.demoShop.channelId,
    wallet: 'walletA',
    version: '',
    number: testCards[0]?.number ?? '',
    expiryMonth: '12',
    expiryYear: String(new Date(now).getUTCFullYear() + 2),
    amount: '92.00',
    currency: 'EUR',
    numberType: '',
    holder: '',
    eci: '',
    key: '',
    signed: '',
    fault: '',
  };
}

/** Returns null for a valid text. */
type FieldRule = (text: string, wallet: WalletName | null) => string | null;

const fits =
  (pattern: RegExp, says: string): FieldRule =>
  (text) =>
    pattern.test(text) ? null : says;
const oneOf =
  (words: readonly string[]): FieldRule =>
  (text) =>
    words.includes(text) ? null : `It is one of ${words.join(', ')}.`;
const only =
  (mine: WalletName, judge: FieldRule): FieldRule =>
  (text, wallet) =>
    wallet === null || wallet === mine ? judge(text, wallet) : `Only ${mine} has this.`;

const required: Readonly<Record<string, FieldRule>> = {
  entityId: fits(/^[0-9a-f]{32}$/, 'An entity has 32 characters of a-f and 0-9.'),
  number: fits(/^[0-9]{8,19}$/, 'A card number has 8 to 19 digits.'),
  expiryMonth: fits(/^(?:0[1-9]|1[0-2])$/, 'A month is 01 to 12.'),
  expiryYear: fits(/^20[0-9]{2}$/, 'A year has four digits, 2000 to 2099.'),
  amount: fits(AMOUNT, 'Write the amount as 92.00, with at most ten digits before the point.'),
  currency: (text) => (digitsOf(text) === undefined ? 'Write the three letters of a currency, such as EUR.' : null),
};
const optional: Readonly<Record<string, FieldRule>> = {
  version: (text, wallet) => (wallet === null ? null : oneOf(walletVersions[wallet])(text, wallet)),
  numberType: (text, wallet) => (text === 'DPAN' ? null : only('walletB', oneOf(['PAN', 'DPAN']))(text, wallet)),
  holder: fits(HOLDER, 'A name has at most 128 characters on one line.'),
  eci: fits(/^[0-9]{1,2}$/, 'The indicator has one or two digits, such as 05.'),
  key: oneOf(['current', 'previous']),
  signed: only('walletC', oneOf(['yes', 'no'])),
  fault: oneOf(Object.keys(tokenFaults)),
};

/** `walletB`, `googlePay`, or either followed by a space and a version, as in the list of the page. */
function walletOf(text: string): { readonly wallet: WalletName | null; readonly version: string } {
  const [name = '', version = ''] = text.split(' ', 2);
  return { wallet: walletNames.find(({ wallet, alias }) => wallet === name || alias === name)?.wallet ?? null, version };
}

/** Parses an order; missing fields have defaults. Returns all faults at once. */
export function parseTokenOrder(sent: OrderFields, now: number): TokenOrder | InvalidOrder {
  const defaults = tokenOrderDefaults(now);
  const { wallet, version } = walletOf(sent.get('wallet') ?? '');
  const text = (name: string): string => {
    const value = (sent.get(name) ?? defaults[name] ?? '').trim();
    if (name === 'number') return value.replaceAll(' ', '');
    if (name === 'currency') return value.toUpperCase();
    return name === 'version' ? value || version : value;
  };
  const faults: OrderFieldFault[] = [...sent.keys()]
    .filter((name) => !Object.hasOwn(defaults, name))
    .map((name) => ({ name, says: 'There is no such field.' }));
  if (wallet === null) faults.push({ name: 'wallet', says: 'Choose walletA, walletB or walletC.' });
  const judge = (name: string, rule: FieldRule, isOptional: boolean): void => {
    const says = isOptional && text(name) === '' ? null : rule(text(name), wallet);
    if (says !== null) faults.push({ name, says });
  };
  for (const [name, rule] of Object.entries(required)) judge(name, rule, false);
  for (const [name, rule] of Object.entries(optional)) judge(name, rule, true);
  const amount = amountOf(text('amount'));
  const digits = digitsOf(text('currency'));
  if (amount !== undefined && digits !== undefined && minorUnits(amount, digits) === undefined)
    faults.push({ name: 'amount', says: `${text('currency')} has no hundredths.` });
  if (wallet === null || amount === undefined || faults.length > 0) return { is: 'invalid', faults };
  return { is: 'valid', entityId: text('entityId'), wallet, order: orderOf(text, amount, now) };
}

function orderOf(text: (name: string) => string, amount: bigint, now: number): WalletOrder {
  const given = <Value extends string>(name: string): Value | undefined => (text(name) || undefined) as Value | undefined;
  const parts = {
    version: given('version'),
    numberType: given<'PAN' | 'DPAN'>('numberType'),
    holder: given('holder'),
    eci: given('eci'),
    key: given<'current' | 'previous'>('key'),
    signed: given('signed') === 'yes' || undefined,
    fault: given<WalletFault['why']>('fault'),
  };
  const present = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Partial<WalletOrder>;
  return {
    number: text('number'),
    expiryMonth: text('expiryMonth'),
    expiryYear: text('expiryYear'),
    amount,
    currency: text('currency'),
    now,
    ...present,
  };
}
