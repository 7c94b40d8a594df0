import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { AcquirerNotification } from '../../../src/payments/ports.ts';
import { openAccount, type TriedAccount } from './account.ts';
import { stripeUnderTest } from './server.ts';

let account: TriedAccount;
beforeEach(async () => {
  account = await openAccount();
});
afterEach(() => account.close());

type Posted = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

const read = ({ headers, body }: Posted, receivedAt = account.time.now) =>
  account.connector.readNotification?.({ headers, body: Buffer.from(body), receivedAt });

async function readAll(): Promise<readonly AcquirerNotification[]> {
  const all: AcquirerNotification[] = [];
  for (const posted of await account.server.takeNotifications()) {
    const reading = await read(posted);
    assert.equal(reading?.is, 'read');
    if (reading?.is === 'read') all.push(...reading.notifications);
  }
  return all;
}

test('an approval is given out with what the acquirer says now', async () => {
  const attempt = account.attempt();
  await account.connector.send(attempt);
  const [approval] = await readAll();
  assert.deepEqual(approval?.about, { merchantId: attempt.payment.merchantId, paymentId: attempt.payment.id });
  assert.equal(approval?.event.is === 'answer' && approval.event.answer.is, 'approved');
});

test('a dispute is a chargeback of the charge, and its reinstatement brings both, each under one id', async () => {
  const attempt = account.attempt();
  const { reference = '' } = account.after(attempt, await account.connector.send(attempt));
  await readAll();
  account.server.dispute(reference, 'funds_reinstated', {});
  account.server.dispute(reference, 'funds_withdrawn', { amount: 500 });
  const read1 = await readAll();
  assert.deepEqual(
    read1.map(({ id, event }) => [id, event.is]),
    [
      ['dp_1.withdrawn', 'chargeback'],
      ['dp_1.reinstated', 'chargebackReversal'],
      ['dp_1.withdrawn', 'chargeback'],
    ],
  );
  assert.match(read1[0]?.about?.reference ?? '', /^ch_/);
  assert.deepEqual(read1[2]?.event, { is: 'chargeback', amount: 500n, code: '000.100.220' });
});

test('a dispute whose payment cannot be asked for must be sent again', async () => {
  const attempt = account.attempt();
  const { reference = '' } = account.after(attempt, await account.connector.send(attempt));
  await readAll();
  account.server.dispute(reference, 'funds_withdrawn', {});
  const [posted] = await account.server.takeNotifications();
  account.lose = /./;
  assert.ok(posted);
  await assert.rejects(async () => read(posted));
});

test('a refund that fails after it had succeeded is a chargeback of the refund', async () => {
  const attempt = account.attempt();
  const referenced = account.after(attempt, await account.connector.send(attempt));
  await account.connector.send(account.attempt({ paymentType: 'RF', amount: 1000n }, { referenced }));
  await readAll();
  account.server.settleRefunds('failed');
  assert.deepEqual(
    (await readAll()).map(({ event }) => event.is),
    ['inquire', 'chargeback'],
  );
});

test('a signature that is missing, changed or old is refused', async () => {
  await account.connector.send(account.attempt());
  const [posted] = await account.server.takeNotifications();
  assert.ok(posted);
  const { headers, body } = posted;
  assert.equal((await read({ headers: {}, body }))?.is, 'refused');
  assert.equal((await read({ headers, body: body.replace('9200', '9201') }))?.is, 'refused');
  assert.equal((await read(posted, account.time.now + 301_000))?.is, 'refused');
  assert.equal((await read(posted))?.is, 'read');
});

test('an event of the other mode is refused', async () => {
  const live = await openAccount({}, { ...stripeUnderTest.secrets, secretKey: 'rk_live_4eC39HqLyjWDarjtT1zdp7dc' });
  try {
    await account.connector.send(account.attempt());
    const [posted] = await account.server.takeNotifications();
    assert.ok(posted);
    const request = { headers: posted.headers, body: Buffer.from(posted.body), receivedAt: account.time.now };
    assert.equal((await live.connector.readNotification?.(request))?.is, 'refused');
    assert.equal((await live.connector.send(live.attempt())).is, 'declined');
    assert.deepEqual([live.alarms, live.server.requests], [['the secret key is not one of this mode'], []]);
  } finally {
    await live.close();
  }
});
