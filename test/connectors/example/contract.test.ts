import { liveContract } from '../contract.ts';
import { exampleUnderTest } from './server.ts';

liveContract(exampleUnderTest, { payments: 400, seed: 1 });
