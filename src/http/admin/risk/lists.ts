import { listValueOf } from '../../../payments/listValue.ts';
import { instantShown, maskedNumber } from '../../../payments/reply/paymentView.ts';
import { entryOf, looksLikeCard } from '../../../risk/lists/lists.ts';
import type { ListEntry, ListKind } from '../../../risk/ports.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { EntryPage, EntryView, Imported } from '../../../spec/answers/risk.ts';
import { listKinds } from '../../../spec/areas/risk.ts';
import { DAY_MS } from '../../../spec/time.ts';
import type { StoredDocument } from '../../../users/documents.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { authorizeEntity, faulty, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { PAGE, paymentWithin, reachOf } from '../listings/reach.ts';
import { notMerchant } from './backtest.ts';

/** Block and allow lists. They belong to the merchant; its channels see and change them too. */

const LINES_MAX = 2_000;
/** The masked number of a listed card, by its keyed hash: the list itself holds nothing else of the card. */
const CARD_COLLECTION = 'listedCard';

type ShownCard = { readonly shown: string };

const merchantOf = ({ directory }: Pick<Services, 'directory'>, entityId: string): string | null =>
  directory.entity(entityId)?.merchantId ?? null;

const cardId = (merchantId: string, fingerprint: string): string => `${merchantId}.${fingerprint}`;

async function cardShown({ risk }: Pick<Services, 'risk'>, merchantId: string, fingerprint: string): Promise<string | null> {
  const document = (await risk.store.document(
    CARD_COLLECTION,
    cardId(merchantId, fingerprint),
  )) as StoredDocument<ShownCard> | null;
  return document?.body.shown ?? null;
}

async function entrySeen(
  services: Pick<Services, 'risk'>,
  { merchantId, list, kind, value, expiresAt }: ListEntry,
): Promise<EntryView> {
  const shown = kind === 'card' ? await cardShown(services, merchantId, value) : value;
  return { list, kind, value, shown, expiresAt: expiresAt === null ? null : instantShown(expiresAt) };
}

type EntryCursor = Pick<ListEntry, 'list' | 'kind' | 'value'>;

const cursorText = ({ list, kind, value }: EntryCursor): string =>
  Buffer.from(JSON.stringify([list, kind, value])).toString('base64url');

function cursorOf(text: string): EntryCursor | null {
  try {
    const [list, kind, value] = JSON.parse(Buffer.from(text, 'base64url').toString()) as readonly unknown[];
    const isPlace = [list, kind, value].every((one) => typeof one === 'string' && !one.includes('\0'));
    return isPlace ? ({ list, kind, value } as EntryCursor) : null;
  } catch {
    return null;
  }
}

const listRiskEntries = query(
  'listRiskEntries',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'risk' | 'world'>, { entity, values }) => {
    const merchantId = merchantOf(services, entity.id);
    if (merchantId === null) return notMerchant(services, entity.id);
    const { list = null, kind = null, search, after, limit = PAGE } = values;
    const cursor = after === undefined ? null : cursorOf(after);
    if (after !== undefined && !cursor)
      return faulty(services, entity.id, { name: 'after', value: null, message: 'must be as it was answered' });
    const found = await services.risk.store.entriesListed({
      merchantId,
      list,
      kind,
      after: cursor,
      limit,
      now: services.world.clock.now(),
      containing: search === undefined ? null : search.toLowerCase(),
    });
    const last = found.length === limit ? found.at(-1) : undefined;
    const entries = await Promise.all(found.map((entry) => entrySeen(services, entry)));
    const body: EntryPage = { entries, next: last ? cursorText(last) : null };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

/** A new entry; of a card its number, or a payment that it made. */
type NewEntry = {
  readonly merchantId: string;
  readonly list: ListEntry['list'];
  readonly kind: ListKind;
  readonly expiresAt: number | null;
};
type EntryResult =
  | { readonly is: 'entry'; readonly entry: ListEntry; readonly shown: string | null }
  | { readonly is: 'faulty'; readonly fault: string };

const wrong = (fault: string): EntryResult => ({ is: 'faulty', fault });

/** The entry of a typed value. A card number becomes its keyed hash here, and goes no further. */
async function entryFromText({ risk }: Pick<Services, 'risk'>, newEntry: NewEntry, value: string): Promise<EntryResult> {
  if (newEntry.kind === 'card') {
    const number = value.replace(/[\s.-]/g, '');
    if (!looksLikeCard(number, 'card')) return wrong('must be the number of a card: 12 to 19 digits');
    const fingerprint = await risk.fingerprint(newEntry.merchantId, number);
    return {
      is: 'entry',
      entry: { ...newEntry, value: fingerprint },
      shown: maskedNumber(number.length >= 14 ? number.slice(0, 6) : null, number.slice(-4)),
    };
  }
  if (looksLikeCard(value, newEntry.kind)) return wrong('looks like the number of a card, which is listed as a card');
  const entry = entryOf({ ...newEntry, value });
  return entry ? { is: 'entry', entry, shown: null } : wrong(`is no ${newEntry.kind}`);
}

async function keep(
  { risk, world }: Pick<Services, 'risk' | 'world'>,
  { entry, shown }: Extract<EntryResult, { entry: ListEntry }>,
): Promise<boolean> {
  if (!(await risk.lists.put(entry))) return false;
  if (shown === null) return true;
  const id = cardId(entry.merchantId, entry.value);
  const document = {
    collection: CARD_COLLECTION,
    id,
    ownerId: entry.merchantId,
    at: world.clock.now(),
    revision: 1,
    body: { shown },
  };
  // The document exists already when the card was listed before.
  await risk.store.saveDocuments([document]);
  return true;
}

const full = (services: Pick<Services, 'replies'>, entityId: string): Reply =>
  faulty(services, entityId, { name: 'list', value: null, message: 'is full: take off what is not needed any more' });

const expiryOf = ({ world }: Pick<Services, 'world'>, days: number | undefined): number | null =>
  days === undefined ? null : world.clock.now() + days * DAY_MS;

const putRiskEntry = command(
  'putRiskEntry',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'risk' | 'world'>, { entity, values }): Promise<CommandResult> => {
    const acted = (reply: Reply): CommandResult => ({ reply, objectId: null });
    const merchantId = merchantOf(services, entity.id);
    if (merchantId === null) return acted(notMerchant(services, entity.id));
    const { list, kind, value, paymentId, days } = values;
    if ((value === undefined) === (paymentId === undefined))
      return acted(faulty(services, entity.id, { name: 'value', value: null, message: 'send either value or paymentId' }));
    const newEntry = { merchantId, list, kind, expiresAt: expiryOf(services, days) };
    const found =
      value === undefined
        ? await entryFromPayment(services, newEntry, { entityId: entity.id, paymentId: paymentId ?? '' })
        : await entryFromText(services, newEntry, value);
    if (found.is === 'faulty') {
      const name = value === undefined ? 'paymentId' : 'value';
      return acted(
        faulty(services, entity.id, { name, value: name === 'value' ? '***' : (paymentId ?? null), message: found.fault }),
      );
    }
    if (!(await keep(services, found))) return acted(full(services, entity.id));
    return acted(
      services.replies.json(200, (await entrySeen(services, found.entry)) satisfies AdminAnswer<'putRiskEntry'>, {
        entityId: entity.id,
      }),
    );
  },
);

async function entryFromPayment(
  services: Pick<Services, 'directory' | 'risk'>,
  newEntry: NewEntry,
  { entityId, paymentId }: { readonly entityId: string; readonly paymentId: string },
): Promise<EntryResult> {
  const payment = await paymentWithin(services, reachOf(services, entityId), paymentId);
  if (!payment) return wrong('is no payment of this merchant');
  const value = listValueOf(payment, newEntry.kind);
  const { instrument } = payment;
  const entry = value === null ? null : entryOf({ ...newEntry, value });
  if (!entry) return wrong(`tells no ${newEntry.kind}`);
  const isCard = newEntry.kind === 'card' && instrument?.kind === 'card';
  return { is: 'entry', entry, shown: isCard ? maskedNumber(instrument.bin, instrument.last4Digits) : null };
}

const removeRiskEntry = command(
  'removeRiskEntry',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'risk'>, { entity, values }): Promise<CommandResult> => {
    const merchantId = merchantOf(services, entity.id);
    if (merchantId === null) return { reply: notMerchant(services, entity.id), objectId: null };
    const { list, kind, value } = values;
    const isGone = await services.risk.lists.remove({ merchantId, list, kind, value });
    return {
      reply: isGone
        ? services.replies.json(200, { removed: true } satisfies AdminAnswer<'removeRiskEntry'>, { entityId: entity.id })
        : noSuch(services, 'entry'),
      objectId: null,
    };
  },
);

const importRiskEntries = command(
  'importRiskEntries',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'risk' | 'world'>, { entity, values }): Promise<CommandResult> => {
    const acted = (reply: Reply): CommandResult => ({ reply, objectId: null });
    const merchantId = merchantOf(services, entity.id);
    if (merchantId === null) return acted(notMerchant(services, entity.id));
    const lines = values.lines.split(/\r?\n/).map((text, at) => ({ text: text.trim(), name: `line ${at + 1}` }));
    const entryLines = lines.filter(({ text }) => text !== '' && !text.startsWith('#'));
    if (entryLines.length > LINES_MAX)
      return acted(faulty(services, entity.id, { name: 'lines', value: null, message: `must be at most ${LINES_MAX} lines` }));
    const newEntry = { merchantId, list: values.list, expiresAt: expiryOf(services, values.days) };
    const read = await Promise.all(
      entryLines.map(async ({ text, name }) => ({ name, found: await lineOf(services, newEntry, text) })),
    );
    const faults = read.flatMap(({ name, found }) =>
      found.is === 'faulty' ? [{ name, value: '***', message: found.fault }] : [],
    );
    if (faults.length > 0) return acted(faulty(services, entity.id, ...faults.slice(0, PAGE)));
    for (const { found } of read)
      if (found.is === 'entry' && !(await keep(services, found))) return acted(full(services, entity.id));
    return acted(services.replies.json(200, { entries: read.length } satisfies Imported, { entityId: entity.id }));
  },
);

function lineOf(
  services: Pick<Services, 'risk'>,
  newEntry: Omit<NewEntry, 'kind'>,
  text: string,
): Promise<EntryResult> | EntryResult {
  const [, word = '', value = ''] = /^([A-Za-z]+)\s*[,;\t]\s*(.+)$/.exec(text) ?? [];
  const kind = listKinds.find((one) => one === word);
  return kind
    ? entryFromText(services, { ...newEntry, kind }, value.trim())
    : wrong(`must begin with one of ${listKinds.join(', ')} and a comma`);
}

export const listHandlers = { listRiskEntries, putRiskEntry, removeRiskEntry, importRiskEntries };
