import { sized } from '../long.ts';
import { adyenUnderTest } from './adyen/server.ts';
import { liveContract } from './contract.ts';

liveContract(adyenUnderTest, { payments: sized({ quick: 400, assure: 10_000, reliability: 10_000 }), seed: 72 });
