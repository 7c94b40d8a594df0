import { liveContract } from '../contract.ts';
import { stripeUnderTest } from './server.ts';

liveContract(stripeUnderTest, { payments: 2_000, seed: 18 });
