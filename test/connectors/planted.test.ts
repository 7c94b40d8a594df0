import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountKind, ConnectorKind } from '../../src/connectors/kind.ts';
import type { AcquirerAnswer, Connector } from '../../src/payments/ports.ts';
import { type Planted, tryConnector } from './contract.ts';
import { exampleUnderTest } from './example/server.ts';

/** A connector that is broken in one way. The contract must notice each of them. */
const wrapped =
  (change: (connector: Connector) => Connector): Planted =>
  (kind: ConnectorKind) => {
    const whole = kind as AccountKind<never>;
    const create: AccountKind<never>['create'] = (needs, account) => change(whole.create(needs, account));
    return { ...whole, create };
  };

const ABSENT: AcquirerAnswer = { is: 'absent' };
const certain = { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true } as const;

const planted: Readonly<Record<string, Planted>> = {
  'what is not found is called absent while it may still arrive': wrapped((connector) => ({
    ...connector,
    uncertainty: certain,
  })),
  'silence is called a decline': wrapped((connector) => ({
    ...connector,
    send: (attempt) => connector.send(attempt).catch(() => ({ is: 'declined', code: '900.100.400', details: {} })),
  })),
  'a retry has a new idempotency key': wrapped((connector) => ({
    ...connector,
    send: (attempt) =>
      connector.send(attempt).catch(() => {
        const id = `${attempt.payment.id.slice(0, -4)}ffff`;
        return connector.send({ ...attempt, payment: { ...attempt.payment, id } });
      }),
  })),
  'the amount is sent with a wrong exponent': wrapped((connector) => ({
    ...connector,
    send: (attempt) => connector.send({ ...attempt, payment: { ...attempt.payment, amount: attempt.payment.amount * 10n } }),
  })),
  'cancelled is said without asking': wrapped((connector) => ({
    ...connector,
    inquire: async () => ABSENT,
    cancel: async ({ payment }) => ({ is: 'cancelled', reference: payment.id }),
  })),
};

for (const [name, change] of Object.entries(planted)) {
  test(`the contract finds: ${name}`, async () => {
    const { differences } = await tryConnector(exampleUnderTest, { payments: 240, seed: 7, isDeaf: true, planted: change });
    assert.notDeepEqual(differences, [], 'the fault was not found');
  });
}

test('without a fault the same trial finds nothing', async () => {
  const { differences } = await tryConnector(exampleUnderTest, { payments: 240, seed: 7, isDeaf: true });
  assert.deepEqual(differences, []);
});
