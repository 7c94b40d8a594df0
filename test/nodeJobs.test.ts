import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { allMerchants } from '../src/merchants/merchantFilter.ts';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import type { Store } from '../src/store/store.ts';
import { currentCall } from '../src/telemetry/tracer.ts';
import { createLeases, LEASE_MS } from '../src/workers/leases.ts';
import { createJobRecords, type Job, startLoop } from '../src/workers/loop.ts';
import { jobSharing } from '../src/workers/sharing.ts';
import { connectTo, dropUnused, freshDatabase } from './contract/freshDatabases.ts';
import { checkout } from './contract/storeCheckoutFixtures.ts';
import { commit, NOW, payment } from './contract/storeFixtures.ts';
import { run as reconciliation } from './contract/storeReconciliation.ts';
import { newSchedule, storeSchedule } from './contract/storeScheduleFixtures.ts';
import { delivery, hook, send } from './contract/storeWebhookFixtures.ts';
import { createClient } from './http/client.ts';
import { startGateway, type TestGateway } from './http/gateway.ts';

/** Four nodes on one PostgreSQL database share their jobs. */

const NODES = 4;
/** What four nodes may do together, by what one does; and what they do at least when nothing is claimed. */
const MOST = 1.05;
const UNSHARED = 1.5;
const PIECES = 20;
const ROUNDS = 3;
const leasedNames = Object.entries(jobSharing).flatMap(([name, { is }]) => (is === 'lease' ? [name] : []));
const claimedNames = Object.entries(jobSharing).flatMap(([name, { is }]) => (is === 'rows' ? [name] : []));

const database = await freshDatabase();
const stores: readonly Store[] = await Promise.all(Array.from({ length: NODES }, () => openPostgresStore({ url: database.url })));
const sql = connectTo(database.url);
after(async () => {
  await sql.end();
  for (const store of stores) await store.close();
  await database.giveBack(true);
  await dropUnused();
});

test('every job of the program has a row that says how nodes share it, and every row has a job', () => {
  const root = `${import.meta.dirname}/../src`;
  const texts = globSync('{app,workers}/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(`${root}/${file}`, 'utf8'));
  const named = texts.flatMap((text) => [...text.matchAll(/name: '([^']+)',\s*everyMs|writeOrRetry\(log, '([^']+)'/g)]);
  const names = [...new Set(named.map(([, job, write]) => job ?? write ?? ''))];
  assert.deepEqual(names.toSorted(), Object.keys(jobSharing).toSorted());
  for (const { why } of Object.values(jobSharing)) assert.ok(why.length > 10, why);
});

/** The calls of the store by the job that made them. */
type Work = Map<string, number>;
const noted = (work: Work, name: string): void => void work.set(name, (work.get(name) ?? 0) + 1);

function countingStore(store: Store, work: Work): Store {
  const counted = Object.entries(store).map(([name, call]) => [
    name,
    (...given: unknown[]) => {
      const { job } = currentCall() ?? {};
      if (job !== undefined) noted(work, job);
      return (call as (...all: unknown[]) => unknown)(...given);
    },
  ]);
  return { ...(Object.fromEntries(counted) as Store), close: async () => {} };
}

/** Lets the loops of some nodes run each of their shared jobs once, all at the same time. */
async function runOnce(nodes: readonly TestGateway[], work: Work, isSharing: boolean): Promise<void> {
  const loops = nodes.map(({ jobs, leases }) => {
    const shared = jobs.filter(({ name }) => leasedNames.includes(name));
    let pauses = 0;
    const over = Promise.withResolvers<void>();
    const sleep = async (_: number, signal: AbortSignal): Promise<void> => {
      pauses += 1;
      if (pauses <= shared.length) return;
      if (pauses === 2 * shared.length) over.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    const watched = shared.map(
      ({ name, run, ...job }): Job => ({
        ...job,
        name,
        run: async (signal) => {
          noted(work, name);
          await run(signal);
        },
      }),
    );
    const failures: unknown[] = [];
    const needs = {
      sleep,
      timers: { within: <T>(_: number, promise: Promise<T>) => promise },
      records: createJobRecords({ now: () => 0, onEnd: () => {} }),
      log: { error: (about: object) => failures.push(about) },
      ...(isSharing && { leases }),
    };
    const loop = startLoop(watched, needs);
    return { over: over.promise, failures, stop: () => loop.stop(0) };
  });
  for (const { over } of loops) await over;
  for (const { stop, failures } of loops) {
    await stop();
    assert.deepEqual(failures, []);
  }
}

test('what one node can do for all is done once by four nodes, and four times without leases', async () => {
  const work: Work = new Map();
  const nodes: TestGateway[] = [];
  try {
    for (const [at, store] of stores.entries())
      nodes.push(await startGateway({ store: countingStore(store, work), nodeName: `node${at}`, isQuiet: true }));
    const [first, ...others] = nodes as [TestGateway, ...TestGateway[]];
    const shop = createClient(first.url);
    const measure = async (busy: readonly TestGateway[], isSharing: boolean): Promise<Work> => {
      for (let made = 0; made < 3; made += 1) assert.equal((await shop.pay()).code, '000.100.110');
      work.clear();
      await runOnce(busy, work, isSharing);
      return new Map(work);
    };
    // What the start and the first payments leave behind is done before.
    await measure([first], true);
    const alone = await measure([first], true);
    const together = await measure([first, ...others], true);
    const unshared = await measure([first, ...others], false);
    const missing = leasedNames.filter((name) => !alone.has(name));
    assert.deepEqual(missing, [], 'jobs that the test did not run');
    for (const name of leasedNames) {
      const [one, four, free] = [alone, together, unshared].map((each) => each.get(name) ?? 0) as [number, number, number];
      assert.ok(four <= one * MOST, `${name}: ${four} for ${one} of one node`);
      assert.ok(four > 0, `${name}: no node did it`);
      assert.ok(free > one * UNSHARED, `${name}: the trial does not see it: ${free} for ${one}`);
    }
  } finally {
    for (const node of nodes) await node.close();
  }
});

/** `claim`: how many pieces of work the node got. `forget`: ends the claims; where there is none, the revision is the claim. */
type Claim = {
  prepare(store: Store): Promise<void>;
  claim(store: Store, revision: number): Promise<number>;
  readonly forget?: string;
};

const asked = { now: NOW, until: NOW + 60_000, limit: PIECES, merchants: allMerchants };
const many = <T>(make: (at: number) => T): readonly T[] => Array.from({ length: PIECES }, (_, at) => make(at));
const clockOf = (at: number) => ({
  merchantId: `merchant ${at}`,
  offsetMs: 0,
  frozenAt: NOW,
  target: NOW + 9,
  steppedAt: NOW,
  revision: 1,
});
const documentOf = (at: number) => ({ collection: 'backups', id: `record ${at}`, ownerId: '', at: NOW, body: {} });

/** Each node that saves the same next revision believes that the work is its own when the store says so. */
async function savedOf(attempts: readonly Promise<boolean>[]): Promise<number> {
  return (await Promise.all(attempts)).filter(Boolean).length;
}

const checkouts = many(() => checkout());
const files = many(() => reconciliation());
const claims: Readonly<Record<string, Claim>> = {
  sweep: {
    async prepare(store) {
      const phase = { at: 'doubt', tries: 0, dueAt: NOW - 1, since: NOW } as const;
      for (const one of many(() => payment({ phase }))) await store.commit(commit(one, 0));
    },
    claim: async (store) => (await store.claimDue(asked)).length,
    forget: 'DELETE FROM sweep_claim',
  },
  'run due schedules': {
    async prepare(store) {
      for (const one of many(() => newSchedule({ nextAt: NOW - 1 }))) await storeSchedule(store, one);
    },
    claim: async (store) => (await store.claimSchedules(asked)).length,
    forget: 'UPDATE schedule SET claimed_until = 0',
  },
  'dispatch deliveries': {
    async prepare(store) {
      const id = await hook(store);
      await send(store, ...many(() => delivery(id)));
    },
    claim: async (store) => (await store.claimDeliveries({ ...asked, each: PIECES, skip: [] })).length,
    forget: 'UPDATE delivery SET claimed_until = 0',
  },
  'send checkout notifications': {
    async prepare(store) {
      for (const one of checkouts) await store.addCheckout(one);
    },
    claim: (store, revision) => savedOf(checkouts.map((one) => store.saveCheckout({ ...one, callAt: null, revision }))),
  },
  'deliver reconciliation files': {
    async prepare(store) {
      for (const one of files) await store.addReconciliation(one);
    },
    claim: (store, revision) =>
      savedOf(files.map((one) => store.saveReconciliation({ ...one, claimedUntil: NOW + 60_000, revision }))),
  },
  'advance test clocks': {
    prepare: async (store) => void (await savedOf(many((at) => store.saveClock(clockOf(at))))),
    claim: (store, revision) => savedOf(many((at) => store.saveClock({ ...clockOf(at), revision }))),
  },
  'make backups': {
    prepare: async (store) => void (await savedOf(many((at) => store.saveDocuments([{ ...documentOf(at), revision: 1 }])))),
    claim: (store, revision) => savedOf(many((at) => store.saveDocuments([{ ...documentOf(at), revision }]))),
  },
};

test('what nodes claim piece by piece is given out once, and several times where claims are forgotten', async () => {
  assert.deepEqual(Object.keys(claims).toSorted(), claimedNames.toSorted());
  for (const [name, { prepare, claim, forget }] of Object.entries(claims)) {
    await prepare(stores[0] as Store);
    let given = 0;
    for (let round = 0; round < ROUNDS; round += 1)
      for (const count of await Promise.all(stores.map((store) => claim(store, 2)))) given += count;
    assert.ok(given >= PIECES && given <= PIECES * MOST, `${name}: ${given} of ${PIECES} were given out`);
    let again = 0;
    for (const [at, store] of stores.entries()) {
      if (forget) await sql.unsafe(forget);
      again += await claim(store, 3 + at);
    }
    assert.ok(again > PIECES * UNSHARED, `${name}: the trial does not see it: ${again} of ${PIECES}`);
  }
});

test('a job goes to another node when its node ends, when its lease ends, and when it keeps failing', async () => {
  const time = { now: 0 };
  const names = ['sweep', 'fan out events', 'seal ledger blocks'];
  const nodes = stores.map((store, at) =>
    createLeases({ store, nodeId: `node ${at}`, names, now: () => time.now, nodes: () => NODES }),
  );
  const renew = () => Promise.all(nodes.map((node) => node.renew()));
  const holders = (name: string) => nodes.flatMap((node, at) => (node.isHeld(name) ? [at] : []));
  await renew();
  assert.deepEqual(holders('sweep'), [0, 1, 2, 3], 'this one has no lease');
  const [first] = holders('fan out events') as [number];
  for (let round = 0; round < 3; round += 1) {
    await renew();
    assert.deepEqual([holders('fan out events'), holders('seal ledger blocks').length], [[first], 1]);
  }
  // It ends in order: the next renewal of another node takes over.
  await nodes[first]?.release();
  assert.deepEqual(holders('fan out events'), []);
  await renew();
  const [second] = holders('fan out events') as [number];
  assert.notEqual(second, first);
  // It was killed, or is frozen: it knows that its lease is over, and others get it when the server says so.
  time.now += LEASE_MS;
  assert.deepEqual(holders('fan out events'), []);
  const rest = nodes.filter((_, at) => at !== first && at !== second);
  for (const node of rest) await node.renew();
  assert.deepEqual(holders('fan out events'), []);
  await sql.unsafe('UPDATE job_lease SET ends_at = ends_at - $1', [LEASE_MS + 1_000]);
  for (const node of rest) await node.renew();
  const [third] = holders('fan out events') as [number];
  assert.ok(third !== first && third !== second);
  // It fails there again and again.
  nodes[third]?.refuse('fan out events');
  await nodes[third]?.renew();
  assert.deepEqual(holders('fan out events'), []);
  await sql.unsafe('UPDATE job_lease SET ends_at = ends_at - $1', [LEASE_MS + 1_000]);
  await renew();
  const [fourth] = holders('fan out events') as [number];
  assert.notEqual(fourth, third);
  // A server whose clock was ahead leaves a lease that would last for a day.
  await sql.unsafe('UPDATE job_lease SET ends_at = ends_at + 86400000');
  await nodes[third]?.renew();
  time.now += 31_000;
  await nodes[third]?.renew();
  assert.deepEqual(holders('fan out events'), [third]);
});

test('nodes learn the addresses of others that live, the last seen first', async () => {
  const [one, other] = stores as readonly [Store, Store];
  const address = (at: number) => `http://10.0.0.${at}:8090`;
  for (const at of [1, 2, 3]) await one.noteNode(`node ${at}`, NOW + at, NOW - 9, address(at));
  await one.noteNode('without', NOW + 9, NOW - 9);
  assert.deepEqual(await other.peers('node 2', NOW - 9), [address(3), address(1)]);
  assert.deepEqual(await other.peers('node 2', NOW + 2), [address(3)]);
  // It was started again without an address.
  await one.noteNode('node 3', NOW + 3, NOW - 9, null);
  assert.deepEqual(await other.peers('node 2', NOW - 9), [address(1)]);
});
