import type { Commit, Connector, RegistrationChange } from '../../src/payments/ports.ts';
import type { StoredRegistration } from '../../src/registrations/ports.ts';
import type { Registration } from '../../src/registrations/registration.ts';
import { bound, type Store } from './chronicle.ts';
import { currentOperation, isOver } from './machine.ts';
import { committing, type Tools } from './plantedStores.ts';
import { cards, channels } from './shops.ts';

/** Bugs around stored details, put in from outside like those of plantedStores.ts. */

type Change = (registration: RegistrationChange, change: Commit) => RegistrationChange | null;

/** What a commit does to stored details, otherwise than it was decided. */
const storing = (see: Change) =>
  committing((change, keep) => {
    const { registration } = change;
    return keep(registration ? { ...change, registration: see(registration, change) } : change);
  });

export const leftOpenBySweeper = storing((change) => (currentOperation() === 'sweep' ? null : change));

export const activeThoughDeclined = storing((change) =>
  change.registration.state === 'rejected' ? { ...change, registration: { ...change.registration, state: 'active' } } : change,
);

export const secretsOutliveDeletion = storing((change) =>
  change.registration.state === 'deleted' ? { ...change, sealed: 'kept' } : change,
);

export const secretsOutliveDecline = storing((change) =>
  change.registration.state === 'rejected' && change.registration.revision > 1 ? { ...change, sealed: 'kept' } : change,
);

export const eventDropped = storing((change) => ({ ...change, event: null }));

export const seriesForgotten = storing((change) => ({
  ...change,
  registration: { ...change.registration, series: null },
}));

export function inTwoCommits(store: Store, { sim, life, put }: Tools): Store {
  return committing(async (change, keep) => {
    const { registration } = change;
    if (!registration) return keep(change);
    const outcome = await keep({ ...change, registration: null });
    if (outcome.is !== 'kept') return outcome;
    await sim.scheduler.sleep(20);
    if (!isOver(life)) put(change);
    return outcome;
  })(store);
}

export function tokenUsesInMemory(store: Store): Store {
  const spent = new Set<string>();
  return committing(async (change, keep) => {
    const { tokenUse } = change;
    if (!tokenUse) return keep(change);
    if (spent.has(tokenUse.tokenId)) return { is: 'tokenUsed' };
    spent.add(tokenUse.tokenId);
    return keep({ ...change, tokenUse: null });
  })(store);
}

/** What no node may rely on: the other nodes' clocks. */
export const tokenUsesDeletedTooEarly = (store: Store): Store => ({
  ...bound(store),
  deleteTokenUses: (now) => store.deleteTokenUses(now + 40 * 86_400_000),
});

const read = async (store: Store, { merchantId, id }: Pick<Registration, 'merchantId' | 'id'>): Promise<Registration | null> =>
  (await store.registration(merchantId, id))?.registration ?? null;

/** The fate of the payment is written over whatever became of the details meanwhile. */
export const settledOverDeletion = committing(async (change, keep, store) => {
  const { payment, registration } = change;
  const { registrationId, phase, merchantId } = payment;
  if (registration || registrationId === null || phase.at !== 'final' || payment.revision === 1) return keep(change);
  const stored = await read(store, { merchantId, id: registrationId });
  if (stored?.paymentId !== payment.id || stored.state !== 'deleted') return keep(change);
  const state = phase.code.startsWith('000.') ? 'active' : 'rejected';
  const written = { ...stored, state, code: phase.code, revision: stored.revision + 1 } as const;
  return keep({ ...change, registration: { registration: written, sealed: 'kept', event: null } });
});

/** What was decided on an old revision is written as the next one. */
export const anyRevision = committing(async (change, keep, store) => {
  const outcome = await keep(change);
  const { registration: due } = change;
  if (outcome.is !== 'moved' || !due || due.registration.revision === 1) return outcome;
  const stored = await read(store, due.registration);
  const registration = { ...due.registration, revision: (stored?.revision ?? 0) + 1 };
  return keep({ ...change, registration: { ...due, registration } });
});

/** A node that has seen details once believes that they are still so. */
export function cached(store: Store): Store {
  const seen = new Map<string, StoredRegistration>();
  return {
    ...bound(store),
    async registration(merchantId, id) {
      const isCharging = ['PA', 'DB', 'CD'].includes(currentOperation());
      const known = isCharging ? seen.get(`${merchantId} ${id}`) : undefined;
      if (known) return known;
      const registered = await store.registration(merchantId, id);
      if (registered?.registration.state === 'active') seen.set(`${merchantId} ${id}`, registered);
      return registered;
    },
  };
}

export function storedForAnybody(store: Store): Store {
  const merchants = [...new Set(channels.map(({ merchantId }) => merchantId))];
  return {
    ...bound(store),
    async registration(_merchantId, id) {
      const found = await Promise.all(merchants.map((merchantId) => store.registration(merchantId, id)));
      return found.find((registered) => registered !== null) ?? null;
    },
  };
}

/** To the workers everything that was ever stored looks outlived. */
export const outlivedTooEarly = (store: Store): Store => ({
  ...bound(store),
  outlived: (asked) => store.outlived({ ...asked, now: asked.now + 40 * 31_536_000_000 }),
  async registration(merchantId, id) {
    const registered = await store.registration(merchantId, id);
    if (!registered || currentOperation() !== 'TK') return registered;
    return { ...registered, registration: { ...registered.registration, expiresAt: 0 } };
  },
});

/** The scheme is asked about another card. */
export function tokenOfAnother(connector: Connector): Connector {
  const { tokens } = connector;
  if (!tokens) return connector;
  const other = (number: string | undefined) => cards.find((card) => card.number !== number)?.number ?? '';
  return {
    ...connector,
    tokens: {
      cryptogram: (token) => tokens.cryptogram(token),
      provide: (registration, { number }) => tokens.provide(registration, { number: other(number) }),
    },
  };
}
