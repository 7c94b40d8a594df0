import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { alerts } from '../../scripts/monitoring/alerts.ts';
import { DASHBOARD, RULES } from '../../scripts/monitoring/files.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { exampleWebhook } from '../../src/webhooks/examples.ts';
import { example } from '../connectors/example/example.ts';
import { exampleUnderTest } from '../connectors/example/server.ts';
import { kept, sealSecrets, send, shopOf } from '../connectors/trialShop.ts';
import { freshShops } from '../http/freshShops.ts';
import { startGateway } from '../http/gateway.ts';
import { settingsFor } from '../telemetry/collector.ts';
import { ensurePromtool, promtool, type RuleTest, seriesOf, testFile } from './promtool.ts';

const root = join(import.meta.dirname, '../..');
const rulesPath = join(root, RULES);
const folder = mkdtempSync(join(tmpdir(), 'turnpike-rules-'));
after(() => rmSync(folder, { recursive: true }));
const missing = await ensurePromtool();
const options = missing === null ? {} : { skip: missing };

const states = (firing: readonly string[]) => alerts.map(({ name }) => ({ name, isFiring: firing.includes(name) }));

async function testRules(tests: readonly RuleTest[]): Promise<void> {
  const file = join(folder, 'tests.yaml');
  writeFileSync(file, testFile(rulesPath, tests));
  const { isGood, said } = await promtool('test', 'rules', file);
  assert.ok(isGood, said);
}

/** A gateway that is up, with backups, as a base of every test. */
const healthy = {
  'up{job="turnpike"}': '1x90',
  turnpike_backup_age_seconds: '3600x90',
  turnpike_backup_proof_age_seconds: '86400x90',
  turnpike_backup_proof_succeeded: '1x90',
};

test('promtool accepts the rules', options, async () => {
  const { isGood, said } = await promtool('check', 'rules', rulesPath);
  assert.ok(isGood && said.includes(`${alerts.length} rules found`), said);
});

test('every fault fires its alert and no other', options, async () => {
  assert.ok(alerts.length >= 10);
  await testRules(
    alerts.map(({ name, fault }) => {
      const length = Math.min(...Object.values(fault).map((values) => lengthOf(values)));
      return { name, series: { ...healthy, ...fault }, minutes: length - 1, alerts: states([name]) };
    }),
  );
});

/** How many minutes a series in the notation of promtool has. */
const lengthOf = (values: string): number =>
  values.split(' ').reduce((sum, part) => sum + 1 + Number(/x(\d+)$/.exec(part)?.[1] ?? 0), 0);

/** An acquirer that reads requests and hangs up. */
async function startSilence() {
  const server = createServer((request) => request.socket.destroy());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () => new Promise<void>((done) => server.close(() => done()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** A gateway with an acquirer that gives no answers, a receiver and a collector that are away. */
async function startFaultyGateway() {
  const acquirer = await startSilence();
  const account = 'dead';
  const { shops, rows } = freshShops(1, {
    connectors: { default: account },
    accounts: { [account]: { connector: example.name, settings: { url: acquirer.url } } },
  });
  const shop = shopOf(shops[0]);
  const store = createMemoryStore();
  await sealSecrets(store, { ownerId: shop.ownerId, account }, exampleUnderTest.secrets);
  const gateway = await startGateway({
    store,
    rows,
    connectorKinds: new Map([[example.name, example]]),
    telemetry: settingsFor('http://127.0.0.1:1', { queueMax: 1 }),
    sleep: async () => {},
  });
  const { keys, store: webhooks } = gateway.services.webhooks;
  const webhook = exampleWebhook({ entityId: shop.ownerId, url: 'http://127.0.0.1:1/' });
  await webhooks.addWebhook({ ...webhook, keys: [(await keys.make(webhook, Date.now())).key] });
  const pay = () =>
    send(gateway, shop, {
      fields: {
        ...exampleUnderTest.approved,
        paymentBrand: 'VISA',
        'card.number': '4200000000000000',
        paymentType: 'DB',
        amount: '10.00',
        currency: 'EUR',
      },
    });
  const page = () => gateway.services.metrics.page({ directoryMs: 0, jobs: gateway.services.health.jobs() });
  const close = async () => {
    kept.destroy();
    await gateway.close();
    await acquirer.close();
  };
  return { gateway, pay, page, close };
}

/** Values of a quiet hour, then a step to other values, which stay. Prometheus does not keep what has not changed. */
function steps(before: ReadonlyMap<string, number>, later: ReadonlyMap<string, number>, minutes: number): Record<string, string> {
  const text = (value: number): string => (value === Number.POSITIVE_INFINITY ? 'Inf' : String(value));
  return Object.fromEntries(
    [...later].map(([series, value]) => {
      const first = before.get(series) ?? 0;
      const isCounter = /_(?:total|bucket|count|sum)(?:\{|$)/.test(series);
      // A counter goes on rising as it rose: the fault lasts.
      const rises =
        isCounter && Number.isFinite(value) ? `${text(first)}+${text(value - first)}x${minutes}` : `${text(value)}x${minutes}`;
      return [series, rises];
    }),
  );
}

test('faults of a running gateway fire their alerts, and an hour without work fires none', options, async () => {
  const { gateway, pay, page, close } = await startFaultyGateway();
  const quiet = seriesOf(page());
  for (let count = 0; count < 12; count += 1) await pay();
  gateway.pass(20 * 60_000);
  // Nothing fans events out, and no sweep inquires: both queues grow old.
  await gateway.work('measure queues');
  const aged = seriesOf(page());
  await gateway.work('fan out events');
  await gateway.work('dispatch deliveries');
  const failed = seriesOf(page());
  await close();
  const dropped = seriesOf(page());
  const hour = Object.fromEntries(
    [...quiet].map(([series, value]) => [series, `${value === Number.POSITIVE_INFINITY ? 'Inf' : value}x60`]),
  );
  const silent = ['TurnpikeAcquirerUnreachable', 'TurnpikeAcquirerSilent', 'TurnpikeTracesDropped'];
  await testRules([
    { name: 'a quiet hour', series: { ...hour, ...healthy }, minutes: 60, alerts: states([]) },
    {
      name: 'a dead acquirer, a full queue of spans, events that wait',
      series: { ...steps(quiet, aged, 30), ...healthy },
      minutes: 30,
      alerts: states([...silent, 'TurnpikeEventsWaiting']).filter(({ isFiring }) => isFiring),
    },
    {
      name: 'a receiver that is away',
      series: { ...steps(aged, failed, 60), ...healthy },
      minutes: 60,
      alerts: states(['TurnpikeWebhooksFailing']).filter(({ isFiring }) => isFiring),
    },
    {
      name: 'a collector that is away',
      series: { ...steps(failed, dropped, 30), ...healthy },
      minutes: 30,
      alerts: states(['TurnpikeTracesDropped']).filter(({ isFiring }) => isFiring),
    },
  ]);
});

test('every metric that rules and dashboard name is on the page', () => {
  const known = new Set(
    createMetrics()
      .figures()
      .flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]),
  );
  const dashboard = JSON.parse(readFileSync(join(root, DASHBOARD), 'utf8')) as {
    readonly panels: readonly {
      readonly id: number;
      readonly title: string;
      readonly targets: readonly { readonly expr: string }[];
    }[];
  };
  assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const named = expressions.flatMap((expr) => expr.match(/\b(?:turnpike|nodejs|process)_[a-z0-9_]+/g) ?? []);
  assert.ok(named.length > 40);
  assert.deepEqual(
    [...new Set(named)].filter((name) => !known.has(name)),
    [],
  );
});

test('the queries of the dashboard are PromQL', options, async () => {
  const { panels } = JSON.parse(readFileSync(join(root, DASHBOARD), 'utf8')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));
  const lines = queries.map((expr, at) => `      - record: 'query:${at}'\n        expr: '${expr.replaceAll("'", "''")}'`);
  const file = join(folder, 'dashboard.yaml');
  writeFileSync(file, `groups:\n  - name: dashboard\n    rules:\n${lines.join('\n')}\n`);
  const { isGood, said } = await promtool('check', 'rules', file);
  assert.ok(isGood, said);
});

test('the commands of the guide run against a gateway', options, async () => {
  const gateway = await startGateway();
  const guide = readFileSync(join(root, 'docs/monitoring.md'), 'utf8');
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  assert.equal(blocks.length, 3);
  const script = `set -e\n${blocks.join('\n')}`.replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway.port}`);
  const file = join(folder, 'guide.sh');
  writeFileSync(file, script);
  const { promise, resolve } = Promise.withResolvers<{ readonly code: number | null; readonly said: string }>();
  execFile('/bin/sh', [file], { cwd: root }, (error, stdout, stderr) => resolve({ code: error ? 1 : 0, said: stdout + stderr }));
  const { code, said } = await promise;
  await gateway.close();
  assert.equal(code, 0, said);
  assert.match(said, /"status": ?"ready"[\s\S]*turnpike_build_info[\s\S]*SUCCESS/);
  const line = gateway.lines.map((text) => JSON.parse(text)).find(({ path }) => path === '/v1/payments' || path === null);
  assert.match(line.requestId, /-/);
});
