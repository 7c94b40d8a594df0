import type { RegistrationStore } from '../../registrations/ports.ts';
import { type KeyStore, type RetentionStore, type SecretStore, sealedTables } from '../../vault/ports.ts';
import { type Listed, readBriefly, readFirst } from '../tables/listedRows.ts';
import {
  checkKey,
  ERASE_PORTION,
  keyCells,
  keyOf,
  nameCells,
  type PortionRow,
  placeCells,
  portionEnd,
  type RegistrationRow,
  readRegistered,
  registeredFrom,
  registrationFrom,
  registrationReads,
  registrationsAtOnce,
  registrationWrites,
  type SealedCount,
  type StoredKey,
  type StoredSealed,
  sealedBehind,
  sealedCount,
  sealedEstimate,
  sealedReads,
  sealedRowOf,
} from '../tables/registrations.ts';
import { forPostgres } from '../tables/statements.ts';
import { dueRows } from './due.ts';
import { troubleOf, writeError } from './errors.ts';
import { createGather } from './gather.ts';
import type { Parameter, Pool } from './pool.ts';
import { resealStatement } from './reseal.ts';
import { deleteInPortions, jsonCell, write } from './write.ts';

type WithSealed = RegistrationRow & { readonly sealed: Uint8Array | null };

/** Registrations and wallet tokens in PostgreSQL. */
export function postgresRegistrations(pool: Pool): RegistrationStore {
  const find = createGather<WithSealed>(pool, registrationsAtOnce);
  const whole = async ({ merchant_id, id }: Listed<RegistrationRow>) => (await find(merchant_id, id)) ?? undefined;
  return {
    registration: async (merchantId, registrationId) => {
      const row = await find(merchantId, registrationId);
      return row && readRegistered(row);
    },
    touch: async (merchantId, registrationId, { usedAt, expiresAt }) => {
      await write(pool, registrationWrites.touch, [merchantId, registrationId, usedAt, expiresAt]);
    },
    outlived: async (query) =>
      readBriefly(await dueRows<Listed<RegistrationRow>>(pool, 'outlived', query), { of: registrationFrom, whole }),
    awaitingToken: async (query) =>
      readFirst(await dueRows<Listed<WithSealed>>(pool, 'awaitingToken', query), { of: registeredFrom, whole }),
    deleteTokenUses: (now) => deleteInPortions(pool, registrationWrites.deleteTokenUses, now),
  };
}

/** Keys, secrets and everything that is sealed in PostgreSQL. */
export function postgresKeys(pool: Pool): KeyStore & RetentionStore & SecretStore {
  return {
    keys: async (owner) => {
      const rows =
        owner === null ? pool.read<StoredKey>(registrationReads.keys) : pool.read<StoredKey>(registrationReads.keysOf, [owner]);
      return (await rows).map(keyOf);
    },
    addKey: (row) => addKey(pool, row),
    rewrapKey: async (name, from, { masterId, wrapped }) =>
      (await write(pool, registrationWrites.rewrapKey, [...nameCells(name), from, masterId, wrapped])) > 0,
    reserveKey: (name, uses) => reserveKey(pool, name, uses),
    retireKey: async (name) => (await write(pool, registrationWrites.retireKey, nameCells(name))) > 0,
    sealedAfter: (after, limit) =>
      sealedBehind(after, limit, async (table, behind, most) =>
        (await pool.read<StoredSealed>(sealedReads[table], [...behind, most])).map(sealedRowOf(table)),
      ),
    countSealed: async () => {
      const counts = sealedTables.map((table) => pool.read<SealedCount>(sealedCount(table, rowsOf)));
      return sealedEstimate((await Promise.all(counts)).flat());
    },
    eraseCardData: async (from, before) => {
      const [row] = await pool.read<PortionRow>(registrationReads.cardDataPortion, [from, before, ERASE_PORTION]);
      const until = portionEnd(row, from, before);
      return { erased: await write(pool, registrationWrites.eraseCardData, [from, until]), until };
    },
    reseal: async (rows) => {
      if (rows.length === 0) return 0;
      const texts = rows.map((row) => {
        const [owner, record] = placeCells(row);
        return { place: row.table, owner, record, old: jsonCell(row.sealed), anew: jsonCell(row.anew) };
      });
      return reseal(pool, JSON.stringify(texts));
    },
    secret: async (entityId, name) => {
      const [row] = await pool.read<{ readonly sealed: Uint8Array }>(registrationReads.secret, [entityId, name]);
      return row ? new Uint8Array(row.sealed) : null;
    },
    storeSecret: async (entityId, name, sealed) => {
      if (sealed) await write(pool, registrationWrites.storeSecret, [entityId, name, sealed]);
      else await write(pool, registrationWrites.dropSecret, [entityId, name]);
    },
  };
}

/** What the server remembers from its last look through the table; it is only asked where the sample was not the whole of it. */
const rowsOf = (table: string): string =>
  `GREATEST((SELECT reltuples FROM pg_class WHERE oid = '${table}'::regclass)::bigint, count(*))`;

/**
 * Of two nodes, one finds the key that was current; the other waits for it, finds it retiring and then the new one in its place. So the
 * first statement never has an effect without the second.
 */
async function addKey(pool: Pool, row: Parameters<KeyStore['addKey']>[0]): Promise<boolean> {
  checkKey(row);
  try {
    return await pool.transaction(async (tx) => {
      await tx.run(forPostgres(registrationWrites.demoteKey), nameCells(row));
      const inserted = await tx.run(forPostgres(registrationWrites.insertKey), keyCells(row) as Parameter[]);
      return inserted.count > 0;
    });
  } catch (error) {
    throw writeError(error);
  }
}

async function reserveKey(pool: Pool, name: Parameters<KeyStore['reserveKey']>[0], uses: number): Promise<number | null> {
  try {
    const [row] = await pool.send<{ readonly number: string }>(registrationWrites.reserveKey, [...nameCells(name), uses]);
    return row ? Number(row.number) : null;
  } catch (error) {
    throw writeError(error);
  }
}

const TRIES_MAX = 10;

async function reseal(pool: Pool, rows: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      const [row] = await pool.send<{ readonly count: string }>(resealStatement, [rows]);
      return Number(row?.count ?? 0);
    } catch (error) {
      if (troubleOf(error) !== 'clash' || tries === TRIES_MAX) throw writeError(error);
    }
  }
}
