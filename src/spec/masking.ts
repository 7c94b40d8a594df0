import { hasNoCardNumber, maskCardNumbers } from './cards/cardNumbers.ts';
import { parameters, rowNameOf } from './parameters.ts';
import type { Row, Secret } from './row.ts';

/**
 * Everything that masks a value reads the marks of its row: `shown` for logs, the inspector and the back office, `echoed` for the
 * errors of a reply. A name without a row hides its value: a misspelt `card.number` is one of them.
 */
const HIDDEN = '***';

/** Of a shorter number, first six and last four digits would leave too few hidden. */
const PAN_LENGTH_MIN = 14;
const ACCOUNT_LENGTH_MIN = 8;

/** The rows whose names can be sent as they stand: nearly every look-up ends here. */
const plainRows: ReadonlyMap<string, Row<unknown>> = new Map(
  Object.entries<Row<unknown>>(parameters).filter(([name]) => !name.includes('[')),
);

function rowOf(name: string): Row<unknown> | null {
  const plain = plainRows.get(name);
  if (plain) return plain;
  const rowName = rowNameOf(name);
  return rowName === undefined ? null : parameters[rowName];
}

function maskSecret(mark: Secret['shown'], text: string): string {
  switch (mark) {
    case 'firstSixLastFour':
      return /^[0-9]+$/.test(text) && text.length >= PAN_LENGTH_MIN ? text.slice(0, 6) + HIDDEN + text.slice(-4) : HIDDEN;
    case 'lastFour':
      return text.length >= ACCOUNT_LENGTH_MIN ? HIDDEN + text.slice(-4) : HIDDEN;
    case 'hidden':
      return HIDDEN;
  }
}

/** A parameter as a log may show it. */
export function maskShown(name: string, text: string): string {
  const row = rowOf(name);
  if (row === null) return HIDDEN;
  return row.secret ? maskSecret(row.secret.shown, text) : text;
}

/** Thirteen digits in a row may be a card number with a wrong digit in the wrong field. */
const DIGITS = /[0-9](?:[ -]?[0-9]){12,}/g;

/** A refused value as an answer may repeat it: at most `lengthMax` characters, and nothing in it that could be a card number. */
export function maskEchoed(row: Row<unknown> | null, text: string, lengthMax: number): string {
  if (row === null) return HIDDEN;
  if (row.secret) return maskSecret(row.secret.echoed, text);
  const start = maskCardNumbers(text.slice(0, 2 * lengthMax).replace(DIGITS, HIDDEN), { isStrict: true });
  return start.slice(0, lengthMax).toWellFormed();
}

/** Shorter secrets are too common to be looked for in other texts: a CVV is also a part of many amounts and times. */
const SECRET_LENGTH_MIN = 8;
/** How much of one text is kept, and of a name. */
const TEXT_MAX = 2_048;
const NAME = /^[\w.[\]-]{1,128}$/;
/** An IBAN, perhaps in groups. */
const IBAN = /(?<![0-9A-Za-z])[A-Z]{2}[0-9]{2}(?: ?[0-9A-Z]){11,30}(?![0-9A-Za-z])/g;
const IBAN_BEGINS = /[A-Z]{2}[0-9]{2}/;
/** Nothing shorter is the number of a card or an account. */
const NUMBER_LENGTH_MIN = 13;
const isGrouped = (text: string): boolean => text.includes(' ') || text.includes('-');

const ungrouped = (text: string): string => text.replaceAll(' ', '').replaceAll('-', '');

/** The secret texts of a request, which `maskText` looks for in every other text; each also without blanks and hyphens. */
export function secretsIn(fields: ReadonlyMap<string, string>): readonly string[] {
  const secrets = new Set<string>();
  for (const [name, text] of fields) {
    if (text.length < SECRET_LENGTH_MIN || rowOf(name)?.secret === undefined) continue;
    secrets.add(text).add(ungrouped(text));
  }
  return [...secrets];
}

function isIban(text: string): boolean {
  const account = text.replaceAll(' ', '');
  const digits = (account.slice(4) + account.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

const maskIbans = (text: string): string =>
  text.replace(IBAN, (found) => (isIban(found) ? `${HIDDEN}${found.replaceAll(' ', '').slice(-4)}` : found));

/** A free text without card numbers, IBANs and the secrets of its own request. */
export function maskText(text: string, secrets: readonly string[]): string {
  if (text.length < SECRET_LENGTH_MIN) return text;
  let shown = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  const whole = shown;
  let grouped: string | null = null;
  for (const secret of secrets) {
    if (secret.length > shown.length) continue;
    if (shown.includes(secret)) shown = shown.replaceAll(secret, HIDDEN);
    else {
      // Shoppers write numbers in groups.
      grouped ??= isGrouped(whole) ? ungrouped(whole) : '';
      if (grouped.includes(secret)) return HIDDEN;
    }
  }
  if (shown.length < NUMBER_LENGTH_MIN) return shown;
  // A text that was cut may end in the middle of a number.
  if (text.length > TEXT_MAX) shown = shown.replace(/[0-9][0-9 -]*…$/, '…');
  return maskCardNumbers(IBAN_BEGINS.test(shown) ? maskIbans(shown) : shown, { isStrict: true });
}

/** A parameter of a recorded request. */
export type MaskedField = { readonly name: string; readonly value: string; readonly isMasked?: true };

function maskField(name: string, text: string, secrets: readonly string[]): MaskedField {
  const row = rowOf(name);
  const value = row === null ? HIDDEN : row.secret ? maskSecret(row.secret.shown, text) : maskText(text, secrets);
  // The client chooses the key in the brackets; every other part of a row's name is ours.
  const isOurs = row !== null && !name.includes('[');
  const shownName = isOurs ? name : NAME.test(name) ? maskCardNumbers(name, { isStrict: true }) : HIDDEN;
  return value === text && shownName === name ? { name, value } : { name: shownName, value, isMasked: true };
}

/** The parameters of a request as the inspector keeps them; an empty value hides nothing. */
export const maskFields = (fields: ReadonlyMap<string, string>, secrets: readonly string[]): readonly MaskedField[] =>
  [...fields].map(([name, text]) => (text === '' && rowOf(name) !== null ? { name, value: '' } : maskField(name, text, secrets)));

/** The marks of secret rows by their names without indexes. */
const secretRows: ReadonlyMap<string, Secret> = new Map(
  Object.entries<Row<unknown>>(parameters).flatMap(([name, { secret }]) =>
    secret === undefined ? [] : [[name.replace(/\[[a-z]+\]/g, ''), secret] as const],
  ),
);

/** The last segments of their names: most members of an answer have another one. */
const secretEnds: ReadonlySet<string> = new Set([...secretRows.keys()].map((name) => name.slice(name.lastIndexOf('.') + 1)));

/** The mark of a member of an answer. Members of a list have the names of the table, wherever the list stands. */
function secretAt(path: readonly string[]): Secret | null {
  if (!secretEnds.has(path.at(-1) ?? '')) return null;
  for (let from = Math.max(0, path.length - 4); from < path.length; from += 1) {
    const secret = secretRows.get(path.slice(from).join('.'));
    if (secret) return secret;
  }
  return null;
}

function maskMember(value: unknown, path: readonly string[], secrets: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => maskMember(entry, path, secrets));
  if (typeof value === 'object' && value !== null) {
    const copy: Record<string, unknown> = Object.create(null);
    for (const [name, inner] of Object.entries(value))
      copy[maskText(name, secrets)] = maskMember(inner, [...path, name], secrets);
    return copy;
  }
  if (typeof value !== 'string') return value;
  const secret = secretAt(path);
  return secret === null ? maskText(value, secrets) : maskSecret(secret.shown, value);
}

/** The answer of a call as the inspector keeps it: its text, and its members as they were parsed. */
export type MaskedAnswer = { readonly text: string; readonly members: Readonly<Record<string, unknown>> };

/** Null when the body is no JSON object. */
export function maskAnswer(body: string, secrets: readonly string[]): MaskedAnswer | null {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return null;
    if (isHarmless(body, secrets)) return { text: body, members: answer as Readonly<Record<string, unknown>> };
    const members = maskMember(answer, [], secrets) as Readonly<Record<string, unknown>>;
    return { text: JSON.stringify(members), members };
  } catch {
    return null;
  }
}

const SECRET_MEMBER = new RegExp(`"(?:${[...secretEnds].join('|')})":`);

/**
 * Whether nothing in a JSON text is masked, which is so for most answers: then it is kept as it is. The whole text is searched as each of
 * its values would be; what only looks like a number across two values is searched for value by value.
 */
function isHarmless(body: string, secrets: readonly string[]): boolean {
  if (body.length > TEXT_MAX || body.includes('\\') || SECRET_MEMBER.test(body)) return false;
  if (secrets.length > 0) {
    const grouped = ungrouped(body);
    for (const secret of secrets) if (body.includes(secret) || grouped.includes(secret)) return false;
  }
  if (IBAN_BEGINS.test(body) && maskIbans(body) !== body) return false;
  return hasNoCardNumber(body);
}

/**
 * Personal data by the names of a webhook payload; a list counts as one of its entries, and everything below goes with it. Custom
 * parameters stay: they are the merchant's own names, and often the only ones that identify an order.
 */
const personalData: Readonly<Record<string, string>> = {
  customer: 'the shopper',
  billing: 'the address of the shopper',
  shipping: 'the address of the shopper or of the recipient',
  'merchant.billing': 'a person with an address',
  'merchant.shipping': 'a person with an address',
  corporate: 'the company of the shopper, which may bear a name',
  sender: 'the sender of money',
  recipient: 'the recipient of money',
  'card.holder': 'a name',
  'bankAccount.holder': 'a name',
  'virtualAccount.accountId': 'often an e-mail address',
  'virtualAccount.holder': 'a name',
  'giftCard.holder': 'the recipient of the gift',
  'giftCard.message': 'a personal message',
  'airline.passengers': 'passengers with birthday and telephone number',
  'airline.agentName': 'the agent who sold the ticket',
  'airline.ticketIssueAddress': 'where the ticket was sold or sent to',
  'airline.bookingRefNum': "opens the passenger's booking",
  'cart.items.recipient': 'the recipient of the goods',
  'cart.items.giftMessage': 'a personal message',
  'cart.items.shippingInstructions': 'often a name at an address',
  'cart.payments': 'other means of payment of the shopper',
  'threeDSecure.cardHolderInfo': 'a message of the issuer to the cardholder',
  'risk.parameters': 'what the shop knows about the shopper',
  'risk.accountToken': "the shopper's account at the shop",
};

type WithPayload = { readonly payload: Readonly<Record<string, unknown>> };

/** A webhook payload without personal data: the field set NON_CUSTOMER_DATA. */
export const withoutPersonalData = <Message extends WithPayload>(message: Message): Message => ({
  ...message,
  payload: stripMember(message.payload, '') as Readonly<Record<string, unknown>>,
});

function stripMember(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => stripMember(entry, path));
  if (typeof value !== 'object' || value === null) return value;
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const kept = Object.entries(value).filter(([name]) => !Object.hasOwn(personalData, below(name)));
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of kept) copy[name] = stripMember(inner, below(name));
  return copy;
}

/** Instruments by the names of a webhook payload; only the first six and last four digits of a card stay. */
const instruments: readonly string[] = [
  'card',
  'bankAccount',
  'virtualAccount',
  'tokenAccount',
  'giftCard',
  'networkToken',
  'wallet',
];
const instrumentDigits: readonly string[] = ['last4Digits', 'bin'];

/** A webhook payload as the back office shows it: every name stays, personal data and instruments are hidden. */
export function maskPayload<Message extends WithPayload>(message: Message): Message {
  const stripped = withoutPersonalData(message).payload;
  const payload = Object.fromEntries(
    Object.entries(message.payload).map(([name, value]) => {
      const kept = Object.hasOwn(stripped, name) ? hideMissing(value, stripped[name]) : hideAll(value, []);
      return [name, instruments.includes(name) ? hideAll(kept, instrumentDigits) : kept];
    }),
  );
  return { ...message, payload };
}

/** The value, hidden wherever `stripped` has left something out. */
function hideMissing(value: unknown, stripped: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((entry, at) => hideMissing(entry, Array.isArray(stripped) ? stripped[at] : undefined));
  }
  if (typeof value !== 'object' || value === null) return value;
  const rest = typeof stripped === 'object' && stripped !== null ? (stripped as Readonly<Record<string, unknown>>) : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      Object.hasOwn(rest, name) ? hideMissing(inner, rest[name]) : hideAll(inner, []),
    ]),
  );
}

function hideAll(value: unknown, except: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => hideAll(entry, except));
  if (typeof value !== 'object' || value === null) return value === undefined ? undefined : HIDDEN;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, except.includes(name) ? inner : hideAll(inner, except)]),
  );
}
