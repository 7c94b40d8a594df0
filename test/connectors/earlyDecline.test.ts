import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { defineConnector } from '../../src/connectors/kind.ts';
import { onCallback, SendAgain } from '../../src/payments/callbacks.ts';
import type { AcquirerAnswer, AcquirerNotification, Attempt, Capability } from '../../src/payments/ports.ts';
import type { NegativeCode } from '../../src/spec/resultCodes.ts';
import { freshShops } from '../http/freshShops.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';

/** A notification of a decline that arrives while the request is under way. */

const card: Capability = { types: ['DB'], partialCapture: false, multipleCaptures: false, redirects: false, reversal: null };

/** The request that the first account has not answered yet. */
let sent = Promise.withResolvers<{ readonly attempt: Attempt; answer(answer: AcquirerAnswer | null): void }>();

/** A connector whose account `first` answers when the test says so. Other accounts approve. */
const slow = defineConnector<object>({
  name: 'slow',
  title: 'Slow',
  modes: ['EXTERNAL'],
  supports: { CC: card },
  accounts: { settings: {}, secrets: {} },
  steps: {},
  create: (_needs, { name }) => ({
    name,
    modes: ['EXTERNAL'],
    supports: { CC: card },
    answerMsMax: 60_000,
    uncertainty: { learnedBy: 'notification', lateMs: 1_000, cancelBindsLate: false, absenceIsProof: false },
    send: (attempt) =>
      name === 'first'
        ? new Promise((resolve, reject) => {
            const answer = (given: AcquirerAnswer | null) => (given === null ? reject(new Error('lost')) : resolve(given));
            sent.resolve({ attempt, answer });
          })
        : Promise.resolve({ is: 'approved', details: {} }),
    inquire: async () => ({ is: 'waiting' }),
    cancel: async () => ({ is: 'waiting' }),
    readNotification: async ({ body }) => ({
      is: 'read',
      notifications: [JSON.parse(Buffer.from(body).toString('utf8')) as AcquirerNotification],
    }),
  }),
});

const account = { connector: 'slow', settings: {} };
const { shops, rows } = freshShops(1, {
  connectors: { default: 'first' },
  accounts: { first: account, second: account },
  routing: { rules: [{ when: { amountFrom: '10.00' }, to: ['first', 'second'] }] },
});
const shop = shops[0] ?? assert.fail('no shop');
const merchantId = shop.merchant.entityId;
let gateway: TestGateway;

before(async () => {
  gateway = await startGateway({ rows, connectorKinds: new Map([['slow', slow]]) });
});
after(() => gateway.close());

async function pay(amount: string): Promise<{ readonly result: { readonly code: string } }> {
  const reply = await fetch(`${gateway.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.merchant.token}` },
    body: new URLSearchParams({
      entityId: shop.channels[0]?.entityId ?? '',
      testMode: 'EXTERNAL',
      paymentType: 'DB',
      paymentBrand: 'VISA',
      amount,
      currency: 'EUR',
      'card.number': '4200000000000000',
      'card.holder': 'Ann Example',
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
    }),
  });
  return (await reply.json()) as Awaited<ReturnType<typeof pay>>;
}

async function notify(paymentId: string, answer: AcquirerAnswer): Promise<number> {
  const reply = await fetch(`${gateway.url}/v1/connectors/slow/${merchantId}.first/notifications`, {
    method: 'POST',
    body: JSON.stringify({ id: 'declined', about: { merchantId, paymentId }, event: { is: 'answer', answer }, data: {} }),
  });
  await reply.text();
  return reply.status;
}

const stateOf = async (id: string) => {
  const payment = await gateway.world.store.payment(merchantId, id);
  return [payment?.connector, payment?.phase.at === 'final' ? payment.phase.code : payment?.phase.at];
};

type Case = {
  readonly what: string;
  readonly amount: string;
  readonly code: NegativeCode;
  /** The reply to the notification while the request is under way, and the payment after it. */
  readonly early: readonly [status: number, state: string];
  /** Whether the answer, the same decline, arrives; otherwise the request ends without one. */
  readonly isAnswered: boolean;
  /** After the end of the request, and after the notification was sent again. */
  readonly ends: readonly [connector: string, state: string];
  readonly last: readonly [connector: string, state: string];
};

const NOT_SET_UP = '800.100.190';
const NO_FUNDS = '800.100.155';
const APPROVED = '000.100.112';
const cases: readonly Case[] = [
  {
    what: 'the answer decides, and the second account is asked',
    amount: '12.00',
    code: NOT_SET_UP,
    early: [503, 'acquirer'],
    isAnswered: true,
    ends: ['second', APPROVED],
    last: ['second', APPROVED],
  },
  {
    what: 'without an answer the notification counts, and no other account is asked',
    amount: '12.00',
    code: NOT_SET_UP,
    early: [503, 'acquirer'],
    isAnswered: false,
    ends: ['first', 'doubt'],
    last: ['first', NOT_SET_UP],
  },
  {
    what: 'a decline of the issuer counts at once',
    amount: '12.00',
    code: NO_FUNDS,
    early: [200, NO_FUNDS],
    isAnswered: true,
    ends: ['first', NO_FUNDS],
    last: ['first', NO_FUNDS],
  },
  {
    what: 'without a second account a decline counts at once',
    amount: '9.00',
    code: NOT_SET_UP,
    early: [200, NOT_SET_UP],
    isAnswered: true,
    ends: ['first', NOT_SET_UP],
    last: ['first', NOT_SET_UP],
  },
];

for (const { what, amount, code, early, isAnswered, ends, last } of cases) {
  test(`a decline that is notified before the answer: ${what}`, async () => {
    sent = Promise.withResolvers();
    const paying = pay(amount);
    const { attempt, answer } = await sent.promise;
    const { id } = attempt.payment;
    const declined: AcquirerAnswer = { is: 'declined', code, details: {} };
    assert.equal(await notify(id, declined), early[0]);
    assert.deepEqual(await stateOf(id), ['first', early[1]]);
    answer(isAnswered ? declined : null);
    await paying;
    assert.deepEqual(await stateOf(id), ends);
    assert.equal(await notify(id, declined), 200);
    assert.deepEqual(await stateOf(id), last);
  });
}

test('what the first account says does not count for the payment once another account was asked', async () => {
  sent = Promise.withResolvers();
  const paying = pay('12.00');
  const { attempt, answer } = await sent.promise;
  answer({ is: 'declined', code: NOT_SET_UP, details: {} });
  await paying;
  const named = { merchantId, paymentId: attempt.payment.id, connector: 'first' };
  await assert.rejects(onCallback(gateway.world, named, { is: 'approved', details: {} }), SendAgain);
  assert.deepEqual(await stateOf(attempt.payment.id), ['second', APPROVED]);
});
