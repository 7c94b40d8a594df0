/** How long every kind of data is kept, as rows: settings, jobs, docs/retention.md and a test read them. */

export type RetentionRow = {
  readonly what: string;
  /** Tables of the database that hold it. */
  readonly tables: readonly string[];
  /** The days that it is kept; null: as long as the installation. */
  readonly days: number | null;
  /** The instant from which the days are counted. */
  readonly since?: 'creation' | 'expiry' | 'end' | 'last use';
  /** The least and the most days that an operator may choose. */
  readonly range?: readonly [least: number, most: number];
  /** The setting, where it is not RETENTION_DAYS. */
  readonly setting?: string;
  /** The job that removes it. */
  readonly job?: string;
  /** The reason: a law, a standard, or a promise of the gateway. */
  readonly because: string;
};

export const retention = {
  cardData: {
    what: 'numbers of cards and bank accounts, sealed with each payment; the payment and its last four digits stay',
    tables: ['payment'],
    days: 400,
    since: 'creation',
    range: [1, 3_650],
    job: 'erase old card data',
    because:
      'PCI DSS 3.2.1: no longer than needed. Refunds of direct debits need the account for 13 months, in which a payer may return an unauthorised one',
  },
  storedDetails: {
    what: 'stored payment details: numbers, expiry, holder; the row stays without them',
    tables: ['registration'],
    days: 425,
    since: 'expiry',
    job: 'delete expired registrations',
    because:
      'PCI DSS 3.2.1. 14 months after the expiry of the card, or after the last use of what does not expire; each extension adds 24 months',
  },
  securityCodes: {
    what: 'CVV, PIN, cryptograms',
    tables: [],
    days: 0,
    because: 'PCI DSS 3.3.1: never stored; they are in memory while a request is answered',
  },
  idempotencyKeys: {
    what: 'idempotency keys of requests',
    tables: ['idempotency'],
    days: 35,
    since: 'creation',
    range: [31, 365],
    job: 'delete expired idempotency keys',
    because: 'the API promises 31 days',
  },
  events: {
    what: 'events and their deliveries to webhooks',
    tables: ['outbox', 'delivery', 'earlier_event'],
    days: 35,
    since: 'end',
    range: [31, 365],
    job: 'delete old events',
    because: 'deliveries are retried for 30 days, and can be sent again some days longer',
  },
  tokenUses: {
    what: 'wallet tokens that were used',
    tables: ['token_use'],
    days: 2,
    since: 'expiry',
    job: 'delete expired wallet token uses',
    because: 'none is used twice; an expired one is refused anyway',
  },
  checkouts: {
    what: 'checkouts of the widget',
    tables: ['checkout'],
    days: 1,
    since: 'expiry',
    job: 'delete expired checkouts and builds',
    because: 'personal data of shoppers (GDPR, article 5 (1) e); a payment has its own copy',
  },
  builds: {
    what: 'files of the widget of earlier builds',
    tables: ['widget_asset'],
    days: 2,
    since: 'last use',
    job: 'delete expired checkouts and builds',
    because: 'a page that a shopper has open asks for its own build',
  },
  calls: {
    what: 'inspected requests, masked',
    tables: ['call_batch'],
    days: 7,
    since: 'creation',
    range: [1, 90],
    setting: 'INSPECT_DAYS',
    job: 'delete old inspected requests',
    because: 'a tool of developers (GDPR, article 5 (1) e); off in live',
  },
  riskLists: {
    what: 'entries of block and allow lists with an end',
    tables: ['risk_list_entry', 'risk_list_change'],
    days: 0,
    since: 'expiry',
    job: 'delete expired risk list entries',
    because: 'the merchant has set the end',
  },
  sessions: {
    what: 'sessions, invitations, failed sign-ins and requests for approval of users',
    tables: ['document'],
    days: 7,
    since: 'expiry',
    job: 'delete expired sessions',
    because: 'the audit log has what was done with them',
  },
  notices: {
    what: 'notices to users of the back office',
    tables: ['document'],
    days: 90,
    since: 'creation',
    job: 'delete expired sessions',
    because: 'the audit log has the same actions',
  },
  acquirerNotifications: {
    what: 'notifications of acquirers that were received',
    tables: ['document'],
    days: 570,
    since: 'creation',
    job: 'delete old acquirer notifications',
    because: 'each counts once; acquirers repeat them, and chargebacks come up to 540 days later',
  },
  abandonedImports: {
    what: 'settlement files whose import was abandoned',
    tables: ['settlement_file', 'settlement_record'],
    days: 0,
    since: 'end',
    job: 'delete abandoned settlement imports',
    because: 'a file is kept completely or not at all',
  },
  directoryChanges: {
    what: 'changes of entities and tokens, for other nodes: the last 20,000',
    tables: ['directory_change'],
    days: 0,
    since: 'end',
    job: 'delete old directory changes',
    because: 'a node that is further behind reads all anew',
  },
  claims: {
    what: 'claims of sweeps, leases of jobs and drawn rate limits of nodes: minutes',
    tables: ['sweep_claim', 'rate_bucket', 'gateway_node', 'job_lease'],
    days: 0,
    since: 'end',
    job: 'delete ended claims of sweeps',
    because: 'what nodes agree on while they run',
  },
  books: {
    what: 'payments, postings, blocks of the ledger, balances, runs of schedules, lines of settlement files',
    tables: [
      'payment',
      'posting',
      'ledger_block',
      'balance',
      'payment_count',
      'search_key',
      'search_cursor',
      'search_word',
      'search_word_data',
      'search_word_idx',
      'search_word_config',
      'search_word_cursor',
      'schedule',
      'schedule_run',
      'settlement_file',
      'settlement_record',
      'settlement_day',
      'scheduled_settlement',
      'reconciliation_run',
    ],
    days: null,
    because:
      'books: 10 years in Germany (HGB § 257, AO § 147) and Switzerland (OR art. 958f), 7 in Austria (BAO § 132). The gateway never deletes them; their hashes prove it',
  },
  auditLog: {
    what: 'audit log',
    tables: ['audit_entry', 'audit_head'],
    days: null,
    because: 'PCI DSS 10.5.1: 12 months at least. The gateway never deletes an entry; the chain proves it',
  },
  statistics: {
    what: 'statistics: sums without personal data',
    tables: ['statistic_change', 'statistic_open', 'statistic_sheet', 'statistic_fold'],
    days: null,
    because: 'reports compare years',
  },
  setup: {
    what: 'entities, access tokens, users, webhooks, secrets, sealed keys, clocks',
    tables: [
      'entity',
      'access_token',
      'document',
      'webhook',
      'secret',
      'data_key',
      'merchant_clock',
      // Without a reader since schema 30.
      'merchant_cell',
      'cell_identity',
      'owned_merchant',
      'moving_key',
      'moving_progress',
      'write_trial',
      'migration',
    ],
    days: null,
    because: 'they are removed by who made them',
  },
} as const satisfies Readonly<Record<string, RetentionRow>>;

type Rows = typeof retention;
/** The rows that RETENTION_DAYS may change. */
export type RetentionName = {
  [N in keyof Rows]: Rows[N] extends { readonly range: readonly [number, number]; readonly setting: string }
    ? never
    : Rows[N] extends { readonly range: readonly [number, number] }
      ? N
      : never;
}[keyof Rows];
export type RetentionDays = Readonly<Record<RetentionName, number>>;

const settable = Object.entries<RetentionRow>(retention).flatMap(([name, { range, days, setting }]) =>
  range && days !== null && setting === undefined ? [[name as RetentionName, { days, range }] as const] : [],
);
export const retentionNames: readonly RetentionName[] = settable.map(([name]) => name);

export const defaultRetention = Object.fromEntries(settable.map(([name, { days }]) => [name, days])) as RetentionDays;

/** Reads `cardData=180,events=40`; returns a string when it has a fault. Data without an entry keep the default. */
export function readRetention(text: string): RetentionDays | string {
  const rows = new Map(settable);
  const chosen = new Map<RetentionName, number>();
  for (const part of text.split(',')) {
    const [, name, digits] = /^\s*(\w+)=([0-9]{1,6})\s*$/.exec(part) ?? [];
    const row = rows.get(name as RetentionName);
    if (!row || digits === undefined)
      return `must be pairs such as cardData=180,events=40; the names are ${retentionNames.join(', ')}`;
    const [least, most] = row.range;
    if (Number(digits) < least || Number(digits) > most) return `${name} must be ${least} to ${most} days`;
    if (chosen.has(name as RetentionName)) return `${name} is set twice`;
    chosen.set(name as RetentionName, Number(digits));
  }
  return { ...defaultRetention, ...Object.fromEntries(chosen) };
}
