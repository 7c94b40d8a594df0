import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryConnector } from '../contract.ts';
import { localstripeUnderTest, startLocalstripe } from './localstripe.ts';

/** It writes its whole book at every request, so that more payments take far longer. */
const PAYMENTS = 200;

/** Without notifications: localstripe knows no version of events. */
for (const [network, perMille] of [
  ['a network without faults', 0],
  ['a faulty network', 120],
] as const)
  test(`${PAYMENTS} payments through ${network} agree with the book of localstripe`, async (t) => {
    const localstripe = await startLocalstripe();
    if (localstripe === null) {
      t.skip('localstripe is absent: pip install localstripe, or name the program in LOCALSTRIPE');
      return;
    }
    try {
      const trial = { payments: PAYMENTS, seed: 18, perMille, isDeaf: true, atOnce: 10 } as const;
      const { differences } = await tryConnector(localstripeUnderTest(localstripe.url), trial);
      assert.deepEqual(differences.slice(0, 10), []);
    } finally {
      await localstripe.close();
    }
  });
