import { adyenUnderTest } from './adyen/server.ts';
import { liveContract } from './contract.ts';

liveContract(adyenUnderTest, { payments: 200, seed: 72 });
