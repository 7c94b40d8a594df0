import { sized } from '../../long.ts';
import { liveContract } from '../contract.ts';
import { stripeUnderTest } from './server.ts';

liveContract(stripeUnderTest, { payments: sized({ quick: 400, assure: 10_000, reliability: 10_000 }), seed: 18 });
