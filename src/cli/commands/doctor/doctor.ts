import { join } from 'node:path';
import { timers } from '../../../app/system.ts';
import { type Config, configOf, masterKey } from '../../../config/config.ts';
import { type Machine, thisMachine } from '../../../config/machine.ts';
import { isFault } from '../../../config/readers.ts';
import { StoreOutOfOrder } from '../../../payments/storeErrors.ts';
import { describeStoreError } from '../../../store/errors.ts';
import { openReader, type Reader } from '../../../store/open.ts';
import { localMasters, type Masters } from '../../../vault/masterKey.ts';
import { VaultRefused } from '../../../vault/sealedText.ts';
import { type Command, type Context, parseFlaggedOptions, UsageError } from '../../command.ts';
import { counted } from '../../output.ts';
import { accountChecks } from './accountChecks.ts';
import { backupChecks } from './backupChecks.ts';
import {
  type Check,
  type Env,
  type Exam,
  type Finding,
  findings,
  type Need,
  type Probes,
  type Severity,
  thisSystem,
} from './check.ts';
import { configurationChecks, diskChecks, timeChecks } from './configurationChecks.ts';
import { databaseChecks, postgresChecks } from './databaseChecks.ts';
import { integrityChecks } from './integrityChecks.ts';
import { keyChecks } from './keyChecks.ts';
import { tlsChecks } from './tlsChecks.ts';
import { webhookChecks, workChecks } from './workChecks.ts';

const [ERRORS, WARNINGS] = [1, 3];

/** Looks for faults of an installation, also while its gateway is running. */
export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'look for what is wrong: configuration, keys, TLS, DNS, database, disk, accounts, webhooks, queues, backups',
  usage: [
    'doctor [--deep] [--only part] [--verbose] [--json]',
    '  --deep        also read every record, page and index, which takes minutes for some million payments',
    '  --only part   only the checks whose id contains this text, such as tls or postgres.clock; several with commas between them',
    '  --verbose     also the checks that passed, and why others were left out',
    '  --json        as JSON: every check with its state and findings',
    `  Exit code 0: nothing, or notes only; ${WARNINGS}: warnings; ${ERRORS}: errors. Nothing is changed.`,
  ].join('\n'),
  run: (words, context) =>
    doctor(words, {
      ...context,
      examine: (chosen) => examine({ ...system(process.env), ...chosen, now: context.clock.now, onStep: context.progress }),
    }),
};

const system = (env: Env) => ({ env, machine: thisMachine, probes: thisSystem });

export type DoctorNeeds = Pick<Context, 'print' | 'printError'> & {
  examine(chosen: { only(id: string): boolean; readonly isDeep: boolean }): Promise<readonly Result[]>;
};

export async function doctor(words: readonly string[], { print, printError, examine: look }: DoctorNeeds): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['only'], ['deep', 'verbose', 'json']);
  const parts = (texts.only ?? '').split(',').map((part) => part.trim());
  for (const part of parts)
    if (!checks.some(({ id }) => id.includes(part)))
      throw new UsageError(`--only: no check has ${JSON.stringify(part)} in its id`);
  const results = await look({ only: (id) => parts.some((part) => id.includes(part)), isDeep: flags.deep === true });
  if (flags.json) print(JSON.stringify({ ok: codeOf(results) === 0, checks: results }, null, 2));
  else {
    for (const line of results.flatMap((result) => linesOf(result, flags.verbose === true))) print(line);
    printError(summaryOf(results));
  }
  return codeOf(results);
}

const words = { error: 'ERROR', warning: 'WARNING', note: 'NOTE' } as const;

function linesOf({ id, severity, state, findings, why }: Result, isVerbose: boolean): readonly string[] {
  if (state === 'failed') return [`WARNING  ${id}: the check could not be made (${why}).`];
  if (state === 'skipped') return isVerbose ? [`SKIPPED  ${id}: ${why}`] : [];
  if (state === 'passed') return isVerbose ? [`OK       ${id}`] : [];
  return findings.flatMap(({ says, remedy }) => [`${words[severity].padEnd(7)}  ${id}: ${says}`, `         → ${remedy}`]);
}

/** The exit code of the worst finding. A check that could not be made counts as a warning. */
export function codeOf(results: readonly Result[]): number {
  const worst = (severity: string) => results.some((one) => one.state === 'found' && one.severity === severity);
  if (worst('error')) return ERRORS;
  return worst('warning') || results.some(({ state }) => state === 'failed') ? WARNINGS : 0;
}

function summaryOf(results: readonly Result[]): string {
  const inState = (state: Result['state']) => results.filter((one) => one.state === state).length;
  const found = (severity: Result['severity']): string => {
    const count = results.filter((one) => one.severity === severity).reduce((sum, { findings }) => sum + findings.length, 0);
    return counted(severity === 'warning' ? count + inState('failed') : count, severity);
  };
  const made = results.length - inState('skipped') - inState('failed');
  return `${counted(made, 'check')} made, ${inState('skipped')} left out: ${found('error')}, ${found('warning')}, ${found('note')}.`;
}

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
    const find = check.find as (its: Exam) => Promise<readonly Finding[]>;
    const found = await timers.within(Math.min(withinMs, check.withinMs ?? WITHIN_MS), find(exam));
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
  find: async ({ databaseFault }) => findings(databaseFault),
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
