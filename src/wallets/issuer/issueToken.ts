import type { Entity } from '../../merchants/directory.ts';
import { sandbox } from '../../merchants/sandbox.ts';
import { amountOf, amountText, minorUnits } from '../../money/amount.ts';
import { aliases } from '../../spec/aliases.ts';
import { testCards } from '../../spec/cards/testCards.ts';
import { digitsOf } from '../../spec/currencies.ts';
import { isFault, type WalletFault, type WalletName } from '../wallet.ts';
import { openWallet } from '../wallets.ts';
import type { SandboxIssuer } from './issuer.ts';
import { type WalletOrder, walletVersions } from './order.ts';

/** An issued token. */
export type IssuedToken = {
  readonly wallet: WalletName;
  readonly version: string;
  readonly entityId: string;
  readonly merchantId: string;
  /** The parameter of a payment that carries it. */
  readonly parameter: string;
  readonly token: string;
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
  /** When it expires; null when it is refused already. */
  readonly validUntil: number | null;
  /** Why the gateway refuses it; null for a valid token. */
  readonly refused: WalletFault | null;
};

type Issue = { readonly is: 'issued'; readonly issued: IssuedToken };

type IssueNeeds = {
  readonly entity: (id: string) => Entity | null;
  readonly issuer: SandboxIssuer;
  readonly now: number;
};

/** Issues the token of an order, or returns all faults of the order. */
export function issueToken(fields: OrderFields, { entity, issuer, now }: IssueNeeds): Issue | InvalidOrder {
  const parsed = parseTokenOrder(fields, now);
  if (parsed.is === 'invalid') return parsed;
  const { entityId, wallet, order } = parsed;
  const merchant = merchantOf(entity(entityId), wallet);
  if (merchant.is === 'invalid') return merchant;
  const { merchantId } = merchant;
  const own = issuer.of(merchantId);
  const token = own.issue(wallet, order);
  const card = openWallet(wallet, token, { setup: own.setupFor(wallet), now });
  const issued: IssuedToken = {
    wallet,
    version: order.version ?? walletVersions[wallet][0],
    entityId,
    merchantId,
    parameter: `${wallet}.paymentToken`,
    token,
    number: order.number,
    amount: amountText(order.amount),
    currency: order.currency,
    validUntil: isFault(card) ? null : card.validUntil,
    refused: isFault(card) ? card : null,
  };
  return { is: 'issued', issued };
}

/** The merchant whose keys the token is encrypted for. Its entity must trust the sandbox's issuer. */
function merchantOf(
  entity: Entity | null,
  wallet: WalletName,
): { readonly is: 'found'; readonly merchantId: string } | InvalidOrder {
  const fault = (says: string): InvalidOrder => ({ is: 'invalid', faults: [{ name: 'entityId', says }] });
  if (entity === null) return fault('There is no such entity.');
  if (entity.merchantId === null) return fault('Name a channel or a merchant.');
  const setting = entity.settings.wallets[wallet];
  if (setting === null) return fault(`This entity does not take ${wallet}.`);
  if (setting !== 'sandbox') return fault(`This entity has a ${wallet} of its own, whose tokens only that wallet can make.`);
  return { is: 'found', merchantId: entity.merchantId };
}

/** A token order of the page or the command line: strings by field name. */
type OrderFields = ReadonlyMap<string, string>;

/** A fault of one field, for the user who filled it in. */
export type OrderFieldFault = { readonly name: string; readonly says: string };

type InvalidOrder = { readonly is: 'invalid'; readonly faults: readonly OrderFieldFault[] };

type TokenOrder = {
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

/** Returns null for a valid string. */
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

/** Parses an order; missing fields have defaults. Returns all faults together. */
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
