import { type Command, parseFlaggedOptions, requiredOption, UsageError } from '../command.ts';
import { formatTable } from '../output.ts';

/** The load of an installation. */
export type Demand = {
  /** Payments a second in the busiest minute. */
  readonly peak: number;
  /** How many times the average the peak is. */
  readonly peakToAverage: number;
  /** How long payments are kept. */
  readonly months: number;
  readonly readsPerPayment: number;
  readonly webhooksPerPayment: number;
  readonly coresPerNode: number;
  /** False: one machine that may fail is enough. */
  readonly isRedundant: boolean;
  /** For a core and for a gigabyte of storage, each for a month, in any currency. */
  readonly corePrice: number;
  readonly gigabytePrice: number;
};

export type Capacity = {
  readonly engine: 'SQLite' | 'PostgreSQL';
  readonly nodes: number;
  readonly threadsPerNode: number;
  readonly megabytesPerNode: number;
  /** Of each server; null: no server. */
  readonly databaseCores: number | null;
  /** The primary and its standby. */
  readonly databaseServers: number;
  /** PostgreSQL primaries that the peak needs. More than one is more than the gateway can use. */
  readonly primaries: number;
  readonly logMegabytesPerSecond: number;
  readonly paymentsPerMonth: number;
  readonly gigabytesPerMonth: number;
  readonly gigabytesKept: number;
  readonly costPerMonth: number;
  readonly costPerMillion: number;
};

const SECONDS_PER_MONTH = 30 * 86_400;
const MICROSECONDS = 1_000_000;
const CORES_MIN = 2;

/** The machines for a demand, from the costs in `figures`. */
export function capacityFor(demand: Demand): Capacity {
  const { peak, coresPerNode, isRedundant, readsPerPayment, webhooksPerPayment } = demand;
  const besides = readsPerPayment * figures.read.value + webhooksPerPayment * figures.delivery.value;
  const coresFor = (microseconds: number): number => (peak * microseconds) / MICROSECONDS / figures.load.value;
  const isAlone = !isRedundant && peak <= figures.alone.value && coresFor(figures.paymentAlone.value + besides) <= coresPerNode;
  const perPayment = (isAlone ? figures.paymentAlone : figures.payment).value + besides;
  const working = Math.max(1, Math.ceil(coresFor(perPayment) / coresPerNode));
  const nodes = working + (isRedundant ? 1 : 0);
  const threadsPerNode = Math.max(1, coresPerNode - 1);
  const primaries = isAlone ? 0 : Math.max(1, Math.ceil(peak / figures.primary.value));
  const databaseServers = primaries * (isRedundant ? 2 : 1);
  const databaseCores = isAlone ? null : Math.max(CORES_MIN, Math.ceil(coresFor(figures.database.value) / primaries));
  const paymentsPerMonth = (peak / demand.peakToAverage) * SECONDS_PER_MONTH;
  const gigabytesPerMonth = (paymentsPerMonth * (isAlone ? figures.storedAlone : figures.stored).value) / 1_000_000;
  const gigabytesKept = gigabytesPerMonth * demand.months;
  const cores = nodes * coresPerNode + databaseServers * (databaseCores ?? 0);
  const costPerMonth = cores * demand.corePrice + gigabytesKept * (isRedundant ? 2 : 1) * demand.gigabytePrice;
  return {
    engine: isAlone ? 'SQLite' : 'PostgreSQL',
    nodes,
    threadsPerNode,
    megabytesPerNode: figures.memory.value + figures.threadMemory.value * (threadsPerNode - 1),
    databaseCores,
    databaseServers,
    primaries,
    logMegabytesPerSecond: isAlone ? 0 : (peak * figures.log.value) / 1_000,
    paymentsPerMonth,
    gigabytesPerMonth,
    gigabytesKept,
    costPerMonth,
    costPerMillion: costPerMonth / (paymentsPerMonth / 1_000_000),
  };
}

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

/** The cost of one piece of work. Every number of a capacity comes from this table. */
type Figure = {
  readonly value: number;
  readonly unit: string;
  /** How to measure it again; null: an estimate. */
  readonly measuredBy: string | null;
  readonly says: string;
};

const COST = 'npm run bench -- --cost';

export const figures = {
  payment: {
    value: 850,
    unit: 'µs',
    measuredBy: COST,
    says: 'processor time of the gateway for a payment on PostgreSQL, all threads',
  },
  paymentAlone: {
    value: 1_040,
    unit: 'µs',
    measuredBy: COST,
    says: 'processor time for a payment on SQLite, the writer and its jobs included',
  },
  read: { value: 280, unit: 'µs', measuredBy: COST, says: 'processor time for a GET of a payment' },
  delivery: { value: 800, unit: 'µs', measuredBy: COST, says: 'processor time for the delivery of a webhook, with its event' },
  database: { value: 360, unit: 'µs', measuredBy: 'npm run bench', says: 'processor time of PostgreSQL for a payment' },
  log: {
    value: 6.3,
    unit: 'KB',
    measuredBy: 'pg_current_wal_lsn() before and after 20,000 payments',
    says: 'write-ahead log of PostgreSQL for a payment',
  },
  storedAlone: { value: 1.44, unit: 'KB', measuredBy: 'npm test -- --long millionBackup', says: 'SQLite file for a payment' },
  stored: {
    value: 4.3,
    unit: 'KB',
    measuredBy: 'pg_database_size() before and after 20,000 payments',
    says: 'PostgreSQL tables and indexes for a payment',
  },
  load: {
    value: 0.5,
    unit: '',
    measuredBy: null,
    says: 'share of the processors in use at the peak; the rest is for failures and bursts',
  },
  memory: { value: 300, unit: 'MB', measuredBy: 'npm run bench', says: 'memory of a gateway process under load' },
  threadMemory: { value: 60, unit: 'MB', measuredBy: null, says: 'memory for each further request thread' },
  alone: { value: 500, unit: '/s', measuredBy: null, says: 'the most payments for which one machine with SQLite is advised' },
  primary: { value: 5_000, unit: '/s', measuredBy: null, says: 'the most payments for one PostgreSQL primary' },
} as const satisfies Record<string, Figure>;
