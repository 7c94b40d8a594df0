import { OperatorError } from '../../app/operatorError.ts';
import { listValueOf } from '../../payments/listValue.ts';
import { entryOf, looksLikeCard } from '../../risk/lists/lists.ts';
import type { ListEntry, ListKind, ListName } from '../../risk/ports.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import { type Command, type Context, parseOptions, requiredOption, UsageError } from '../command.ts';
import { findMerchant } from '../context.ts';
import { counted, formatTable } from '../output.ts';

type Stored = Awaited<ReturnType<Context['store']>>;

/** The part of the context that the command needs. */
export type RiskListNeeds = Pick<Context, 'print' | 'printError' | 'clock'> & {
  store(): Promise<Pick<Stored, 'entities' | 'payment' | 'listEntries' | 'putListEntry' | 'removeListEntry'>>;
};

const kinds: readonly ListKind[] = ['card', 'bin', 'email', 'emailDomain', 'ip', 'country', 'customer'];
const lists: readonly ListName[] = ['block', 'allow'];

/** Entries of the block and allow lists of a merchant. */
export const riskListCommand: Command = {
  name: 'risk-list',
  summary: "put something on a merchant's block or allow list, take it off, or show what stands there",
  usage: [
    'risk-list add|remove|show --entity id [options]',
    '  --entity id    the merchant, or any of its channels: the lists are those of the merchant',
    '  --list name    block or allow; show without it shows both',
    `  --kind kind    ${kinds.join(', ')}`,
    '  --value text   what is listed: 420000, ann@shop.example, shop.example, 203.0.113.0/24, DE, customer-7',
    '  --payment id   take it from this payment; the only way to name a card, because card numbers are never typed',
    '  --days n       the entry expires after so many days; without it it stays',
  ].join('\n'),
  run: (words, context) => riskList(words, context),
};

const actions = { add, remove, show } as const;
type Texts = ReturnType<typeof parseOptions<'entity' | 'list' | 'kind' | 'value' | 'payment' | 'days'>>;
type TargetList = { readonly merchantId: string; readonly name: string };

export async function riskList([action, ...words]: readonly string[], context: RiskListNeeds): Promise<number> {
  if (action === undefined || !Object.hasOwn(actions, action)) throw new UsageError('say what to do: add, remove or show');
  const texts = parseOptions(words, ['entity', 'list', 'kind', 'value', 'payment', 'days']);
  const { merchantId, tree } = await findMerchant(await context.store(), requiredOption(texts.entity, 'entity'));
  return actions[action as keyof typeof actions](texts, { merchantId, name: tree.get(merchantId)?.name ?? merchantId }, context);
}

const DAYS_MAX = 3_650;
const ENTRIES_MAX = 100_000;

async function add(texts: Texts, { merchantId, name }: TargetList, context: RiskListNeeds): Promise<number> {
  const now = context.clock.now();
  const store = await context.store();
  const expiresAt = texts.days === undefined ? null : now + daysOf(texts.days) * DAY_MS;
  const entry = { ...(await entryIn(texts, merchantId, { store, isNew: true })), expiresAt };
  const standing = await store.listEntries(now, merchantId);
  if (standing.length >= ENTRIES_MAX) throw new OperatorError(`the lists of ${name} are full: ${ENTRIES_MAX} entries`);
  const before = standing.find((one) => isSame(one, entry));
  await store.putListEntry(entry);
  context.print(`${spoken(entry)} is on the ${entry.list} list of ${name}, ${leftOf(entry, now)}.`);
  if (before) context.printError(`It stood there before, ${leftOf(before, now)}.`);
  context.printError('A running gateway knows it within seconds.');
  return 0;
}

async function remove(texts: Texts, { merchantId, name }: TargetList, context: RiskListNeeds): Promise<number> {
  if (texts.days !== undefined) throw new UsageError('--days: goes with add');
  const store = await context.store();
  const entry = await entryIn(texts, merchantId, { store, isNew: false });
  if (!(await store.removeListEntry(entry)))
    throw new OperatorError(`${spoken(entry)} is not on the ${entry.list} list of ${name}`);
  context.print(`${spoken(entry)} is off the ${entry.list} list of ${name}.`);
  return 0;
}

async function show(texts: Texts, { merchantId, name }: TargetList, context: RiskListNeeds): Promise<number> {
  for (const option of ['value', 'payment', 'days'] as const)
    if (texts[option] !== undefined) throw new UsageError(`--${option}: goes with add and remove`);
  const list = texts.list === undefined ? null : listOf(texts.list);
  const kind = texts.kind === undefined ? null : kindOf(texts.kind);
  const now = context.clock.now();
  const all = await (await context.store()).listEntries(now, merchantId);
  const entries = all.filter((entry) => (list === null || entry.list === list) && (kind === null || entry.kind === kind));
  if (entries.length > 0) {
    const rows = entries.map((entry) => [entry.list, entry.kind, entry.value, leftOf(entry, now)]).sort(inOrder);
    for (const line of formatTable([['LIST', 'KIND', 'VALUE', 'STAYS'], ...rows])) context.print(line);
  }
  context.printError(
    entries.length === 0
      ? `Nothing of that is on the lists of ${name}.`
      : `${counted(entries.length, 'entry', 'entries')} of ${name}`,
  );
  return 0;
}

const inOrder = (one: readonly string[], other: readonly string[]): number => (one.join('\n') < other.join('\n') ? -1 : 1);

const isSame = (one: ListEntry, other: ListEntry): boolean =>
  one.list === other.list && one.kind === other.kind && one.value === other.value;

/** The fingerprint of a card means nothing to a reader. */
const spoken = ({ kind, value }: Pick<ListEntry, 'kind' | 'value'>): string =>
  kind === 'card' ? 'The card' : `${kind} ${value}`;

function leftOf({ expiresAt }: ListEntry, now: number): string {
  if (expiresAt === null) return 'for ever';
  const hours = Math.max(1, Math.ceil((expiresAt - now) / HOUR_MS));
  return hours > 48 ? `${Math.round(hours / 24)} days more` : `${hours} hours more`;
}

function listOf(text: string): ListName {
  const list = lists.find((name) => name === text);
  if (!list) throw new UsageError(`--list: choose one of ${lists.join(', ')}`);
  return list;
}

function kindOf(text: string): ListKind {
  const kind = kinds.find((name) => name === text);
  if (!kind) throw new UsageError(`--kind: choose one of ${kinds.join(', ')}`);
  return kind;
}

function daysOf(text: string): number {
  const days = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > DAYS_MAX) throw new UsageError(`--days: a whole number from 1 to ${DAYS_MAX}`);
  return days;
}

type Reading = { readonly store: Pick<Stored, 'payment'>; readonly isNew: boolean };

/** The entry that the words name, in the form in which it is kept. */
async function entryIn(texts: Texts, merchantId: string, { store, isNew }: Reading): Promise<ListEntry> {
  const [list, kind] = [listOf(requiredOption(texts.list, 'list')), kindOf(requiredOption(texts.kind, 'kind'))];
  if ((texts.value === undefined) === (texts.payment === undefined)) throw new UsageError('give either --value or --payment');
  const value = texts.value === undefined ? await valueFrom(texts.payment ?? '', kind, { store, merchantId }) : texts.value;
  refuseNumber(value, kind, isNew && texts.value !== undefined);
  const entry = entryOf({ merchantId, list, kind, value, expiresAt: null });
  if (!entry) throw new OperatorError(`--value: ${JSON.stringify(value)} is no ${kind}`);
  return entry;
}

const INSTEAD = 'name a payment that the card paid, with --payment';

/** Arguments stay in the history of the shell and in the list of processes, so a card number must not be one. */
function refuseNumber(value: string, kind: ListKind, isTypedAnew: boolean): void {
  if (looksLikeCard(value, kind)) {
    throw new OperatorError(
      `--value: this looks like a card number. It is not stored, but your shell may remember it: clear its history, and ${INSTEAD}.`,
    );
  }
  if (kind === 'card' && isTypedAnew) throw new UsageError(`--value: a card is not typed; ${INSTEAD}`);
}

type Where = { readonly store: Pick<Stored, 'payment'>; readonly merchantId: string };

async function valueFrom(paymentId: string, kind: ListKind, { store, merchantId }: Where): Promise<string> {
  const payment = await store.payment(merchantId, paymentId);
  if (!payment) throw new OperatorError(`--payment: this merchant has no payment ${JSON.stringify(paymentId)}`);
  const value = listValueOf(payment, kind);
  if (value === null)
    throw new OperatorError(`--payment: it has no ${kind}${kind === 'country' ? ' alone; give it with --value' : ''}`);
  return value;
}
