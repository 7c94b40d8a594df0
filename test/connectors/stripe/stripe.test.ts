import { liveContract } from '../contract.ts';
import { stripeUnderTest } from './server.ts';

liveContract(stripeUnderTest, { payments: 200, seed: 1 });
