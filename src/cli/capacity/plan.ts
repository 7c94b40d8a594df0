import { type Command, UsageError } from '../command.ts';
import { parseFlaggedOptions, requiredOption } from '../options.ts';
import { formatTable } from '../table.ts';
import { type Capacity, capacityFor, type Demand } from './capacity.ts';
import { figures } from './figures.ts';

/** Numbers of the command line: option, default, least and most. */
const numbers = {
  peak: { fallback: null, min: 0.01, max: 1_000_000, says: 'payments a second in the busiest minute' },
  'peak-to-average': { fallback: 5, min: 1, max: 1_000, says: 'how many times the average the peak is' },
  months: { fallback: 13, min: 1, max: 240, says: 'how long payments are kept' },
  reads: { fallback: 1, min: 0, max: 100, says: 'GET requests for each payment' },
  webhooks: { fallback: 1, min: 0, max: 100, says: 'deliveries for each payment' },
  'node-cores': { fallback: 4, min: 1, max: 256, says: 'cores of a machine for the gateway' },
  'core-price': { fallback: 20, min: 0, max: 100_000, says: 'price of a core for a month, in any currency' },
  'gigabyte-price': { fallback: 0.1, min: 0, max: 100_000, says: 'price of a gigabyte of storage for a month' },
} as const;
type Name = keyof typeof numbers;
const names = Object.keys(numbers) as Name[];

/** Calculates the machines for a number of payments. Nothing is opened and nothing is asked. */
export const planCommand: Command = {
  name: 'plan',
  summary: 'calculate the machines, the storage and the cost for a number of payments',
  usage: [
    'plan --peak number [options]',
    ...formatTable(
      names.map((name) => {
        const { fallback, says } = numbers[name];
        return [`  --${name} number`, `${says}${fallback === null ? '' : `; default ${fallback}`}`];
      }),
    ),
    ...formatTable([
      ['  --single', 'one machine and one database that may fail; without it one of each may fail'],
      ['  --json', 'as JSON, with the figures that were used'],
    ]),
  ].join('\n'),
  async run(words, { print }) {
    const { texts, flags } = parseFlaggedOptions(words, names, ['single', 'json']);
    const of = (name: Name): number => numberOf(name, texts[name]);
    const demand: Demand = {
      peak: of('peak'),
      peakToAverage: of('peak-to-average'),
      months: of('months'),
      readsPerPayment: of('reads'),
      webhooksPerPayment: of('webhooks'),
      coresPerNode: Math.floor(of('node-cores')),
      isRedundant: flags.single !== true,
      corePrice: of('core-price'),
      gigabytePrice: of('gigabyte-price'),
    };
    const capacity = capacityFor(demand);
    if (flags.json) print(JSON.stringify({ demand, capacity, figures }, null, 2));
    else for (const line of printed(demand, capacity)) print(line);
    return 0;
  },
};

function numberOf(name: Name, text: string | undefined): number {
  const { fallback, min, max } = numbers[name];
  const given = text ?? (fallback === null ? requiredOption(undefined, name) : String(fallback));
  const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(given) ? Number(given) : Number.NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`--${name}: must be a number from ${min} to ${max}`);
  return value;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');
/** Three digits that mean something. */
const short = (value: number): string => (value >= 100 ? whole(value) : String(Number(value.toPrecision(3))));

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

function printed(demand: Demand, capacity: Capacity): readonly string[] {
  const { engine, nodes, databaseCores, databaseServers, primaries } = capacity;
  const rows: (readonly [string, string])[] = [
    ['payments', `${short(demand.peak)} a second at the peak, ${short(capacity.paymentsPerMonth / 1e6)} million a month`],
    [
      'database',
      databaseCores === null
        ? 'SQLite, in the same process'
        : `${engine}, ${counted(databaseServers, 'server')} of ${databaseCores} cores`,
    ],
    [
      'gateway',
      `${counted(nodes, 'node')} of ${demand.coresPerNode} cores, THREADS=${capacity.threadsPerNode}, ${whole(capacity.megabytesPerNode)} MB each`,
    ],
    ['log', engine === 'SQLite' ? 'in the file' : `${short(capacity.logMegabytesPerSecond)} MB a second at the peak`],
    [
      'storage',
      `${short(capacity.gigabytesPerMonth)} GB a month, ${short(capacity.gigabytesKept)} GB after ${demand.months} months, for each copy`,
    ],
    ['cost', `${short(capacity.costPerMonth)} a month, ${short(capacity.costPerMillion)} for a million payments`],
  ];
  const tooMany =
    primaries > 1
      ? [
          `One primary is taken to carry ${whole(figures.primary.value)} payments a second, and an installation has one: divide the merchants among ${primaries} installations.`,
        ]
      : [];
  const estimates = Object.values(figures).filter(({ measuredBy }) => measuredBy === null);
  return [
    ...formatTable(rows),
    '',
    ...tooMany,
    'Measured on one machine with two cores; measure yours with npm run bench -- --cost. Estimates, not measured:',
    ...estimates.map(({ says, value, unit }) => `  ${says}: ${value}${unit === '' || unit.startsWith('/') ? unit : ` ${unit}`}`),
  ];
}
