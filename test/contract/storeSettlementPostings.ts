import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { balancesAt, sealBooks } from '../../src/ledger/chain.ts';
import { accounts, holdingsText, lineOf, type Posting } from '../../src/ledger/entry.ts';
import { verify } from '../../src/ledger/verify.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { bookedAmount, incomingPosting, outgoingPosting } from '../../src/settlement/postings.ts';
import type { SettlementRecord } from '../../src/settlement/record.ts';
import { withAudit } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { commit, commitWithEffects, type Database, NOW, nextId, type Opened, payment } from './storeFixtures.ts';
import { bring, matchedWith, settlementFile, settlementRecord, unmatched } from './storeSettlementFixtures.ts';

const ALL = 1_000;
const LATER = NOW + 7_000;

async function paid(store: Store, changes: Partial<Payment>): Promise<Payment> {
  const made = payment(changes);
  assert.deepEqual(await commitWithEffects(store, commit(made, 0)), { is: 'kept' });
  return made;
}

/** What is in a merchant's books for settlements, in one order. */
async function settledLines(store: Store, merchantId: string): Promise<readonly string[]> {
  return (await store.unsealed(merchantId, ALL)).filter((line) => line.includes('|settlement|')).toSorted();
}

const linesOf = (...postings: readonly (Posting | null)[]): readonly string[] =>
  postings.flatMap((one) => (one ? [lineOf(one)] : [])).toSorted();

/** The accounts on which something stands. */
async function standing(store: Store, merchantId: string): Promise<object> {
  const [held] = await balancesAt(store, merchantId, LATER);
  return Object.fromEntries(accounts.flatMap((name) => (held?.accounts[name] ? [[name, held.accounts[name]]] : [])));
}

async function proof({ place, placeOf }: Database, merchantId: string): Promise<readonly string[]> {
  const { databaseUrl, dataDir } = (await placeOf?.(merchantId)) ?? place;
  const where = databaseUrl === null ? { dataDir: dataDir ?? '' } : { databaseUrl };
  const asked = { merchantId, onStep: () => {}, signal: new AbortController().signal };
  const { findings } = await withAudit(where, (audit) => verify(audit, asked));
  return findings.map(({ says }) => says);
}

const about = (of: Payment, changes: Partial<SettlementRecord> = {}): Partial<SettlementRecord> => ({
  merchantId: of.merchantId,
  match: matchedWith(of.id),
  ...changes,
});

/** What a settlement says is in the books with it: once, and as long as it is matched. */
export function settledBooksContract(name: string, opened: () => Opened): void {
  test(`${name}: the lines of a file are posted when it is kept, once`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const debit = await paid(store, { merchantId });
    const file = settlementFile();
    const says: readonly Partial<SettlementRecord>[] = [
      about(debit),
      about(debit, { recordType: 'FEE', transactionType: 'AUTH_FEE', cashflow: 'NEG', settledAmount: 30n }),
      about(debit, { status: 'FAILED' }),
      { merchantId, match: unmatched },
      { merchantId, match: matchedWith(nextId()) },
    ];
    const records = says.map((changes, at) => settlementRecord(file, { line: at + 1, createdAt: NOW + at, ...changes }));
    await store.beginFile(file);
    await store.addRecords(file.id, records, NOW);
    assert.deepEqual(await settledLines(store, merchantId), []);
    assert.equal(await store.keepFile({ ...file, lines: 5 }), true);
    const expected = records.slice(0, 2).map((record) => incomingPosting({ record, payment: debit, at: record.createdAt }));
    assert.deepEqual(await settledLines(store, merchantId), linesOf(...expected));
    assert.equal(await store.keepFile({ ...file, lines: 5 }), false);
    assert.equal((await settledLines(store, merchantId)).length, 2);
    assert.deepEqual(await standing(store, merchantId), { acquirer: -130n, fees: 130n });
  });

  test(`${name}: a file that is not kept posts nothing`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const debit = await paid(store, { merchantId });
    const file = settlementFile();
    await store.beginFile(file);
    await store.addRecords(file.id, [settlementRecord(file, about(debit))], NOW);
    await store.dropFile(file.id);
    assert.equal(await store.keepFile({ ...file, lines: 1 }), false);
    assert.deepEqual(await settledLines(store, merchantId), []);
  });

  test(`${name}: a line that is matched later is posted then, and reversed when the match ends`, async () => {
    const { store, database } = opened();
    const [merchantId, another] = [nextId(), nextId()];
    const [debit, live] = [await paid(store, { merchantId }), await paid(store, { merchantId, mode: 'LIVE' })];
    const theirs = await paid(store, { merchantId: another });
    const { records } = await bring(store, [{ merchantId: null, entityId: null, match: unmatched }]);
    let record = records[0] as SettlementRecord;
    const posted = new Map<string, (Posting | null)[]>([
      [merchantId, []],
      [another, []],
    ]);
    const save = async (next: Payment | null, before: Payment | null) => {
      const said = next ? about(next) : { match: { ...unmatched, isOpen: false } };
      const changed = { ...record, ...said, revision: record.revision + 1 };
      if (before) posted.get(before.merchantId)?.push(outgoingPosting({ record, payment: before, at: LATER }));
      if (next) posted.get(next.merchantId)?.push(incomingPosting({ record: changed, payment: next, at: LATER }));
      assert.equal(await store.saveRecord(changed, LATER), true);
      assert.equal(await store.saveRecord(changed, LATER), false);
      record = changed;
      for (const [owner, own] of posted) assert.deepEqual(await settledLines(store, owner), linesOf(...own));
    };
    await save(debit, null);
    const touched = { ...record, chargebackId: 'c', revision: record.revision + 1 };
    assert.equal(await store.saveRecord(touched, LATER), true);
    assert.equal(await store.saveRecord({ ...touched, settledOn: '2031-12-31', revision: 4, match: unmatched }, LATER), false);
    record = touched;
    await save(live, debit);
    await save(theirs, live);
    await save(null, theirs);
    assert.deepEqual(await standing(store, another), { merchant: 9200n, acquirer: -9200n });
    await save(debit, null);
    assert.deepEqual(await standing(store, merchantId), { acquirer: -100n, fees: 100n });
    if (database) for (const owner of [merchantId, another]) assert.deepEqual(await proof(database, owner), []);
  });

  test(`${name}: of 8 concurrent matches of a line one succeeds, and it is posted once`, async () => {
    const { store, database } = opened();
    const merchantId = nextId();
    const debits = [];
    for (let count = 0; count < 8; count += 1) debits.push(await paid(store, { merchantId }));
    const { records } = await bring(store, [{ merchantId, match: unmatched }]);
    const nodes = database ? [store, await database.again()] : [store];
    const saves = debits.map((debit, at) =>
      (nodes[at % nodes.length] as Store).saveRecord(
        { ...(records[0] as SettlementRecord), ...about(debit), revision: 2 },
        LATER,
      ),
    );
    assert.equal((await Promise.all(saves)).filter(Boolean).length, 1);
    assert.equal((await settledLines(store, merchantId)).length, 1);
    for (const node of nodes.slice(1)) await node.close();
  });

  test(`${name}: with files and decisions in any order, the ledger equals the final lines`, async () => {
    const { store, database } = opened();
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const merchantId = nextId();
        await lifeOf(store, merchantId, acts);
        if (database) assert.deepEqual(await proof(database, merchantId), []);
      }),
      { numRuns: database ? 6 : 40 },
    );
  });
}

type Act =
  | { readonly does: 'bring'; readonly with: readonly number[] }
  | { readonly does: 'decide'; readonly line: number; readonly for: number; readonly isLate: boolean }
  | { readonly does: 'repeat' | 'seal' };

/** Above the last of the payments: with none. */
const whom = fc.nat({ max: 4 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ does: fc.constant('bring' as const), with: fc.array(whom, { minLength: 1, maxLength: 4 }) }),
  fc.record({ does: fc.constant('decide' as const), line: fc.nat({ max: 20 }), for: whom, isLate: fc.boolean() }),
  fc.record({ does: fc.constantFrom('repeat' as const, 'seal' as const) }),
);

async function lifeOf(store: Store, merchantId: string, acts: readonly Act[]): Promise<void> {
  const debits: Payment[] = [];
  for (const mode of ['LIVE', 'INTERNAL', 'INTERNAL'] as const) debits.push(await paid(store, { merchantId, mode }));
  const sayOf = (to: number) => {
    const debit = debits[to];
    return debit ? about(debit) : { merchantId, match: unmatched };
  };
  const records: SettlementRecord[] = [];
  const does = {
    bring: async (one: Act & { does: 'bring' }) => {
      const said = one.with.map((to, at) => ({ ...sayOf(to), settledAmount: 9000n + BigInt(at) }));
      records.push(...(await bring(store, said)).records);
    },
    decide: async (one: Act & { does: 'decide' }) => {
      const record = records[one.line];
      if (!record) return;
      const changed = { ...record, ...sayOf(one.for), revision: record.revision + (one.isLate ? 2 : 1) };
      assert.equal(await store.saveRecord(changed, LATER), !one.isLate);
      if (!one.isLate) records[one.line] = changed;
    },
    repeat: async () => {
      for (const { fileId } of records) assert.equal(await store.keepFile({ ...settlementFile(), id: fileId }), false);
    },
    seal: async () => void (await sealBooks(store)),
  };
  for (const one of acts) await does[one.does](one as never);
  const expected = (['INTERNAL', 'LIVE'] as const).map((mode) => {
    const own = debits.filter((debit) => debit.mode === mode);
    const booked = records.flatMap((record) =>
      own.some(({ id }) => id === record.match.paymentIds[0]) ? (bookedAmount(record) ?? []) : [],
    );
    const sum = (part: 'settled' | 'fee') => booked.reduce((total, one) => total + one[part], 0n);
    const [owed, settled, fees] = [BigInt(own.length) * 9200n, sum('settled'), sum('fee')];
    const rest = { shopper: 0n, reserve: 0n, contra: 0n, chargebacks: 0n };
    const sums = { ...rest, merchant: owed - settled - fees, acquirer: settled - owed, fees };
    return { mode, currency: 'EUR', accounts: sums };
  });
  assert.equal(holdingsText(await balancesAt(store, merchantId, LATER)), holdingsText(expected));
}

/** After any failure while a file is kept, all of it is posted or nothing. */
function wholeFileContract(name: string, opened: () => Opened): void {
  test(`${name}: a file that cannot be posted as a whole is not kept, and nothing of it is posted`, async () => {
    const { store } = opened();
    const debit = await paid(store, { merchantId: nextId() });
    const file = settlementFile();
    const records = [1, 2, 3].map((line) => settlementRecord(file, about(debit, { line })));
    await store.beginFile(file);
    await store.addRecords(file.id, records, NOW);
    const inTheWay = incomingPosting({ record: records[2] as SettlementRecord, payment: debit, at: NOW });
    await store.post(inTheWay ? [inTheWay] : []);
    await assert.rejects(store.keepFile({ ...file, lines: 3 }));
    assert.deepEqual(await settledLines(store, debit.merchantId), linesOf(inTheWay));
    assert.equal((await store.file(file.id))?.state, 'reading');
    assert.equal(await store.record(records[0]?.id ?? ''), null);
    await store.dropFile(file.id);
  });
}

/** The refusals of the database, and the findings of a verification after manipulated rows. */
export function settledBooksRawContract(name: string, opened: () => Opened): void {
  wholeFileContract(name, opened);

  test(`${name}: no revision of a line is posted twice, and what is missing or too much is named`, async () => {
    const { store, database } = opened();
    if (!database) throw new Error('this is for databases');
    const merchantId = nextId();
    const debit = await paid(store, { merchantId });
    const { records } = await bring(store, [about(debit), { merchantId, match: unmatched }]);
    const [matched, waiting] = records as [SettlementRecord, SettlementRecord];
    const columns =
      'merchant_id, subject_id, kind, at, currency, mode, shopper, reserve, contra, merchant, acquirer, fees, chargebacks';
    const again = (revision: number, subject: string) =>
      database.raw(`INSERT INTO posting (revision, ${columns})
        SELECT ${revision}, ${columns.replace('subject_id', `'${subject}'`)} FROM posting
        WHERE subject_id = '${matched.id}' AND revision = 1`);
    await assert.rejects(again(1, matched.id));
    assert.deepEqual(await proof(database, merchantId), []);
    await again(3, matched.id);
    assert.match((await proof(database, merchantId)).join(), /^no matched line accounts for it/);
    await again(1, waiting.id);
    assert.equal((await proof(database, merchantId)).length, 2);
    const other = nextId();
    await bring(store, [about(await paid(store, { merchantId: other }))]);
    const change = (set: string) => database.raw(`UPDATE settlement_record SET ${set} WHERE merchant_id = '${other}'`);
    await change("status = 'NOT_MATCHED', payment_id = NULL");
    assert.match((await proof(database, other)).join(), /^no matched line accounts for it/);
    await change("status = 'MATCHED', payment_id = 'nobody'");
    assert.match((await proof(database, other)).join(), /^its line is matched with a payment that is not there/);
    const third = await paid(store, { merchantId: nextId() });
    const { records: lines } = await bring(store, [{ merchantId: third.merchantId, match: unmatched }]);
    await database.raw(`UPDATE settlement_record SET status = 'MATCHED', payment_id = '${third.id}',
      data = replace(data, 'NOT_MATCHED', 'MATCHED') WHERE id = '${lines[0]?.id}'`);
    assert.match((await proof(database, third.merchantId)).join(), /^its line is matched, and it is not in the books/);
  });
}
