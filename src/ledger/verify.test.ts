import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplePayment } from '../payments/examples.ts';
import type { Payment, Phase } from '../payments/payment.ts';
import { postingOfSettlement, postingsOf } from './book.ts';
import { blockOf } from './chain.ts';
import { type Block, lineOf } from './entry.ts';
import type { Audit, Finding, Page, ProofStep, Stored, StoredSettlement, StoredSums, Unreadable } from './ports.ts';
import { type Verdict, VerifyStopped, verify } from './verify.ts';

/** A ledger in memory, and what is found in it after one change: word for word, and nothing else. */

const APPROVED: Phase = { at: 'final', code: '000.100.110' };
const OPEN: Phase = { at: 'doubt', tries: 0, dueAt: 9 };
const DECLINED: Phase = { at: 'final', code: '800.100.151' };

const paid = (merchantId: string, id: string, changes: Partial<Payment> = {}): Payment =>
  examplePayment({ merchantId, id, amount: 100n, createdAt: 10, movedAt: 10, phase: APPROVED, revision: 1, ...changes });
const below = (of: Payment, id: string, paymentType: Payment['paymentType'], amount: bigint): Payment =>
  paid(of.merchantId, id, { familyId: of.familyId, referencedId: of.id, paymentType, amount });

const reserve = paid('a', 'a1', { paymentType: 'PA', amount: 500n });
const capture = below(reserve, 'a2', 'CP', 300n);
const refund = below(capture, 'a3', 'RF', 50n);
const slow = paid('a', 'a4', { revision: 3, movedAt: 30 });
const open = paid('a', 'a5', { phase: OPEN, amount: 7n });
const credit = paid('b', 'b1', { paymentType: 'CD', amount: 20n });
const uncredit = below(credit, 'b2', 'RV', 20n);

type Ledger = {
  payments: Payment[];
  postings: Stored[];
  blocks: Block[];
  sums: StoredSums[];
  settlements: StoredSettlement[];
  /** Ids of records that cannot be read. */
  damaged: string[];
  others: Unreadable[];
};

const sums = (payment: Payment, given: Partial<StoredSums>): StoredSums => ({
  merchantId: payment.merchantId,
  paymentId: payment.id,
  available: payment.amount,
  captured: 0n,
  refunded: 0n,
  reversed: 0n,
  chargedBack: 0n,
  ...given,
});

const settled = { merchantId: 'a', recordId: 'r1', currency: 'EUR', mode: 'INTERNAL', settled: 95n, fee: 5n } as const;
const settledLine = (revision: number, sign = 1n): string => {
  const amounts = { settled: sign * settled.settled, fee: sign * settled.fee };
  const posting = postingOfSettlement({
    ...settled,
    ...amounts,
    revision,
    payment: { currency: 'EUR', mode: 'INTERNAL' },
    at: 40,
  });
  return lineOf(posting ?? assert.fail());
};

const linesFor = (payment: Payment, undone: Payment['paymentType'] | null = null) => postingsOf(payment, undone).map(lineOf);
const linesOfA = [...linesFor(reserve), ...linesFor(capture), ...linesFor(refund, 'CP'), ...linesFor(slow), settledLine(1)];
const linesOfB = [...linesFor(credit), ...linesFor(uncredit, 'CD')];

/** Merchant a has two blocks of three postings and one posting in none; merchant b has one block. */
function ledger(): Ledger {
  const first = blockOf(null, 'a', linesOfA.slice(0, 3));
  const second = blockOf(first, 'a', linesOfA.slice(3));
  const stored = (merchantId: string, block: number) => (line: string) => ({ merchantId, block, line });
  return {
    payments: [reserve, capture, refund, slow, open, credit, uncredit],
    postings: [
      ...linesFor(open).map(stored('a', 0)),
      ...linesOfA.slice(0, 3).map(stored('a', 1)),
      ...linesOfA.slice(3).map(stored('a', 2)),
      ...linesOfB.map(stored('b', 1)),
    ],
    blocks: [first, second, blockOf(null, 'b', linesOfB)],
    sums: [sums(reserve, { captured: 300n }), sums(capture, { refunded: 50n }), sums(credit, { reversed: 20n })],
    settlements: [settled],
    damaged: [],
    others: [],
  };
}

async function* pagesOf<Row extends { readonly merchantId: string }>(rows: readonly Row[], merchantId: string | null, size = 2) {
  const own = rows.filter((row) => merchantId === null || row.merchantId === merchantId);
  for (let at = 0; at < own.length; at += size) yield own.slice(at, at + size);
}

type Named = { readonly merchantId: string } & ({ readonly id: string } | { readonly recordId: string });
const damageOf = (one: Named): Unreadable => ({
  merchantId: one.merchantId,
  id: 'id' in one ? one.id : one.recordId,
  ...('familyId' in one && { familyId: String(one.familyId) }),
  says: 'it cannot be read',
});

function readable<Row extends Named>(rows: readonly Row[], damaged: readonly string[]): Page<Row> {
  const isDamaged = (row: Row) => damaged.includes(damageOf(row).id);
  return { records: rows.filter((row) => !isDamaged(row)), unreadable: rows.filter(isDamaged).map(damageOf) };
}

async function* readablePages<Row extends Named>(pages: AsyncIterable<readonly Row[]>, damaged: readonly string[]) {
  for await (const page of pages) yield readable(page, damaged);
}

type Shape = { readonly postings: number; readonly payments: number; readonly page: number };
const auditOf = (books: Ledger, { page, ...counts }: Shape): Audit => ({
  counts: async () => counts,
  postings: (merchantId) => pagesOf(books.postings, merchantId),
  blocks: (merchantId) => pagesOf(books.blocks, merchantId),
  payments: (merchantId) => readablePages(pagesOf(books.payments, merchantId, page), books.damaged),
  settlements: (merchantId) => readablePages(pagesOf(books.settlements, merchantId), books.damaged),
  unreadable: async function* () {
    yield books.others;
  },
  sealed: async function* () {},
  keys: async () => [],
  families: async (names) => {
    const isNamed = (one: Payment) => names.some((name) => name.merchantId === one.merchantId && name.familyId === one.familyId);
    const payments = books.payments.filter(isNamed);
    const ids = new Set(payments.map(({ id }) => id));
    return { ...readable(payments.toReversed(), books.damaged), sums: books.sums.filter(({ paymentId }) => ids.has(paymentId)) };
  },
});

type Run = {
  readonly merchantId?: string;
  readonly onStep?: (step: ProofStep) => void;
  readonly signal?: AbortSignal;
  readonly shape?: Partial<Shape>;
};
const proven = (
  books: Ledger,
  { merchantId, onStep = () => {}, signal = new AbortController().signal, shape = {} }: Run = {},
): Promise<Verdict> =>
  verify(auditOf(books, { postings: 12, payments: 9, page: 3, ...shape }), { merchantId: merchantId ?? null, onStep, signal });
const wordsOf = ({ merchantId, block, subjectId, says }: Finding): string => `${merchantId} ${block} ${subjectId}: ${says}`;

for (const id of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'r1']) {
  test(`the record ${id} cannot be read: that is the finding, and no posting of its family is one`, async () => {
    for (const page of [1, 2, 3, 7]) {
      const verdict = await proven({ ...ledger(), damaged: [id] }, { shape: { page } });
      assert.deepEqual(verdict.findings.map(wordsOf), [`${id.startsWith('b') ? 'b' : 'a'} null ${id}: it cannot be read`]);
    }
  });
}

test('beside a record that cannot be read everything else is verified', async () => {
  const books = { ...ledger(), damaged: ['a4'], others: [{ merchantId: 'a', id: 's1', says: 'it cannot be read' }] };
  books.postings = books.postings.filter(({ line }) => !line.startsWith('b2|'));
  const found = (await proven(books)).findings.map(wordsOf);
  for (const id of ['a4', 's1', 'b2'])
    assert.ok(
      found.some((words) => words.includes(`null ${id}:`)),
      `${id}: ${found}`,
    );
});

test('a ledger without a fault: its counts and the ends of its chains', async () => {
  const books = ledger();
  const { heads, ...counts } = await proven(books);
  assert.deepEqual(counts, {
    postings: 9,
    entries: 23,
    blocks: 3,
    unsealed: 1,
    payments: 7,
    families: 2,
    settlements: 1,
    findings: [],
    found: 0,
  });
  const ends = [books.blocks[1], books.blocks[2]].map((block) => ({
    merchantId: block?.merchantId,
    number: block?.number,
    hash: block?.hash,
  }));
  assert.deepEqual(heads, ends);
});

test('one merchant alone', async () => {
  const { postings, payments, blocks, findings } = await proven(ledger(), { merchantId: 'b' });
  assert.deepEqual([postings, payments, blocks, findings], [2, 2, 1, []]);
});

test('its progress, which counts no more than there is', async () => {
  const seen: ProofStep[] = [];
  await proven(ledger(), { onStep: (step) => seen.push(step) });
  const told = seen.map(({ phase, done, total }) => `${phase} ${done} of ${total}`);
  assert.deepEqual(told, [
    'chaining 1 of 12',
    'chaining 4 of 12',
    'chaining 7 of 12',
    'chaining 9 of 12',
    'comparing 3 of 9',
    'comparing 6 of 9',
    'comparing 7 of 9',
    'comparing 8 of 9',
  ]);
});

test('its progress where there is more than was counted', async () => {
  const seen: ProofStep[] = [];
  await proven(ledger(), { onStep: (step) => seen.push(step), shape: { postings: 0, payments: 0 } });
  assert.ok(seen.every(({ done, total }) => done === total));
});

test('an empty ledger is right, and two families may be on one page', async () => {
  const empty: Ledger = { payments: [], postings: [], blocks: [], sums: [], settlements: [], damaged: [], others: [] };
  const { postings, blocks, findings } = await proven(empty);
  assert.deepEqual([postings, blocks, findings], [0, 0, []]);
  const all = await proven(ledger(), { shape: { page: 100 } });
  assert.deepEqual([all.families, all.findings], [2, []]);
});

test('it ends when it is asked to', async () => {
  const stop = new AbortController();
  const onStep = () => stop.abort();
  const stopped = proven(ledger(), { onStep, signal: stop.signal });
  await assert.rejects(stopped, VerifyStopped);
  await assert.rejects(stopped, { name: 'VerifyStopped', message: 'stopped' });
});

const lineAt = (books: Ledger, at: number): string => books.postings[at]?.line ?? assert.fail();
const setLine = (books: Ledger, at: number, line: string): void => {
  books.postings[at] = { ...(books.postings[at] ?? assert.fail()), line };
};
const setBlock = (books: Ledger, at: number, changes: Partial<Block>): void => {
  books.blocks[at] = { ...(books.blocks[at] ?? assert.fail()), ...changes };
};
const [CAPTURE_LINE = '', SLOW_END = ''] = [linesOfA[1], linesOfA[4]];
const OTHER_HASH = [
  'a 1 null: its hash is not that of its postings',
  'a 2 null: it does not carry the hash of the block before it',
  'a 2 null: its hash is not that of its postings',
];

const damages: readonly (readonly [what: string, damage: (books: Ledger) => void, findings: readonly string[]])[] = [
  [
    'an amount and its counterpart',
    (books) => setLine(books, 2, CAPTURE_LINE.replace('|300|-300|', '|301|-301|')),
    [
      'a 1 null: its balances are not the sum of what was posted',
      'a 1 null: its hash is not that of its postings',
      `a 1 a2: its payment says ${CAPTURE_LINE}, the books say ${CAPTURE_LINE.replace('|300|-300|', '|301|-301|')}`,
    ],
  ],
  [
    'one amount alone',
    (books) => setLine(books, 2, CAPTURE_LINE.replace('|300|-300|', '|301|-300|')),
    [
      'a 1 a2: its entries add up to 1 instead of 0',
      'a 1 null: its balances are not the sum of what was posted',
      'a 1 null: its hash is not that of its postings',
      `a 1 a2: its payment says ${CAPTURE_LINE}, the books say ${CAPTURE_LINE.replace('|300|-300|', '|301|-300|')}`,
    ],
  ],
  [
    'an amount that is none',
    (books) => setLine(books, 2, CAPTURE_LINE.replace('|300|-300|', '|x|-300|')),
    [
      'a 1 a2: its amounts cannot be read',
      'a 1 null: its balances are not the sum of what was posted',
      'a 1 null: its hash is not that of its postings',
      `a 1 a2: its payment says ${CAPTURE_LINE}, the books say ${CAPTURE_LINE.replace('|300|-300|', '|x|-300|')}`,
    ],
  ],
  [
    'a kind that there is not',
    (books) => setLine(books, 2, CAPTURE_LINE.replace('|payment|', '|gift|')),
    [
      'a 1 a2: its kind is "gift", which there is not',
      'a 1 null: its hash is not that of its postings',
      `a null a2: it is not in the books: ${CAPTURE_LINE}`,
    ],
  ],
  [
    'another revision',
    (books) => setLine(books, 5, SLOW_END.replace('a4|3|', 'a4|2|')),
    [
      'a 2 null: its hash is not that of its postings',
      `a 2 a4: no payment accounts for it: ${SLOW_END.replace('a4|3|', 'a4|2|')}`,
      `a null a4: it is not in the books: ${SLOW_END}`,
    ],
  ],
  [
    'a posting removed',
    (books) => books.postings.splice(2, 1),
    [
      'a 1 null: it does not hold as many postings as it counts',
      'a 1 null: its balances are not the sum of what was posted',
      'a 1 null: its hash is not that of its postings',
      `a null a2: it is not in the books: ${CAPTURE_LINE}`,
    ],
  ],
  [
    'an unsealed posting twice',
    (books) => books.postings.unshift({ merchantId: 'a', block: 0, line: lineAt(books, 0) }),
    [`a null a5: it is in the books more than once: ${linesFor(open)[0]}`],
  ],
  [
    'a posting of a payment that is not there',
    (books) => books.payments.splice(4, 1),
    [`a null a5: no payment accounts for it: ${linesFor(open)[0]}`],
  ],
  [
    'the number of a block',
    (books) => setBlock(books, 2, { number: 7 }),
    ['b 1 null: 2 postings are in a block that is not there', 'b 7 null: its postings are missing'],
  ],
  [
    'a first block removed',
    (books) => books.blocks.splice(0, 1),
    [
      'a 1 null: 3 postings are in a block that is not there',
      'a 2 null: a block before it is missing',
      'a 2 null: it does not carry the hash of the block before it',
      'a 2 null: its balances are not the sum of what was posted',
      'a 2 null: its hash is not that of its postings',
    ],
  ],
  ['the last block removed', (books) => books.blocks.splice(2, 1), ['b 1 null: 2 postings are in a block that is not there']],
  [
    'a block too many',
    (books) => books.blocks.push({ ...(books.blocks[2] ?? assert.fail()), number: 2 }),
    ['b 2 null: its postings are missing'],
  ],
  [
    'a block of a merchant without postings',
    (books) => books.blocks.unshift({ ...(books.blocks[2] ?? assert.fail()), merchantId: '0' }),
    ['0 1 null: its postings are missing'],
  ],
  ['the hash of a block', (books) => setBlock(books, 0, { hash: 'x' }), OTHER_HASH],
  [
    'the link of a block',
    (books) => setBlock(books, 0, { previous: 'x' }),
    ['a 1 null: it does not carry the hash of the block before it'],
  ],
  [
    'the count of a block',
    (books) => setBlock(books, 1, { count: 5 }),
    ['a 2 null: it does not hold as many postings as it counts'],
  ],
  [
    'the first instant of a block',
    (books) => setBlock(books, 1, { firstAt: 9 }),
    ['a 2 null: its first instant is not that of its postings'],
  ],
  [
    'the last instant of a block',
    (books) => setBlock(books, 1, { lastAt: 9 }),
    ['a 2 null: its last instant is not that of its postings'],
  ],
  [
    'the latest instant of a block',
    (books) => setBlock(books, 1, { throughAt: 9 }),
    ['a 2 null: its latest instant so far is wrong'],
  ],
  ['the lateness of a block', (books) => setBlock(books, 1, { lateMs: 9 }), ['a 2 null: how far it reaches back is wrong']],
  [
    'the balances of a block',
    (books) => setBlock(books, 1, { balances: '[]' }),
    ['a 2 null: its balances are not the sum of what was posted'],
  ],
  [
    'balances that cannot be read',
    (books) => setBlock(books, 0, { balances: '[' }),
    ['a 1 null: its balances are not the sum of what was posted', 'a 2 null: the balances of the block before it cannot be read'],
  ],
  [
    'sums that are missing',
    (books) => books.sums.splice(0, 1),
    ['a null a1: the database keeps no sums of it, although others reference it'],
  ],
  [
    'the sum that is available',
    (books) => books.sums.splice(0, 1, sums(reserve, { captured: 300n, available: 501n })),
    ["a null a1: the database's own sums say 501 available, its family comes to 500"],
  ],
  [
    'the sum of captures',
    (books) => books.sums.splice(0, 1, sums(reserve, { captured: 299n })),
    ["a null a1: the database's own sums say 299 captured, its family comes to 300"],
  ],
  [
    'the sum of refunds',
    (books) => books.sums.splice(1, 1, sums(capture, { refunded: 51n })),
    ["a null a2: the database's own sums say 51 refunded, its family comes to 50"],
  ],
  [
    'the sum of reversals',
    (books) => books.sums.splice(2, 1, sums(credit, { reversed: 0n })),
    ["b null b1: the database's own sums say 0 reversed, its family comes to 20"],
  ],
  [
    'the sum of chargebacks',
    (books) => books.sums.splice(1, 1, sums(capture, { refunded: 50n, chargedBack: 1n })),
    ["a null a2: the database's own sums say 1 charged back, its family comes to 0"],
  ],
  ['sums of what nothing references', (books) => books.sums.push(sums(refund, {})), []],
  [
    'wrong sums of what nothing references',
    (books) => books.sums.push(sums(refund, { available: 51n })),
    ["a null a3: the database's own sums say 51 available, its family comes to 50"],
  ],
  [
    'a kind that there is not, unsealed',
    (books) => books.postings.unshift({ merchantId: 'a', block: 0, line: 'p|1|gift|1|EUR|LIVE|0|0|0|0|0|0|0' }),
    ['a null p: its kind is "gift", which there is not'],
  ],
  [
    'the postings of a whole block',
    (books) => books.postings.splice(1, 3),
    [
      'a 1 null: its postings are missing',
      `a null a1: it is not in the books: ${linesOfA[0]}`,
      `a null a2: it is not in the books: ${linesOfA[1]}`,
      `a null a3: it is not in the books: ${linesOfA[2]}`,
    ],
  ],
  [
    'a settlement that cannot be read',
    (books) => books.postings.unshift({ merchantId: 'a', block: 0, line: 'r9|1|settlement|1|EUR|INTERNAL|x' }),
    ['a null r9: its amounts cannot be read'],
  ],
  [
    'a reversal in the place of a settlement',
    (books) => {
      books.settlements.push({ ...settled, recordId: 'r9' });
      books.postings.unshift({ merchantId: 'a', block: 0, line: settledLine(2, -1n).replace('r1|', 'r9|') });
    },
    ['a null r9: its line is matched, and it is not in the books: r9|EUR|INTERNAL|0|0|0|-100|95|5|0'],
  ],
  [
    'two settlements that are not in the books',
    (books) => books.settlements.push({ ...settled, recordId: 'r2' }, { ...settled, recordId: 'r3' }),
    ['r2', 'r3'].map(
      (id) => `a null ${id}: its line is matched, and it is not in the books: ${id}|EUR|INTERNAL|0|0|0|-100|95|5|0`,
    ),
  ],
  [
    'a settlement that was reversed once too often',
    (books) => {
      for (const line of [settledLine(1), settledLine(2, -1n), settledLine(4, -1n)])
        books.postings.unshift({ merchantId: 'a', block: 0, line: line.replace('r1|', 'r9|') });
    },
    ['a null r9: its line is matched, and it is not in the books: r9|EUR|INTERNAL|0|0|0|-100|95|5|0'],
  ],
  [
    'a settlement that was posted once too often after its reversal',
    (books) => {
      books.settlements.push({ ...settled, recordId: 'r9' });
      for (const line of [settledLine(1), settledLine(2, -1n), settledLine(3), settledLine(5)])
        books.postings.unshift({ merchantId: 'a', block: 0, line: line.replace('r1|', 'r9|') });
    },
    ['a null r9: no matched line accounts for it: r9|EUR|INTERNAL|0|0|0|-100|95|5|0'],
  ],
  [
    'a settlement in no block',
    (books) => books.postings.unshift({ merchantId: 'a', block: 0, line: settledLine(1).replace('r1|', 'r9|') }),
    ['a null r9: no matched line accounts for it: r9|EUR|INTERNAL|0|0|0|-100|95|5|0'],
  ],
  [
    'a settlement posted twice',
    (books) => books.postings.unshift({ merchantId: 'a', block: 0, line: settledLine(3) }),
    ['a 2 r1: no matched line accounts for it: r1|EUR|INTERNAL|0|0|0|-100|95|5|0'],
  ],
  [
    'a settlement reversed and posted again',
    (books) =>
      books.postings.unshift(
        { merchantId: 'a', block: 0, line: settledLine(2, -1n) },
        { merchantId: 'a', block: 0, line: settledLine(3) },
      ),
    [],
  ],
  [
    'a settlement that was reversed',
    (books) => books.postings.unshift({ merchantId: 'a', block: 0, line: settledLine(2, -1n) }),
    ['a 2 r1: its line is matched, and it is not in the books: r1|EUR|INTERNAL|0|0|0|-100|95|5|0'],
  ],
  [
    'a settlement without its line',
    (books) => books.settlements.pop(),
    ['a 2 r1: no matched line accounts for it: r1|EUR|INTERNAL|0|0|0|-100|95|5|0'],
  ],
  [
    'a settlement without its payment',
    (books) => books.settlements.push({ ...settled, recordId: 'r2', mode: null }),
    ['a null r2: its line is matched with a payment that is not there'],
  ],
  ['a settlement of nothing', (books) => books.settlements.push({ ...settled, recordId: 'r2', settled: 0n, fee: 0n }), []],
  [
    'a settlement that is not in the books',
    (books) => books.settlements.push({ ...settled, recordId: 'r2' }),
    ['a null r2: its line is matched, and it is not in the books: r2|EUR|INTERNAL|0|0|0|-100|95|5|0'],
  ],
];
for (const [what, damage, findings] of damages) {
  test(`${what}: ${findings.length === 0 ? 'is right' : 'is found'}`, async () => {
    const books = ledger();
    damage(books);
    const verdict = await proven(books);
    assert.deepEqual(verdict.findings.map(wordsOf), findings);
    assert.equal(verdict.found, findings.length);
  });
}

/** What a store never keeps: payments whose postings and fold differ. */
const strange = paid('c', 'c1');
const impossible: readonly (readonly [
  what: string,
  others: readonly Payment[],
  stored: StoredSums,
  findings: readonly string[],
])[] = [
  [
    'a capture of a debit',
    [below(strange, 'c2', 'CP', 5n)],
    sums(strange, { captured: 5n }),
    ['c null c1: of its family -5 are posted to reserve, and its payments come to 0'],
  ],
  [
    'a reversal of a chargeback that there is not',
    [below(strange, 'c2', 'CR', 5n)],
    sums(strange, {}),
    [
      'c null c1: of its family 105 are posted to merchant, and its payments come to 100',
      'c null c1: of its family -5 are posted to chargebacks, and its payments come to 0',
    ],
  ],
  [
    'the same beside an open chargeback',
    [below(strange, 'c2', 'CR', 5n), { ...below(strange, 'c3', 'CB', 1n), phase: OPEN }],
    sums(strange, { chargedBack: 1n }),
    [],
  ],
  [
    'the same beside an open reversal of a chargeback',
    [below(strange, 'c2', 'CR', 5n), { ...below(strange, 'c3', 'CR', 1n), phase: OPEN }],
    sums(strange, {}),
    [],
  ],
  [
    'a declined refund with sums of its own',
    [{ ...below(strange, 'c2', 'RF', 5n), phase: DECLINED }],
    sums(below(strange, 'c2', 'RF', 5n), {}),
    [],
  ],
];
for (const [what, others, stored, findings] of impossible) {
  test(`${what}: ${findings.length === 0 ? 'is not compared' : 'is found'}`, async () => {
    const books = ledger();
    books.payments.splice(3, 0, strange, ...others);
    for (const one of [strange, ...others])
      for (const line of linesFor(one)) books.postings.push({ merchantId: 'c', block: 0, line });
    books.sums.push(stored);
    assert.deepEqual((await proven(books)).findings.map(wordsOf), findings);
  });
}

test('a family without its first payment is named by another', async () => {
  const books = ledger();
  const orphan = paid('c', 'c9', { familyId: 'gone', referencedId: 'gone', paymentType: 'CP', amount: 5n });
  books.payments.push(orphan);
  for (const line of linesFor(orphan)) books.postings.push({ merchantId: 'c', block: 0, line });
  const says = 'c null c9: of its family -5 are posted to reserve, and its payments come to 0';
  assert.deepEqual((await proven(books)).findings.map(wordsOf), [says]);
});

test('a line whose amounts cannot be read has no entries', async () => {
  const books = ledger();
  setLine(books, 2, CAPTURE_LINE.replace('|300|-300|', '|x|-300|'));
  assert.equal((await proven(books)).entries, 23 - 4);
});

test('unsealed postings are checked in groups of five thousand', async () => {
  const books = ledger();
  const line = 'p|1|gift|1|EUR|LIVE|0|0|0|0|0|0|0';
  books.postings = [...Array.from({ length: 5_001 }, () => ({ merchantId: 'z', block: 0, line }))];
  books.blocks = [];
  const seen: number[] = [];
  const { unsealed, postings } = await proven(books, { onStep: ({ phase, done }) => phase === 'chaining' && seen.push(done) });
  assert.deepEqual([seen, unsealed, postings], [[5_000, 5_001], 5_001, 5_001]);
});

test('of very many findings the first hundred are named and all are counted', async () => {
  const books = ledger();
  books.postings.unshift(
    ...Array.from({ length: 120 }, (_, n) => ({ merchantId: 'a', block: 0, line: `p${n}|1|gift|1|EUR|LIVE|0|0|0|0|0|0|0` })),
  );
  const { findings, found } = await proven(books);
  assert.deepEqual([findings.length, found], [100, 120]);
});

test('postings that are missing are named in a hundred parts at most', async () => {
  const books = ledger();
  books.payments.push(...Array.from({ length: 150 }, (_, n) => paid('c', `c${n}`)));
  const { findings, found } = await proven(books);
  assert.deepEqual([findings.length, found], [100, 100]);
});
