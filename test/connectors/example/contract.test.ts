import { liveContract } from '../contract.ts';
import { exampleUnderTest } from './server.ts';

liveContract(exampleUnderTest, { payments: 200, seed: 1 });
