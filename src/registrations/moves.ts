import type { CodeThat, ResultCode } from '../spec/resultCodes.ts';
import { DAY_MS } from '../spec/time.ts';
import type { NetworkToken } from './instrument.ts';
import type { Registration, RegistrationState, Series } from './registration.ts';

/**
 * From where to where a registration moves; `active` to itself is a change of what it holds. A rejected one holds nothing, and a request to
 * delete it is refused. Every store refuses all other moves, see test/contract/storeRegistrationTransitions.ts.
 */
export const registrationTransitions: Readonly<Record<RegistrationState, readonly RegistrationState[]>> = {
  open: ['active', 'rejected', 'deleted'],
  active: ['active', 'deleted'],
  rejected: [],
  deleted: [],
};

type Refusal = CodeThat<'refused'>;

/** Why it cannot be charged; null when it can. */
export const refusalOfUse: Readonly<Record<RegistrationState, Refusal | null>> = {
  open: '100.150.201',
  active: null,
  rejected: '100.150.203',
  deleted: '100.150.202',
};

function changed(registration: Registration, now: number, change: Partial<Registration>): Registration {
  const { state = registration.state } = change;
  if (!registrationTransitions[registration.state].includes(state)) {
    throw new Error(`a registration that is ${registration.state} does not become ${state}`);
  }
  const next = { ...registration, ...change, movedAt: now, revision: registration.revision + 1 };
  return { ...next, expiresAt: retainedUntil(next) };
}

type Settlement = {
  readonly isApproved: boolean;
  readonly code: ResultCode;
  readonly series: Series | null;
  /** The account that took it in the end. */
  readonly connector: string;
};

/** The transaction that makes it is decided: usable if it was approved, otherwise never. */
export const settled = (registration: Registration, now: number, { isApproved, code, series, connector }: Settlement) =>
  changed(registration, now, {
    state: isApproved ? 'active' : 'rejected',
    code,
    connector,
    series: isApproved ? series : null,
    tokenDueAt: isApproved ? registration.tokenDueAt : null,
  });

/** A new series was begun with it. */
export const joined = (registration: Registration, now: number, series: Series) => changed(registration, now, { series });

export const deleted = (registration: Registration, now: number) =>
  changed(registration, now, { state: 'deleted', code: '100.150.202', networkToken: null, tokenDueAt: null });

export const extended = (registration: Registration, now: number) =>
  changed(registration, now, { extendedUntil: extension(now) });

export const withToken = (registration: Registration, now: number, { number, expiryMonth, expiryYear }: NetworkToken) =>
  changed(registration, now, {
    networkToken: { last4Digits: number.slice(-4), expiryMonth, expiryYear },
    tokenDueAt: null,
  });

/** The scheme gave no token: it is asked again then, or never. */
export const withoutToken = (registration: Registration, now: number, againAt: number | null) =>
  changed(registration, now, { tokenDueAt: againAt, tokenTries: registration.tokenTries + 1 });

/** A use worth noting: once a day is enough to tell how long it must be kept. */
export function usedAgain(
  registration: Registration,
  now: number,
): { readonly usedAt: number; readonly expiresAt: number } | null {
  if (now - registration.usedAt < DAY_MS) return null;
  return { usedAt: now, expiresAt: retainedUntil({ ...registration, usedAt: now }) };
}

/** Stored details are kept 14 months after the card's expiry, or after the last use of what does not expire. */
const RETENTION_MONTHS = 14;
const EXTENSION_MONTHS = 24;

/** The same day so many months later; the last of the month where it has no such day. */
export function monthsAfter(instant: number, months: number): number {
  const at = new Date(instant);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, lastDay));
  return at.getTime();
}

/** Until when a registration may be kept, by its instrument, its last use and its extension. */
export function retainedUntil({
  instrument,
  usedAt,
  extendedUntil,
}: Pick<Registration, 'instrument' | 'usedAt' | 'extendedUntil'>): number {
  const end =
    instrument.kind === 'card'
      ? Date.UTC(Number(instrument.expiryYear), Number(instrument.expiryMonth) + RETENTION_MONTHS, 1)
      : monthsAfter(usedAt, RETENTION_MONTHS);
  return Math.max(end, extendedUntil ?? 0);
}

/** An extension keeps it for 24 months from now at least, and never shortens its life. */
export const extension = (now: number): number => monthsAfter(now, EXTENSION_MONTHS);
