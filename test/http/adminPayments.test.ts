import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { performers } from '../../src/http/admin/users/approvals.ts';
import type { EntityRow } from '../../src/merchants/ports.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { tokenHash, tokenOf } from '../../src/merchants/tokens.ts';
import type { FoundPayment, PaymentDetail } from '../../src/spec/answers/payments.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { readApproval } from '../../src/users/approvals.ts';
import { createClient, DEMO, OTHER, SHOPPER } from './client.ts';
import { startGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

const SHOP = '5eed00000000000000000000000000c1';
const DEAR = '5eed00000000000000000000000000c2';
const DEAR_USER = '5eed00000000000000000000000000c3';
const dearToken = tokenOf(DEAR_USER, 'of a test');
const node = (kind: EntityRow['kind'], id: string, parentId: string, settings: EntityRow['settings']): EntityRow => ({
  id,
  kind,
  parentId,
  name: id.slice(-2),
  settings,
});
const store = createMemoryStore();
const gateway = await startGateway({
  store,
  rows: {
    entities: [node('merchant', SHOP, sandbox.division, {}), node('channel', DEAR, SHOP, { approvals: { EUR: '50.00' } })],
    tokens: [{ userId: DEAR_USER, tokenHash: tokenHash(dearToken), entityId: DEAR, createdAt: 0 }],
  },
});
after(() => gateway.close());
const shop = createClient(gateway.url);
const other = createClient(gateway.url, OTHER);
const operator = await signedInAs(gateway);
const finance = await signedInAs(gateway, { role: 'finance', entityId: DEMO.merchantId });
const colleague = await signedInAs(gateway, { role: 'finance', entityId: sandbox.psp });
const support = await signedInAs(gateway, { role: 'support', entityId: DEMO.merchantId });
const onlooker = await signedInAs(gateway, { role: 'readOnly', entityId: DEMO.merchantId });

let count = 0;
const freshKey = (): string => `key-of-a-test-${String(++count).padStart(6, '0')}`;
type Seat = typeof operator;

const find = async (seat: Seat, query: Readonly<Record<string, string>>): Promise<readonly FoundPayment[]> => {
  const { status, body } = await seat.ask('GET', `/payments?${new URLSearchParams({ entityId: DEMO.merchantId, ...query })}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.payments;
};
const see = async (seat: Seat, id: string): Promise<PaymentDetail> => {
  const { status, body } = await seat.ask('GET', `/payments/${id}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const act = (seat: Seat, id: string, what: string, values: object) =>
  seat.ask('POST', `/payments/${id}/${what}`, { key: freshKey(), ...values });

test('a payment is found by every search filter', async () => {
  const { id, body } = await shop.pay({
    amount: '417.13',
    merchantTransactionId: 'order-find-1',
    ...SHOPPER,
    'customer.email': 'Ann.Finder@Example.org',
    'card.number': '4111111111111111',
  });
  await shop.pay({ amount: '417.14', merchantTransactionId: 'order-else' });
  assert.equal(body.result.code, '000.100.110');
  const [{ shortId }] = (await find(finance, { text: id })) as [FoundPayment];
  const texts = [
    id,
    id.slice(0, 20),
    shortId,
    shortId.slice(0, 9),
    'order-find',
    'ann.finder@example.org',
    'Ann.Finder@',
    '417.13',
    '417,13 EUR',
    '417.13EUR',
  ];
  for (const text of texts)
    assert.deepEqual(
      (await find(finance, { text })).map((one) => one.id),
      [id],
      text,
    );
  const today = new Date(gateway.services.world.clock.now()).toISOString().slice(0, 10);
  const queries: readonly Readonly<Record<string, string>>[] = [
    { last4: '1111' },
    { text: '1111', amount: '417.13' },
    { text: today, last4: '1111' },
    { email: 'ann.finder@example.org' },
  ];
  for (const query of queries) {
    assert.ok(
      (await find(finance, query)).some((one) => one.id === id),
      JSON.stringify(query),
    );
  }
  assert.deepEqual(await find(finance, { text: '417.13 USD' }), []);
  assert.deepEqual(await find(finance, { text: '2019-01-01..2019-12-31' }), []);
  assert.deepEqual(await find(finance, { text: 'order-find', state: 'declined' }), []);
  const typed = await finance.ask('GET', `/payments?entityId=${DEMO.merchantId}&text=4200000000000000`);
  assert.equal(typed.status, 400);
  assert.ok(!JSON.stringify(typed.body).includes('4200000000000000'), 'a card number is not repeated');
});

test('a search is narrowed by filters and goes on behind its last page', async () => {
  const made: string[] = [];
  for (let number = 0; number < 5; number += 1)
    made.push((await shop.pay({ amount: `${600 + number}.00`, merchantTransactionId: 'order-page' })).id);
  const declined = await shop.pay({ merchantTransactionId: 'order-page', 'card.expiryYear': '2020' });
  const query = { entityId: DEMO.merchantId, text: 'order-page', limit: '2' };
  const found: string[] = [];
  for (let after = ''; ; ) {
    const { body } = await finance.ask('GET', `/payments?${new URLSearchParams({ ...query, after })}`);
    found.push(...body.payments.map((one: FoundPayment) => one.id));
    if (body.next === null) break;
    after = body.next;
  }
  assert.deepEqual(found, [declined.id, ...made].sort().reverse());
  assert.deepEqual(
    (await find(finance, { code: declined.code, text: 'order-page' })).map(({ id }) => id),
    [declined.id],
  );
  assert.ok((await find(finance, { code: declined.code })).some(({ id }) => id === declined.id));
  assert.ok((await find(finance, { types: 'DB', brand: 'VISA', currency: 'EUR', state: 'approved' })).length >= 5);
  assert.deepEqual(await find(finance, { brand: 'JCB' }), []);
});

test('the list, the page and the file say what became of the money', async () => {
  const debit = await shop.pay({ amount: '100.00', merchantTransactionId: 'order-status-1' });
  await shop.refund(debit.id, '18.00');
  const held = await shop.pay({ amount: '100.00', paymentType: 'PA', merchantTransactionId: 'order-status-2' });
  await shop.capture(held.id, '40.00');
  const foreign = await other.pay({ merchantTransactionId: 'order-status-3' });
  await other.refund(foreign.id, '92.00');
  const found = await find(operator, { entityId: sandbox.psp, text: 'order-status' });
  const statusOf = (id: string) => found.find((one) => one.id === id)?.status;
  assert.deepEqual(statusOf(debit.id), { kind: 'partiallyRefunded', left: '82.00' });
  assert.deepEqual(statusOf(held.id), { kind: 'partiallyCaptured', captured: '40.00', total: '100.00' });
  assert.deepEqual(statusOf(foreign.id), { kind: 'refunded' });
  const detail = await see(finance, debit.id);
  assert.deepEqual(detail.payment.status, { kind: 'partiallyRefunded', left: '82.00' });
  assert.deepEqual(
    detail.family.map(({ status }) => status.kind),
    ['partiallyRefunded', 'approved'],
  );
  const query = new URLSearchParams({ entityId: DEMO.merchantId, text: 'order-status', columns: 'id,state,status' });
  const { body } = await finance.ask('GET', `/paymentExport?${query}`);
  const rows = parse(body.text, { delimiter: ';', columns: true }) as Record<string, string>[];
  assert.equal(rows.find((row) => row.id === debit.id)?.status, 'partiallyRefunded');
});

test('payments of other merchants are neither found nor shown', async () => {
  const foreign = await other.pay({ merchantTransactionId: 'order-foreign' });
  assert.deepEqual(await find(finance, { text: foreign.id }), []);
  const absent = await finance.ask('GET', `/payments/${'0'.repeat(32)}`);
  const hidden = await finance.ask('GET', `/payments/${foreign.id}`);
  assert.equal(hidden.status, 404);
  assert.deepEqual({ ...hidden.body, ndc: '', timestamp: '' }, { ...absent.body, ndc: '', timestamp: '' });
  assert.equal((await finance.ask('GET', `/payments?entityId=${OTHER.entityId}`)).status, 404);
  assert.equal((await act(finance, foreign.id, 'refund', { amount: '1.00' })).status, 404);
  const everywhere = (await find(operator, { entityId: sandbox.psp, text: 'order-foreign' })).map(({ id }) => id);
  assert.deepEqual(everywhere, [foreign.id]);
  assert.equal((await see(operator, foreign.id)).payment.id, foreign.id);
});

test('a payment page shows result, actions and a timeline in order', async () => {
  const { id } = await shop.pay({ ...SHOPPER, merchantTransactionId: 'order-detail' });
  const detail = await see(finance, id);
  assert.deepEqual([detail.payment.amount, detail.payment.currency, detail.payment.state], ['92.00', 'EUR', 'approved']);
  assert.deepEqual([detail.payment.last4, detail.payment.bin, detail.payment.holder], ['0000', '420000', 'Ann Example']);
  assert.deepEqual([detail.result.code, detail.result.means], ['000.100.110', 'approved']);
  const left = Object.fromEntries(
    detail.acts.map(({ act: what, remaining, refusal }) => [what, [remaining, refusal?.code ?? null]]),
  );
  assert.deepEqual(left, { refund: ['92.00', null], reverse: ['92.00', null], chargeback: ['92.00', null] });
  const kinds = detail.timeline.map(({ kind }) => kind);
  for (const kind of ['request', 'checks', 'connector', 'state', 'ledger'] as const) assert.ok(kinds.includes(kind), kind);
  const inOrder = ['request', 'checks', 'connector', 'state', 'ledger'].map((kind) => kinds.indexOf(kind as never));
  assert.deepEqual(
    inOrder,
    inOrder.toSorted((one, two) => one - two),
  );
  assert.equal(detail.timeline.find(({ kind }) => kind === 'checks')?.at, null, 'no instant is made up');
  assert.ok(!JSON.stringify(detail).includes('4200000000000000') && !JSON.stringify(detail).includes('"123"'));
});

test('a decline names its cause', async () => {
  const { id } = await shop.pay({ 'card.expiryYear': '2020' });
  const { result, timeline, acts } = await see(onlooker, id);
  assert.notEqual(result.means, 'approved');
  const cause = timeline.find(({ tone }) => tone === 'bad');
  assert.equal(cause?.note, result.code);
  assert.ok(acts.every(({ refusal }) => refusal !== null));
});

test('a refund is made once, however often its key comes, and within what remains', async () => {
  const { id } = await shop.pay();
  const key = freshKey();
  const first = await act(finance, id, 'refund', { amount: '30.00', key });
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const again = await act(finance, id, 'refund', { amount: '30.00', key });
  assert.equal(again.body.payment.id, first.body.payment.id);
  const changed = await act(finance, id, 'refund', { amount: '31.00', key });
  assert.equal(changed.status, 400);
  const twice = freshKey();
  const both = await Promise.all([1, 2, 3].map(() => act(finance, id, 'refund', { amount: '10.00', key: twice })));
  assert.equal(new Set(both.map(({ body }) => body.payment.id)).size, 1);
  const { acts, family, timeline } = await see(finance, id);
  assert.equal(acts.find(({ act: what }) => what === 'refund')?.remaining, '52.00');
  assert.deepEqual(
    family.map(({ paymentType, amount, referencedId }) => [paymentType, amount, referencedId]),
    [
      ['DB', '92.00', null],
      ['RF', '30.00', id],
      ['RF', '10.00', id],
    ],
  );
  assert.ok(timeline.some(({ kind, paymentId }) => kind === 'family' && paymentId === first.body.payment.id));
  const tooMuch = await act(finance, id, 'refund', { amount: '52.01' });
  assert.deepEqual([tooMuch.status, tooMuch.code], [400, '700.400.200']);
  assert.match(tooMuch.body.result.description, /refund/i);
  assert.equal((await act(finance, id, 'refund', { amount: '0.00' })).status, 400);
  assert.equal((await act(finance, id, 'refund', { amount: '-1.00' })).status, 400);
  assert.equal((await act(finance, id, 'refund', {})).status, 400);
  await act(finance, id, 'refund', { amount: '52.00' });
  const end = await see(finance, id);
  assert.ok(end.acts.find(({ act: what }) => what === 'refund')?.refusal);
});

test('a refund keeps the reason of the user as its memo', async () => {
  const { id } = await shop.pay();
  const refunded = await act(finance, id, 'refund', { amount: '1.00', reason: 'Damaged' });
  assert.equal((await see(finance, refunded.body.payment.id)).payment.memo, 'Reason: Damaged');
  const refused = await act(finance, id, 'refund', { amount: '1.00', reason: '4200000000000000' });
  assert.deepEqual([refused.status, JSON.stringify(refused.body).includes('4200000000000000')], [400, false]);
});

test('captures, reversals and chargebacks go the same way', async () => {
  const authorized = await shop.pay({ paymentType: 'PA' });
  const captured = await act(finance, authorized.id, 'capture', { amount: '40.00' });
  assert.equal(captured.body.payment?.paymentType, 'CP', JSON.stringify(captured.body));
  const { acts } = await see(finance, authorized.id);
  assert.equal(acts.find(({ act: what }) => what === 'capture')?.remaining, '52.00');
  const reversed = await act(support, authorized.id, 'reverse', {});
  assert.equal(reversed.body.payment?.amount, '52.00', JSON.stringify(reversed.body));
  const debit = await shop.pay();
  const charged = await act(finance, debit.id, 'chargeback', { amount: '92.00', reason: '000.100.203' });
  assert.equal(charged.body.payment?.code, '000.100.203', JSON.stringify(charged.body));
  const back = await act(finance, charged.body.payment.id, 'chargebackReversal', { amount: '92.00' });
  assert.equal(back.body.payment?.paymentType, 'CR', JSON.stringify(back.body));
  const wrong = await act(finance, debit.id, 'capture', { amount: '1.00' });
  assert.equal(wrong.status, 400);
});

test('an action without the right is refused, and one without a step-up asks for it', async () => {
  const { id } = await shop.pay();
  const cases: [Seat, string, number][] = [
    [onlooker, 'refund', 403],
    [onlooker, 'capture', 403],
    [onlooker, 'reverse', 403],
    [onlooker, 'chargeback', 403],
    [support, 'chargeback', 403],
    [support, 'capture', 403],
  ];
  for (const [seat, what, status] of cases) assert.equal((await act(seat, id, what, { amount: '1.00' })).status, status, what);
  const hasty = await signedInAs(gateway, { role: 'finance', entityId: DEMO.merchantId, isSteppedUp: false });
  for (const what of ['refund', 'chargeback']) {
    const refused = await act(hasty, id, what, { amount: '1.00' });
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.get('x-turnpike-needs'), 'stepUp');
  }
  assert.equal((await see(finance, id)).family.length, 1);
  const anybody = await fetch(`${gateway.backOfficeUrl}/admin/v1/payments?entityId=${DEMO.merchantId}`);
  assert.equal(anybody.status, 401);
});

test('above the limit an action needs a second person, and is done once', async () => {
  const dear = createClient(gateway.url, { entityId: DEAR, token: dearToken });
  const { id } = await dear.pay();
  const small = await act(colleague, id, 'refund', { amount: '50.00' });
  assert.equal(small.body.payment?.amount, '50.00', JSON.stringify(small.body));
  const second = await dear.pay();
  const asked = await act(colleague, second.id, 'refund', { amount: '50.01' });
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  assert.equal(asked.body.payment, null);
  const approvalId: string = asked.body.approval.id;
  const waiting = await see(operator, second.id);
  assert.deepEqual(
    waiting.waiting.map(({ id: one, act: what, amount }) => [one, what, amount]),
    [[approvalId, 'refund', '50.01']],
  );
  assert.equal(waiting.family.length, 1, 'nothing was done yet');
  assert.equal(waiting.acts.find(({ act: what }) => what === 'refund')?.limit?.amount, '50.00');
  assert.deepEqual(asked.body.approval.reason, { rule: 'single', sum: '50.01', limit: '50.00' });
  const own = await colleague.ask('POST', `/approvals/${approvalId}/approve`, {});
  assert.equal(own.status, 403);
  const approved = await operator.ask('POST', `/approvals/${approvalId}/approve`, {});
  assert.deepEqual([approved.status, approved.body.state], [200, 'done'], JSON.stringify(approved.body));
  // The gateway may have died after the action: a repeated approval finds it done.
  const kept = await readApproval(gateway.services.users.needs, approvalId);
  assert.ok(kept);
  await performers.refundPayment?.(gateway.services, kept);
  const after = await see(operator, second.id);
  assert.deepEqual(
    after.family.map(({ paymentType, amount }) => [paymentType, amount]),
    [
      ['DB', '92.00'],
      ['RF', '50.01'],
    ],
  );
  assert.deepEqual(after.waiting, []);
});

test('a file holds what the search finds, and no formula', async () => {
  await shop.pay({ amount: '71.00', merchantTransactionId: '=cmd|calc!A1' });
  await shop.pay({ amount: '71.00', merchantTransactionId: 'order;b,c-1' });
  const query = new URLSearchParams({
    entityId: DEMO.merchantId,
    amount: '71.00',
    columns: 'merchantTransactionId,amount,currency,last4',
  });
  const { status, headers, body } = await onlooker.ask('GET', `/paymentExport?${query}`);
  assert.equal(status, 200);
  assert.match(headers.get('content-disposition') ?? '', /attachment; filename="payments_/);
  const rows = parse(body.text, { delimiter: ';', columns: true }) as Record<string, string>[];
  assert.deepEqual(rows, [
    { merchantTransactionId: 'order;b,c-1', amount: '71.00', currency: 'EUR', last4: '0000' },
    { merchantTransactionId: "'=cmd|calc!A1", amount: '71.00', currency: 'EUR', last4: '0000' },
  ]);
  assert.equal((await onlooker.ask('GET', `/paymentExport?entityId=${OTHER.entityId}`)).status, 404);
  const entries = await store.auditChain(0, 1_000);
  assert.ok(entries.some(({ what, who }) => what === 'exportPayments' && who === onlooker.user.id));
  assert.ok(entries.some(({ what, objectId }) => what === 'refundPayment' && objectId !== null));
});

test('views are kept for the user who made them', async () => {
  const view = { page: 'payments', name: 'Declined', filters: { state: 'declined' }, columns: ['amount', 'code'] };
  const saved = await finance.ask('POST', '/views', view);
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const anew = await finance.ask('POST', '/views', { ...view, filters: { state: 'open' } });
  assert.equal(anew.id, saved.id);
  assert.deepEqual((await finance.ask('GET', '/views?page=payments')).body.views, [
    { ...view, id: saved.id, filters: { state: 'open' } },
  ]);
  assert.deepEqual((await support.ask('GET', '/views')).body.views, []);
  assert.equal((await support.ask('DELETE', `/views/${saved.id}`)).status, 404);
  assert.equal((await finance.ask('DELETE', `/views/${saved.id}`)).status, 200);
  assert.deepEqual((await finance.ask('GET', '/views')).body.views, []);
});
