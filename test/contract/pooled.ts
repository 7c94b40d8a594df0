import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export type Counts = { readonly pass: number; readonly fail: number; readonly failures: string };

/** Where a contract finds its databases: by the pooler, and the server itself to create and drop them. */
export type PooledServer = {
  /** With `DATABASE` in place of a name. */
  readonly pooler: string;
  readonly server: string;
  /** A database of the server that has the schema. */
  readonly template?: string;
};

/** Runs files of the contract with a pooler between the store and its databases. */
export const runContract = (files: readonly string[], { pooler, server, template }: PooledServer): Promise<Counts> =>
  runFiles(files, { TEST_POOLER: pooler, TEST_DATABASE_URL: server, TEST_SCHEMA_DATABASE_URL: template });

/** Runs files of the contract with these variables in their environment. */
export async function runFiles(files: readonly string[], more: Readonly<Record<string, string | undefined>>): Promise<Counts> {
  const env = { ...process.env, ...more, NODE_TEST_CONTEXT: undefined };
  const child = spawn(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=tap', ...files], { cwd: root, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  await new Promise((resolve) => child.once('close', resolve));
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(said)?.[1] ?? Number.NaN);
  const failures = [...said.matchAll(/^ *not ok .*(?:\n(?! *(?:not )?ok ).*){0,14}/gm)].map(([text]) => text);
  // A suite whose beginning fails cancels its tests: they have not passed.
  return {
    pass: count('pass'),
    fail: count('fail') + count('cancelled'),
    failures: failures.slice(0, 12).join('\n').slice(0, 12_000),
  };
}
