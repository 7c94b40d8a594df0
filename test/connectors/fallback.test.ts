import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { AccountKind, ConnectorKind } from '../../src/connectors/kind.ts';
import { isApproved } from '../../src/payments/balance.ts';
import { resultCodes } from '../../src/spec/resultCodes.ts';
import { sized } from '../long.ts';
import { type Chance, createChance } from '../simulation/chance.ts';
import { adyenUnderTest } from './adyen/server.ts';
import { tryConnector } from './contract.ts';
import { exampleUnderTest } from './example/server.ts';
import { stripeUnderTest } from './stripe/server.ts';
import { ACCOUNT, SECOND } from './trialShop.ts';
import { upstreamUnderTest } from './upstream/server.ts';

const PAYMENTS = sized({ quick: 60, assure: 3_000, reliability: 3_000 });
/** So often the first account is away for a while. */
const AWAY_SHARE = 0.1;
/** More than a request is repeated before it is given up. */
const AWAY_REQUESTS = 12;

/** A kind whose first account cannot be reached now and then: no byte of such a request leaves. */
function seldomReached(kind: ConnectorKind, chance: Chance): ConnectorKind {
  const whole = kind as AccountKind<never>;
  const create: typeof whole.create = (needs, account) => {
    if (account.name !== ACCOUNT) return whole.create(needs, account);
    let away = 0;
    const exchange: typeof needs.exchange = async (request) => {
      if (away === 0 && chance.hits(AWAY_SHARE)) away = AWAY_REQUESTS;
      if (away === 0) return needs.exchange(request);
      away -= 1;
      return { is: 'notSent', reason: 'refused' };
    };
    return whole.create({ ...needs, exchange }, account);
  };
  return { ...whole, create };
}

for (const underTest of [exampleUnderTest, adyenUnderTest, stripeUnderTest, upstreamUnderTest]) {
  test(`${underTest.kind.name}: what the first account cannot be sent goes to the second, and is booked once`, async () => {
    const planted = (kind: ConnectorKind): ConnectorKind => seldomReached(kind, createChance(11));
    const { differences, faults, taken } = await tryConnector(underTest, {
      payments: PAYMENTS,
      seed: 5,
      planted,
      hasSecond: true,
    });
    assert.deepEqual(faults.slice(0, 5), []);
    assert.deepEqual(differences.slice(0, 10), []);
    const rerouted = taken.flatMap((payment) => (payment?.earlier ? [payment] : []));
    assert.ok(rerouted.length > PAYMENTS / 50, `only ${rerouted.length} were rerouted`);
    assert.ok(rerouted.some(isApproved), 'none was approved by the second account');
    // Out of reach, or turned away as too many between two tries that did not reach it: of both the acquirer has booked nothing.
    const attempts = rerouted.map(({ connector, earlier = [] }) => [
      connector,
      earlier.map((one) => [one.connector, resultCodes[one.code].retry.otherAccount]),
    ]);
    const others = attempts.filter((one) => !isDeepStrictEqual(one, [SECOND, [[ACCOUNT, 'unsent']]]));
    assert.deepEqual(others, []);
  });
}
