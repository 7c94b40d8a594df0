import { sized } from '../../long.ts';
import { liveContract } from '../contract.ts';
import { upstreamUnderTest } from './server.ts';

const payments = sized({ quick: 300, assure: 5_000, reliability: 5_000 });

liveContract(upstreamUnderTest, { payments, seed: 18 });

/** A platform that promises nothing about repeated requests: none is repeated, and outcomes are learned by its query. */
const withoutPromise = {
  ...upstreamUnderTest,
  settings: (url: string) => ({ ...upstreamUnderTest.settings(url), honoursIdempotencyKey: false }),
};

liveContract(withoutPromise, { payments, seed: 19 });
