import { setTimeout as pause } from 'node:timers/promises';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { localMasters } from '../../src/vault/masterKey.ts';
import { type Progress, rotateData, rotateMaster } from '../../src/vault/rotation.ts';
import { openVault } from '../../src/vault/vault.ts';

/** The order of the parent process, as JSON in the first argument. */
export type RotationOrder = {
  readonly what: 'data' | 'master';
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** In hex, the current one first. */
  readonly masters: readonly string[];
  readonly leaseMs: number;
  readonly settleMs: number;
  /** Where the process kills itself, before anything further is done. */
  readonly killAt?: { readonly phase: Progress['phase']; readonly above?: number };
};

/** A rotation in a process of its own, which may kill itself on the way. Prints the result as JSON. */
if (import.meta.main) {
  const order = JSON.parse(process.argv[2] ?? '') as RotationOrder;
  const [current, ...previous] = order.masters.map((hex) => Buffer.from(hex, 'hex'));
  const { databaseUrl: url, dataDir, leaseMs, settleMs, killAt } = order;
  const store = url === null ? await openSqliteStore({ dataDir }) : await openPostgresStore({ url });
  const vault = await openVault({ masters: localMasters(current as Buffer, previous), store, now: Date.now });
  const say = (about: object) => process.stdout.write(`${JSON.stringify(about)}\n`);
  const progress = (at: Progress) => {
    if (at.phase === killAt?.phase && at.done > (killAt.above ?? -1)) process.kill(process.pid, 'SIGKILL');
  };
  // This test makes no checkouts, so there are none to wait for.
  const patience = { leaseMs, settleMs, shortLivedMs: 0 };
  const needs = { store, vault, now: Date.now, sleep: (ms: number) => pause(ms), progress, ...patience };
  const began = performance.now();
  const result = order.what === 'data' ? await rotateData(needs, null) : await rotateMaster(needs);
  say({ result, ms: Math.round(performance.now() - began) });
  await store.close();
}
