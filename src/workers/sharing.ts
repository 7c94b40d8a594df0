/**
 * How the nodes of an installation share a job. `lease`: one node at a time runs it for all. `rows`: every node runs it, and each piece of work
 * is claimed by one. `node`: every node runs it, because it is about that node. None of them is needed for safety: what a job writes
 * is fenced by the store (decisions/0036).
 */
export type Sharing = { readonly is: 'lease' | 'rows' | 'node'; readonly why: string };

const deletes = { is: 'lease', why: 'deleting twice finds nothing' } as const;
const finds = { is: 'lease', why: 'nodes would find the same rows, and all but one would be refused' } as const;
const calls = { is: 'lease', why: 'nodes would call the same server about the same thing' } as const;
const reloads = { is: 'node', why: 'reloads memory of this node' } as const;

/** Every job by its name. A test compares it with the jobs of the program. */
export const jobSharing: Readonly<Record<string, Sharing>> = {
  sweep: { is: 'rows', why: 'payments are claimed: sweep_claim' },
  'run due schedules': { is: 'rows', why: 'schedules are claimed: claimed_until' },
  'dispatch deliveries': { is: 'rows', why: 'deliveries are claimed: claimed_until' },
  'send checkout notifications': {
    is: 'rows',
    why: 'the node that saves the next attempt makes this one; also forgets codes of this node',
  },
  'deliver reconciliation files': { is: 'rows', why: 'runs are claimed by their revision' },
  'advance test clocks': { is: 'rows', why: 'the clock is claimed by its revision' },
  'make backups': { is: 'rows', why: 'the record of backups is claimed by its revision' },

  'sweep misdated payments': calls,
  'release authorisations': finds,
  'request network tokens': calls,
  'fetch settlement files': calls,
  'work of accounts': calls,
  'fan out events': finds,
  'write notices': finds,
  'seal ledger blocks': finds,
  'aggregate statistics': finds,
  'record chargebacks': finds,
  'settle simulator days': finds,
  'schedule reconciliation files': finds,
  'correct misdated schedules': finds,
  'correct misdated deliveries': finds,
  'abandon overdue deliveries': finds,
  'delete expired registrations': finds,
  'report failing webhooks': { is: 'lease', why: 'one line of the log for each webhook is enough' },
  'delete expired idempotency keys': deletes,
  'erase old card data': deletes,
  'delete ended claims of sweeps': deletes,
  'delete expired wallet token uses': deletes,
  'delete expired risk list entries': deletes,
  'delete old events': deletes,
  'delete expired checkouts and builds': deletes,
  'delete old directory changes': deletes,
  'delete old acquirer notifications': deletes,
  'delete abandoned settlement imports': deletes,
  'delete expired sessions': deletes,
  'delete old rate limits': deletes,

  'update risk counters': reloads,
  'reload risk lists': reloads,
  'reload vault keys': reloads,
  'reload test clocks': reloads,
  'follow directory changes': reloads,
  'load card ranges': reloads,
  'hold leases': { is: 'node', why: 'takes and renews the leases of this node' },
  'share rate limits': { is: 'node', why: 'gives back what this node has drawn' },
  'record token uses': { is: 'node', why: 'writes what this node has seen' },
  'save inspected requests': { is: 'node', why: 'writes what this node has seen' },
  'delete old inspected requests': { is: 'node', why: 'trims the merchants that this node has written for' },
  'resume authenticated payments': { is: 'node', why: 'only this node has their security codes' },
  'publish widget build': { is: 'node', why: 'nodes of two releases serve two builds' },
  'verify widget files': { is: 'node', why: 'compares files of this node' },
  'import settlement files': {
    is: 'node',
    why: 'reads a folder of this machine; a file that two nodes read is kept once, by its digest',
  },
  'measure queues': { is: 'node', why: 'fills the metrics page of this node' },
  'insert sandbox': { is: 'node', why: 'repeats what the start of this node could not write' },
  'write start entries': { is: 'node', why: 'repeats what the start of this node could not write' },
};

export const isLeased = (name: string): boolean => jobSharing[name]?.is === 'lease';
