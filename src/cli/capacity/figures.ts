/** What one piece of work takes. Every number of a capacity comes from this table. */
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
