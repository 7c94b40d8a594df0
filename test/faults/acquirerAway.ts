import assert from 'node:assert/strict';
import { createCommitEffects } from '../../src/app/modules/paymentModule.ts';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { drive } from '../../src/payments/drive.ts';
import { exampleCommit, examplePayment } from '../../src/payments/examples.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { Connector, World } from '../../src/payments/ports.ts';
import { createCountedEvents } from '../../src/payments/riskMemory/countedEvents.ts';
import { sweep } from '../../src/payments/sweep.ts';
import { createFamilyQueue } from '../../src/payments/take.ts';
import { createPendingSecrets } from '../../src/payments/threeDS/startAuthentication.ts';
import { createBareRiskEngine } from '../../src/risk/engine.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { localMaster } from '../../src/vault/masterKey.ts';
import { openVault } from '../../src/vault/vault.ts';

const SECOND_MS = 1_000;
const RESTART_MS = 10 * SECOND_MS;
/** As seldom as a gateway without requests sweeps. */
const STEP_MS = 5 * SECOND_MS;
const GRACE_MS = 600 * SECOND_MS;
const NODES = 2;
/**
 * Calls that a node makes between its deaths, for each payment, one after the other. No two in a row are the same, so that every call is
 * hit. In a life that ends within one sweep of all payments, those at its end would hardly ever have their turn.
 */
const LIVES = [211 / 6, 97 / 6, 334 / 6, 158 / 6, 41 / 6, 273 / 6, 125 / 6];

export type AwayOptions = {
  readonly payments: number;
  readonly awayMs: number;
  /** A planted fault: changes the store that a node sees. */
  readonly plant?: (store: Store) => Pick<Store, 'claimDue'>;
};

/** The acquirer's own books: the oracle. */
function createAcquirer(now: () => number) {
  const booked = new Set<string>();
  const takenBack = new Map<string, { times: number; at: number }>();
  const tries = new Map<string, number[]>();
  const state = { isAway: false, onTaken: () => {} };
  const gone = () => Promise.reject(new Error('connection refused'));
  const connector: Connector = {
    name: 'simulator',
    modes: ['INTERNAL'],
    supports: {},
    answerMsMax: SECOND_MS,
    uncertainty: { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true },
    send: gone,
    // Its last answer before it went away.
    inquire: () => Promise.resolve({ is: 'absent' }),
    async cancel({ payment: { id } }) {
      tries.set(id, [...(tries.get(id) ?? []), now()]);
      if (state.isAway) return gone();
      // The request arrives behind the inquiry that did not find it: without a reversal the money would move.
      booked.add(id);
      const before = takenBack.get(id);
      takenBack.set(id, { times: (before?.times ?? 0) + (booked.delete(id) && !before ? 1 : 0), at: before?.at ?? now() });
      state.onTaken();
      return { is: 'cancelled' };
    },
  };
  return { connector, booked, takenBack, tries, state };
}

/** A process that dies at a given call. What it has begun never goes on; a call on its way is still done by the other side. */
function createLife(calls: number) {
  let left = calls;
  let die = () => {};
  const dead = new Promise<'dead'>((resolve) => {
    die = () => resolve('dead');
  });
  const never = () => new Promise<never>(() => {});
  const cross = async <T>(call: () => Promise<T>): Promise<T> => {
    left -= 1;
    if (left === 0) die();
    if (left <= 0) return never();
    const done = await call();
    left -= 1;
    if (left === 0) die();
    return left <= 0 ? never() : done;
  };
  return {
    cross,
    dead,
    isOver: () => left <= 0,
    dieAt(further: number) {
      left = further;
    },
  };
}
type Life = ReturnType<typeof createLife>;

const guarded = (store: Store, { cross }: Life, seen: Pick<Store, 'claimDue'>): Store => ({
  ...store,
  claimDue: (query) => cross(() => seen.claimDue(query)),
  releaseSwept: (release) => cross(() => store.releaseSwept(release)),
  family: (merchantId, paymentId) => cross(() => store.family(merchantId, paymentId)),
  commit: (commit) => cross(() => store.commit(commit)),
});

async function createWorlds(now: () => number, acquirer: Connector, plant: AwayOptions['plant']) {
  const store = createMemoryStore();
  const within = <T>(_ms: number, promise: Promise<T>) => promise;
  const vault = await openVault({ masters: [localMaster(new Uint8Array(32))], store, now });
  const alarms: { readonly message: string; readonly paymentId: string | undefined; readonly at: number }[] = [];
  let made = 0;
  const next = () => {
    made += 1;
    return made.toString(16).padStart(32, '0');
  };
  const worldFor = (life: Life): World => ({
    clock: { now },
    ids: { next, random: next, short: next },
    timers: { within },
    unsentMs: 4_000,
    vault,
    wallets: { open: () => assert.fail('no wallet pays here') },
    alarm: (message, { paymentId }) => void alarms.push({ message, paymentId, at: now() }),
    store: guarded(store, life, plant?.(store) ?? store),
    deriveEffects: createCommitEffects({ store, digest: () => '' }),
    threeDS: null,
    risk: createBareRiskEngine({ now }, { within }),
    channel: () => null,
    countedEvents: createCountedEvents({ now }),
    families: createFamilyQueue(),
    pendingSecrets: createPendingSecrets({ now }),
    connector: () => ({ ...acquirer, cancel: (inquiry) => life.cross(() => acquirer.cancel(inquiry)) }),
  });
  return { store, worldFor, alarms };
}

/**
 * Payments whose request was lost, and whose cancellation the acquirer does not take, because it is away. Nodes of the production code
 * sweep them in virtual time, die at calls of every kind, and are started again. Ends when all are at rest, or ten minutes after the return.
 */
export async function runAcquirerAway({ payments: count, awayMs, plant }: AwayOptions) {
  let time = examplePayment().createdAt;
  const now = () => time;
  const acquirer = createAcquirer(now);
  const { store, worldFor, alarms } = await createWorlds(now, acquirer.connector, plant);
  const payments = await openPayments(store, worldFor(createLife(Number.POSITIVE_INFINITY)), count);
  let kills = 0;
  const newLife = () => createLife(Math.round((LIVES[kills % LIVES.length] as number) * count));
  const nodeWith = (life: Life) => ({ life, world: worldFor(life), startsAt: 0 });
  const nodes = Array.from({ length: NODES }, () => nodeWith(newLife()));
  const leftAt = time;
  const backAt = leftAt + awayMs;
  acquirer.state.isAway = true;
  /** After the return one node dies, with cancellations that were taken and are not recorded. */
  acquirer.state.onTaken = () => {
    acquirer.state.onTaken = () => {};
    for (const { life } of nodes) if (!life.isOver()) life.dieAt(1);
  };
  const current = () => Promise.all(payments.map(({ merchantId, id }) => store.payment(merchantId, id)));
  for (let open = payments.length; open > 0 && time < backAt + GRACE_MS; ) {
    time += STEP_MS;
    if (acquirer.state.isAway && time >= backAt) {
      acquirer.state.isAway = false;
      for (const node of nodes) node.life.dieAt(Number.POSITIVE_INFINITY);
    }
    for (const node of nodes) {
      if (node.startsAt > time) continue;
      if (node.life.isOver())
        Object.assign(node, nodeWith(acquirer.state.isAway ? newLife() : createLife(Number.POSITIVE_INFINITY)));
      const ended = await Promise.race([sweep(node.world, { limit: 100, merchants: allMerchants }), node.life.dead]);
      if (ended !== 'dead') continue;
      kills += 1;
      node.startsAt = time + RESTART_MS;
    }
    const left = (await current()).flatMap((payment) => (payment && payment.phase.at !== 'final' ? [payment.phase.dueAt] : []));
    open = left.length;
    // Nothing is due before, so that the sweeps between would find nothing.
    const until = Math.min(...left, ...nodes.map(({ startsAt }) => (startsAt > time ? startsAt : Number.POSITIVE_INFINITY)));
    if (open > 0 && until > time + STEP_MS) time += Math.floor((until - time - 1) / STEP_MS) * STEP_MS;
  }
  return { acquirer, alarms, kills, backAt, leftAt, store, ended: await current() };
}

/** Each was sent, and not heard of: the acquirer has said that it does not know it, and the cancellation is due. */
async function openPayments(store: Store, world: World, count: number): Promise<readonly Payment[]> {
  const made = Array.from({ length: count }, (_, index) => {
    const id = `018f2b7c9a3d4e5f60718293a4b5${((index * 40_503) % 65_536).toString(16).padStart(4, '0')}`;
    return examplePayment({ id, phase: { at: 'acquirer', dueAt: world.clock.now() + 1 } });
  });
  for (const payment of made) {
    await store.commit(exampleCommit(payment, { event: { id: payment.id, type: 'PAYMENT', action: null, code: '000.200.000' } }));
    const attempt = { payment, secrets: {}, referenced: null, registration: null, series: null };
    await drive(world, { payment, version: 1 }, attempt);
  }
  return made;
}
