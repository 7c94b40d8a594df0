import type { Cell, Placements } from '../../src/store/cells/cell.ts';
import { type CellsOptions, openCellsStore } from '../../src/store/cells/cellsStore.ts';
import { openPostgresCell } from '../../src/store/postgres/postgresStore.ts';
import type { Store } from '../../src/store/store.ts';
import { connectTo, type FreshDatabase, freshDatabase } from './freshDatabases.ts';
import type { Database, Open, Opened } from './storeFixtures.ts';
import { outboxOf } from './storeOpen.ts';

/** Three databases as one store: the first has the map and everything that belongs to no merchant, and is a cell like the others. */

const names = ['north', 'east', 'south'] as const;

/** A node on these databases. */
export async function openNode(
  urls: readonly string[],
  more: Pick<CellsOptions, 'routes' | 'newMerchantsIn'> = {},
): Promise<Store> {
  const cells: (Cell & Placements)[] = [];
  for (const [at, url] of urls.entries()) cells.push(await openPostgresCell(names[at] as string, { url, poolMax: 4 }));
  for (const cell of cells) await cell.fence();
  return openCellsStore({ control: cells[0] as Cell & Placements, cells, ...more });
}

/** Databases for the cells of one test. */
export async function freshDatabases(): Promise<readonly FreshDatabase[]> {
  const made: FreshDatabase[] = [];
  for (const _ of names) made.push(await freshDatabase());
  return made;
}

/** Tables that have a merchant in them and rows in control alone. */
const inControl = [
  'data_key',
  'risk_list_entry',
  'secret',
  'merchant_clock',
  'entity',
  'access_token',
  'document',
  'audit_entry',
];

/** Raw statements: an insertion where its merchant lives or in control, everything else in all databases. */
function rawIn(urls: readonly string[]) {
  const hands = urls.map(connectTo);
  const owned = async (statement: string): Promise<readonly (typeof hands)[number][]> => {
    const [, table] = /^\s*INSERT INTO (\w+)/i.exec(statement) ?? [];
    if (table === undefined) return hands;
    if (inControl.includes(table)) return hands.slice(0, 1);
    const texts = [...statement.matchAll(/'([^']+)'/g)].map(([, text]) => text);
    const rows = await (hands[0] as (typeof hands)[number]).unsafe('SELECT merchant_id, cell FROM merchant_cell');
    const place = rows.find(({ merchant_id }) => texts.includes(merchant_id));
    // A merchant who was never placed is owned for the sake of the statement: the fence would refuse it before anything else does.
    if (!place) {
      const owners = texts.filter((text) => /^[0-9a-f]{32}$/.test(text ?? '')).map((text) => `('${text}', 1, 'here')`);
      if (owners.length > 0)
        await (hands[0] as (typeof hands)[number]).unsafe(
          `INSERT INTO owned_merchant VALUES ${owners.join(', ')} ON CONFLICT DO NOTHING`,
        );
    }
    return [hands[place ? names.indexOf(place.cell) : 0] as (typeof hands)[number]];
  };
  const raw: Database['raw'] = async (statement) => {
    const rows: Record<string, unknown>[] = [];
    for (const hand of await owned(statement)) rows.push(...(await hand.unsafe(statement)));
    return rows;
  };
  const placeOf = async (merchantId: string) => {
    const [row] = await (hands[0] as (typeof hands)[number]).unsafe('SELECT cell FROM merchant_cell WHERE merchant_id = $1', [
      merchantId,
    ]);
    return { databaseUrl: urls[names.indexOf(row?.cell)] ?? (urls[0] as string), dataDir: '' };
  };
  return { raw, placeOf, end: () => Promise.all(hands.map((hand) => hand.end())) };
}

const openWith =
  (more: Pick<CellsOptions, 'routes'>): Open =>
  async (): Promise<Opened> => {
    const databases = await freshDatabases();
    const urls = databases.map(({ url }) => url);
    const store = await openNode(urls, more);
    const { raw, placeOf, end } = rawIn(urls);
    let isChanged = false;
    const hand: Database['raw'] = (statement) => {
      isChanged ||= !/^\s*(?:SELECT|INSERT|UPDATE|DELETE|EXPLAIN)\b/i.test(statement);
      return raw(statement);
    };
    return {
      store,
      outbox: outboxOf(raw),
      database: {
        again: () => openNode(urls, more),
        place: { databaseUrl: urls[0] as string, dataDir: '' },
        placeOf,
        raw: hand,
      },
      end: async () => {
        await end();
        await store.close();
        for (const { giveBack } of databases) await giveBack(isChanged);
      },
    };
  };

export const openCells: Open = openWith({});
export const openCellsBy = (routes: CellsOptions['routes']): Open => openWith(routes ? { routes } : {});
