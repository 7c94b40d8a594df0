import { type Account, accounts, type Block, type Entries, type Holding, lineOf, type Posting } from '../../ledger/entry.ts';
import type { LedgerStore } from '../../ledger/ports.ts';
import type { Commit } from '../../payments/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { Book, Tables, WhileOpen } from './tables.ts';

const bookOf = ({ books }: Tables, merchantId: string): Book => {
  const book = books.get(merchantId) ?? { unsealed: new Map(), blocks: [] };
  books.set(merchantId, book);
  return book;
};

const keyOf = ({ subjectId, revision }: Pick<Posting, 'subjectId' | 'revision'>): string => `${subjectId}|${revision}`;
const byKey = (one: Posting, other: Posting): number =>
  one.subjectId === other.subjectId ? one.revision - other.revision : one.subjectId < other.subjectId ? -1 : 1;

/** Posts to the books of a merchant; throws where the posting makes no sense. */
export function post(tables: Tables, posting: Posting): void {
  const { unsealed } = bookOf(tables, posting.merchantId);
  const isBalanced = accounts.reduce((sum, account) => sum + (posting.entries[account] ?? 0n), 0n) === 0n;
  if (!isBalanced || unsealed.has(keyOf(posting))) throw new BrokenCommit(`the posting of ${posting.subjectId} makes no sense`);
  unsealed.set(keyOf(posting), posting);
}

/** Posts what a commit does to the books. */
export function writePosting(tables: Tables, { payment, posting }: Commit): void {
  if (!posting) return;
  const { merchantId, id, revision, currency, mode } = payment;
  const entries = posting.entries as Entries;
  post(tables, { merchantId, subjectId: id, revision, kind: 'payment', at: posting.at, currency, mode, entries });
}

/** The books in memory. */
export function ledgerMethods(tables: Tables, whileOpen: WhileOpen): LedgerStore {
  const blocksOf = (merchantId: string) => bookOf(tables, merchantId).blocks;
  return {
    post: whileOpen((postings) => {
      for (const posting of postings) post(tables, posting);
    }),
    unsealedMerchants: whileOpen(() =>
      [...tables.books]
        .filter(([, { unsealed }]) => unsealed.size > 0)
        .map(([merchantId]) => merchantId)
        .sort(),
    ),
    unsealed: whileOpen((merchantId, limit) =>
      [...bookOf(tables, merchantId).unsealed.values()].sort(byKey).slice(0, limit).map(lineOf),
    ),
    lastBlock: whileOpen((merchantId) => blocksOf(merchantId).at(-1)?.block ?? null),
    seal: whileOpen((block, lines) => seal(bookOf(tables, block.merchantId), block, lines)),
    blockThrough: whileOpen(
      (merchantId, at) => blocksOf(merchantId).findLast(({ block }) => block.throughAt <= at)?.block ?? null,
    ),
    sumsBehind: whileOpen(({ merchantId, number, at }) => {
      const { blocks, unsealed } = bookOf(tables, merchantId);
      const sealed = blocks.filter(({ block }) => block.number > number).flatMap(({ postings }) => postings);
      return sumsOf([...sealed, ...unsealed.values()].filter((posting) => posting.at <= at));
    }),
  };
}

function seal({ unsealed, blocks }: Book, block: Block, lines: readonly string[]): boolean {
  if (block.number <= blocks.length) return false;
  const keys = lines.map((line) => line.split('|', 2).join('|'));
  const postings = keys.flatMap((key) => unsealed.get(key) ?? []);
  const isWhole = postings.length === block.count && block.previous === (blocks.at(-1)?.block.hash ?? '');
  if (!isWhole || block.number !== blocks.length + 1) throw new BrokenCommit(`block ${block.number} is not whole`);
  for (const key of keys) unsealed.delete(key);
  blocks.push({ block, postings });
  return true;
}

const empty = Object.fromEntries(accounts.map((account) => [account, 0n])) as Record<Account, bigint>;

function sumsOf(postings: readonly Posting[]): readonly Holding[] {
  const rows = new Map<string, { mode: string; currency: string; accounts: Record<Account, bigint> }>();
  for (const { mode, currency, entries } of postings) {
    const key = `${mode} ${currency}`;
    const row = rows.get(key) ?? { mode, currency, accounts: { ...empty } };
    for (const account of accounts) row.accounts[account] += entries[account] ?? 0n;
    rows.set(key, row);
  }
  return [...rows.values()];
}
