import { randomBytes } from 'node:crypto';
import { createCommitEffects, createWorld } from '../src/app/modules/paymentModule.ts';
import { clock, timers } from '../src/app/system.ts';
import { simulator } from '../src/connectors/simulator/simulator.ts';
import { check } from '../src/form/check.ts';
import type { Checked } from '../src/form/checked.ts';
import { type Decoded, decode } from '../src/form/decode.ts';
import { hierarchy } from '../src/merchants/directory.ts';
import { sandbox, sandboxRows } from '../src/merchants/sandbox.ts';
import { type Order, orderOf } from '../src/payments/order.ts';
import type { Payment } from '../src/payments/payment.ts';
import type { Commit, PaymentStore, World } from '../src/payments/ports.ts';
import { project } from '../src/payments/reply/project.ts';
import { take } from '../src/payments/take.ts';
import type { RegistrationStore } from '../src/registrations/ports.ts';
import { createBareRiskEngine } from '../src/risk/engine.ts';
import { cellsOf } from '../src/store/commit/cells.ts';
import { createMemoryStore } from '../src/store/memory/memoryStore.ts';
import { localMaster } from '../src/vault/masterKey.ts';
import { openVault } from '../src/vault/vault.ts';
import { payBody } from './request.ts';
import { median } from './speed.ts';

/**
 * Microseconds of one thread for each step of a payment, in process: the median of each step, run one after the other as in a real
 * request. A step repeated alone is half as dear, because then its code never leaves the caches.
 */
export type Micro = Readonly<Record<'decode' | 'check' | 'order' | 'decide' | 'cells' | 'project' | 'print', number>>;

const { channel } = hierarchy(sandboxRows(0).entities).get(sandbox.demoShop.channelId) ?? {};
if (!channel) throw new Error('the sandbox has no channel');

/** Keeps everything and remembers only the last commit, so that only the work of the domain is measured. */
function createLastStore(): PaymentStore & RegistrationStore & { last: Commit | null } {
  const nothing = async () => null;
  const store = {
    last: null as Commit | null,
    family: nothing,
    familyVersion: nothing,
    payment: nothing,
    sealed: nothing,
    idempotencyKey: nothing,
    due: async () => [],
    misdated: async () => [],
    releasesDue: async () => [],
    markReleases: async () => {},
    claimDue: async () => [],
    releaseSwept: async () => {},
    deleteClaims: async () => 0,
    deleteIdempotencyKeys: async () => 0,
    registration: nothing,
    touch: async () => {},
    outlived: async () => [],
    awaitingToken: async () => [],
    deleteTokenUses: async () => 0,
    async commit(change: Commit) {
      store.last = change;
      return { is: 'kept' } as const;
    },
  };
  return store;
}

/** Takes the n-th payment through all steps. `mark` is called before the first step and after each. */
export type Payer = (n: number, mark?: () => void) => Promise<void>;

/** Payments in process: no sockets, no writer, with the bodies that the load generator sends. */
export async function createPayer(): Promise<Payer> {
  const store = createLastStore();
  const connector = simulator.create({
    clockOf: () => clock,
    sleep: async () => {},
    random: (bytes) => randomBytes(bytes),
    notify: async () => {},
  });
  const vault = await openVault({ masters: [localMaster(Buffer.alloc(32, 7))], store: createMemoryStore(), now: clock.now });
  await vault.ready(sandbox.demoShop.merchantId);
  const wallets = { open: () => Promise.reject(new Error('no wallet pays here')) };
  const world: World = createWorld({
    store,
    deriveEffects: createCommitEffects({ store, digest: vault.digest }),
    vault,
    wallets,
    connector: () => connector,
    alarm: () => {},
    risk: createBareRiskEngine(clock, timers),
    channel: () => channel ?? null,
  });
  return async (n, mark = () => {}) => {
    const body = Buffer.from(payBody(n));
    mark();
    const decoded = decode(body);
    mark();
    const checked = checkedOf(decoded);
    mark();
    const order = orderFrom(checked);
    mark();
    const payment = await decided(world, order);
    mark();
    cellsOf(store.last as Commit);
    mark();
    const projected = project(payment, { buildNumber: 'bench', timestamp: '2026-01-01 00:00:00+0000', ndc: payment.ndc });
    mark();
    JSON.stringify(projected.body);
    mark();
  };
}

/** Takes `payments` payments to warm up and as many again to measure. */
export async function measureMicro(payments: number): Promise<Micro> {
  const pay = await createPayer();
  const times: Record<keyof Micro, number[]> = {
    decode: [],
    check: [],
    order: [],
    decide: [],
    cells: [],
    project: [],
    print: [],
  };
  for (let at = 0; at < 2 * payments; at += 1) {
    const marks: number[] = [];
    await pay(at, () => void marks.push(performance.now()));
    if (at < payments) continue;
    for (const [step, list] of Object.values(times).entries()) list.push((marks[step + 1] ?? 0) - (marks[step] ?? 0));
  }
  return mapValues(times, (list) => (median(list) ?? 0) * 1000);
}

function mapValues<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  to: (value: From) => To,
): Record<Name, To> {
  const entries = (Object.entries(record) as [Name, From][]).map(([name, value]) => [name, to(value)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}

function checkedOf(decoded: Decoded): Checked {
  const outcome = check(decoded, { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' });
  if (outcome.is === 'faulty') throw new Error(`the body of the bench is faulty: ${JSON.stringify(outcome.faults)}`);
  return outcome;
}

function orderFrom(checked: Checked): Order {
  if (!channel) throw new Error('no channel');
  const ordered = orderOf(checked, { channel, environment: 'test', referencedId: null });
  if (ordered.is === 'faulty') throw new Error('the order of the bench is faulty');
  return ordered.order;
}

async function decided(world: World, order: Order): Promise<Payment> {
  if (!channel) throw new Error('no channel');
  const taken = await take(world, { order, channel, idempotencyKey: null });
  if (taken.is !== 'taken') throw new Error(`the order of the bench was ${taken.is}`);
  return taken.payment;
}
