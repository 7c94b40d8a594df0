import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MandateBook } from '../../../src/registrations/mandate.ts';
import { DAY_MS } from '../../../src/spec/time.ts';
import { MONDAY, openAccount } from './account.ts';

/** The mandates of an account as its page shows them. */

const MERCHANT = 'a'.repeat(32);
const named = (id: string) => ({
  'bankAccount.mandate.id': id,
  'bankAccount.mandate.dateOfSignature': '2026-11-01',
  'customer.merchantCustomerId': 'customer-17',
});

function open(settings: Parameters<typeof openAccount>[0] = {}) {
  const account = openAccount(settings);
  const { mandates } = account.connector;
  const book: MandateBook = mandates ?? assert.fail('no mandates');
  const collect = (id: string, changes: object = {}) =>
    account.connector.send(
      account.attempt({ merchantId: MERCHANT, registrationId: 'f'.repeat(32), fields: named(id), ...changes }),
    );
  return { ...account, book, collect };
}

test('a mandate is listed with its payer, its collections and the day by which the payer must know', async () => {
  const { book, collect, time } = open({ noticeDays: 14 });
  assert.equal((await collect('M-1')).is, 'waiting');
  assert.equal((await collect('M-1', { amount: 500n })).is, 'waiting');
  const [mandate, ...others] = await book.list(MERCHANT, { limit: 10, before: null });
  assert.equal(others.length, 0);
  assert.ok(mandate);
  const { collections, next, ...rest } = mandate;
  assert.deepEqual(rest, {
    id: 'M-1',
    merchantId: MERCHANT,
    scheme: 'CORE',
    signedOn: '2026-11-01',
    state: 'active',
    createdAt: MONDAY,
    endedAt: null,
    lapsesOn: '2029-11-30',
    uses: 2,
    lastDueOn: null,
    creditorId: 'DE98ZZZ09999999999',
    creditorName: 'Shop GmbH',
    last4: '2051',
    customerId: 'customer-17',
    registrationId: 'f'.repeat(32),
  });
  assert.deepEqual(
    collections.map(({ dueOn, sequence, noticeBy, amount }) => [dueOn, sequence, noticeBy, amount === 500n]),
    [
      ['2026-11-30', 'RCUR', '2026-11-16', true],
      ['2026-11-30', 'FRST', '2026-11-16', false],
    ],
  );
  assert.equal(next?.sequence, 'FRST');
  time.now += 20 * DAY_MS;
  const later = await book.find(MERCHANT, 'M-1');
  assert.deepEqual([later?.lastDueOn, later?.next], ['2026-11-30', null]);
  assert.equal(await book.find('b'.repeat(32), 'M-1'), null);
  assert.deepEqual(await book.list('b'.repeat(32), { limit: 10, before: null }), []);
});

test('a mandate that is ended by hand collects nothing more, and a withdrawn collection does not revive it', async () => {
  const { book, collect, connector, attempt } = open();
  const first = attempt({ merchantId: MERCHANT, registrationId: 'f'.repeat(32), fields: named('M-2') });
  assert.equal((await connector.send(first)).is, 'waiting');
  assert.equal(await book.end('b'.repeat(32), 'M-2'), null);
  const ended = await book.end(MERCHANT, 'm-2');
  assert.deepEqual([ended?.state, ended?.endedAt], ['ended', MONDAY]);
  assert.deepEqual(await book.end(MERCHANT, 'M-2'), ended);
  assert.deepEqual(await collect('M-2'), { is: 'declined', code: '800.100.205', details: {} });
  assert.equal((await connector.cancel({ payment: first.payment, referenced: null })).is, 'cancelled');
  const after = await book.find(MERCHANT, 'M-2');
  assert.deepEqual([after?.state, after?.collections, after?.uses], ['ended', [], 0]);
  assert.deepEqual(await collect('M-2'), { is: 'declined', code: '800.100.205', details: {} });
});

test('a mandate lapses 36 months after its last collection, and lists are paged', async () => {
  const { book, collect, time } = open();
  for (const id of ['M-1', 'M-2', 'M-3']) {
    await collect(id);
    time.now += 1_000;
  }
  const page = await book.list(MERCHANT, { limit: 2, before: null });
  const rest = await book.list(MERCHANT, { limit: 2, before: page.at(-1) ?? null });
  assert.deepEqual(
    [page, rest].flat().map(({ id }) => id),
    ['M-3', 'M-2', 'M-1'],
  );
  time.now += 1_100 * DAY_MS;
  const [lapsed] = await book.list(MERCHANT, { limit: 1, before: null });
  assert.deepEqual([lapsed?.state, lapsed?.next], ['lapsed', null]);
});

/** The asked day, the setting, and the result. 14 days of notice from Monday, 16 November, end on the 30th. */
const notices = [
  ['2026-11-30', 'refuse', 'waiting'],
  ['2026-11-28', 'refuse', 'waiting'],
  ['2026-11-27', 'refuse', 'declined'],
  ['2026-11-27', 'move', 'waiting'],
  [undefined, 'refuse', 'waiting'],
] as const;

for (const [asked, shortNotice, is] of notices)
  test(`a collection on ${asked ?? 'no certain day'} with 14 days of notice: ${shortNotice} makes it ${is}`, async () => {
    const { book, collect } = open({ noticeDays: 14, shortNotice });
    const fields = { ...named('M-1'), ...(asked && { transactionDueDate: asked }) };
    const answer = await collect('M-1', { fields });
    assert.equal(answer.is, is);
    if (answer.is === 'declined') assert.equal(answer.code, '100.500.301');
    const [mandate] = await book.list(MERCHANT, { limit: 1, before: null });
    assert.equal(mandate?.next?.dueOn, is === 'waiting' ? '2026-11-30' : undefined);
  });
