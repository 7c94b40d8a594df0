import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { builtGateway } from '../bench/gateway.ts';
import { residentBytesOf } from '../bench/proc.ts';
import { tokenHash, tokenOf } from '../src/merchants/tokens.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { connectTo, dropUnused, freshDatabase } from './contract/freshDatabases.ts';
import { createGateway, type GatewayProcess, temporaryFolder } from './faults/gatewayProcess.ts';

/** Gateways as an operator starts them, on a database with a hundred thousand merchants. */

const MERCHANTS = 100_000;
const BATCH = 1_000;
const START_MS_MAX = 3_000;
const MEMORY_MB_MAX = 300;
const ANSWER_MS_MAX = 50;
const REVOKED_MS_MAX = 1_000;
const ROUNDS = 20;
const PINGS = 100;

const hex = (kind: string, at: number): string => `${kind}${at.toString(16)}`.padStart(32, '0');
const token = (at: number): string => tokenOf(hex('e', at), 'password');

type Run = (sql: string) => unknown;

/** A merchant with a channel and a token each, below one division. */
async function fill(run: Run): Promise<void> {
  const entity = (id: string, kind: string, parentId: string | null, name: string, settings = '{}') =>
    `('${id}', '${kind}', ${parentId === null ? 'NULL' : `'${parentId}'`}, '${name}', '${settings}')`;
  const addEntities = async (values: readonly string[]) =>
    void (await run(`INSERT INTO entity (id, kind, parent_id, name, settings) VALUES ${values.join(', ')}`));
  await addEntities([entity(hex('a', 0), 'psp', null, 'P')]);
  await addEntities([entity(hex('b', 0), 'division', hex('a', 0), 'D')]);
  for (let from = 0; from < MERCHANTS; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, at) => from + at);
    await addEntities(batch.map((at) => entity(hex('c', at), 'merchant', hex('b', 0), `Merchant ${at}`)));
    const zone = '{"timeZone":"Europe/Vienna"}';
    await addEntities(batch.map((at) => entity(hex('d', at), 'channel', hex('c', at), `Channel ${at}`, zone)));
    const tokens = batch.map((at) => `('${tokenHash(token(at))}', '${hex('c', at)}', '${hex('e', at)}', 0)`);
    await run(`INSERT INTO access_token (token_hash, entity_id, user_id, created_at) VALUES ${tokens.join(', ')}`);
  }
}

const statusFor = async ({ url }: GatewayProcess, at: number): Promise<number> => {
  const reply = await fetch(`${url}/v1/payments/${'0'.repeat(32)}?entityId=${hex('d', at)}`, {
    headers: { authorization: `Bearer ${token(at)}` },
  });
  await reply.arrayBuffer();
  return reply.status;
};
const KNOWN = 404;
const REFUSED = 403;
const PATIENCE_MS = 20_000;

const msOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** How long answers take while tokens end; each time, until every node refuses the token. */
async function measure(nodes: readonly GatewayProcess[], run: Run) {
  const answers: number[] = [];
  let revokedMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const revoked = (round * 104_729) % MERCHANTS;
    for (const node of nodes) assert.equal(await statusFor(node, revoked), KNOWN);
    await run(`UPDATE access_token SET ends_at = 1 WHERE token_hash = '${tokenHash(token(revoked))}'`);
    const until = performance.now() + PATIENCE_MS;
    const spent = await msOf(async () => {
      for (const node of nodes)
        for (let status = KNOWN; status !== REFUSED; status = await statusFor(node, revoked)) {
          assert.ok(performance.now() < until, `the token of merchant ${revoked} is still answered ${status}`);
          await pause(10);
        }
    });
    revokedMs = Math.max(revokedMs, spent);
    for (let at = 0; at < PINGS; at += 1) {
      const merchant = (round * 7_919 + at * 31 + 1) % MERCHANTS;
      for (const node of nodes) answers.push(await msOf(() => statusFor(node, merchant)));
    }
  }
  answers.sort((one, other) => one - other);
  return { revokedMs, p999: answers[Math.floor(answers.length * 0.999)] ?? 0 };
}

type Opened = { readonly nodes: readonly GatewayProcess[]; readonly run: Run; end(): Promise<void> };
const options = {
  isOperated: true,
  programs: [await builtGateway()],
  env: { LOG_LEVEL: 'error', THREADS: '1', INSPECT: 'off' },
} as const;

async function onSqlite(): Promise<Opened> {
  const dataDir = temporaryFolder();
  await (await openSqliteStore({ dataDir })).close();
  const db = new DatabaseSync(join(dataDir, 'turnpike.db'));
  db.exec('PRAGMA busy_timeout = 5000');
  const run: Run = (sql) => db.exec(sql);
  db.exec('BEGIN');
  await fill(run);
  db.exec('COMMIT');
  return {
    nodes: [await createGateway({ dataDir, ...options })],
    run,
    end: async () => {
      db.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function onPostgres(): Promise<Opened> {
  const database = await freshDatabase();
  const session = connectTo(database.url);
  const run: Run = (sql) => session.unsafe(sql);
  await fill(run);
  const node = () => createGateway({ databaseUrl: database.url, ...options });
  return {
    nodes: [await node(), await node()],
    run,
    end: async () => {
      await session.end();
      await database.giveBack(true);
    },
  };
}

after(dropUnused);

for (const [name, open] of Object.entries({ sqlite: onSqlite, postgres: onPostgres })) {
  test(`${name}: a node with ${MERCHANTS} merchants starts soon, stays small, and follows changes without a stall`, async (t) => {
    const { nodes, run, end } = await open();
    t.after(async () => {
      for (const node of nodes) await node.kill();
      await end();
    });
    let startMs = 0;
    for (const node of nodes) startMs = Math.max(startMs, await node.start());
    const { revokedMs, p999 } = await measure(nodes, run);
    const megabytes = Math.max(...nodes.map((node) => (residentBytesOf(node.pid()) ?? 0) / 1024 / 1024));
    t.diagnostic(
      `${name}: ready after ${Math.round(startMs)} ms, answers p99.9 ${p999.toFixed(1)} ms, a token refused by ${nodes.length} nodes within ` +
        `${Math.round(revokedMs)} ms, ${Math.round(megabytes)} MB a node`,
    );
    const limits: readonly (readonly [what: string, is: number, most: number])[] = [
      ['ms until ready', startMs, START_MS_MAX],
      ['ms for an answer, p99.9', p999, ANSWER_MS_MAX],
      ['ms until a token is refused', revokedMs, REVOKED_MS_MAX],
      ['MB', megabytes, MEMORY_MB_MAX],
    ];
    const missed = limits.filter(([, is, most]) => is > most).map(([what, is, most]) => `${what}: ${is.toFixed(1)} of ${most}`);
    assert.deepEqual(missed, []);
  });
}
