import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Payment } from '../../src/payments/payment.ts';
import { openBankShop } from './bankShop.ts';
import { type BankEntry, camtText, dayAfter, statusText } from './bankTexts.ts';

/** What comes back from a bank about payments that were sent to it in files. */

let shop: Awaited<ReturnType<typeof openBankShop>>;
before(async () => {
  shop = await openBankShop();
});
after(() => shop.close());

let numbers = 0;
function fresh(): string {
  numbers += 1;
  return `M${numbers}`;
}

/** Payments of one message with one batch. */
async function sentPayments(count: number): Promise<{ messageId: string; batchId: string; payments: Payment[] }> {
  const payments = await Promise.all(Array.from({ length: count }, () => shop.pay()));
  const messageId = fresh();
  const batchId = `${messageId}-1`;
  shop.send(messageId, batchId, payments);
  return { messageId, batchId, payments };
}

const collected = ({ id }: Payment, rest: Partial<BankEntry> = {}): BankEntry => ({
  amount: '12.00',
  sign: 'CRDT',
  code: 'IDDT/ESDD',
  ref: `C${id.slice(0, 8)}`,
  details: [{ id, booked: '12.00' }],
  ...rest,
});

const returned = ({ id }: Payment, reason = 'AM04', rest: Partial<BankEntry> = {}): BankEntry => ({
  amount: '15.00',
  sign: 'DBIT',
  code: 'IDDT/UPDD',
  ref: `R${id.slice(0, 8)}`,
  on: dayAfter(4),
  details: [{ id, booked: '15.00', amount: '12.00', charges: '3.00', reason }],
  ...rest,
});

const exceptionsOf = async ({ id }: Payment): Promise<readonly (string | undefined)[]> =>
  (await shop.exceptions()).filter(({ paymentId }) => paymentId === id).map(({ match }) => match.exception?.kind);

test('a collection stays open until the bank books it, and is then approved and settled', async () => {
  const { payments } = await sentPayments(1);
  const [payment] = payments as [Payment];
  assert.deepEqual(await shop.family(payment), ['DB open']);
  const result = await shop.take(camtText('053', [collected(payment)], { mark: fresh() }));
  assert.ok(result.is === 'kept' && result.count.MATCHED === 1 && result.count.open === 0);
  assert.deepEqual(await shop.family(payment), ['DB 000.100.112']);
});

/** The status of each level, and the result of the two payments of the batch and the one of another batch of the message. */
const statusCases = [
  ['a transaction', { transaction: 'RJCT' }, ['DB 800.100.205', 'DB open', 'DB open']],
  ['a batch', { batch: 'RJCT' }, ['DB 800.100.205', 'DB 800.100.205', 'DB open']],
  ['a message', { group: 'RJCT' }, ['DB 800.100.205', 'DB 800.100.205', 'DB 800.100.205']],
  ['an accepted message', { group: 'ACCP' }, ['DB open', 'DB open', 'DB open']],
  ['an accepted transaction', { transaction: 'ACSC' }, ['DB open', 'DB open', 'DB open']],
  ['a pending transaction', { transaction: 'PDNG' }, ['DB open', 'DB open', 'DB open']],
  ['a message with some refused', { group: 'PART', transaction: 'RJCT' }, ['DB 800.100.205', 'DB open', 'DB open']],
  ['a verified payee', { transaction: 'RVNM' }, ['DB open', 'DB open', 'DB open']],
  ['a status of another standard', { transaction: 'ABCD' }, ['DB open', 'DB open', 'DB open']],
] as const;

for (const [name, levels, expected] of statusCases)
  for (const version of ['03', '10', '11'])
    test(`pain.002 (${version}): ${name}`, async () => {
      const { messageId, batchId, payments } = await sentPayments(2);
      const other = await shop.pay();
      shop.send(messageId, `${messageId}-2`, [other]);
      const { group, batch, transaction }: { group?: string; batch?: string; transaction?: string } = levels;
      const text = statusText({
        messageId,
        version,
        mark: fresh(),
        ...(group !== undefined && { group, groupReason: 'MD01' }),
        batches: [
          {
            id: batchId,
            ...(batch !== undefined && { status: batch, reason: 'MD01' }),
            ...(transaction !== undefined && {
              transactions: [{ id: payments[0]?.id ?? '', status: transaction, reason: 'MD01' }],
            }),
          },
        ],
      });
      const result = await shop.take(text);
      assert.equal(result.is, 'kept');
      const families = await Promise.all([...payments, other].map((one) => shop.family(one)));
      assert.deepEqual(families.flat(), expected);
      assert.equal((await shop.take(text)).is, 'known');
    });

test('the status of a transaction is more precise than that of its batch and message', async () => {
  const { messageId, batchId, payments } = await sentPayments(2);
  const [first, second] = payments as [Payment, Payment];
  const batches = [{ id: batchId, transactions: [{ id: first.id, status: 'RJCT', reason: 'AC04' }] }];
  await shop.take(statusText({ messageId, group: 'RJCT', groupReason: 'FF01', batches, mark: fresh() }));
  assert.deepEqual(await shop.family(first), ['DB 800.100.202']);
  assert.deepEqual(await shop.family(second), ['DB 800.100.156']);
});

/** The level of a refusal as a duplicate, its reason, and the result: the first copy of the file is on its way. */
const duplicates = [
  ['group', 'AM05', 'DB open'],
  ['group', 'DU01', 'DB open'],
  ['batch', 'DU02', 'DB open'],
  ['transaction', 'DU04', 'DB open'],
  ['transaction', 'AM05', 'DB 800.110.100'],
] as const;

for (const [level, reason, result] of duplicates)
  test(`a second copy that the bank refuses as a duplicate (${reason} of a ${level}): ${result}`, async () => {
    const { messageId, batchId, payments } = await sentPayments(1);
    const [payment] = payments as [Payment];
    const transactions = level === 'transaction' ? [{ id: payment.id, status: 'RJCT', reason }] : [];
    const batches = [{ id: batchId, transactions, ...(level === 'batch' && { status: 'RJCT', reason }) }];
    const group = level === 'group' ? { group: 'RJCT', groupReason: reason } : {};
    await shop.take(statusText({ messageId, ...group, batches, mark: fresh() }));
    assert.deepEqual(await shop.family(payment), [result]);
  });

test('the bank’s reason, advice and word are kept for the connector, and the reason is in the answer', async () => {
  const { messageId, batchId, payments } = await sentPayments(1);
  const [payment] = payments as [Payment];
  const batches = [{ id: batchId, transactions: [{ id: payment.id, status: 'RJCT', reason: 'AM04' }] }];
  await shop.take(statusText({ messageId, batches, mark: fresh() }));
  const now = await shop.store.payment(shop.merchantId, payment.id);
  assert.deepEqual(now?.details.resultDetails, { AcquirerResponse: 'AM04', MerchantAdviceCode: 'again' });
  const documents = await shop.store.documents({
    collection: 'acquirerNotification',
    ownerId: `${shop.merchantId}.${payment.id}`,
    limit: 10,
  });
  const [kept] = documents.map(({ body }) => (body as { readonly data: object }).data);
  assert.deepEqual(kept, {
    status: 'rejected',
    word: 'RJCT',
    on: '2031-10-01',
    reason: 'AM04',
    advice: 'again',
    messageId,
    amount: '12.00',
  });
});

test('a return before the approval declines, one after it is a chargeback without the charges', async () => {
  const { payments } = await sentPayments(2);
  const [early, late] = payments as [Payment, Payment];
  await shop.take(camtText('054', [returned(early, 'AC04')], { mark: fresh() }));
  assert.deepEqual(await shop.family(early), ['DB 800.100.202']);
  await shop.take(camtText('053', [collected(late)], { mark: fresh() }));
  await shop.take(camtText('054', [returned(late, 'MD06')], { mark: fresh() }));
  assert.deepEqual(await shop.family(late), ['DB 000.100.112', 'CB 000.100.206']);
  const family = await shop.store.family(shop.merchantId, late.id);
  assert.equal(family?.payments.at(-1)?.amount, 1200n);
  assert.deepEqual([await exceptionsOf(early), await exceptionsOf(late)], [[], []]);
});

test('a statement and a notification repeat each other, and nobody has to look at it', async () => {
  const { payments } = await sentPayments(1);
  const [payment] = payments as [Payment];
  for (const kind of ['054', '053'] as const) {
    await shop.take(camtText(kind, [collected(payment, { ref: `${kind}-1` })], { mark: fresh() }));
    await shop.take(camtText(kind, [returned(payment, 'MD06', { ref: `${kind}-2` })], { mark: fresh() }));
  }
  assert.deepEqual(await shop.family(payment), ['DB 000.100.112', 'CB 000.100.206']);
  assert.deepEqual(await exceptionsOf(payment), []);
});

test('a return that the bank takes back is a reversal of the chargeback', async () => {
  const { payments } = await sentPayments(1);
  const [payment] = payments as [Payment];
  const restored = returned(payment, 'MD06', { sign: 'CRDT', amount: '12.00', on: dayAfter(5), ref: 'again' });
  const details = [{ id: payment.id, booked: '12.00', reason: 'MD06' }];
  await shop.take(camtText('053', [collected(payment), returned(payment)], { mark: fresh() }));
  await shop.take(camtText('053', [{ ...restored, details }], { mark: fresh() }));
  assert.deepEqual(await shop.family(payment), ['DB 000.100.112', 'CB 000.100.203', 'CR 000.100.112']);
  assert.deepEqual(await exceptionsOf(payment), []);
});

const orders: readonly (readonly ('booked' | 'returned' | 'restored')[])[] = [
  ['restored', 'booked', 'returned'],
  ['booked', 'restored', 'returned'],
  ['booked', 'restored', 'restored', 'returned'],
  ['restored', 'booked', 'restored', 'returned', 'returned', 'restored'],
];
for (const order of orders) {
  test(`a reversal that comes before its return is matched when the return comes: ${order.join(', ')}`, async () => {
    const { payments } = await sentPayments(1);
    const [payment] = payments as [Payment];
    const details = [{ id: payment.id, booked: '12.00', reason: 'MD06' }];
    const entries = {
      booked: collected(payment),
      returned: returned(payment),
      restored: { ...returned(payment, 'MD06', { sign: 'CRDT', amount: '12.00', on: dayAfter(5), ref: 'again' }), details },
    };
    const before = await shop.balances();
    // The second time it is the notification of what the statement said.
    for (const [at, word] of order.entries())
      await shop.take(camtText(order.indexOf(word) === at ? '053' : '054', [entries[word]], { mark: fresh() }));
    // Both are recorded at one instant.
    assert.deepEqual((await shop.family(payment)).toSorted(), ['CB 000.100.203', 'CR 000.100.112', 'DB 000.100.112']);
    assert.deepEqual(await exceptionsOf(payment), []);
    const after = await shop.balances();
    assert.equal(after.merchant - before.merchant, 0n, 'all that was booked was settled');
  });
}

test('a batch booked in one sum approves and settles each of its payments', async () => {
  const { batchId, payments } = await sentPayments(3);
  const entry: BankEntry = { amount: '36.00', sign: 'CRDT', code: 'IDDT/ESDD', batchId };
  const result = await shop.take(camtText('053', [entry], { mark: fresh() }));
  assert.ok(result.is === 'kept' && result.count.MATCHED === 3);
  for (const payment of payments) assert.deepEqual(await shop.family(payment), ['DB 000.100.112']);
});

test('a batch booked without those that were refused before approves the others', async () => {
  const { messageId, batchId, payments } = await sentPayments(3);
  const [refused, ...others] = payments as [Payment, ...Payment[]];
  const batches = [{ id: batchId, transactions: [{ id: refused.id, status: 'RJCT', reason: 'AC01' }] }];
  await shop.take(statusText({ messageId, group: 'PART', batches, mark: fresh() }));
  await shop.take(camtText('053', [{ amount: '24.00', sign: 'CRDT', code: 'IDDT/ESDD', messageId, batchId }], { mark: fresh() }));
  assert.deepEqual(await shop.family(refused), ['DB 800.100.201']);
  for (const payment of others) assert.deepEqual(await shop.family(payment), ['DB 000.100.112']);
});

test('a batch booked with another sum approves nothing and is an exception', async () => {
  const { batchId, payments } = await sentPayments(3);
  const before = (await shop.exceptions()).length;
  await shop.take(camtText('053', [{ amount: '24.00', sign: 'CRDT', code: 'IDDT/ESDD', batchId }], { mark: fresh() }));
  for (const payment of payments) assert.deepEqual(await shop.family(payment), ['DB open']);
  const exceptions = await shop.exceptions();
  assert.equal(exceptions.length, before + 1);
  assert.match(exceptions.at(-1)?.match.why ?? '', /24\.00 was booked for the batch .* make 36\.00/);
});

test('a refund by transfer is approved when it is booked, declined when it comes back before, and charged back after', async () => {
  const { payments } = await sentPayments(2);
  await shop.take(
    camtText(
      '053',
      payments.map((one) => collected(one)),
      { mark: fresh() },
    ),
  );
  const [first, second] = payments as [Payment, Payment];
  const refund = ({ id }: Payment) => shop.pay({ paymentType: 'RF' }, `/v1/payments/${id}`);
  const [booked, back] = [await refund(first), await refund(second)];
  const transfer = ({ id }: Payment): BankEntry => ({
    amount: '12.00',
    sign: 'DBIT',
    code: 'ICDT/ESCT',
    details: [{ id, booked: '12.00' }],
  });
  const comeBack = ({ id }: Payment, ref: string): BankEntry => ({
    amount: '12.00',
    sign: 'CRDT',
    code: 'ICDT/RRTN',
    ref,
    details: [{ id, booked: '12.00', reason: 'AC04' }],
  });
  await shop.take(camtText('053', [transfer(booked)], { mark: fresh() }));
  await shop.take(camtText('053', [comeBack(back, 'b')], { mark: fresh() }));
  assert.deepEqual(await shop.family(first), ['DB 000.100.112', 'RF 000.100.112']);
  assert.deepEqual(await shop.family(second), ['DB 000.100.112', 'RF 800.100.202']);
  assert.deepEqual([await exceptionsOf(booked), await exceptionsOf(back)], [[], []]);
  const before = await shop.balances();
  // The statement and the notification say the same.
  for (const kind of ['053', '054', '053'] as const) await shop.take(camtText(kind, [comeBack(booked, 'a')], { mark: fresh() }));
  assert.deepEqual(await shop.family(first), ['DB 000.100.112', 'RF 000.100.112', 'CB 000.100.202']);
  assert.deepEqual(
    (await exceptionsOf(booked)).filter((kind) => kind !== 'duplicate'),
    [],
  );
  const family = await shop.store.family(shop.merchantId, first.id);
  const chargeback = family?.payments.find(({ paymentType }) => paymentType === 'CB') ?? assert.fail('no chargeback');
  assert.deepEqual([chargeback.referencedId, chargeback.amount], [booked.id, 1_200n]);
  // What the merchant is owed for it has arrived on the account already.
  assert.equal((await shop.balances()).merchant, before.merchant);
  const { result } = await shop.reply({ paymentType: 'CR' }, `/v1/payments/${chargeback.id}`);
  assert.equal(result.code, '700.400.420', 'a refund that came back stays with the merchant');
});

test('a credit that comes back after it was booked is an exception', async () => {
  const { id } = await shop.pay({ paymentType: 'CD' });
  const entry = { amount: '12.00', details: [{ id, booked: '12.00' }] };
  await shop.take(camtText('053', [{ ...entry, sign: 'DBIT', code: 'ICDT/ESCT' }], { mark: fresh() }));
  const details = [{ id, booked: '12.00', reason: 'AC04' }];
  await shop.take(camtText('053', [{ ...entry, sign: 'CRDT', code: 'ICDT/RRTN', ref: 'a', details }], { mark: fresh() }));
  const payment = await shop.store.payment(shop.merchantId, id);
  assert.equal(payment?.phase.at === 'final' && payment.phase.code, '000.100.112');
  assert.deepEqual(await exceptionsOf(payment ?? assert.fail()), ['notRecordable']);
});

test('a payout is approved when its transfer is booked', async () => {
  const payout = await shop.pay({ paymentType: 'CD' });
  const details = [{ id: payout.id, booked: '12.00' }];
  const result = await shop.take(
    camtText('053', [{ amount: '12.00', sign: 'DBIT', code: 'ICDT/ESCT', details }], { mark: fresh() }),
  );
  assert.deepEqual(await shop.family(payout), ['CD 000.100.112']);
  assert.ok(result.is === 'kept' && result.count.MATCHED === 1);
});

test('a collection that is refused after it counted as approved is charged back once', async () => {
  const { messageId, batchId, payments } = await sentPayments(1);
  const [payment] = payments as [Payment];
  await shop.take(camtText('053', [collected(payment)], { mark: fresh() }));
  const batches = [{ id: batchId, transactions: [{ id: payment.id, status: 'RJCT', reason: 'MD07' }] }];
  for (const mark of [fresh(), fresh()]) await shop.take(statusText({ messageId, batches, mark }));
  assert.deepEqual(await shop.family(payment), ['DB 000.100.112', 'CB 000.100.202']);
});

test('a statement of another account, another merchant’s file and a wrong direction move nothing', async () => {
  const { messageId, batchId, payments } = await sentPayments(1);
  const [payment] = payments as [Payment];
  await shop.take(camtText('053', [collected(payment)], { mark: fresh(), iban: 'NL91ABNA0417164300' }));
  await shop.take(camtText('053', [collected(payment)], { mark: fresh() }), shop.other.merchant.entityId);
  await shop.take(camtText('053', [collected(payment, { sign: 'DBIT', code: 'ICDT/ESCT' })], { mark: fresh() }));
  const batches = [{ id: batchId, transactions: [{ id: payment.id, status: 'RJCT' }] }];
  await shop.take(statusText({ messageId, batches, mark: fresh() }), shop.other.merchant.entityId);
  await shop.take(statusText({ messageId: 'another', batches, mark: fresh() }));
  assert.deepEqual(await shop.family(payment), ['DB open']);
  assert.ok((await shop.exceptions(shop.other.merchant.entityId)).length >= 2);
});

test('a status of payments that are not known is an exception that a person sees', async () => {
  const before = (await shop.exceptions()).length;
  const id = 'f'.repeat(32);
  await shop.take(statusText({ messageId: 'not ours', group: 'RJCT', mark: fresh() }));
  await shop.take(statusText({ messageId: 'x', batches: [{ id: 'y', transactions: [{ id, status: 'ACCP' }] }], mark: fresh() }));
  await shop.take(
    statusText({ messageId: 'x', batches: [{ id: 'y', transactions: [{ id: 'another', status: 'RJCT' }] }], mark: fresh() }),
  );
  const found = (await shop.exceptions()).slice(before);
  assert.deepEqual(
    found.map(({ match, merchantId }) => [match.exception?.kind, merchantId]),
    Array(3).fill(['unknownReference', null]),
  );
  assert.match(found[0]?.match.why ?? '', /RJCT for not ours of the message not ours/);
});

test('a broken file changes nothing, wherever it breaks', async () => {
  const { messageId, batchId, payments } = await sentPayments(2);
  const [first, second] = payments as [Payment, Payment];
  const transactions = [first, second].map(({ id }) => ({ id, status: 'RJCT', reason: 'AC01' }));
  const good = statusText({ messageId, batches: [{ id: batchId, transactions }], mark: fresh() });
  const broken: readonly (readonly [string, RegExp])[] = [
    [good.slice(0, -20), /no XML/],
    [good.slice(0, good.lastIndexOf('<TxInfAndSts>') + 30), /no XML/],
    [good.replace('<CstmrPmtStsRpt>', '<!DOCTYPE x [<!ENTITY a "aa">]><CstmrPmtStsRpt>'), /DTD|no XML/],
    [good.replace('pain.002.001.10', 'pain.002.001.05'), /versions 03, 10 and 11/],
    [good.replace('UTF-8', 'UTF-16'), /encoding/],
    [good.replace(`<TxSts>RJCT</TxSts>`, ''), /must have a TxSts/],
    [good.replace(`<TxSts>RJCT</TxSts>`, '<TxSts>no!</TxSts>'), /four letters/],
    [good.replace(/<OrgnlMsgId>.*<\/OrgnlMsgId>/, ''), /OrgnlMsgId/],
    [good.replace(/<CreDtTm>.*<\/CreDtTm>/, ''), /CreDtTm/],
    [good.replace('>12.00<', '>12,00<'), /InstdAmt/],
    [good.replace('<GrpHdr>', '<a>'.repeat(60)), /deep inside/],
    [good.replace('<GrpHdr>', `<GrpHdr><MsgId>${'x'.repeat(600_000)}</MsgId>`), /without a tag/],
  ];
  for (const [text, says] of broken) {
    const result = await shop.take(text);
    assert.equal(result.is, 'refused', text.slice(0, 300));
    assert.match(result.file.faults.at(-1)?.message ?? '', says);
  }
  const latin = Buffer.concat([Buffer.from(good), Buffer.from([0xff, 0xfe])]);
  assert.equal((await shop.take(latin)).is, 'refused');
  assert.deepEqual([await shop.family(first), await shop.family(second)], [['DB open'], ['DB open']]);
});

test('a statement of a day without bookings is kept, and a report without a status is refused', async () => {
  const empty = await shop.take(camtText('053', [], { mark: fresh() }));
  assert.deepEqual([empty.is, empty.file.lines], ['kept', 0]);
  const nothing = await shop.take(statusText({ messageId: 'M', mark: fresh() }));
  assert.match(nothing.file.faults[0]?.message ?? '', /no lines/);
});
