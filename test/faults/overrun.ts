import assert from 'node:assert/strict';
import { amountOf, type Body, card, cents, codeOf, type Fields, isApproved, pay, type Reply, read, refer } from './client.ts';

/** 64 concurrent requests against one payment of 100.00, for more than its amount: only some of them fit. */
export type Rush = {
  readonly name: string;
  /** `CP` stands for a capture of all of a preauthorization. */
  readonly on: 'PA' | 'DB' | 'CP';
  readonly type: 'CP' | 'RF';
  readonly reversals: number;
};

export const rushes: readonly Rush[] = [
  { name: 'captures of a preauthorization', on: 'PA', type: 'CP', reversals: 0 },
  { name: 'refunds of a debit', on: 'DB', type: 'RF', reversals: 0 },
  { name: 'captures and reversals of a preauthorization', on: 'PA', type: 'CP', reversals: 6 },
  { name: 'refunds of a capture', on: 'CP', type: 'RF', reversals: 0 },
  { name: 'refunds and reversals of a debit', on: 'DB', type: 'RF', reversals: 6 },
];

const CLIENTS = 64;
const TOTAL = 10_000;

export type RushFigures = { readonly approved: number; readonly refused: number };

/** One round: all requests at once, over all nodes, and then the sums of the replies, of the reads and of the store. */
export async function rush(urls: readonly string[], { on, type, reversals }: Rush, chance: () => number): Promise<RushFigures> {
  const root = await rooted(urls[0] ?? '', on);
  const reply = (at: number) => {
    const isReversal = at < reversals;
    const amount = amountOf(100 + Math.floor(chance() * 3_000));
    const fields: Fields = isReversal ? { paymentType: 'RV' } : { paymentType: type, amount, currency: 'EUR' };
    return refer(urls[at % urls.length] ?? '', root, { fields }).then((answer) => ({ answer, isReversal, asked: cents(amount) }));
  };
  const replies = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => reply(at)));
  const approved = replies.filter(({ answer }) => isApproved(answer));
  const refused = replies.filter(({ answer }) => !isApproved(answer));
  for (const { answer } of refused) {
    assert.equal(answer.status, 400, answer.text);
    assert.match(codeOf(answer), /^700\.[34]00\./, answer.text);
  }
  const approvedSum = sumOf(approved.map(({ answer }) => answer.body));
  assert.ok(approvedSum <= TOTAL, `${amountOf(approvedSum)} of ${amountOf(TOTAL)} were approved`);
  const readBack = await Promise.all(
    replies.map(({ answer }, at) => read(urls[(at + 1) % urls.length] ?? '', answer.body?.id ?? '')),
  );
  assert.deepEqual(
    readBack.map(codeOf),
    replies.map(({ answer }) => codeOf(answer)),
  );
  assert.equal(sumOf(readBack.filter(isApproved).map(({ body }) => body)), approvedSum);
  // Refusing every request would be safe too: a refused one must have exceeded the remaining amount.
  const wasReversed = approved.some(({ isReversal }) => isReversal);
  if (!wasReversed) {
    for (const { asked, isReversal, answer } of refused)
      if (!isReversal) assert.ok(asked > TOTAL - approvedSum, `refused in vain: ${answer.text}`);
  }
  assert.ok(approved.length > 0, 'no request was approved');
  await probe(urls[0] ?? '', { root, type, rest: wasReversed ? 0 : TOTAL - approvedSum });
  return { approved: approved.length, refused: refused.length };
}

async function rooted(url: string, on: Rush['on']): Promise<string> {
  const fields = { paymentType: on === 'DB' ? 'DB' : 'PA', amount: amountOf(TOTAL), currency: 'EUR', ...card };
  const first = await approvedId(pay(url, { fields }));
  if (on !== 'CP') return first;
  return approvedId(refer(url, first, { fields: { paymentType: 'CP', amount: amountOf(TOTAL), currency: 'EUR' } }));
}

async function approvedId(asked: Promise<Reply>): Promise<string> {
  const reply = await asked;
  assert.ok(isApproved(reply), reply.text);
  return reply.body?.id ?? '';
}

/** Tests the store's own sum: one cent more than the remaining amount is refused, the remaining amount is not. */
async function probe(
  url: string,
  { root, type, rest }: { readonly root: string; readonly type: string; readonly rest: number },
): Promise<void> {
  const more = await refer(url, root, { fields: { paymentType: type, amount: amountOf(rest + 1), currency: 'EUR' } });
  assert.equal(more.status, 400, more.text);
  if (rest > 0) await approvedId(refer(url, root, { fields: { paymentType: type, amount: amountOf(rest), currency: 'EUR' } }));
}

const sumOf = (bodies: readonly (Body | null)[]): number => bodies.reduce((sum, body) => sum + cents(body?.amount ?? '0.00'), 0);
