/**
 * What a merchant can ask for, INC being a PA that raises another, and what a node does of itself: TK and the sweep. At the acquirer
 * and in the store, what is decided elsewhere is counted as `away`, and what comes after an authentication as `secure`; `hear` is the
 * bank's callback, `results` the issuer's, `page` the shopper at our own page, `back` his return, and `checkout` what is asked about one. `plan`
 * is everything about schedules and their charges, `webhook` what is sent to webhooks.
 */
export type Operation =
  | ('PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF' | 'INC' | 'RG' | 'DR' | 'TE' | 'GET' | 'TK' | 'sweep')
  | ('away' | 'callback' | 'back')
  | ('3D' | 'secure' | 'page' | 'results')
  | ('checkout' | 'schedule' | 'webhook');

const CHARGES = ['PA', 'DB', 'CD'] as const satisfies readonly Operation[];
/** What the acquirer is asked about. */
const ASKED = [...CHARGES, 'CP', 'RV', 'RF', 'INC', 'RG'] as const satisfies readonly Operation[];
const CHANGES = [...ASKED, 'DR', 'TE'] as const satisfies readonly Operation[];
const WISHES = [...CHANGES, '3D'] as const satisfies readonly Operation[];
const REQUESTS = [...WISHES, 'GET'] as const satisfies readonly Operation[];
const WRITES = [...CHANGES, 'TK', 'away', 'secure', 'checkout', 'schedule', 'webhook'] as const satisfies readonly Operation[];
const VISITS = [...REQUESTS, 'callback', 'back', 'page', 'results', 'checkout'] as const satisfies readonly Operation[];
const ALL = [...VISITS, 'TK', 'sweep'] as const satisfies readonly Operation[];
/** Whoever reads: an authentication alone is too seldom for every fault to meet it. */
const READERS = [
  ...CHANGES,
  'GET',
  'callback',
  'back',
  'page',
  'results',
  'checkout',
  'schedule',
  'webhook',
  'TK',
  'sweep',
] as const satisfies readonly Operation[];
const SEAMS = [...READERS, 'away', 'secure'] as const satisfies readonly Operation[];
const COLUMNS = [...ALL, 'away', 'secure', 'schedule', 'webhook'] as const satisfies readonly Operation[];
const CHECKOUT = ['checkout'] as const satisfies readonly Operation[];
const SCHEDULE = ['schedule'] as const satisfies readonly Operation[];
const WEBHOOK = ['webhook'] as const satisfies readonly Operation[];
const SECURE = ['secure'] as const satisfies readonly Operation[];
/** What a shopper can be sent away for. */
const ERRANDS = ['PA', 'DB', 'RG'] as const satisfies readonly Operation[];
const VERBS = ['send', 'inquire', 'cancel'] as const;
export const MISHAPS = [
  'down',
  'request lost',
  'request late',
  'answer lost',
  'answer late',
  'twice',
  'garbage',
  'throws',
  'hangs',
] as const;

/** How a conversation with a directory server goes wrong. */
const DIRECTORY_MISHAPS = [
  'down',
  'request lost',
  'request late',
  'answer lost',
  'answer late',
  'twice',
  'garbage',
  'foreign',
] as const;

export type DirectoryMishap = (typeof DIRECTORY_MISHAPS)[number];
type DirectoryFault = `directory: ${DirectoryMishap}`;

const directoryFaults = DIRECTORY_MISHAPS.map((mishap): DirectoryFault => `directory: ${mishap}`);

export type Verb = (typeof VERBS)[number];
export type Mishap = (typeof MISHAPS)[number];
type AcquirerFault = `${Verb}: ${Mishap}`;

const acquirerFaults = VERBS.flatMap((verb) => MISHAPS.map((mishap): AcquirerFault => `${verb}: ${mishap}`));

const ownFaults = {
  'commit: refused by an error': WRITES,
  'commit: answer lost': WRITES,
  'commit: kept after the error': WRITES,
  'commit: slow': WRITES,
  'read: fails': READERS,
  'read: slow': READERS,
  'node: dies before a call': SEAMS,
  'node: dies after a call': SEAMS,
  'node: dies': VISITS,
  'node: pauses': VISITS,
  'clock: jumps': VISITS,
  'client: request lost': REQUESTS,
  'client: answer lost': REQUESTS,
  'client: same key again': WISHES,
  'client: new key': WISHES,
  'client: other body': WISHES,
  'client: double click': WISHES,
  'gateway: refuses another body': WISHES,
  'acquirer: books': ASKED,
  'acquirer: declines': ASKED,
  'acquirer: decides later': ASKED,
  'acquirer: cancels later': ASKED,
  'acquirer: does not see it yet': ASKED,
  'acquirer: hears of it after the cancellation': ASKED,
  'acquirer: undoes a booking': ASKED,
  'scheme: gives a token': ['TK'],
  'scheme: gives none for ever': ['TK'],
  'scheme: fails': ['TK'],
  'scheme: late': ['TK'],
  'scheme: has no cryptogram': CHARGES,
  'stored: a payment makes a registration': CHARGES,
  'stored: made and approved': [...CHARGES, 'RG'],
  'stored: made and declined': [...CHARGES, 'RG'],
  'stored: deleted while it is made': [...CHARGES, 'RG'],
  'stored: charged': CHARGES,
  'stored: charged by the token of its scheme': CHARGES,
  'stored: refused after it was deleted': CHARGES,
  'stored: a series begins': [...CHARGES, 'RG'],
  'stored: a series goes on': CHARGES,
  'stored: forgotten for its age': ['DR'],
  'stored: deleted twice': ['DR'],
  'wallet: pays': CHARGES,
  'wallet: the same token again': CHARGES,
  'wallet: the token is refused': CHARGES,
  'shopper: pays': ERRANDS,
  'shopper: pays after his time': ERRANDS,
  'shopper: pays twice': ERRANDS,
  'shopper: pays although it was over': ERRANDS,
  'shopper: declines': ERRANDS,
  'shopper: cancels': ERRANDS,
  'shopper: never decides': ERRANDS,
  'shopper: comes back': ERRANDS,
  'shopper: comes back twice': ERRANDS,
  'shopper: never comes back': ERRANDS,
  'bank: tells before': ERRANDS,
  'bank: tells after': ERRANDS,
  'bank: tells twice': ERRANDS,
  'bank: tells much later': ERRANDS,
  'bank: tells never': ERRANDS,
  'bank: is heard': ERRANDS,
  'bank: is not heard': ERRANDS,
  'bank: takes back what came after the end': ERRANDS,
  'gateway: hears of it during the cancellation': ['callback'],
  'gateway: an errand succeeds': ['callback', 'back', 'sweep'],
  'gateway: an errand fails': ['callback', 'back', 'sweep'],
  'versions: unreachable': SECURE,
  'decoupled: the issuer is not reached': SECURE,
  'cardholder: never opens the page': SECURE,
  'cardholder: opens two tabs': SECURE,
  'cardholder: goes away': SECURE,
  'cardholder: comes back late': SECURE,
  'cardholder: proves it': SECURE,
  'cardholder: cancels': SECURE,
  'cardholder: fails': SECURE,
  'cardholder: never answers': SECURE,
  'cardholder: his return is honest': SECURE,
  'cardholder: his return is lost': SECURE,
  'cardholder: his return is forged': SECURE,
  'cardholder: his return is foreign': SECURE,
  'cardholder: his return is garbled': SECURE,
  'cardholder: his return is twice': SECURE,
  'hidden frame: done': SECURE,
  'hidden frame: silent': SECURE,
  'hidden frame: twice': SECURE,
  'hidden frame: late': SECURE,
  'hidden frame: foreign': SECURE,
  'results: before': SECURE,
  'results: after': SECURE,
  'results: twice': SECURE,
  'results: never': SECURE,
  'results: much later': SECURE,
  'results: contradicting': SECURE,
  'results: misdirected': SECURE,
  'results: foreign': SECURE,
  'results: are taken': SECURE,
  'results: are refused': SECURE,
  'results: are not heard': SECURE,
  'secure: charged with its proof': SECURE,
  'secure: charged without a proof': SECURE,
  'secure: paid with a proof fetched before': SECURE,
  'secure: ends unproven': SECURE,
  'secure: ends because its secrets are lost': SECURE,
  'checkout: prepared': CHECKOUT,
  'checkout: prepared again with its key': CHECKOUT,
  'checkout: changed': CHECKOUT,
  'checkout: double click': CHECKOUT,
  'checkout: two tabs': CHECKOUT,
  'checkout: tried again after a decline': CHECKOUT,
  'checkout: the back button': CHECKOUT,
  'checkout: the amount is forged': CHECKOUT,
  'checkout: something is in the way': CHECKOUT,
  'checkout: shown what is under way': CHECKOUT,
  'checkout: what was begun is given up': CHECKOUT,
  'checkout: refused for its form': CHECKOUT,
  'checkout: over': CHECKOUT,
  'checkout: paid': CHECKOUT,
  'checkout: paid after other tries': CHECKOUT,
  'schedule: made': SCHEDULE,
  'schedule: changed': SCHEDULE,
  'schedule: ended': SCHEDULE,
  'schedule: ends later': SCHEDULE,
  'schedule: charged': SCHEDULE,
  'schedule: tried again': SCHEDULE,
  'schedule: skipped': SCHEDULE,
  'schedule: its registration is gone': SCHEDULE,
  'receiver: request lost': WEBHOOK,
  'receiver: answer lost': WEBHOOK,
  'receiver: ok': WEBHOOK,
  'receiver: slow': WEBHOOK,
  'receiver: error': WEBHOOK,
  'receiver: busy': WEBHOOK,
  'receiver: gone': WEBHOOK,
  'receiver: redirect': WEBHOOK,
  'receiver: reset': WEBHOOK,
  'receiver: hang': WEBHOOK,
  'event: heard twice': WEBHOOK,
  'event: told in a calm': WEBHOOK,
  'webhook: its key is exchanged': WEBHOOK,
  'webhook: everything is sent again': WEBHOOK,
  'webhook: dead for days': WEBHOOK,
  'webhook: what was given up is sent again': WEBHOOK,
  'routing: not sent': [...CHARGES, 'RG', 'away', 'secure'],
  'routing: refused by the account': [...CHARGES, 'RG', 'away', 'secure'],
  'routing: the second account is asked': [...CHARGES, 'RG', 'secure'],
  'routing: the second account books': [...CHARGES, 'RG', 'secure'],
  'routing: a late approval is taken back': ['PA', 'DB'],
  'routing: a refusal is told': ['PA', 'DB'],
  'routing: a refusal is told before its answer': ['PA', 'DB'],
  'routing: a late approval of the only account': [],
  'risk: declines': ['PA', 'DB', 'RG'],
  'risk: the windows are told': SECURE,
} as const satisfies Record<string, readonly Operation[]>;

export type Fault = keyof typeof ownFaults | AcquirerFault | DirectoryFault;

/** Where a fault can meet an operation, and what must also happen now and then: the cells that a full run must fill. */
const cells: readonly (readonly [fault: Fault, operations: readonly Operation[]])[] = [
  ...(Object.entries(ownFaults) as [keyof typeof ownFaults, readonly Operation[]][]),
  ...acquirerFaults.map((fault) => [fault, [...ASKED, 'away', 'secure']] as const),
  ...directoryFaults.map((fault) => [fault, SECURE] as const),
];

/** How often each fault met each operation: a path that no run ever took was not tested. */
export type Tally = {
  hit(fault: Fault, operation: Operation): void;
  /** How often, by the name of the cell. */
  readonly counts: ReadonlyMap<string, number>;
  add(other: Tally): void;
  count(fault: Fault, operation: Operation): number;
  empty(): readonly string[];
  /** The cells with fewer hits, the fewest first, each with its number. */
  below(hits: number): readonly (readonly [cell: string, hits: number])[];
  table(): string;
};

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const key = (fault: Fault, operation: Operation) => `${fault} × ${operation}`;
  const raise = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
  const count = (fault: Fault, operation: Operation) => counts.get(key(fault, operation)) ?? 0;
  const below: Tally['below'] = (hits) =>
    cells
      .flatMap(([fault, operations]) => operations.map((operation) => [key(fault, operation), count(fault, operation)] as const))
      .filter(([, met]) => met < hits)
      .toSorted(([, one], [, other]) => one - other);
  return {
    count,
    hit: (fault, operation) => raise(key(fault, operation), 1),
    counts,
    add(other) {
      for (const [name, times] of other.counts) raise(name, times);
    },
    below,
    empty: () => below(1).map(([cell]) => cell),
    table() {
      const row = (name: string, columns: readonly string[]) =>
        name.padEnd(46) + columns.map((text) => text.padStart(8)).join('');
      const rows = cells.map(([fault, operations]) =>
        row(
          fault,
          COLUMNS.map((operation) =>
            (operations as readonly Operation[]).includes(operation) ? String(count(fault, operation)) : '·',
          ),
        ),
      );
      return [row('fault', COLUMNS), ...rows].join('\n');
    },
  };
}
