import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { SettlementService } from '../http/admin/ports.ts';
import type { Directory } from '../merchants/directory.ts';
import { createFolders } from '../outbound/folders.ts';
import type { World } from '../payments/ports.ts';
import { recordDisputes } from '../settlement/exceptions/disputes.ts';
import { resolve } from '../settlement/exceptions/resolve.ts';
import { unsettledPayments } from '../settlement/exceptions/unsettled.ts';
import { takeFolder } from '../settlement/in/folder.ts';
import { clearAbandoned, type ImportNeeds, importFile } from '../settlement/in/importFile.ts';
import { pullAll, pullSecret } from '../settlement/in/pull.ts';
import { createUploadStore } from '../settlement/in/uploads.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../vault/ports.ts';
import type { Job } from '../workers/loop.ts';
import { sleep } from './system.ts';

export type SettlementParts = {
  readonly store: Store;
  readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'>;
  readonly directory: Directory;
  readonly world: World;
  readonly worldOf: (merchantId: string | null) => World;
  /** Where acquirers' files are laid down, a folder for each entity; null or left out: nowhere. */
  readonly settlementDir?: string | null;
  /** Where this node keeps what it may lose; left out: nowhere of its own. */
  readonly dataDir?: string;
  readonly nodeName: string;
  /** How long a file may be that is sent to us; left out: half a gigabyte. */
  readonly settlementBytesMax?: number;
  /** Whose servers may be reached: `loopback` this machine too. */
  readonly reach: 'loopback' | 'public';
};

/** How long a file that is sent to us may be where nobody has said. */
const BYTES_MAX = 536_870_912;

const [SECOND_MS, MINUTE_MS] = [1_000, 60_000];
const PULL_MS = 15 * MINUTE_MS;
const PULL_BOUNDS = { openMs: 15 * SECOND_MS, idleMs: MINUTE_MS };
/** A file may be gigabytes, from a slow server; each wait for it has a bound of its own. */
const FILES_LIMIT_MS = 120 * MINUTE_MS;
const AT_ONCE = 200;
const ROUNDS_MAX = 50;

/** Takes acquirers' files in, and makes of their lines what they say. */
export function createSettlementModule({ settlementDir: folder = null, ...parts }: SettlementParts): {
  readonly service: SettlementService;
  readonly jobs: readonly Job[];
} {
  const { store, vault, directory, world, worldOf, dataDir, nodeName } = parts;
  // Nodes may share the folder of the data: each clears away its own.
  const uploads = createUploadStore(dataDir === undefined ? null : join(dataDir, 'incoming', nodeName));
  const { clock, ids } = world;
  const nowOf = (merchantId: string | null): number => worldOf(merchantId).clock.now();
  const needs: ImportNeeds = { store, directory, clock, ids, nowOf };
  const disputes = async () => {
    for (let round = 0; round < ROUNDS_MAX; round += 1) if ((await recordDisputes({ store, worldOf }, AT_ONCE)) < AT_ONCE) return;
  };
  const service: SettlementService = {
    store,
    uploads,
    bytesMax: parts.settlementBytesMax ?? BYTES_MAX,
    importFile: (entityId, source) => importFile(needs, entityId, source),
    resolve: (record, decision) => resolve(needs, record, decision),
    recordDisputes: disputes,
    unsettled: (asked) => unsettledPayments(store, asked),
  };
  const open = createFolders({ timers: world.timers, reach: parts.reach });
  const pulling = {
    ...needs,
    openFolder: (target: Parameters<typeof open>[0], secret: Parameters<typeof open>[1]) => open(target, secret, PULL_BOUNDS),
    secret: (entityId: string) => pullSecret({ store, vault }, entityId),
    alarm: world.alarm,
    uploads,
    rest: sleep,
    seen: new Map(),
  };
  const pullers = async () => {
    const rows = await store.entities();
    return rows.flatMap(({ id }) => directory.entity(id) ?? []).filter(({ settings }) => settings.settlement?.pull !== undefined);
  };
  const jobs = settlementJobs({
    pull: async () => pullAll(pulling, await pullers()),
    disputes,
    clear: async () => void (await clearAbandoned(needs)),
    take: folder === null ? null : () => takeFolder({ ...needs, folder, open: createReadStream, alarm: world.alarm }),
  });
  return { service, jobs };
}

type SettlementWork = Readonly<Record<'pull' | 'disputes' | 'clear', () => Promise<void>>> & {
  /** Null: nobody lays files down. */
  readonly take: (() => Promise<void>) | null;
};

const settlementJobs = ({ pull, disputes, clear, take }: SettlementWork): readonly Job[] => [
  { name: 'fetch settlement files', everyMs: PULL_MS, limitMs: FILES_LIMIT_MS, run: pull },
  { name: 'record chargebacks', everyMs: 2 * SECOND_MS, limitMs: 10 * MINUTE_MS, run: disputes },
  { name: 'delete abandoned settlement imports', everyMs: MINUTE_MS, limitMs: 10 * MINUTE_MS, run: clear },
  ...(take === null ? [] : [{ name: 'import settlement files', everyMs: 10 * SECOND_MS, limitMs: FILES_LIMIT_MS, run: take }]),
];
