import { parseArgs } from 'node:util';

/** How much is measured. Every load is bounded in count and in time. */
export type Settings = {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly requestsMax: number;
  readonly connections: readonly number[];
  /** On PostgreSQL, where every connection is a client of pgbench too. */
  readonly postgresConnections: readonly number[];
  /** How many payments are stored before each measurement. */
  readonly rows: readonly number[];
  readonly reads: number;
  readonly captures: number;
  /** The stored cards that payments by stored details use: enough for no two of them under way to use the same one. */
  readonly storedCards: number;
  /** How many payments are taken in process to measure their steps. */
  readonly repeats: number;
};

export type Options = {
  readonly settings: Settings;
  readonly json: boolean;
  readonly stores: readonly ('sqlite' | 'postgres')[];
  readonly profileDir: string | null;
  /** Only what one request of each kind costs, in units of a bare answer. */
  readonly isCostOnly: boolean;
  /** Another checkout, with which this one is compared; null: none. */
  readonly against: string | null;
  /** The request threads of both gateways that are compared. */
  readonly threads: number;
};

const FEW = 10_000;

export const full: Settings = {
  rounds: 5,
  seconds: 2.5,
  // Measured: the engine has compiled everything after some 30,000 payments.
  warmUpSeconds: 10,
  requestsMax: 2_000_000,
  connections: [64, 256],
  postgresConnections: [64, 256],
  rows: [FEW, 5_000_000],
  reads: 4_000,
  captures: 1_000,
  storedCards: 1_000,
  repeats: 20_000,
};

const quick: Settings = {
  ...full,
  rounds: 2,
  seconds: 1,
  warmUpSeconds: 1.2,
  postgresConnections: [64],
  rows: [FEW, 200_000],
  reads: 1_000,
  captures: 300,
  repeats: 4_000,
};

const usage = `npm run bench -- [options]
  --quick          shorter rounds and 200,000 stored payments instead of 5,000,000; under 90 seconds;
                   a gateway that is so young is slower than one that has run for a minute
  --rows <n>       how many stored payments the second measurement has
  --only <store>   sqlite or postgres
  --cost           only what one request of each kind takes of each thread, beside a bare server; four minutes
  --against <dir>  only the CPU time of this program and of another checkout in turns, on SQLite or with --only postgres;
                   shows the worth of a change also on a busy machine; two minutes on an idle one
  --threads <n>    with --against: the request threads of each gateway, 1 by default
  --json           print the figures as JSON instead of a table
  --profile <dir>  write CPU profiles of the gateway into this folder (slows it down: not for figures)
`;

/** Reads the command line; a string is its fault. */
export function optionsOf(words: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        quick: { type: 'boolean', default: false },
        rows: { type: 'string' },
        only: { type: 'string' },
        cost: { type: 'boolean', default: false },
        against: { type: 'string' },
        threads: { type: 'string', default: '1' },
        json: { type: 'boolean', default: false },
        profile: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return usage;
    const base = values.quick ? quick : full;
    const rows = values.rows === undefined ? base.rows : [...new Set([FEW, countOf(values.rows)])];
    const { only } = values;
    if (!/^[1-9]$/.test(values.threads)) return `--threads ${values.threads}: a number from 1 to 9\n${usage}`;
    if (only !== undefined && only !== 'sqlite' && only !== 'postgres') return `--only ${only}: sqlite or postgres\n${usage}`;
    return {
      settings: { ...base, rows },
      json: values.json,
      stores: only ? [only] : ['sqlite', 'postgres'],
      profileDir: values.profile ?? null,
      isCostOnly: values.cost,
      against: values.against ?? null,
      threads: Number(values.threads),
    };
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n${usage}`;
  }
}

const ROWS_MAX = 50_000_000;

function countOf(text: string): number {
  const count = /^[0-9_,]+$/.test(text) ? Number(text.replace(/[_,]/g, '')) : 0;
  if (count < 1 || count > ROWS_MAX) throw new Error(`--rows ${text}: a number from 1 to ${ROWS_MAX}`);
  return count;
}
