import type { Job } from './loop.ts';

const SEAL_MS = 1_000;

/** What puts fresh postings into blocks. */
export const ledgerJobs = (seal: () => Promise<unknown>): readonly Job[] => [
  {
    name: 'seal the books',
    everyMs: SEAL_MS,
    async run() {
      await seal();
    },
  },
];
