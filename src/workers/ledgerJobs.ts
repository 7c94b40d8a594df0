import type { Job } from './loop.ts';

const SEAL_MS = 1_000;
/** After a change of the schema there may be many blocks to make. */
const SEAL_LIMIT_MS = 600_000;

/** What puts fresh postings into blocks. */
export const ledgerJobs = (seal: () => Promise<unknown>): readonly Job[] => [
  {
    name: 'seal ledger blocks',
    everyMs: SEAL_MS,
    limitMs: SEAL_LIMIT_MS,
    async run() {
      await seal();
    },
  },
];
