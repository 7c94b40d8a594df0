import { isAbsolute, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../app/operatorError.ts';
import { clock, createIds } from '../app/system.ts';
import { type Config, configOf } from '../config/config.ts';
import { thisMachine } from '../config/machine.ts';
import { hasStoredMasterKey, storedMasterKey } from '../config/storedMasterKey.ts';
import type { Entity } from '../merchants/directory.ts';
import type { EntityRow, MerchantStore } from '../merchants/ports.ts';
import { treeOf } from '../risk/backtest/ruleSelector.ts';
import type { Store } from '../store/store.ts';
import { localMasters, type Masters } from '../vault/masterKey.ts';
import type { OpenedVault } from '../vault/vault.ts';
import type { Context } from './command.ts';
import { createProgressBar } from './output.ts';

/** The context of a command that an operator runs, and how it is closed. */
export function createContext(env: NodeJS.ProcessEnv): { readonly context: Context; close(): Promise<void> } {
  const ending = new AbortController();
  const { stdout, stderr } = process;
  const bar = createProgressBar({
    isTerminal: stderr.isTTY === true,
    columns: () => stderr.columns ?? 80,
    write: (text) => stderr.write(text),
    now: clock.now,
  });
  const config = once(() => readConfig(env));
  const store = once(() => openStore(config()));
  const masters = once(() => mastersOf(config()));
  const vault = once(async (): Promise<OpenedVault> => {
    const { openVault } = await import('../vault/vault.ts');
    return openVault({ masters: masters(), store: await store(), now: clock.now });
  });
  const signal = once(() => {
    const end = createEnd(ending);
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, end);
    return ending.signal;
  });
  // The reader of a pipe, such as `head`, has what it wanted: a command that runs on and on ends, any other finishes its work in silence.
  for (const stream of [stdout, stderr])
    stream.on('error', (error) => {
      if (!isReaderGone(error)) throw error;
      ending.abort();
    });
  const line = (stream: NodeJS.WriteStream) => (text: string) => {
    bar.clear();
    stream.write(`${text}\n`);
  };
  const context: Context = {
    config,
    masters,
    store,
    vault,
    signal,
    sleep: (ms) => pause(ms, undefined, { signal: ending.signal }).catch(() => {}),
    clock,
    ids: createIds(clock.now),
    // npm runs everything in the folder of the package; its caller may stand somewhere else.
    readText: (path) => readText(isAbsolute(path) ? path : join(env.TURNPIKE_CALLED_FROM ?? '.', path)),
    print: line(stdout),
    write: (bytes) =>
      new Promise((resolve, reject) => {
        stdout.write(bytes, (error) => (error && !isReaderGone(error) ? reject(error) : resolve()));
      }),
    printError: line(stderr),
    progress: bar.show,
  };
  return {
    context,
    async close() {
      bar.clear();
      if (store.isMade())
        await store().then(
          (its) => its.close(),
          () => {},
        );
    },
  };
}

/** A file that an option names. */
function readText(path: string): string {
  try {
    return thisMachine.readText(path);
  } catch (error) {
    throw new OperatorError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
}

function readConfig(env: NodeJS.ProcessEnv): Config {
  const config = configOf(env, thisMachine);
  if ('length' in config) throw new OperatorError(config.join('\n'));
  return config;
}

/** Only the engine that is used is loaded. */
async function openStore({ databaseUrl, dataDir }: Config): Promise<Store> {
  if (databaseUrl === null) return (await import('../store/sqlite/sqliteStore.ts')).openSqliteStore({ dataDir });
  return (await import('../store/postgres/postgresStore.ts')).openPostgresStore({ url: databaseUrl });
}

/** Only a gateway makes the key of a sandbox: one that a command made would open nothing, and be taken for the right one later. */
function mastersOf({ masterKey, previousMasterKeys, dataDir }: Config): Masters {
  if (masterKey === null && !hasStoredMasterKey(dataDir))
    throw new OperatorError(
      `MASTER_KEY: there is no ${join(dataDir, 'master.key')}, where a sandbox keeps its key. For another folder name it, as MASTER_KEY_FILE=./data/master.key`,
    );
  try {
    return localMasters(masterKey ?? storedMasterKey(dataDir), previousMasterKeys);
  } catch (error) {
    throw new OperatorError(`DATA_DIR: ${dataDir} cannot be used: ${(error as Error).message}`);
  }
}

const isReaderGone = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE';

/** One Ctrl-C may arrive twice within this time, from the terminal and from the parent process. */
const ECHO_MS = 1_000;

/** Aborts the command; a later signal ends the process. */
function createEnd(ending: AbortController): () => void {
  let askedAt: number | null = null;
  return () => {
    if (askedAt !== null && clock.now() - askedAt > ECHO_MS) process.exit(130);
    askedAt ??= clock.now();
    ending.abort();
  };
}

/** Made when it is first asked for. */
function once<Value>(make: () => Value): (() => Value) & { isMade(): boolean } {
  let made: { readonly value: Value } | null = null;
  const get = () => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.assign(get, { isMade: () => made !== null });
}

/** An entity that an operator named, its row and the whole hierarchy around it. */
export type NamedEntity = {
  readonly row: EntityRow;
  readonly entity: Entity;
  readonly rows: readonly EntityRow[];
  readonly tree: ReadonlyMap<string, Entity>;
};

export async function findEntity(store: Pick<MerchantStore, 'entities'>, id: string): Promise<NamedEntity> {
  const rows = await store.entities();
  const tree = treeOf(rows);
  const [row, entity] = [rows.find((one) => one.id === id), tree.get(id)];
  if (!row || !entity) throw new OperatorError(`--entity: there is no entity ${JSON.stringify(id)}`);
  return { row, entity, rows, tree };
}

/** The same for what only merchants and their channels have. */
export async function findMerchant(
  store: Pick<MerchantStore, 'entities'>,
  id: string,
): Promise<NamedEntity & { readonly merchantId: string }> {
  const named = await findEntity(store, id);
  const { merchantId, name, kind } = named.entity;
  if (merchantId === null) throw new OperatorError(`--entity: ${name} is a ${kind}; name a merchant or one of its channels`);
  return { ...named, merchantId };
}
