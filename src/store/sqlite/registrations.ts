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
  resealIn,
  type SealedCount,
  type StoredKey,
  type StoredSealed,
  sealedBehind,
  sealedEstimate,
  sealedRowOf,
  textCells,
} from '../tables/registrations.ts';
import { DELETE_PORTION } from '../tables/statements.ts';
import { NOTHING, type WriteStep } from './jobs.ts';
import { dueRows, type Reads } from './reads.ts';
import type { Writer } from './threads.ts';

type WithSealed = RegistrationRow & { readonly sealed: Uint8Array | null };

export const write = (writer: Writer, ...steps: readonly WriteStep[]): Promise<number> => writer.ask({ do: 'write', steps });

/** Portion after portion, so that commits come in between. */
export async function deleteInPortions(
  writer: Writer,
  name:
    | 'deleteDirectoryChanges'
    | 'deleteIdempotencyKeys'
    | 'deleteTokenUses'
    | 'deleteListEntries'
    | 'deleteCheckouts'
    | 'deleteDeliveries'
    | 'deleteEvents',
  until: number,
): Promise<number> {
  for (let sum = 0; ; ) {
    const forgotten = await write(writer, [name, until, DELETE_PORTION]);
    sum += forgotten;
    if (forgotten < DELETE_PORTION) return sum;
  }
}

/** Registrations and wallet tokens in SQLite. */
export function sqliteRegistrations(read: Reads, writer: Writer): RegistrationStore {
  const whole = ({ merchant_id, id }: Listed<RegistrationRow>) => read.all<WithSealed>('registration', merchant_id, id)[0];
  return {
    registration: async (merchantId, registrationId) => {
      const [row] = read.all<WithSealed>('registration', merchantId, registrationId);
      return row ? readRegistered(row) : null;
    },
    touch: async (merchantId, registrationId, { usedAt, expiresAt }) => {
      await write(writer, ['touch', merchantId, registrationId, usedAt, expiresAt]);
    },
    outlived: async (query) =>
      readBriefly(dueRows<Listed<RegistrationRow>>(read, 'outlived', query), { of: registrationFrom, whole }),
    awaitingToken: async (query) =>
      readFirst(dueRows<Listed<WithSealed>>(read, 'awaitingToken', query), { of: registeredFrom, whole }),
    deleteTokenUses: (now) => deleteInPortions(writer, 'deleteTokenUses', now),
  };
}

/** Keys, secrets and everything that is sealed in SQLite. */
export function sqliteKeys(read: Reads, writer: Writer): KeyStore & RetentionStore & SecretStore {
  return {
    keys: async (owner) => (owner === null ? read.all<StoredKey>('keys') : read.all<StoredKey>('keysOf', owner)).map(keyOf),
    addKey: async (row) => {
      checkKey(row);
      return (await write(writer, ['demoteKey', ...nameCells(row)], ['insertKey', ...keyCells(row)])) > 0;
    },
    rewrapKey: async (name, from, { masterId, wrapped }) =>
      (await write(writer, ['rewrapKey', ...nameCells(name), from, masterId, wrapped])) > 0,
    reserveKey: async (name, uses) => {
      const reserved = await write(writer, ['reserveKey', ...nameCells(name), uses]);
      return reserved === NOTHING ? null : reserved;
    },
    retireKey: async (name) => (await write(writer, ['retireKey', ...nameCells(name)])) > 0,
    sealedAfter: (after, limit) =>
      sealedBehind(after, limit, async (table, behind, most) =>
        read.all<StoredSealed>(`sealed in ${table}`, ...behind, most).map(sealedRowOf(table)),
      ),
    countSealed: async () => sealedEstimate(sealedTables.flatMap((table) => read.all<SealedCount>(`count in ${table}`))),
    eraseCardData: async (from, before) => {
      const [row] = read.all<PortionRow>('cardDataPortion', from, before, ERASE_PORTION);
      const until = portionEnd(row, from, before);
      return { erased: await write(writer, ['eraseCardData', from, until]), until };
    },
    reseal: (rows) =>
      write(writer, ...rows.map((row): WriteStep => [resealIn[row.table], ...placeCells(row), ...textCells(row)])),
    secret: async (entityId, name) => read.all<{ readonly sealed: Uint8Array }>('secret', entityId, name)[0]?.sealed ?? null,
    storeSecret: async (entityId, name, sealed) => {
      await write(writer, sealed ? ['storeSecret', entityId, name, sealed] : ['dropSecret', entityId, name]);
    },
  };
}
