import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../spec/time.ts';
import type { KeyRow, SealedLocation, SealedRow } from './ports.ts';
import { type Progress, type RotationNeeds, RotationStopped, resealAll, rotateData, rotateMaster } from './rotation.ts';
import { VaultRefused } from './sealedText.ts';

/** A text of format 2 under a version of the key. */
const textOf = (version: number): Uint8Array => Uint8Array.from([2, 0, 0, 0, version, ...Array.from({ length: 28 }, () => 0)]);
const rowOf = (table: SealedRow['table'], merchantId: string, at: number, version = 1): SealedRow => ({
  table,
  merchantId,
  entityId: merchantId,
  recordId: String(at).padStart(4, '0'),
  field: 'f',
  sealed: textOf(version),
});
const nameOf = ({ table, merchantId, recordId, field }: SealedLocation): string => `${table} ${merchantId} ${recordId} ${field}`;
const keyRow = (changes: Partial<KeyRow>): KeyRow => ({
  owner: 'a',
  purpose: 'data',
  version: 1,
  masterId: 'now',
  wrapped: textOf(1),
  state: 'current',
  createdAt: 0,
  reserved: 0,
  ...changes,
});

type Given = {
  readonly rows?: SealedRow[];
  readonly keys?: KeyRow[];
  readonly open?: (row: SealedRow) => void;
  readonly sealsWith?: number;
  readonly rewrap?: (row: KeyRow) => boolean;
};

/** What a rotation needs, in memory, and a record of what it did. */
function rotating({ rows = [], keys = [], open = () => {}, sealsWith = 2, rewrap = () => true }: Given) {
  const did = {
    asked: [] as string[],
    slept: [] as number[],
    steps: [] as string[],
    resealed: [] as number[],
    renewed: [] as string[],
    retired: [] as string[],
  };
  const clock = { at: 10 * DAY_MS };
  const readied = new Set<string>();
  const needs = {
    store: {
      countSealed: async () => 3,
      sealedAfter: async (after: SealedLocation | null, limit: number) => {
        did.asked.push(after === null ? 'from the start' : nameOf(after));
        return rows.filter((row) => after === null || nameOf(row) > nameOf(after)).slice(0, limit);
      },
      reseal: async (anew: readonly (SealedRow & { anew: Uint8Array })[]) => {
        did.resealed.push(anew.length);
        for (const one of anew) {
          const at = rows.findIndex((row) => nameOf(row) === nameOf(one));
          rows[at] = { ...(rows[at] as SealedRow), sealed: one.anew };
        }
        return anew.length;
      },
      keys: async (owner: string | null) => keys.filter((key) => owner === null || key.owner === owner),
      retireKey: async ({ owner, version }: KeyRow) => did.retired.push(`${owner} ${version}`) > 0,
    },
    vault: {
      masterId: 'now',
      open: async (row: SealedRow) => {
        open(row);
        return 'clear';
      },
      ready: async (merchantId: string) => readied.add(merchantId),
      seal: ({ merchantId }: SealedRow) => {
        assert.ok(readied.has(merchantId), 'nothing is sealed before the keys are loaded');
        return textOf(sealsWith);
      },
      renew: async (owner: string, version: number) => {
        did.renewed.push(owner);
        return version + 1;
      },
      rewrap: async (row: KeyRow) => {
        const isDone = rewrap(row);
        if (isDone) keys[keys.indexOf(row)] = { ...row, masterId: 'now' };
        return isDone;
      },
    },
    now: () => clock.at,
    sleep: async (ms: number) => {
      did.slept.push(ms);
      clock.at += ms;
    },
    progress: ({ phase, done, total }: Progress) => did.steps.push(`${phase} ${done} of ${total}`),
  };
  return { needs: needs as unknown as RotationNeeds, did, clock };
}

const isStale = ({ sealed }: SealedRow): boolean => sealed[4] === 1;
const many = () => Array.from({ length: 600 }, (_, at) => rowOf('payment', 'a', at));

test('all texts are resealed in portions, and a second walk after a pause finds none', async () => {
  const { needs, did } = rotating({ rows: many() });
  assert.deepEqual(await resealAll(needs, { owner: null, isStale }), { resealed: 600, broken: [] });
  assert.deepEqual([did.resealed, did.slept], [[250, 250, 100], [5_000]]);
  const walk = ['from the start', 'payment a 0249 f', 'payment a 0499 f'];
  assert.deepEqual(did.asked, [...walk, ...walk]);
  assert.deepEqual(did.steps.slice(0, 3), ['resealing 250 of 250', 'resealing 500 of 500', 'resealing 600 of 600']);
});

test('a few texts: the progress has the total of the store, and nothing is asked again after a portion that is not full', async () => {
  const { needs, did } = rotating({ rows: [rowOf('payment', 'a', 1, 2)] });
  assert.deepEqual(await resealAll(needs, { owner: null, isStale }), { resealed: 0, broken: [] });
  assert.deepEqual(did, {
    asked: ['from the start'],
    slept: [],
    steps: ['resealing 1 of 3'],
    resealed: [],
    renewed: [],
    retired: [],
  });
});

test('a portion that is full is followed by another', async () => {
  const { needs, did } = rotating({ rows: many().slice(0, 250) });
  await resealAll(needs, { owner: null, isStale: () => false });
  assert.deepEqual([did.asked, did.steps], [['from the start', 'payment a 0249 f'], ['resealing 250 of 250']]);
});

test('the texts of one owner are looked for table by table', async () => {
  const rows = [rowOf('payment', 'a', 1), rowOf('payment', 'b', 1), rowOf('secret', 'b', 1), rowOf('secret', 'c', 1)];
  const { needs, did } = rotating({ rows });
  assert.deepEqual(await resealAll({ ...needs, settleMs: 7 }, { owner: 'b', isStale }), { resealed: 2, broken: [] });
  assert.deepEqual(
    rows.map(({ sealed }) => sealed[4]),
    [1, 2, 2, 1],
  );
  assert.deepEqual(did.asked.slice(0, 4), ['payment b  ', 'proof b  ', 'registration b  ', 'secret b  ']);
  assert.deepEqual([did.steps.slice(0, 2), did.slept], [['resealing 1 of null', 'resealing 2 of null'], [7]]);
});

test('a text that does not open is named after a second walk, and another failure passes', async () => {
  const broken = [{ table: 'payment', id: '0001', owner: 'a' }];
  const refused = rotating({
    rows: [rowOf('payment', 'a', 1), rowOf('payment', 'b', 1, 2)],
    open: () => {
      throw new VaultRefused('damaged');
    },
  });
  assert.deepEqual(await resealAll(refused.needs, { owner: null, isStale }), { resealed: 0, broken });
  assert.equal(refused.did.slept.length, 1);
  const failing = rotating({
    rows: [rowOf('payment', 'a', 1)],
    open: () => {
      throw new Error('no connection');
    },
  });
  await assert.rejects(resealAll(failing.needs, { owner: null, isStale }), /no connection/);
});

test('texts that stay old are an error after fifty walks', async () => {
  const { needs, did } = rotating({ rows: [rowOf('payment', 'a', 1)], sealsWith: 1 });
  await assert.rejects(resealAll(needs, { owner: null, isStale }), /keep being written/);
  assert.deepEqual([did.slept.length, did.resealed.length], [50, 50]);
});

const stopped = { name: 'RotationStopped', message: 'the rotation was stopped' };

test('a rotation that is stopped ends in every part', async () => {
  const signal = AbortSignal.abort();
  const { needs, did } = rotating({ rows: [rowOf('payment', 'a', 1)], keys: [keyRow({ masterId: 'before' })] });
  await assert.rejects(resealAll({ ...needs, signal }, { owner: null, isStale }), stopped);
  await assert.rejects(rotateData({ ...needs, signal }, null), RotationStopped);
  assert.deepEqual(did.renewed, []);
  const unsealed = rotating({ keys: [keyRow({ masterId: 'before' })] });
  await assert.rejects(rotateMaster({ ...unsealed.needs, signal }), RotationStopped);
  for (const waits of [
    { leaseMs: 2_000, shortLivedMs: 0 },
    { leaseMs: 0, shortLivedMs: 1_000 },
  ]) {
    const stop = new AbortController();
    const waiting = rotating({ keys: [keyRow({}), keyRow({ version: 0, state: 'retiring' })] });
    const sleep = async (ms: number) => {
      stop.abort();
      await waiting.needs.sleep(ms);
    };
    await assert.rejects(rotateData({ ...waiting.needs, sleep, signal: stop.signal, ...waits }, null), RotationStopped);
    assert.deepEqual([waiting.did.slept, waiting.did.retired], [[1_000], []]);
  }
});

test('a data rotation: renews, waits for the lease, reseals, waits for what is short-lived, destroys', async () => {
  const keys = [
    keyRow({ owner: 'a' }),
    keyRow({ owner: 'a', purpose: 'fingerprint', version: 8 }),
    keyRow({ owner: 'b', version: 3, createdAt: 10 * DAY_MS - 5 }),
    keyRow({ owner: 'b', version: 2, state: 'retiring' }),
  ];
  const { needs, did } = rotating({ rows: [rowOf('payment', 'a', 1)], keys });
  const result = await rotateData({ ...needs, leaseMs: 2_500, shortLivedMs: 1_200, settleMs: 1 }, null);
  assert.deepEqual(result, { renewed: 1, continued: 1, resealed: 1, retired: 1, broken: [] });
  assert.deepEqual([did.renewed, did.retired], [['a'], ['b 2']]);
  assert.deepEqual(did.slept, [1_000, 1_000, 500, 1, 1_000, 199]);
  assert.deepEqual(did.steps, [
    'renewing 1 of 2',
    'renewing 2 of 2',
    'waiting 0 of 2500',
    'waiting 1000 of 2500',
    'waiting 2000 of 2500',
    'resealing 1 of 3',
    'resealing 1 of 3',
    'outliving 0 of 1199',
    'outliving 1000 of 1199',
    'retiring 1 of 2',
    'retiring 2 of 2',
  ]);
});

test('the lease, the time of a commit and half an hour are waited for, and where there is no key nothing', async () => {
  const { needs, did } = rotating({ keys: [keyRow({})] });
  await rotateData(needs, null);
  assert.equal(
    did.slept.reduce((sum, ms) => sum + ms, 0),
    60_000 + 30_000 + 31 * 60_000,
  );
  assert.ok(did.slept.every((ms) => ms > 0));
  assert.equal(did.steps.filter((step) => step.startsWith('waiting')).length, 90, 'the first two before anything is resealed');
  const none = rotating({});
  assert.deepEqual(await rotateData(none.needs, null), { renewed: 0, continued: 0, resealed: 0, retired: 0, broken: [] });
  assert.deepEqual(none.did.slept, []);
});

test('a rotation that is continued waits for what was sealed before it began, and a new key alone is no rotation', async () => {
  const young = keyRow({ version: 3, createdAt: 10 * DAY_MS - 700 });
  const begun = rotating({ keys: [young, keyRow({ version: 2, state: 'retiring' })] });
  await rotateData({ ...begun.needs, leaseMs: 500, shortLivedMs: 1_000 }, null);
  assert.deepEqual([begun.did.slept, begun.did.retired], [[500, 300], ['a 2']]);
  assert.equal((await rotateData(rotating({ keys: [young] }).needs, null)).renewed, 1);
});

test('a key that another rotation has replaced meanwhile is left to that one', async () => {
  const keys = [keyRow({})];
  const { needs, did } = rotating({ keys });
  const renew = async () => {
    keys.splice(0, 1, keyRow({ state: 'retiring' }), keyRow({ version: 2, state: 'retiring' }), keyRow({ version: 3 }));
    return 2;
  };
  await rotateData({ ...needs, vault: { ...needs.vault, renew } }, null);
  assert.deepEqual(did.retired, ['a 1']);
});

test('a rotation that began a day ago is not continued, and the keys of an owner with a broken text are kept', async () => {
  const keys = (age: number) => [keyRow({ version: 3, createdAt: 10 * DAY_MS - age }), keyRow({ version: 2, state: 'retiring' })];
  const renewedAfter = async (age: number) => (await rotateData(rotating({ keys: keys(age) }).needs, null)).renewed;
  assert.deepEqual([await renewedAfter(DAY_MS - 1), await renewedAfter(DAY_MS)], [0, 1]);
  const open = () => {
    throw new VaultRefused('damaged');
  };
  const { needs, did } = rotating({ rows: [rowOf('payment', 'a', 1)], keys: keys(5), open });
  assert.equal((await rotateData(needs, null)).retired, 0);
  assert.deepEqual(did.retired, []);
});

test('a master rotation rewraps the keys of other master keys, and names those that do not open', async () => {
  const keys = [
    keyRow({ owner: 'a', masterId: 'before' }),
    keyRow({ owner: 'b', masterId: 'before' }),
    keyRow({ owner: 'c', masterId: 'before', version: 4 }),
    keyRow({ owner: 'd' }),
    keyRow({ owner: 'e', masterId: 'before', wrapped: null }),
  ];
  const rewrap = ({ owner }: KeyRow) => {
    if (owner === 'c') throw new VaultRefused('damagedKey');
    return owner === 'a';
  };
  const { needs, did } = rotating({ keys, rewrap });
  const broken = [{ table: 'data_key', id: 'c data 4', owner: 'c' }];
  assert.deepEqual(await rotateMaster(needs), { resealed: 0, rewrapped: 1, left: 2, broken });
  assert.deepEqual(did.steps, ['rewrapping 3 of 3']);
  const failing = rotating({
    keys: [keyRow({ masterId: 'before' })],
    rewrap: () => {
      throw new Error('no connection');
    },
  });
  await assert.rejects(rotateMaster(failing.needs), /no connection/);
});

test('keys are rewrapped 64 at a time, and only texts under derived keys are resealed', async () => {
  const keys = Array.from({ length: 65 }, (_, at) => keyRow({ owner: `o${at}`, masterId: 'before' }));
  const derived: SealedRow = {
    ...rowOf('payment', 'a', 1),
    sealed: Uint8Array.from([1, ...Array.from({ length: 28 }, () => 0)]),
  };
  const { needs, did } = rotating({ keys, rows: [derived, rowOf('payment', 'b', 1)] });
  assert.deepEqual(await rotateMaster(needs), { resealed: 1, rewrapped: 65, left: 0, broken: [] });
  assert.deepEqual(did.steps.slice(-2), ['rewrapping 64 of 65', 'rewrapping 65 of 65']);
  assert.deepEqual(did.resealed, [1]);
  const none = rotating({ keys: [keyRow({})] });
  await rotateMaster(none.needs);
  assert.deepEqual(none.did.steps, []);
});
