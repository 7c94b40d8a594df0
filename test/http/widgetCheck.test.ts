import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Build } from '../../src/assets/asset.ts';
import { createSelfCheck } from '../../src/assets/files.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { checkoutJobs } from '../../src/workers/jobs.ts';
import { reportFigure } from '../figures.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { tinyBuild } from './tinyBuild.ts';

const RUNTIME = 'js/static.min.js';
const JOB = 'verify widget files';
const HALF_HOUR_MS = 30 * 60_000;

const build = tinyBuild('checked');
const bytesOf = (of: Build, name: string) => of.files.find((file) => file.name === name)?.bytes ?? assert.fail(name);
const withChanged = (of: Build, name: string): Build => ({
  ...of,
  files: of.files.map((file) => (file.name === name ? { ...file, bytes: file.bytes.with(0, 0) } : file)),
});

/** Where the attacker is: each turns its tampering on and off. */
let isStoreChanged = false;
let onDisk: Build = build;
let gateway: TestGateway;

before(async () => {
  const own = createMemoryStore();
  const asset: typeof own.asset = async (wanted, name) => {
    const found = await own.asset(wanted, name);
    return found && isStoreChanged && name === RUNTIME ? { ...found, bytes: found.bytes.with(0, 0) } : found;
  };
  gateway = await startGateway({ store: { ...own, asset }, build, reloadWidget: async () => onDisk });
});
after(() => gateway.close());

const places: readonly (readonly [place: string, tamper: (isOn: boolean) => void])[] = [
  [
    'in the memory of the node that serves it',
    () => {
      const bytes = bytesOf(build, RUNTIME);
      bytes[3] = (bytes[3] as number) ^ 1;
    },
  ],
  [
    'in the database from which other nodes serve it',
    (isOn) => {
      isStoreChanged = isOn;
    },
  ],
  [
    'on disk',
    (isOn) => {
      onDisk = isOn ? withChanged(build, RUNTIME) : build;
    },
  ],
  [
    'on disk, where it is gone',
    (isOn) => {
      onDisk = isOn ? { ...build, files: build.files.filter(({ name }) => name !== RUNTIME) } : build;
    },
  ],
];

async function lookAt({ url, lines }: TestGateway) {
  const ready = await fetch(`${url}/health/ready`);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const alarms = lines.filter((line) => line.includes('widget files differ')).map((line) => JSON.parse(line));
  return {
    ready: await ready.json(),
    metric: /^turnpike_widget_files_changed(?:\{\})? (\d+)$/m.exec(metrics)?.[1],
    alarms: alarms.map(({ alarm, files }) => ({ alarm, files })),
  };
}

for (const [place, tamper] of places) {
  test(`R33: a file of the widget that was changed ${place} is an alarm, a metric and a detail of readiness at the next check`, async () => {
    const before = await lookAt(gateway);
    assert.deepEqual([before.ready, before.metric], [{ status: 'ready' }, '0']);
    tamper(true);
    gateway.pass(HALF_HOUR_MS);
    await gateway.work(JOB);
    const found = await lookAt(gateway);
    assert.deepEqual(found.ready, { status: 'ready', changedWidgetFiles: 1 });
    assert.equal(found.metric, '1');
    assert.deepEqual(found.alarms.slice(before.alarms.length), [{ alarm: true, files: RUNTIME }]);
    tamper(false);
    await gateway.work(JOB);
    const after = await lookAt(gateway);
    assert.deepEqual([after.ready, after.metric], [{ status: 'ready' }, '0'], 'the check goes on, and sees that it is mended');
    assert.equal(after.alarms.length, found.alarms.length);
    reportFigure('R33', 'changed files alarmed', 1);
  });
}

test('R33: the check runs twice an hour, so that a change right after it is still an alarm within the hour', () => {
  const never = async () => {};
  const jobs = checkoutJobs({
    clock: { now: () => 0 },
    store: createMemoryStore(),
    sendNotifications: never,
    publishBuild: never,
    verifyFiles: never,
  });
  assert.ok((jobs.find(({ name }) => name === JOB)?.everyMs ?? Number.POSITIVE_INFINITY) <= HALF_HOUR_MS);
});

test('control: a check that takes its hashes after the change finds nothing', async () => {
  const { files } = gateway.services.checkouts;
  const [[, tamper]] = places as [(typeof places)[number]];
  const needs = { build, files, store: { asset: async () => null }, reload: async () => build };
  const early = createSelfCheck(needs);
  tamper(true);
  assert.deepEqual(await early(), [RUNTIME]);
  assert.deepEqual(await createSelfCheck(needs)(), []);
  tamper(false);
});
