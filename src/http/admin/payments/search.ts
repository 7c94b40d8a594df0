import { amountOf } from '../../../money/amount.ts';
import {
  emailHashOf,
  type FilterValues,
  parseSearchText,
  readFamilies,
  SEARCH_EFFORT,
  type SearchCursor,
  type SearchFilters,
  type SearchFound,
  type SearchQuery,
} from '../../../payments/search/search.ts';
import { textCell } from '../../../reports/reconciliation/csv.ts';
import { ticks } from '../../../runtime/ticks.ts';
import type { AdminValues } from '../../../spec/admin/admin.ts';
import type { FoundPayment, FoundPayments } from '../../../spec/answers/payments.ts';
import {
  EXPORT_ROWS_MAX,
  type FoundColumn,
  foundColumns,
  type SearchFilterName,
  searchFilterNames,
} from '../../../spec/areas/payments.ts';
import type { Services } from '../../services.ts';
import { downloadHeaders } from '../../transport/reply.ts';
import { authorizeEntity } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { foundShown, instant } from './view.ts';

const LIMIT = 50;
/** Read, compared with their families and written in some 5 ms each; other requests come in between. */
const EXPORT_PORTION = 100;

type Values = AdminValues<'searchPayments'>;
type Filters = Omit<Values, 'after' | 'limit'>;

/** The query of a search, with its merchants. A text that is a day narrows the period. */
function questionOf(services: Pick<Services, 'digest' | 'directory'>, values: Filters): SearchQuery {
  const { directory } = services;
  const hashed = (address: string) => emailHashOf(services.digest, address);
  const { needles, range } = parseSearchText(values.text ?? '', hashed);
  const filters = filtersOf(values, hashed);
  const entity = directory.entity(values.entityId);
  const merchantIds = entity?.merchantId ? [entity.merchantId] : merchantsBelow(services, values.entityId);
  return {
    merchantIds,
    entityId: entity?.channel?.entityId ?? null,
    needles,
    ...filters,
    from: later(filters.from, range?.from ?? null),
    to: earlier(filters.to, range?.before ?? null),
    after: null,
    limit: LIMIT,
    effort: SEARCH_EFFORT,
  };
}

type Hash = (address: string) => string;

/** The value that each filter of the API becomes inside the program. */
const parsers: {
  readonly [Name in SearchFilterName]: (value: NonNullable<Values[Name]>, hash: Hash) => FilterValues[Name] | null;
} = {
  from: (instant) => instant,
  to: (instant) => instant,
  state: (state) => state,
  types: (types) => types.split(','),
  brand: (brand) => brand,
  code: (code) => code,
  currency: (currency) => currency,
  amount: (amount) => amountOf(amount) ?? null,
  last4: (last4) => last4,
  email: (address, keyedHash) => keyedHash(address),
  customer: (id) => id,
};

function filterOf<Name extends SearchFilterName>(name: Name, values: Values, hash: Hash): FilterValues[Name] | null {
  const value = values[name];
  return value === undefined ? null : parsers[name](value as NonNullable<Values[Name]>, hash);
}

const filtersOf = (values: Filters, hash: Hash): SearchFilters =>
  Object.fromEntries(searchFilterNames.map((name) => [name, filterOf(name, values, hash)])) as unknown as SearchFilters;

const later = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);
const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

const merchantsBelow = ({ directory }: Pick<Services, 'directory'>, entityId: string): readonly string[] =>
  directory.idsBelow(entityId, 'merchant');

const placeText = ({ createdAt, id }: SearchCursor): string => `${createdAt}-${id}`;

function placeOf(text: string): SearchCursor {
  const at = text.indexOf('-');
  return { createdAt: Number(text.slice(0, at)), id: text.slice(at + 1) };
}

/** Finds payments. A page scans a bounded number of rows, so it may be short and still not be the last. */
export const searchPayments = query(
  'searchPayments',
  authorizeEntity,
  async (services: Pick<Services, 'digest' | 'directory' | 'queries' | 'replies' | 'search'>, { entity, values }) => {
    const { after, limit = LIMIT, ...filters } = values;
    const searchQuery = { ...questionOf(services, filters), limit, after: after === undefined ? null : placeOf(after) };
    const { payments, next } = await services.search.search(searchQuery);
    const familyOf = await readFamilies(services.queries, payments);
    const body: FoundPayments = {
      payments: payments.map((payment) => foundShown(services, payment, familyOf(payment))),
      next: next && placeText(next),
      searchedTo: next && instant(next.createdAt),
    };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

/** Columns that the gateway writes itself, which are never formulas. */
const own: ReadonlySet<FoundColumn> = new Set([
  'amount',
  'currency',
  'createdAt',
  'code',
  'state',
  'status',
  'id',
  'shortId',
  'paymentType',
]);

function lineOf(shown: FoundPayment, columns: readonly FoundColumn[]): string {
  const cells = columns.map((name) => {
    const text = name === 'status' ? shown.status.kind : String(shown[name] ?? '');
    return own.has(name) ? text : textCell(text);
  });
  return `${cells.join(';')}\r\n`;
}

/** Streams page after page up to a limit; the last line counts the rows that were left out. */
async function* lines(
  services: Pick<Services, 'directory' | 'queries' | 'search'>,
  searchQuery: SearchQuery,
  columns: readonly FoundColumn[],
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${columns.join(';')}\r\n`);
  let after: SearchCursor | null = null;
  for (let count = 0; ; ) {
    const limit = Math.min(EXPORT_PORTION, EXPORT_ROWS_MAX - count);
    const { payments, next }: SearchFound = await services.search.search({ ...searchQuery, after, limit });
    count += payments.length;
    await ticks.next();
    const familyOf = await readFamilies(services.queries, payments);
    await ticks.next();
    const shown = payments.map((payment) => foundShown(services, payment, familyOf(payment)));
    if (shown.length > 0) yield Buffer.from(shown.map((one) => lineOf(one, columns)).join(''));
    if (next === null) return;
    if (count >= EXPORT_ROWS_MAX) {
      yield Buffer.from(`more than ${EXPORT_ROWS_MAX} rows were found: narrow the search${';'.repeat(columns.length - 1)}\r\n`);
      return;
    }
    after = next;
    await ticks.next();
  }
}

/** The same search as a file. The download is audited. */
export const exportPayments = command(
  'exportPayments',
  authorizeEntity,
  async (
    services: Pick<Services, 'digest' | 'directory' | 'queries' | 'replies' | 'search' | 'world'>,
    { entity, values },
  ): Promise<CommandResult> => {
    const { columns = foundColumns, ...filters } = values;
    const day = instant(services.world.clock.now()).slice(0, 10);
    const headers = downloadHeaders('text/csv; charset=utf-8; header=present', `payments_${day}.csv`);
    const pieces = lines(services, questionOf(services, filters), columns);
    const ndc = services.replies.ndc(entity.id);
    return { reply: { status: 200, headers, body: '', pieces, code: null, ndc, entityId: entity.id }, objectId: null };
  },
);
