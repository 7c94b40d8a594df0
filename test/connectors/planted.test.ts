import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { AccountKind, ConnectorKind } from '../../src/connectors/kind.ts';
import type { AcquirerAnswer, Connector } from '../../src/payments/ports.ts';
import { adyenUnderTest } from './adyen/server.ts';
import { type ConnectorUnderTest, type Planted, type Trial, tryConnector } from './contract.ts';
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

type Fault = {
  readonly planted: Planted;
  /** What the contract says about it. */
  readonly found: RegExp;
  readonly underTest?: ConnectorUnderTest;
  /** Notifications arrive too. */
  readonly hears?: true;
  /** What of the trial shows it in every run. */
  readonly trial?: Partial<Trial>;
};

const faults: Readonly<Record<string, Fault>> = {
  'what is not found is called absent while it may still arrive': {
    found: /failed, and booked there|refunded 0 here/,
    trial: { mishaps: ['late'] },
    planted: wrapped((connector) => ({ ...connector, uncertainty: certain })),
  },
  'silence is called a decline': {
    found: /failed, and booked there/,
    trial: { payments: 30, mishaps: ['lostAnswer'] },
    planted: wrapped((connector) => ({
      ...connector,
      send: (attempt) => connector.send(attempt).catch(() => ({ is: 'declined', code: '900.100.400', details: {} })),
    })),
  },
  'a decline is called silence': {
    found: /where the acquirer has declined it/,
    trial: { payments: 0 },
    planted: wrapped((connector) => ({
      ...connector,
      async send(attempt) {
        const answer = await connector.send(attempt);
        if (answer.is === 'declined') throw new Error('no answer');
        return answer;
      },
    })),
  },
  'a retry has a new idempotency key': {
    found: /booked twice|failed, and booked there/,
    trial: { payments: 30, mishaps: ['lostAnswer'] },
    planted: wrapped((connector) => ({
      ...connector,
      send: (attempt) =>
        connector.send(attempt).catch(() => {
          const id = `${attempt.payment.id.slice(0, -4)}ffff`;
          return connector.send({ ...attempt, payment: { ...attempt.payment, id } });
        }),
    })),
  },
  'the amount is sent with a wrong exponent': {
    found: /another amount/,
    trial: { payments: 2 },
    planted: wrapped((connector) => ({
      ...connector,
      send: (attempt) => connector.send({ ...attempt, payment: { ...attempt.payment, amount: attempt.payment.amount * 10n } }),
    })),
  },
  'cancelled is said without asking': {
    found: /failed, and booked there/,
    trial: { payments: 30, mishaps: ['lostAnswer'] },
    planted: wrapped((connector) => ({
      ...connector,
      inquire: async () => ABSENT,
      cancel: async ({ payment }) => ({ is: 'cancelled', reference: payment.id }),
    })),
  },
  'the signature of a notification is not checked': {
    found: /was accepted/,
    hears: true,
    trial: { payments: 10, forged: 1 },
    // As if every signature were right.
    planted: wrapped((connector) => ({
      ...connector,
      readNotification(request) {
        const key = exampleUnderTest.secrets.notificationKey ?? '';
        const signature = createHmac('sha256', key).update(request.body).digest('hex');
        return connector.readNotification?.({ ...request, headers: { ...request.headers, 'x-signature': signature } }) ?? never();
      },
    })),
  },
  'an event that comes before the answer is lost': {
    found: /still open/,
    trial: { overtaken: 1 },
    hears: true,
    underTest: adyenUnderTest,
    planted: wrapped((connector) => {
      const underWay = new Set<string>();
      return {
        ...connector,
        async send(attempt) {
          const ids = [attempt.payment.id, attempt.referenced?.id ?? ''];
          for (const id of ids) underWay.add(id);
          try {
            return await connector.send(attempt);
          } finally {
            for (const id of ids) underWay.delete(id);
          }
        },
        async readNotification(request) {
          const reading = (await connector.readNotification?.(request)) ?? never();
          if (reading.is === 'refused') return reading;
          const notifications = reading.notifications.filter(({ about }) => !underWay.has(about?.paymentId ?? ''));
          return { ...reading, notifications };
        },
      };
    }),
  },
};

function never(): never {
  throw new Error('it reads notifications');
}

/** Few payments and many mishaps, one after the other, so that the order of events is the same in every run. */
const trial: Trial = { payments: 60, seed: 7, perMille: 600, atOnce: 1 };

for (const [name, { planted, found, underTest = exampleUnderTest, hears, trial: own }] of Object.entries(faults)) {
  test(`the contract finds: ${name}`, async () => {
    const { differences } = await tryConnector(underTest, { ...trial, ...own, ...(!hears && { isDeaf: true }), planted });
    assert.match(differences.join('\n'), found, 'the fault was not found');
  });
}

for (const underTest of [exampleUnderTest, adyenUnderTest])
  test(`without a fault the same trial of ${underTest.kind.name} finds nothing`, async () => {
    const { differences } = await tryConnector(underTest, trial);
    assert.deepEqual(differences, []);
  });

test('without a fault and without notifications the same trial finds nothing', async () => {
  const { differences } = await tryConnector(exampleUnderTest, { ...trial, isDeaf: true });
  assert.deepEqual(differences, []);
});
