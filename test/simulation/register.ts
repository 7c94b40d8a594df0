import type { Payment } from '../../src/payments/payment.ts';
import type { Commit } from '../../src/payments/ports.ts';
import type { Registration, RegistrationState } from '../../src/registrations/registration.ts';
import { breaks, brief, note, type Sim, START } from './sim.ts';

/** One kept change of stored details and what made it. */
export type Move = { readonly registration: Registration; readonly by: Payment };

/** The life of stored details as the commits told it. */
export type Life = {
  readonly moves: Move[];
  /** In virtual time; null as long as it has not come to that. */
  activeFrom: number | null;
  deletedAt: number | null;
};

/** What was kept of stored details, written down by a watcher. */
export type Register = { readonly lives: ReadonlyMap<string, Life>; kept(change: Commit): void };

/** From where to where, written from the document and not from the table in the code. */
const FOLLOWS: Readonly<Record<RegistrationState, readonly RegistrationState[]>> = {
  open: ['active', 'rejected', 'deleted'],
  active: ['active', 'deleted'],
  rejected: [],
  deleted: [],
};

const FIXED = ['merchantId', 'entityId', 'paymentId', 'createdAt', 'fingerprint', 'mode'] as const;

/** Only the clock of the retention job is so far ahead. */
const LONG_MS = 300 * 86_400_000;

export function createRegister(sim: Sim): Register {
  const lives = new Map<string, Life>();
  return {
    lives,
    kept({ payment: by, registration: change }) {
      if (!change) return;
      const { registration } = change;
      const life = lives.get(registration.id) ?? { moves: [], activeFrom: null, deletedAt: null };
      lives.set(registration.id, life);
      note(sim, `registration ${brief(registration.id)} r${registration.revision} ${registration.state} by ${by.paymentType}`);
      checkMove(sim, life.moves.at(-1)?.registration, { registration, by });
      life.moves.push({ registration, by });
      if (registration.state === 'active') life.activeFrom ??= sim.scheduler.now();
      if (registration.state === 'deleted') life.deletedAt ??= sim.scheduler.now();
    },
  };
}

function checkMove(sim: Sim, before: Registration | undefined, { registration: after, by }: Move): void {
  const revision = (before?.revision ?? 0) + 1;
  if (after.revision !== revision) breaks(sim, 'S5', `${after.id} went to revision ${after.revision} instead of ${revision}`);
  if (by.registrationId !== after.id || by.merchantId !== after.merchantId)
    breaks(sim, 'S6', `${after.id} was changed by ${by.paymentType} ${by.id}, which is about something else`);
  if (!before) return;
  if (!FOLLOWS[before.state].includes(after.state)) {
    breaks(sim, 'S6', `${after.id} went from ${before.state} to ${after.state} by ${by.paymentType}`);
  }
  if (before.connector !== after.connector && (before.state !== 'open' || after.connector !== by.connector))
    breaks(sim, 'S6', `${after.id} went to the account ${after.connector}`);
  const changed = FIXED.filter((name) => before[name] !== after[name]);
  if (changed.length > 0) breaks(sim, 'S6', `${after.id} changed its ${changed.join(', ')}`);
  count(sim, before, { registration: after, by });
}

function count(sim: Sim, before: Registration, { registration: after, by }: Move): void {
  if (after.state !== 'deleted') return;
  const isForgotten = by.createdAt > START + LONG_MS;
  if (isForgotten) sim.tally.hit('stored: forgotten for its age', 'DR');
  if (isForgotten && before.expiresAt > by.createdAt) breaks(sim, 'S7', `${after.id} was deleted before its time was over`);
}
