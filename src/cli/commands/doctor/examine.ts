import { join } from 'node:path';
import { timers } from '../../../app/system.ts';
import { type Config, configOf, masterKey } from '../../../config/config.ts';
import type { Machine } from '../../../config/machine.ts';
import { isFault } from '../../../config/readers.ts';
import { StoreOutOfOrder } from '../../../payments/storeErrors.ts';
import { describeStoreError } from '../../../store/errors.ts';
import { openReader, type Reader } from '../../../store/open.ts';
import { localMasters, type Masters } from '../../../vault/masterKey.ts';
import { VaultRefused } from '../../../vault/sealedText.ts';
import { accountChecks } from './accountChecks.ts';
import { backupChecks } from './backupChecks.ts';
import { type Check, type Env, type Exam, type Finding, findings, type Need, type Severity } from './check.ts';
import { configurationChecks, diskChecks, timeChecks } from './configurationChecks.ts';
import { databaseChecks, postgresChecks } from './databaseChecks.ts';
import { integrityChecks } from './integrityChecks.ts';
import { keyChecks } from './keyChecks.ts';
import type { Probes } from './probes.ts';
import { tlsChecks } from './tlsChecks.ts';
import { webhookChecks } from './webhookChecks.ts';
import { workChecks } from './workChecks.ts';

/** The result of one check. `skipped`: something that it needs is missing. */
export type Result = {
  readonly id: string;
  readonly severity: Severity;
  readonly state: 'passed' | 'found' | 'skipped' | 'failed';
  readonly findings: readonly Required<Finding>[];
  /** Why it was skipped or has failed; '' otherwise. */
  readonly why: string;
};

type ExamineNeeds = {
  readonly env: Env;
  readonly machine: Machine;
  readonly probes: Probes;
  readonly now: () => number;
  /** Default: all. */
  readonly only?: (id: string) => boolean;
  /** Default: false. */
  readonly isDeep?: boolean;
  readonly onStep?: Exam['onStep'];
  /** No check may take longer. */
  readonly withinMs?: number;
};

const WITHIN_MS = 5_000;
const OPEN_MS = 8_000;

/** Runs every check within its time limit. Nothing is changed. */
export async function examine({
  env,
  machine,
  probes,
  now,
  only = () => true,
  isDeep = false,
  onStep = () => {},
  withinMs = Number.MAX_SAFE_INTEGER,
}: ExamineNeeds): Promise<readonly Result[]> {
  const read = configOf(env, machine);
  const config = 'length' in read ? null : read;
  const faults = 'length' in read ? read : [];
  const opened = config ? await open(config, isDeep) : null;
  const database = opened?.reader ?? null;
  const base = { env, probes, now, faults, isDeep, onStep, databaseFault: opened?.fault ?? null };
  const missing = await missingOf({ config, opened, database });
  const exam = { ...base, config, database, masters: () => mastersOf(config as Config, probes) } as unknown as Exam;
  try {
    const results: Result[] = [];
    for (const check of checks.filter(({ id }) => only(id))) {
      const why = missing(check.needs) ?? (check.isDeep && !isDeep ? 'it reads whole tables: add --deep' : null);
      results.push(why === null ? await runCheck(check, exam, withinMs) : resultOf(check, 'skipped', { why }));
    }
    return results;
  } finally {
    await database?.close();
  }
}

async function runCheck(check: Check, exam: Exam, withinMs: number): Promise<Result> {
  try {
    const find = check.find as (its: Exam) => Promise<readonly Finding[]> | readonly Finding[];
    const found = await timers.within(Math.min(withinMs, check.withinMs ?? WITHIN_MS), Promise.resolve(find(exam)));
    const findings = found.map(({ says, remedy = check.remedy }) => ({ says, remedy }));
    return resultOf(check, findings.length > 0 ? 'found' : 'passed', { findings });
  } catch (error) {
    const isLate = error instanceof Error && error.message === 'late';
    return resultOf(check, 'failed', { why: isLate ? 'no result in time' : describe(error) });
  }
}

const resultOf = (
  { id, severity }: Check,
  state: Result['state'],
  { findings = [], why = '' }: Partial<Pick<Result, 'findings' | 'why'>>,
): Result => ({ id, severity, state, findings, why });

/** Messages of stores and of the vault are sentences for operators; others may hold anything, and only their kind is shown. */
const describe = (error: unknown): string => {
  if (error instanceof StoreOutOfOrder || error instanceof VaultRefused) return error.message;
  const { name, code } = error as NodeJS.ErrnoException;
  return code ?? name ?? 'unknown error';
};

type Opened = { readonly reader: Reader | null; readonly fault: string | null };

async function open(config: Config, isDeep: boolean): Promise<Opened> {
  try {
    return { reader: await timers.within(OPEN_MS, openReader(config, isDeep ? 'audit' : 'everyday')), fault: null };
  } catch (error) {
    return {
      reader: null,
      fault: `The database cannot be opened: ${error instanceof StoreOutOfOrder ? error.message : describeStoreError(error)}.`,
    };
  }
}

type Found = { readonly config: Config | null; readonly opened: Opened | null; readonly database: Reader | null };

/** Why a check cannot run; null: it can. */
async function missingOf({ config, opened, database }: Found): Promise<(need: Need) => string | null> {
  const isCurrent = database !== null && (await hasSchema(database));
  return (need) => {
    if (need === 'environment') return null;
    if (config === null) return 'the configuration is faulty';
    if (need === 'configuration') return null;
    if (database === null) return opened?.fault ? 'the database cannot be opened' : 'there is no database yet';
    if (need === 'database') return null;
    if (need === 'schema') return isCurrent ? null : 'the schema is not that of this program';
    return need === database.dialect ? null : `the database is ${database.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`;
  };
}

async function hasSchema(database: Reader): Promise<boolean> {
  const schema = checks.find(({ id }) => id === 'database.schema');
  if (schema?.needs !== 'database') return false;
  return (await Promise.resolve(schema.find({ database } as Exam)).catch(() => [{}])).length === 0;
}

/** The key of a test environment without a configured one is only read here, never made. */
function mastersOf({ masterKey: configured, previousMasterKeys, dataDir }: Config, probes: Probes): Masters {
  const key = configured ?? masterKey(probes.readText(join(dataDir, 'master.key')).trim());
  if (isFault(key)) throw new StoreOutOfOrder('the master key in DATA_DIR is not one');
  return localMasters(key, previousMasterKeys);
}

const databaseOpen: Check = {
  id: 'database.open',
  looksAt: 'whether the database can be opened: reachable, ours, not damaged',
  severity: 'error',
  remedy: 'the sentence names the cause; docs/operations.md, Full disks, standbys and damaged files',
  needs: 'configuration',
  find: ({ databaseFault }) => findings(databaseFault),
};

/** The table of checks, in the order in which they are shown. */
export const checks: readonly Check[] = [
  ...configurationChecks,
  ...keyChecks,
  ...tlsChecks,
  databaseOpen,
  ...databaseChecks,
  ...postgresChecks,
  ...integrityChecks,
  ...diskChecks,
  ...timeChecks,
  ...accountChecks,
  ...webhookChecks,
  ...workChecks,
  ...backupChecks,
];
