import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../src/store/store.ts';
import type { SealedRecord } from '../../src/vault/ports.ts';
import type { OpenedVault } from '../../src/vault/vault.ts';
import { commit, nextId, payment } from '../contract/storeFixtures.ts';
import { sealedBefore } from './formatOne.ts';
import type { RotationOrder } from './rotationProcess.ts';

export type Node = { readonly store: Store; readonly vault: OpenedVault };
/** A sealed record and its plain text. */
export type Kept = { readonly record: SealedRecord; readonly clear: string };

const merchants = ['merchant-1', 'merchant-2', 'merchant-3'] as const;

function drawn(at: number): Kept {
  const merchantId = merchants[at % merchants.length] as string;
  const recordId = nextId();
  const record = { merchantId, entityId: `${merchantId}-channel`, recordId, field: 'instrument' };
  return { record, clear: JSON.stringify({ number: String(4_200_000_000_000_000 + at), recordId }) };
}

async function keep(store: Store, { record }: Kept, sealed: Uint8Array): Promise<void> {
  const { merchantId, entityId, recordId: id } = record;
  const outcome = await store.commit(commit(payment({ id, merchantId, entityId }), 0, { sealed }));
  assert.equal(outcome.is, 'kept');
}

async function sealAndKeep({ store, vault }: Node, at: number): Promise<Kept> {
  const kept = drawn(at);
  await vault.ready(kept.record.merchantId);
  await keep(store, kept, vault.seal(kept.record, kept.clear));
  return kept;
}

const AT_ONCE = 200;

/** Adds payments of three merchants; every tenth is sealed as the previous release did. */
export async function fill(node: Node, count: number, master: Uint8Array): Promise<Kept[]> {
  const all: Kept[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const portion = Array.from({ length: Math.min(AT_ONCE, count - from) }, async (_, offset) => {
      const at = from + offset;
      if (at % 10 !== 0) return sealAndKeep(node, at);
      const old = drawn(at);
      await keep(node.store, old, sealedBefore(master, old.record, old.clear));
      return old;
    });
    all.push(...(await Promise.all(portion)));
  }
  return all;
}

export type Traffic = { readonly reads: number; readonly seals: number; readonly failures: readonly string[] };

/** Reads, writes and refreshes as a gateway does, until `stop`. What it writes is added to `kept`. */
export function startTraffic(node: Node, kept: Kept[]): { stop(): Promise<Traffic> } {
  let isOn = true;
  let [reads, seals] = [0, 0];
  const failures: string[] = [];
  const repeat = async (everyMs: number, work: () => Promise<void>) => {
    while (isOn) {
      await work().catch((error: Error) => failures.push(`${error.name}: ${error.message}`));
      await pause(everyMs);
    }
  };
  const read = async () => {
    const one = kept[(reads * 7_919) % kept.length] as Kept;
    assert.equal(await readOne(node, one), one.clear);
    reads += 1;
  };
  const write = async () => {
    kept.push(await sealAndKeep(node, 1_000_000 + seals));
    seals += 1;
  };
  const running = [
    ...[1, 2, 3, 4].map(() => repeat(10, read)),
    ...[1, 2].map(() => repeat(20, write)),
    repeat(100, node.vault.refresh),
  ];
  return {
    async stop() {
      isOn = false;
      await Promise.all(running);
      return { reads, seals, failures };
    },
  };
}

export async function readOne({ store, vault }: Node, { record }: Kept): Promise<string> {
  const sealed = await store.sealed(record.merchantId, record.recordId);
  assert.ok(sealed);
  return vault.open(record, sealed);
}

type Result = Readonly<Record<'resealed' | 'retired' | 'renewed' | 'continued' | 'rewrapped' | 'left', number>> & {
  readonly broken: readonly unknown[];
};
type Line = { readonly result?: Result; readonly ms?: number };

/** Runs a rotation in a process of its own. The process kills itself: a kill from here would come late on a busy machine. */
export async function rotateApart(
  order: RotationOrder,
  killAt?: RotationOrder['killAt'],
): Promise<{ readonly result: Result | null; readonly ms: number; readonly signal: NodeJS.Signals | null }> {
  const program = join(import.meta.dirname, 'rotationProcess.ts');
  const orderText = JSON.stringify({ ...order, ...(killAt && { killAt }) } satisfies RotationOrder);
  const child = spawn(process.execPath, [program, orderText], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let last: Line = {};
  for await (const text of createInterface({ input: child.stdout })) last = JSON.parse(text) as Line;
  const signal = await ended;
  process.off('exit', kill);
  return { result: last.result ?? null, ms: last.ms ?? 0, signal };
}
