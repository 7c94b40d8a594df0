import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const PROMTOOL = '/usr/bin/promtool';
const INSTALL_MS_MAX = 300_000;
const run = promisify(execFile);

/** Installs the distribution's Prometheus where that is possible. Returns why there is no promtool; null: there is one. */
export async function ensurePromtool(): Promise<string | null> {
  if (existsSync(PROMTOOL)) return null;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return 'promtool is not there, and this user cannot install it';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '-qq'], { env, timeout: INSTALL_MS_MAX });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'prometheus'], { env, timeout: INSTALL_MS_MAX });
    return existsSync(PROMTOOL) ? null : 'promtool was not installed';
  } catch (error) {
    return `promtool could not be installed: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** The output, and whether it succeeded. */
export async function promtool(...words: string[]): Promise<{ readonly isGood: boolean; readonly said: string }> {
  try {
    const { stdout, stderr } = await run(PROMTOOL, words);
    return { isGood: true, said: stdout + stderr };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { isGood: false, said: stdout + stderr };
  }
}

/** One test of the rules: series by the minute, and the alerts that fire at the end. */
export type RuleTest = {
  readonly name: string;
  readonly series: Readonly<Record<string, string>>;
  readonly minutes: number;
  readonly alerts: readonly { readonly name: string; readonly isFiring: boolean }[];
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * The tests as promtool reads them. promtool compares whole alerts with all labels, so that the tests ask for the names alone: the series
 * ALERTS by name.
 */
export const testFile = (rulesPath: string, tests: readonly RuleTest[]): string => `rule_files: [${quoted(rulesPath)}]
evaluation_interval: 1m
tests:
${tests
  .map(
    ({ name, series, minutes, alerts }) => `  - name: ${quoted(name)}
    interval: 1m
    input_series:
${Object.entries(series)
  .map(([one, values]) => `      - series: ${quoted(one)}\n        values: ${quoted(values)}`)
  .join('\n')}
    promql_expr_test:
${alerts
  .map(
    ({
      name: alert,
      isFiring,
    }) => `      - expr: ${quoted(`max by (alertname) (ALERTS{alertstate="firing",alertname="${alert}"})`)}
        eval_time: ${minutes}m
        exp_samples:${isFiring ? `\n          - labels: ${quoted(`{alertname="${alert}"}`)}\n            value: 1` : ' []'}`,
  )
  .join('\n')}`,
  )
  .join('\n')}
`;

/** The series of a page of metrics; each value as promtool writes it. The label job is renamed, as Prometheus does. */
export function seriesOf(page: string): ReadonlyMap<string, number> {
  // Before its first turn the event loop has no mean delay.
  const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !line.endsWith(' NaN'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      const value = line.slice(at + 1);
      return [
        line.slice(0, at).replace(/([{,])job="/, '$1exported_job="'),
        value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value),
      ];
    }),
  );
}
