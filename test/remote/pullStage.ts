import { clock, createIds, timers } from '../../src/app/system.ts';
import { createDirectory, type Entity } from '../../src/merchants/directory.ts';
import { sandbox, sandboxRows } from '../../src/merchants/sandbox.ts';
import { createFolders } from '../../src/outbound/folders.ts';
import { type PullNeeds, pullAll } from '../../src/settlement/in/pull.ts';
import { createUploadStore } from '../../src/settlement/in/uploads.ts';
import type { FolderAddress, FolderSecret } from '../../src/spec/remoteFolder.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';

/** The job that fetches settlement files from a server, on a store in memory. */
type PullStage = {
  readonly needs: PullNeeds;
  /** What was complained of, everything in one line. */
  readonly alarms: string[];
  /** A round of fetching, with these settings. */
  round(pull: object, other?: Partial<PullNeeds>): Promise<void>;
  /** Name, state and lines of every file that is known. */
  files(): Promise<readonly string[]>;
};

/** The setting for a server. */
export const settingOf = ({ hostKey, ca, ...place }: FolderAddress) => ({
  ...place,
  ...(hostKey !== null && { hostKey }),
  ...(ca !== null && { ca: ca.join('\n') }),
});

export async function createPullStage(secret: FolderSecret, reach: 'public' | 'loopback' = 'loopback'): Promise<PullStage> {
  const store = createMemoryStore();
  await store.insertAccounts(sandboxRows(0));
  const directory = await createDirectory(store, clock);
  const alarms: string[] = [];
  const open = createFolders({ timers, reach });
  const needs: PullNeeds = {
    store,
    directory,
    clock,
    ids: createIds(clock.now),
    openFolder: (target, known) => open(target, known, { openMs: 60_000, idleMs: 60_000 }),
    secret: async () => secret,
    alarm: (message, about) => void alarms.push(`${message} ${JSON.stringify(about)}`),
    uploads: createUploadStore(null),
    rest: async () => {},
    handled: new Map(),
  };
  const entity = directory.entity(sandbox.demoShop.merchantId) as Entity;
  return {
    needs,
    alarms,
    round: (pull, other = {}) =>
      pullAll({ ...needs, ...other }, [{ ...entity, settings: { ...entity.settings, settlement: { pull } } }]),
    files: async () =>
      (await store.files([entity.id], 99)).map(({ name, state, lines }) => `${name} ${state} ${lines}`).toSorted(),
  };
}
