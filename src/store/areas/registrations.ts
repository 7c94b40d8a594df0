import { latestFor } from '../../merchants/merchantFilter.ts';
import type { RegistrationStore, StoredRegistration } from '../../registrations/ports.ts';
import type { Registration, RegistrationState } from '../../registrations/registration.ts';
import { registrationSource } from '../commit/columns.ts';
import { type BulkStatement, type Database, deleteInBatches, dueStatements, readDue, step } from '../database.ts';
import { type Listed, listedColumns, readBriefly, readData, readFirst } from '../records/listedRows.ts';
import { bytesOf } from './payments.ts';

/** Registrations, and the wallet tokens that were used. A commit writes them: see commit/. */

const readable = Object.keys(registrationSource)
  .filter((column) => column !== 'sealed')
  .join(', ');

/** In a list. */
export const listedRegistration = listedColumns(readable);

export const registrationStatements = {
  // PostgreSQL reads several with one statement.
  registration: {
    columns: ['merchant', 'record'],
    sqlite: `SELECT ${readable}, sealed FROM registration WHERE merchant_id = ?1 AND id = ?2`,
    postgres: `
  SELECT ${readable}, sealed FROM json_to_recordset(?1::text::json) AS query (merchant text, record text)
  JOIN registration ON registration.merchant_id = query.merchant AND registration.id = query.record`,
  } satisfies BulkStatement,
  // A late note of a use does not undo an extension, and one that changes nothing writes nothing.
  touch: `
    UPDATE registration
    SET used_at = CASE WHEN used_at < ?3 THEN ?3 ELSE used_at END,
      expires_at = CASE WHEN expires_at < ?4 THEN ?4 ELSE expires_at END
    WHERE merchant_id = ?1 AND id = ?2 AND state = 'active' AND (used_at < ?3 OR expires_at < ?4)`,
  outlived: dueStatements(
    (merchants) => `
    SELECT ${listedRegistration} FROM registration
    WHERE state = 'active' AND expires_at <= ?1 AND ${merchants} ORDER BY expires_at, id LIMIT ?2`,
  ),
  awaitingToken: dueStatements(
    (merchants) => `
    SELECT ${listedRegistration}, sealed FROM registration
    WHERE state = 'active' AND token_due_at IS NOT NULL AND ${merchants}
      AND (token_due_at <= ?1 OR token_due_at > ?1 + ${latestFor('networkToken', 0)})
    ORDER BY token_due_at, id LIMIT ?2`,
  ),
  // In batches, so that no commit is delayed for long.
  deleteTokenUses: `
    DELETE FROM token_use WHERE (merchant_id, wallet, token_id) IN
      (SELECT merchant_id, wallet, token_id FROM token_use WHERE until <= ?1 ORDER BY until LIMIT ?2)`,
} as const;

export function registrationMethods(db: Database): RegistrationStore {
  const find = (merchantId: string, id: string) =>
    db.find<SealedRegistrationRow>(registrationStatements.registration, merchantId, id);
  const whole = async ({ merchant_id, id }: Listed<RegistrationRow>) => (await find(merchant_id, id)) ?? undefined;
  return {
    registration: async (merchantId, registrationId) => {
      const row = await find(merchantId, registrationId);
      return row && registeredFrom(row, await readData<Registration>(row.data));
    },
    touch: async (merchantId, registrationId, { usedAt, expiresAt }) => {
      await db.write(step(registrationStatements.touch, merchantId, registrationId, usedAt, expiresAt));
    },
    outlived: async (query) =>
      readBriefly(await readDue<Listed<RegistrationRow>>(db, registrationStatements.outlived, query), {
        of: registrationFrom,
        whole,
      }),
    awaitingToken: async (query) =>
      readFirst(await readDue<Listed<SealedRegistrationRow>>(db, registrationStatements.awaitingToken, query), {
        of: registeredFrom,
        whole,
      }),
    deleteTokenUses: (now) => deleteInBatches(db, registrationStatements.deleteTokenUses, now),
  };
}

/** PostgreSQL returns large integers as strings. */
export type RegistrationRow = {
  readonly merchant_id: string;
  readonly id: string;
  readonly entity_id: string;
  readonly payment_id: string;
  readonly state: RegistrationState;
  readonly fingerprint: string | null;
  readonly created_at: string | number;
  readonly used_at: string | number;
  readonly expires_at: string | number;
  readonly token_due_at: string | number | null;
  readonly revision: string | number;
  readonly data: string;
};

export function registrationFrom(row: RegistrationRow, data: Registration): Registration {
  return {
    ...data,
    merchantId: row.merchant_id,
    id: row.id,
    entityId: row.entity_id,
    paymentId: row.payment_id,
    state: row.state,
    fingerprint: row.fingerprint,
    createdAt: Number(row.created_at),
    usedAt: Number(row.used_at),
    expiresAt: Number(row.expires_at),
    tokenDueAt: row.token_due_at === null ? null : Number(row.token_due_at),
    revision: Number(row.revision),
  };
}

type SealedRegistrationRow = RegistrationRow & { readonly sealed: Uint8Array | null };

const registeredFrom = (row: SealedRegistrationRow, data: Registration): StoredRegistration => ({
  registration: registrationFrom(row, data),
  sealed: row.sealed && bytesOf(row.sealed),
});
