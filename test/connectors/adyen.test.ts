import { adyenUnderTest } from './adyen/server.ts';
import { liveContract } from './contract.ts';

liveContract(adyenUnderTest, { payments: 400, seed: 72 });
