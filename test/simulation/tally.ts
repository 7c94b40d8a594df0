/**
 * What a merchant can ask for, INC being a PA that raises another, and what a node does of itself: TK and the sweep. At the acquirer
 * and in the store, what is decided elsewhere is counted as `away`; `hear` is the bank's news of it, `back` the shopper's return.
 */
export type Operation =
  | ('PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF' | 'INC' | 'RG' | 'DR' | 'TE' | 'GET' | 'TK' | 'sweep')
  | ('away' | 'hear' | 'back');

const CHARGES = ['PA', 'DB', 'CD'] as const satisfies readonly Operation[];
/** What the acquirer is asked about. */
const ASKED = [...CHARGES, 'CP', 'RV', 'RF', 'INC', 'RG'] as const satisfies readonly Operation[];
const WISHES = [...ASKED, 'DR', 'TE'] as const satisfies readonly Operation[];
const REQUESTS = [...WISHES, 'GET'] as const satisfies readonly Operation[];
const WRITES = [...WISHES, 'TK', 'away'] as const satisfies readonly Operation[];
const VISITS = [...REQUESTS, 'hear', 'back'] as const satisfies readonly Operation[];
const ALL = [...VISITS, 'TK', 'sweep'] as const satisfies readonly Operation[];
const COLUMNS = [...ALL, 'away'] as const satisfies readonly Operation[];
/** What a shopper can be sent away for. */
const ERRANDS = ['PA', 'DB', 'RG'] as const satisfies readonly Operation[];
const VERBS = ['send', 'inquire', 'cancel'] as const;
const MISHAPS = [
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

export type Verb = (typeof VERBS)[number];
export type Mishap = (typeof MISHAPS)[number];
type AcquirerFault = `${Verb}: ${Mishap}`;

const acquirerFaults = VERBS.flatMap((verb) => MISHAPS.map((mishap): AcquirerFault => `${verb}: ${mishap}`));

const ownFaults = {
  'commit: refused by an error': WRITES,
  'commit: answer lost': WRITES,
  'commit: kept after the error': WRITES,
  'commit: slow': WRITES,
  'read: fails': ALL,
  'read: slow': ALL,
  'node: dies before a call': COLUMNS,
  'node: dies after a call': COLUMNS,
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
  'gateway: hears of it during the cancellation': ['hear'],
  'gateway: an errand succeeds': ['hear', 'back', 'sweep'],
  'gateway: an errand fails': ['hear', 'back', 'sweep'],
} as const satisfies Record<string, readonly Operation[]>;

export type Fault = keyof typeof ownFaults | AcquirerFault;

/** Where a fault can meet an operation, and what must also happen now and then: the cells that a full run must fill. */
const cells: readonly (readonly [fault: Fault, operations: readonly Operation[]])[] = [
  ...(Object.entries(ownFaults) as [keyof typeof ownFaults, readonly Operation[]][]),
  ...acquirerFaults.map((fault) => [fault, [...ASKED, 'away']] as const),
];

/** How often each fault met each operation: a path that no run ever took was not tested. */
export type Tally = {
  hit(fault: Fault, operation: Operation): void;
  add(other: Tally): void;
  count(fault: Fault, operation: Operation): number;
  empty(): readonly string[];
  table(): string;
};

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const key = (fault: Fault, operation: Operation) => `${fault} × ${operation}`;
  const raise = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
  const count = (fault: Fault, operation: Operation) => counts.get(key(fault, operation)) ?? 0;
  return {
    count,
    hit: (fault, operation) => raise(key(fault, operation), 1),
    add(other) {
      for (const [fault, operations] of cells) {
        for (const operation of operations) raise(key(fault, operation), other.count(fault, operation));
      }
    },
    empty: () =>
      cells.flatMap(([fault, operations]) =>
        operations.filter((operation) => count(fault, operation) === 0).map((operation) => key(fault, operation)),
      ),
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
