import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BrokenCommit, StoreOutOfOrder } from '../../src/payments/storeErrors.ts';
import type { SettlementFile, SettlementRecord } from '../../src/settlement/record.ts';
import { DECLINED, keep, NOW, nextId, type Open, type Opened, payment } from './storeFixtures.ts';
import { bring, lines, matchedWith, settlementFile, settlementRecord, unmatched } from './storeSettlementFixtures.ts';

const ids = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

/** A file is there as a whole or not at all, and once. */
export function settlementFileContract(name: string, opened: () => Opened): void {
  test(`${name}: every field of a line comes back`, async () => {
    const { store } = opened();
    const back = async (line: Partial<SettlementRecord>) => {
      const { records } = await bring(store, [line]);
      assert.deepEqual(await store.record(records[0]?.id ?? ''), records[0]);
    };
    await fc.assert(fc.asyncProperty(lines, back), { numRuns: 60 });
  });

  test(`${name}: no line of a file is visible before all of them are stored`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const file = settlementFile({ entityId: merchantId });
    const one = settlementRecord(file, { merchantId, match: unmatched });
    const cb = settlementRecord(file, { merchantId, line: 2, recordType: 'CHARGEBACK', match: matchedWith('p1') });
    assert.equal(await store.beginFile(file), null);
    assert.equal(await store.addRecords(file.id, [one, cb], NOW + 90_000), true);
    const seen = async () => ({
      record: await store.record(one.id),
      records: ids(await store.records({ merchantId, limit: 9 })),
      count: await store.countRecords({ merchantId }),
      exceptions: ids(await store.exceptions({ entityIds: [merchantId], status: null, limit: 9 })),
      sums: (await store.aggregations({ merchantId, from: '2031-01-01', to: '2031-12-31', currency: null })).length,
      unrecorded: ids(await store.unrecorded(1_000)).includes(cb.id),
      others: ids(await store.recordsOfPayments([merchantId], ['p1'], null)),
      files: ids(await store.files([merchantId], 9)),
    });
    const nothing = { record: null, records: [], count: 0, exceptions: [], sums: 0, unrecorded: false, others: [], files: [] };
    assert.deepEqual(await seen(), nothing);
    assert.deepEqual(ids(await store.recordsOfPayments([merchantId], ['p1'], file.id)), [cb.id]);
    assert.deepEqual(await store.file(file.id), { ...file, readUntil: NOW + 90_000 });
    assert.equal(await store.keepFile({ ...file, lines: 2 }), true);
    assert.deepEqual(await seen(), {
      record: one,
      records: [one.id, cb.id],
      count: 2,
      exceptions: [one.id],
      sums: 1,
      unrecorded: true,
      others: [cb.id],
      files: [file.id],
    });
    assert.equal(await store.keepFile({ ...file, lines: 2 }), false);
    assert.equal(await store.addRecords(file.id, [settlementRecord(file, { line: 3 })], NOW), false);
    await store.dropFile(file.id);
    assert.equal(await store.countRecords({ merchantId }), 2);
    assert.deepEqual(await store.countFile(file.id), { MATCHED: 1, MULTIPLE_MATCHES: 0, NOT_MATCHED: 1, open: 1 });
  });

  test(`${name}: a file keeps the remarks about it with its lines`, async () => {
    const { store } = opened();
    const file = settlementFile();
    await store.beginFile(file);
    const kept = {
      ...file,
      state: 'kept' as const,
      lines: 0,
      notes: [{ line: 3, message: 'entry 1 was skipped' }],
      noteCount: 1_200,
    };
    assert.equal(await store.keepFile(kept), true);
    assert.deepEqual(await store.file(file.id), kept);
  });

  test(`${name}: an entity imports the same bytes once, and a PSP one file at a time`, async () => {
    const { store } = opened();
    const { file } = await bring(store, [{}]);
    assert.deepEqual(await store.beginFile(settlementFile({ digest: file.digest })), file);
    const elsewhere = settlementFile({ digest: file.digest, entityId: 'another' });
    assert.equal(await store.beginFile(elsewhere), null);
    const other = settlementFile({ pspId: elsewhere.pspId });
    assert.deepEqual(await store.beginFile(other), elsewhere);
    const refused = settlementFile({
      pspId: elsewhere.pspId,
      state: 'refused',
      faults: [{ line: 7, message: 'no' }],
      faultCount: 1,
    });
    assert.equal(await store.beginFile(refused), null);
    assert.deepEqual(await store.file(refused.id), refused);
    await store.keepFile({ ...elsewhere, lines: 0 });
    assert.equal(await store.beginFile(other), null);
    await assert.rejects(store.beginFile(settlementFile({ digest: 'x' })), BrokenCommit);
    await assert.rejects(store.beginFile(settlementFile({ state: 'kept' })), BrokenCommit);
  });

  test(`${name}: of 8 concurrent imports of the same file one begins`, async () => {
    const { store } = opened();
    const file = settlementFile();
    const all = Array.from({ length: 8 }, () => ({ ...file, id: nextId() }));
    const begun = await Promise.all(all.map((each) => store.beginFile(each)));
    assert.equal(begun.filter((found) => found === null).length, 1);
  });

  test(`${name}: an abandoned import is found and deleted, thousands of lines at once, and can be repeated`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const file = settlementFile({ readUntil: NOW - 2 });
    await store.beginFile(file);
    const many = Array.from({ length: 2_100 }, (_, at) => settlementRecord(file, { merchantId, line: at + 1 }));
    assert.equal(await store.addRecords(file.id, many, NOW - 1), true);
    assert.ok(ids(await store.abandonedFiles(NOW, 100)).includes(file.id));
    assert.ok(!ids(await store.abandonedFiles(NOW - 1, 100)).includes(file.id));
    await store.dropFile(file.id);
    assert.equal(await store.file(file.id), null);
    assert.deepEqual(
      await store.recordsOfPayments(
        [merchantId],
        many.flatMap(({ match }) => match.paymentIds),
        file.id,
      ),
      [],
    );
    assert.equal(await store.addRecords(file.id, many, NOW), false);
    assert.equal(await store.keepFile({ ...file, lines: 1 }), false);
    assert.equal(await store.beginFile({ ...file, id: nextId() }), null);
  });

  test(`${name}: an inconsistent record is refused with its whole batch`, async () => {
    const { store } = opened();
    const file = settlementFile();
    await store.beginFile(file);
    const good = settlementRecord(file);
    const bad: readonly Partial<SettlementRecord>[] = [
      { match: { ...matchedWith('p'), paymentIds: [] } },
      { merchantId: null },
      { revision: 2 },
      { id: '' },
    ];
    for (const changes of bad) {
      await assert.rejects(store.addRecords(file.id, [good, settlementRecord(file, { line: 2, ...changes })], NOW), BrokenCommit);
    }
    await assert.rejects(store.addRecords(file.id, [good, good], NOW), BrokenCommit);
    await store.keepFile({ ...file, lines: 0 });
    assert.equal(await store.record(good.id), null);
  });
}

/** Records are listed, counted, changed on the revision before, and found by their payments. */
export function settlementRecordContract(name: string, opened: () => Opened): void {
  test(`${name}: records are listed by day and id, forwards and backwards, page by page, of one merchant`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const days = ['2031-10-03', '2031-10-01', '2031-10-02', '2031-10-01', '2031-10-02'];
    const { records } = await bring(
      store,
      days.map((settledOn, at) => ({
        merchantId,
        settledOn,
        entityId: at % 2 === 0 ? 'even' : 'odd',
        settledCurrency: at === 4 ? 'USD' : 'EUR',
        recordType: at === 0 ? 'FEE' : 'SETTLED',
      })),
    );
    await bring(store, [{ merchantId: nextId(), settledOn: '2031-10-02' }]);
    const order = [1, 3, 2, 4, 0].map((at) => records[at] as SettlementRecord);
    assert.deepEqual(await store.records({ merchantId, limit: 9 }), order);
    assert.deepEqual(await store.records({ merchantId, limit: 9, isBackwards: true }), order.toReversed());
    assert.deepEqual(await store.records({ merchantId, limit: 2, after: order[1] as SettlementRecord }), order.slice(2, 4));
    assert.deepEqual(await store.records({ merchantId, limit: 2, skip: 3 }), order.slice(3, 5));
    assert.deepEqual(await store.records({ merchantId, limit: 2, skip: 1, isBackwards: true }), [order[3], order[2]]);
    const back = { merchantId, limit: 2, after: order[3] as SettlementRecord, isBackwards: true };
    assert.deepEqual(await store.records(back), [order[2], order[1]]);
    const asked = [
      [{ from: '2031-10-02' }, [2, 4, 0]],
      [{ to: '2031-10-01' }, [1, 3]],
      [{ entityId: 'odd' }, [1, 3]],
      [{ currency: 'USD' }, [4]],
      [{ recordType: 'FEE' as const }, [0]],
      [{ from: '2032-01-01' }, []],
    ] as const;
    for (const [question, expected] of asked) {
      const found = await store.records({ merchantId, ...question, limit: 9 });
      assert.deepEqual(
        found,
        expected.map((at) => records[at]),
        JSON.stringify(question),
      );
      assert.equal(await store.countRecords({ merchantId, ...question }), expected.length);
    }
  });

  test(`${name}: sums by day and currency count debits as negative`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const most = 999_999_999_999_999n;
    await bring(store, [
      { merchantId, settledAmount: most, fee: 1n },
      { merchantId, settledAmount: most, fee: null },
      { merchantId, settledAmount: 5n, cashflow: 'NEG', fee: 2n },
      { merchantId, settledAmount: 7n, settledCurrency: 'USD' },
      { merchantId, settledAmount: 9n, settledOn: '2031-10-04', entityId: 'other' },
    ]);
    const asked = { merchantId, from: '2031-10-01', to: '2031-10-09', currency: null };
    const euro = { settledOn: '2031-10-02', currency: 'EUR', count: 3, amount: 2n * most - 5n, fee: 3n };
    const dollar = { settledOn: '2031-10-02', currency: 'USD', count: 1, amount: 7n, fee: 100n };
    const later = { settledOn: '2031-10-04', currency: 'EUR', count: 1, amount: 9n, fee: 100n };
    assert.deepEqual(await store.aggregations(asked), [euro, dollar, later]);
    assert.deepEqual(await store.aggregations({ ...asked, currency: 'USD' }), [dollar]);
    assert.deepEqual(await store.aggregations({ ...asked, entityId: 'other' }), [later]);
    assert.deepEqual(await store.aggregations({ ...asked, to: '2031-10-03' }), [euro, dollar]);
  });

  test(`${name}: a duplicate is in no list and no sum until it is matched`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const exception = { kind: 'duplicate', candidateIds: ['p1'] } as const;
    const match: SettlementRecord['match'] = { ...unmatched, exception };
    const other: SettlementRecord['match'] = { ...unmatched, exception: { kind: 'amountDiffers', candidateIds: ['p1'] } };
    const { records } = await bring(store, [{ merchantId }, { merchantId, match }, { merchantId, match: other }]);
    const [first, twin, third] = records as [SettlementRecord, SettlementRecord, SettlementRecord];
    const reported = async () => {
      const question = { merchantId, from: '2031-10-01', to: '2031-10-09' };
      const [sum] = await store.aggregations({ ...question, currency: null });
      const backwards = await store.records({ ...question, isBackwards: true, limit: 9 });
      assert.deepEqual(ids(backwards).toReversed(), ids(await store.records({ ...question, limit: 9 })));
      assert.equal(await store.countRecords(question), backwards.length);
      return [ids(backwards).toReversed(), sum?.count, sum?.amount];
    };
    assert.deepEqual(await reported(), [[first.id, third.id], 2, 18_200n]);
    assert.deepEqual((await store.record(twin.id))?.match.exception, exception);
    // Dismissed, it stays out; matched with a payment, it comes in.
    const dismissed = { ...twin, revision: 2, match: { ...match, isOpen: false } };
    assert.ok(await store.saveRecord(dismissed, NOW));
    assert.deepEqual(await reported(), [[first.id, third.id], 2, 18_200n]);
    assert.ok(await store.saveRecord({ ...twin, revision: 3, match: matchedWith(nextId()) }, NOW));
    assert.deepEqual(await reported(), [[first.id, twin.id, third.id], 3, 27_300n]);
  });

  test(`${name}: exceptions of the files of some entities are listed, the oldest first, until they are resolved`, async () => {
    const { store } = opened();
    const [one, other] = [nextId(), nextId()];
    const several = { ...unmatched, status: 'MULTIPLE_MATCHES' as const, paymentIds: ['p1', 'p2'] };
    const { records } = await bring(store, [{ match: unmatched, merchantId: null, entityId: null }, {}, { match: several }], {
      entityId: one,
    });
    const { records: theirs } = await bring(store, [{ match: unmatched }], { entityId: other });
    const [first, , third] = records as [SettlementRecord, SettlementRecord, SettlementRecord];
    const found = async (entityIds: readonly string[], rest: object = {}) =>
      ids(await store.exceptions({ entityIds, status: null, limit: 9, ...rest }));
    assert.deepEqual(await found([one]), [first.id, third.id]);
    assert.deepEqual(await found([one, other]), [first.id, third.id, theirs[0]?.id]);
    assert.deepEqual(await found([one], { status: 'MULTIPLE_MATCHES' }), [third.id]);
    assert.deepEqual(await found([one], { after: first.id }), [third.id]);
    assert.deepEqual(await found([one, other], { limit: 1 }), [first.id]);
    assert.deepEqual(await found([]), []);
    const resolved = { ...first, merchantId: 'm', entityId: 'c', match: matchedWith('p9'), revision: 2 };
    assert.equal(await store.saveRecord(resolved, NOW), true);
    assert.equal(await store.saveRecord({ ...resolved, chargebackId: 'x' }, NOW), false);
    assert.equal(await store.saveRecord({ ...resolved, revision: 3, settledOn: '2031-12-31' }, NOW), false);
    assert.deepEqual(await store.record(first.id), resolved);
    assert.deepEqual(await found([one]), [third.id]);
    await assert.rejects(store.saveRecord(first, NOW), BrokenCommit);
  });

  test(`${name}: chargebacks are listed until their transaction is recorded`, async () => {
    const { store } = opened();
    const due = { recordType: 'CHARGEBACK', match: matchedWith('p1') } as const;
    const { records } = await bring(store, [
      due,
      { recordType: 'CHARGEBACK REVERSAL' },
      { recordType: 'CHARGEBACK', match: unmatched },
      {},
    ]);
    const own = async () => ids(await store.unrecorded(1_000)).filter((id) => ids(records).includes(id));
    assert.deepEqual(await own(), ids(records.slice(0, 2)));
    await store.saveRecord({ ...(records[0] as SettlementRecord), chargebackId: nextId(), revision: 2 }, NOW);
    assert.deepEqual(await own(), ids(records.slice(1, 2)));
  });

  test(`${name}: the records of a payment are found at the requested merchants only`, async () => {
    const { store } = opened();
    const [merchantId, another, id] = [nextId(), nextId(), nextId()];
    const { records } = await bring(store, [
      { merchantId, match: matchedWith(id) },
      { merchantId: another, match: matchedWith(id) },
      { merchantId, match: matchedWith(nextId()) },
      { merchantId, match: { ...unmatched, status: 'MULTIPLE_MATCHES', paymentIds: [id] } },
    ]);
    assert.deepEqual(await store.recordsOfPayments([merchantId], [id, nextId()], null), [records[0]]);
    assert.deepEqual(await store.recordsOfPayments([merchantId, another], [id], null), records.slice(0, 2));
    assert.deepEqual(await store.recordsOfPayments([], [id], null), []);
  });
}

/** Payments are found by their names and by what they are, for matching. */
export function settlementLookupContract(name: string, opened: () => Opened): void {
  const asked = { from: 0, before: NOW + 1, each: 2 };

  test(`${name}: payments are found by each of their references, at the requested merchants only`, async () => {
    const { store } = opened();
    const [merchantId, another] = [nextId(), nextId()];
    const details = { resultDetails: { ConnectorTxID1: 'A-1', ConnectorTxID3: 'A-3', Other: 'A-9' } };
    const one = payment({ merchantId, merchantTransactionId: 'order-1', shortId: '1111.2222.3333', details });
    const namesake = payment({ merchantId, merchantTransactionId: 'order-1', shortId: '4444.2222.3333' });
    const third = payment({ merchantId, merchantTransactionId: 'order-1', shortId: '5555.2222.3333' });
    const theirs = payment({ id: one.id, merchantId: another, merchantTransactionId: 'order-1', details });
    for (const each of [one, namesake, third, theirs]) assert.equal(await keep(store, each), 'kept');
    const found = async (
      kind: 'id' | 'merchantTransactionId' | 'shortId' | 'connectorTxId',
      value: string,
      rest: object = {},
    ) => {
      const answer = await store.paymentsNamed({ ...asked, merchantIds: [merchantId], names: [{ kind, value }], ...rest });
      assert.ok(answer.every(({ name: by }) => by.kind === kind && by.value === value));
      return answer.map((each) => each.payment);
    };
    assert.deepEqual(await found('id', one.id), [one]);
    assert.deepEqual(await found('id', one.id, { merchantIds: [another] }), [theirs]);
    assert.equal((await found('id', one.id, { merchantIds: [merchantId, another] })).length, 2);
    assert.deepEqual(await found('merchantTransactionId', 'order-1'), [one, namesake]);
    assert.equal((await found('merchantTransactionId', 'order-1', { each: 9 })).length, 3);
    assert.deepEqual(await found('shortId', '4444.2222.3333'), [namesake]);
    assert.deepEqual(await found('shortId', '4444.2222.3333', { before: NOW }), []);
    assert.deepEqual(await found('connectorTxId', 'A-1'), [one]);
    assert.deepEqual(await found('connectorTxId', 'A-3'), [one]);
    for (const value of ['A-9', 'A', '']) assert.deepEqual(await found('connectorTxId', value), []);
    assert.deepEqual(await found('connectorTxId', 'A-1', { from: NOW + 1 }), []);
    assert.deepEqual(await found('id', 'order-1'), []);
    assert.deepEqual(await store.paymentsNamed({ ...asked, merchantIds: [merchantId], names: [] }), []);
  });

  test(`${name}: approved payments are found by amount within a period`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const made = (changes: object) => payment({ merchantId, amount: 1234n, ...changes });
    const [one, later, other] = [made({}), made({ createdAt: NOW + 5 }), made({ amount: 999n })];
    const unlike = [made({ currency: 'USD' }), made({ amount: 1235n }), made({ phase: DECLINED }), made({ createdAt: NOW + 50 })];
    for (const each of [one, later, other, ...unlike, payment({ amount: 1234n })]) assert.equal(await keep(store, each), 'kept');
    const sums = [
      { amount: 1234n, currency: 'EUR' },
      { amount: 999n, currency: 'EUR' },
    ];
    const question = { merchantIds: [merchantId], from: NOW, before: NOW + 50, sums, limit: 9 };
    assert.deepEqual(ids(await store.paymentsAlike(question)), ids([one, other, later]));
    assert.deepEqual(ids(await store.paymentsAlike({ ...question, limit: 1 })), ids([one]));
    assert.deepEqual(await store.paymentsAlike({ ...question, sums: [] }), []);
  });
}

/** What a restart leaves. */
export function settlementLifeContract(name: string, open: Open): void {
  test(`${name}: a closed store refuses settlement calls`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    await store.close();
    await assert.rejects(store.beginFile(settlementFile()), StoreOutOfOrder);
    await assert.rejects(store.records({ merchantId: 'm', limit: 1 }), StoreOutOfOrder);
    await assert.rejects(store.files([], 1), StoreOutOfOrder);
  });
}

/** The refusals of the database itself, for any client. */
export function settlementRawContract(name: string, opened: () => Opened): void {
  test(`${name}: the database refuses inconsistent files and matches`, async () => {
    const { store, database } = opened();
    const { file, records } = await bring(store, [{}]);
    const raw = (statement: string) => assert.rejects(database?.raw(statement) ?? Promise.resolve());
    const id = records[0]?.id;
    await raw(`UPDATE settlement_record SET payment_id = NULL WHERE id = '${id}'`);
    await raw(`UPDATE settlement_record SET merchant_id = NULL WHERE id = '${id}'`);
    await raw(`UPDATE settlement_record SET status = 'PERHAPS' WHERE id = '${id}'`);
    await raw(`UPDATE settlement_file SET state = 'lost' WHERE id = '${file.id}'`);
    const twin: SettlementFile = settlementFile({ entityId: file.entityId });
    await store.beginFile(twin);
    await raw(`UPDATE settlement_file SET digest = '${file.digest}' WHERE id = '${twin.id}'`);
  });
}
