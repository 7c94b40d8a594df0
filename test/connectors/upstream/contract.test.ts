import { liveContract } from '../contract.ts';
import { upstreamUnderTest } from './server.ts';

liveContract(upstreamUnderTest, { payments: 1_000, seed: 18 });

/** A platform that promises nothing about repeated requests: none is repeated, and outcomes are learned by its query. */
const withoutPromise = {
  ...upstreamUnderTest,
  settings: (url: string) => ({ ...upstreamUnderTest.settings(url), honoursIdempotencyKey: false }),
};

liveContract(withoutPromise, { payments: 1_000, seed: 19 });
