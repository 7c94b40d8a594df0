import type { DueQuery } from '../../merchants/merchantFilter.ts';
import { latestFor, matchesMerchant } from '../../merchants/merchantFilter.ts';
import type { ThreeDS } from '../../payments/payment.ts';
import type { RegistrationStore } from '../../registrations/ports.ts';
import type { Registration } from '../../registrations/registration.ts';
import {
  type KeyName,
  type KeyRow,
  type KeyStore,
  type RetentionStore,
  type SealedLocation,
  type SealedRow,
  type SecretStore,
  sealedFields,
  sealedTables,
} from '../../vault/ports.ts';
import { checkKey, placeCells } from '../areas/vault.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

type Methods = RegistrationStore & KeyStore & RetentionStore & SecretStore;

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
const keyAt = ({ owner, purpose, version }: KeyName): string => join(owner, purpose, String(version));

type SkewedDueQuery = DueQuery & { readonly latest?: number };

/** A registration that is due later than `latest` is due now: a clock was put back. */
function activeBy(
  tables: Tables,
  instant: (one: Registration) => number | null,
  { now, limit, merchants, latest = Number.POSITIVE_INFINITY }: SkewedDueQuery,
) {
  const isDue = (at: number | null) => at !== null && (at <= now || at > latest);
  const timeOf = (one: Registration) => instant(one) ?? Number.POSITIVE_INFINITY;
  return [...tables.registrations.values()]
    .filter(({ registration }) => registration.state === 'active' && isDue(instant(registration)))
    .filter(({ registration }) => matchesMerchant(merchants, registration.merchantId))
    .sort(({ registration: one }, { registration: other }) => timeOf(one) - timeOf(other) || (one.id < other.id ? -1 : 1))
    .slice(0, limit);
}

/** Registrations, wallet tokens, keys and secrets as the databases answer about them. */
export const registrationMethods = (tables: Tables, whileOpen: WhileOpen): Methods => ({
  ...registrationsIn(tables, whileOpen),
  ...keysIn(tables, whileOpen),
  ...sealedIn(tables, whileOpen),
});

function registrationsIn(tables: Tables, whileOpen: WhileOpen): RegistrationStore {
  const { registrations, tokenUses } = tables;
  return {
    registration: whileOpen((merchantId, registrationId) => registrations.get(join(merchantId, registrationId)) ?? null),
    touch: whileOpen((merchantId, registrationId, { usedAt, expiresAt }) => {
      const at = join(merchantId, registrationId);
      const found = registrations.get(at);
      if (found?.registration.state !== 'active') return;
      const { registration } = found;
      const times = { usedAt: Math.max(registration.usedAt, usedAt), expiresAt: Math.max(registration.expiresAt, expiresAt) };
      registrations.set(at, { ...found, registration: { ...registration, ...times } });
    }),
    outlived: whileOpen((query) => activeBy(tables, ({ expiresAt }) => expiresAt, query).map(({ registration }) => registration)),
    awaitingToken: whileOpen((query) =>
      activeBy(tables, ({ tokenDueAt }) => tokenDueAt, { ...query, latest: latestFor('networkToken', query.now) }),
    ),
    deleteTokenUses: whileOpen((now) => {
      const old = [...tokenUses].filter(([, { until }]) => until <= now);
      for (const [at] of old) tokenUses.delete(at);
      return old.length;
    }),
  };
}

type Keys = Pick<KeyStore, 'keys' | 'addKey' | 'rewrapKey' | 'reserveKey' | 'retireKey'>;

function byName(one: KeyRow, other: KeyRow): number {
  if (one.owner !== other.owner) return one.owner < other.owner ? -1 : 1;
  if (one.purpose !== other.purpose) return one.purpose < other.purpose ? -1 : 1;
  return one.version - other.version;
}

function keysIn({ keys }: Tables, whileOpen: WhileOpen): Keys {
  return {
    keys: whileOpen((owner) => [...keys.values()].filter((row) => owner === null || row.owner === owner).sort(byName)),
    addKey: whileOpen((row) => {
      checkKey(row);
      if (keys.has(keyAt(row))) return false;
      for (const [at, other] of keys) {
        const isReplaced = other.owner === row.owner && other.purpose === row.purpose && other.state === 'current';
        if (isReplaced) keys.set(at, { ...other, state: 'retiring' });
      }
      keys.set(keyAt(row), row);
      return true;
    }),
    rewrapKey: whileOpen((name, from, { masterId, wrapped }) => {
      const row = keys.get(keyAt(name));
      if (row?.masterId !== from || row.state === 'retired') return false;
      keys.set(keyAt(name), { ...row, masterId, wrapped });
      return true;
    }),
    reserveKey: whileOpen((name, uses) => {
      const row = keys.get(keyAt(name));
      if (!row) return null;
      keys.set(keyAt(name), { ...row, reserved: row.reserved + uses });
      return row.reserved + uses;
    }),
    retireKey: whileOpen((name) => {
      const row = keys.get(keyAt(name));
      if (row?.state !== 'retiring') return false;
      keys.set(keyAt(name), { ...row, state: 'retired', wrapped: null });
      return true;
    }),
  };
}

function sealedIn(tables: Tables, whileOpen: WhileOpen): Omit<KeyStore, keyof Keys> & RetentionStore & SecretStore {
  const { secrets } = tables;
  return {
    sealedAfter: whileOpen((after, limit) => {
      const rows = allSealed(tables).sort(byPlace);
      return rows.filter((row) => after === null || byPlace(after, row) < 0).slice(0, limit);
    }),
    countSealed: whileOpen(() => allSealed(tables).length),
    eraseCardData: whileOpen((from, before) => {
      const old = [...tables.payments].filter(([, { createdAt }]) => createdAt >= from && createdAt < before);
      return { erased: old.filter(([at]) => tables.sealed.delete(at)).length, until: before };
    }),
    reseal: whileOpen((rows) => rows.filter((row) => resealOne(tables, row)).length),
    secret: whileOpen((entityId, name) => secrets.get(join(entityId, name))?.sealed ?? null),
    storeSecret: whileOpen((entityId, name, sealed) => {
      if (sealed) secrets.set(join(entityId, name), { entityId, name, sealed });
      else secrets.delete(join(entityId, name));
    }),
  };
}

function byPlace(one: SealedLocation, other: SealedLocation): number {
  const [[owner, record], [otherOwner, otherRecord]] = [placeCells(one), placeCells(other)];
  const between = sealedTables.indexOf(one.table) - sealedTables.indexOf(other.table);
  if (between !== 0) return between;
  if (owner !== otherOwner) return owner < otherOwner ? -1 : 1;
  return record === otherRecord ? 0 : record < otherRecord ? -1 : 1;
}

function allSealed({ payments, sealed, registrations, secrets }: Tables): SealedRow[] {
  return [
    ...[...sealed].flatMap(([at, text]): SealedRow[] => {
      const payment = payments.get(at);
      if (!payment) return [];
      const { merchantId, entityId, id } = payment;
      return [{ table: 'payment', merchantId, entityId, recordId: id, field: sealedFields.payment, sealed: text }];
    }),
    ...[...payments.values()].flatMap(({ merchantId, entityId, id, threeDS }): SealedRow[] =>
      threeDS?.sealedProof
        ? [{ table: 'proof', merchantId, entityId, recordId: id, field: sealedFields.proof, sealed: proofBytes(threeDS) }]
        : [],
    ),
    ...[...registrations.values()].flatMap(({ registration: { merchantId, entityId, id }, sealed: text }): SealedRow[] =>
      text ? [{ table: 'registration', merchantId, entityId, recordId: id, field: sealedFields.registration, sealed: text }] : [],
    ),
    ...[...secrets.values()].map(
      ({ entityId, name, sealed: text }): SealedRow => ({
        table: 'secret',
        merchantId: entityId,
        entityId,
        recordId: entityId,
        field: name,
        sealed: text,
      }),
    ),
  ];
}

const proofBytes = ({ sealedProof }: ThreeDS): Uint8Array => new Uint8Array(Buffer.from(sealedProof ?? '', 'base64'));

function resealOne(
  { payments, open, sealed, registrations, secrets }: Tables,
  { anew, ...row }: SealedRow & { readonly anew: Uint8Array },
): boolean {
  const at = join(...placeCells(row));
  const [registered, secret] = [registrations.get(at), secrets.get(at)];
  const payment = payments.get(at);
  const proof = payment?.threeDS?.sealedProof ? proofBytes(payment.threeDS) : undefined;
  const now = { payment: sealed.get(at), proof, registration: registered?.sealed, secret: secret?.sealed }[row.table];
  if (!now || !sameBytes(now, row.sealed)) return false;
  if (row.table === 'payment') sealed.set(at, anew);
  else if (row.table === 'proof' && payment?.threeDS) {
    const sealedProof = Buffer.from(anew).toString('base64');
    const resealed = { ...payment, threeDS: { ...payment.threeDS, sealedProof } };
    payments.set(at, resealed);
    if (open.has(at)) open.set(at, resealed);
  } else if (row.table === 'registration' && registered) registrations.set(at, { ...registered, sealed: anew });
  else if (secret) secrets.set(at, { ...secret, sealed: anew });
  return true;
}
