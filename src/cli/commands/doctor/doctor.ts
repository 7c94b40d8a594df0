import { thisMachine } from '../../../config/machine.ts';
import { type Command, type Context, parseFlaggedOptions, UsageError } from '../../command.ts';
import { counted } from '../../output.ts';
import type { Env } from './check.ts';
import { checks, examine, type Result } from './examine.ts';
import { thisSystem } from './probes.ts';

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
