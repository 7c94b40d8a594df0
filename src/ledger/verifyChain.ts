import { blockOf, type Tally } from './chain.ts';
import { type Block, readLine } from './entry.ts';
import type { Audit, Report } from './ports.ts';
import type { Corrections } from './verifyPayments.ts';
import { countSettlement } from './verifySettlements.ts';

export type ChainCount = {
  readonly postings: number;
  readonly entries: number;
  readonly blocks: number;
  readonly unsealed: number;
  /** The end of every chain: stored elsewhere, it proves later that the ledger was not rewritten. */
  readonly heads: readonly Pick<Block, 'merchantId' | 'number' | 'hash'>[];
};

/** The postings of payments, and of settlements. */
type Tallies = Report & { readonly tally: Tally; readonly settled: Tally; readonly corrections: Corrections };

type Group = { readonly merchantId: string; readonly block: number; readonly lines: string[] };

/** Reads all postings in the order of the chains, and the blocks in parallel. */
export async function verifyChain(
  audit: Audit,
  scope: { readonly merchantId: string | null; readonly total: number },
  out: Tallies,
): Promise<ChainCount> {
  const blocks = blocksOf(audit, scope.merchantId);
  const heads = new Map<string, Block>();
  let postings = 0;
  let entries = 0;
  let unsealed = 0;
  let count = 0;
  const checkBlock = (stored: Block, lines: readonly string[]) => {
    count += 1;
    compare(out, heads.get(stored.merchantId) ?? null, { stored, lines });
    heads.set(stored.merchantId, stored);
  };
  for await (const group of groupsOf(audit, scope.merchantId)) {
    postings += group.lines.length;
    for (const line of group.lines) entries += checkLine(out, group, line);
    out.step({ phase: 'chaining', done: postings, total: Math.max(postings, scope.total) });
    if (group.block === 0) {
      unsealed += group.lines.length;
      continue;
    }
    for await (const stored of blocks.before(group)) checkBlock(stored, []);
    const stored = await blocks.at(group);
    if (stored) checkBlock(stored, group.lines);
    else
      out.find({ ...placeOf(group), subjectId: null, says: `${group.lines.length} postings are in a block that is not there` });
  }
  for await (const stored of blocks.before(null)) checkBlock(stored, []);
  return {
    postings,
    entries,
    unsealed,
    blocks: count,
    heads: [...heads.values()].map(({ merchantId, number, hash }) => ({ merchantId, number, hash })),
  };
}

const placeOf = ({ merchantId, block }: Pick<Group, 'merchantId' | 'block'>) => ({
  merchantId,
  block: block === 0 ? null : block,
});

/** Returns the number of its entries. */
function checkLine(out: Tallies, group: Group, line: string): number {
  const { subjectId, revision, kind, amounts } = readLine(line);
  const find = (says: string) => out.find({ ...placeOf(group), subjectId, says });
  if (kind === 'payment' && revision < 0) out.corrections.note(placeOf(group), line);
  else if (kind === 'payment') out.tally.add(group.merchantId, line);
  else if (kind === 'settlement') countSettlement(out.settled, group.merchantId, line);
  else find(`its kind is ${JSON.stringify(kind)}, which there is not`);
  if (amounts === null) {
    find('its amounts cannot be read');
    return 0;
  }
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  if (sum !== 0n) find(`its entries add up to ${sum} instead of 0`);
  return amounts.filter((amount) => amount !== 0n).length;
}

/** The message for each wrong member of a block. */
const parts: readonly (readonly [part: keyof Block, says: string])[] = [
  ['number', 'a block before it is missing'],
  ['previous', 'it does not carry the hash of the block before it'],
  ['count', 'it does not hold as many postings as it counts'],
  ['firstAt', 'its first instant is not that of its postings'],
  ['lastAt', 'its last instant is not that of its postings'],
  ['throughAt', 'its latest instant so far is wrong'],
  ['lateMs', 'how far it reaches back is wrong'],
  ['balances', 'its balances are not the sum of what was posted'],
  ['hash', 'its hash is not that of its postings'],
];

function compare({ find }: Report, previous: Block | null, { stored, lines }: Sealed): void {
  const { merchantId, number } = stored;
  const place = { merchantId, block: number, subjectId: null };
  for (const says of faultsOf(previous, { stored, lines })) find({ ...place, says });
}

function faultsOf(previous: Block | null, { stored, lines }: Sealed): readonly string[] {
  if (lines.length === 0) return ['its postings are missing'];
  const expected = recomputed(previous, stored.merchantId, lines);
  if (expected === null) return ['the balances of the block before it cannot be read'];
  return parts.filter(([part]) => expected[part] !== stored[part]).map(([, says]) => says);
}

type Sealed = { readonly stored: Block; readonly lines: readonly string[] };

function recomputed(previous: Block | null, merchantId: string, lines: readonly string[]): Block | null {
  try {
    return blockOf(previous, merchantId, lines);
  } catch {
    return null;
  }
}

/** Consecutive postings of one block. */
async function* groupsOf(audit: Audit, merchantId: string | null): AsyncGenerator<Group> {
  let group: Group | null = null;
  for await (const page of audit.postings(merchantId)) {
    for (const stored of page) {
      if (group && (group.merchantId !== stored.merchantId || group.block !== stored.block || isFull(group))) {
        yield group;
        group = null;
      }
      group ??= { merchantId: stored.merchantId, block: stored.block, lines: [] };
      group.lines.push(stored.line);
    }
  }
  if (group) yield group;
}

/** Unsealed postings may be many, so they are checked in groups. */
const isFull = ({ block, lines }: Group): boolean => block === 0 && lines.length === 5_000;

type Blocks = {
  /** The blocks before a place; null: all remaining ones. */
  before(place: Pick<Group, 'merchantId' | 'block'> | null): AsyncGenerator<Block>;
  at(place: Pick<Group, 'merchantId' | 'block'>): Promise<Block | null>;
};

/** The blocks in their order, one at a time. */
function blocksOf(audit: Audit, merchantId: string | null): Blocks {
  const pages = audit.blocks(merchantId)[Symbol.asyncIterator]();
  let waiting: Block[] = [];
  const peek = async (): Promise<Block | null> => {
    while (waiting.length === 0) {
      const { done, value } = await pages.next();
      if (done) return null;
      waiting = [...value].reverse();
    }
    return waiting.at(-1) ?? null;
  };
  const isBefore = (one: Block, place: Pick<Group, 'merchantId' | 'block'>): boolean =>
    one.merchantId === place.merchantId
      ? one.number < place.block
      : Buffer.compare(Buffer.from(one.merchantId), Buffer.from(place.merchantId)) < 0;
  return {
    async *before(place) {
      for (let next = await peek(); next && (place === null || isBefore(next, place)); next = await peek()) {
        waiting.pop();
        yield next;
      }
    },
    async at({ merchantId: owner, block }) {
      const next = await peek();
      if (next?.merchantId !== owner || next.number !== block) return null;
      waiting.pop();
      return next;
    },
  };
}
