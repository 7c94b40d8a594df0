import { simulator } from '../src/connectors/simulator/simulator.ts';
import { check } from '../src/form/check.ts';
import type { Checked } from '../src/form/checked.ts';
import { decode } from '../src/form/decode.ts';
import { hierarchy } from '../src/merchants/directory.ts';
import { sandbox, sandboxRows } from '../src/merchants/sandbox.ts';
import type { Commit, PaymentStore, World } from '../src/payments/needs.ts';
import { type Order, orderOf } from '../src/payments/order.ts';
import type { Payment } from '../src/payments/payment.ts';
import { project } from '../src/payments/project.ts';
import { take } from '../src/payments/take.ts';
import { createVault } from '../src/registrations/vault.ts';
import { cellsOf } from '../src/store/rows.ts';
import { clock, createWorld } from '../src/world.ts';
import { payBody } from './request.ts';
import { median } from './speed.ts';

/** Microseconds of CPU time for each step of a payment, in process; CPU and not wall time, so that a busy machine changes little. */
export type Micro = Readonly<Record<'decodeAndCheck' | 'order' | 'decide' | 'cells' | 'project', number>>;

const BATCHES = 9;
const WARM_UP_BATCHES = 3;

const { channel } = hierarchy(sandboxRows(0).entities).get(sandbox.demoShop.channelId) ?? {};
if (!channel) throw new Error('the sandbox has no channel');

/** Keeps everything and remembers only the last commit: what is left of a decision is the work of the domain. */
function createLastStore(): PaymentStore & { last: Commit | null } {
  const nothing = async () => null;
  const store = {
    last: null as Commit | null,
    family: nothing,
    payment: nothing,
    sealed: nothing,
    claim: nothing,
    due: async () => [],
    forgetClaims: async () => 0,
    async commit(change: Commit) {
      store.last = change;
      return { is: 'kept' } as const;
    },
  };
  return store;
}

/** Measures each step alone, on the bodies that the load generator sends. */
export async function measureMicro(perBatch: number): Promise<Micro> {
  const store = createLastStore();
  const connector = simulator.create({ clock, sleep: async () => {} });
  const world: World = createWorld({ store, vault: createVault(Buffer.alloc(32, 7)), connectors: [connector] });
  const bodies = Array.from({ length: 64 }, (_, at) => Buffer.from(payBody(at)));
  const checkedOf = (at: number) => read(bodies[at % bodies.length] as Buffer);
  const order = orderFrom(checkedOf(0));
  const payment = await decided(world, order);
  const commit = store.last as Commit;
  const base = { buildNumber: 'bench', timestamp: '2026-01-01 00:00:00+0000', ndc: payment.ndc };
  const checkedAll = bodies.map((_, at) => checkedOf(at));
  return {
    decodeAndCheck: await microsOf(perBatch, checkedOf),
    order: await microsOf(perBatch, (at) => orderFrom(checkedAll[at % checkedAll.length] as Checked)),
    decide: await microsOf(perBatch, () => decided(world, order)),
    cells: await microsOf(perBatch, () => cellsOf(commit)),
    project: await microsOf(perBatch, () => JSON.stringify(project(payment, base).body)),
  };
}

function read(body: Buffer): Checked {
  const outcome = check(decode(body), { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' });
  if ('faults' in outcome) throw new Error(`the body of the bench is faulty: ${JSON.stringify(outcome.faults)}`);
  return outcome;
}

function orderFrom(checked: Checked): Order {
  if (!channel) throw new Error('no channel');
  const order = orderOf(checked, { channel, environment: 'test', referencedId: null });
  if ('faults' in order) throw new Error('the order of the bench is faulty');
  return order;
}

async function decided(world: World, order: Order): Promise<Payment> {
  if (!channel) throw new Error('no channel');
  const taken = await take(world, { order, channel, claim: null });
  if (taken.is !== 'taken') throw new Error(`the order of the bench was ${taken.is}`);
  return taken.payment;
}

async function microsOf(perBatch: number, step: (at: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let batch = 0; batch < WARM_UP_BATCHES + BATCHES; batch += 1) {
    const before = process.cpuUsage();
    for (let at = 0; at < perBatch; at += 1) {
      const result = step(at);
      if (result instanceof Promise) await result;
    }
    const { user, system } = process.cpuUsage(before);
    if (batch >= WARM_UP_BATCHES) times.push((user + system) / perBatch);
  }
  return median(times) ?? 0;
}
