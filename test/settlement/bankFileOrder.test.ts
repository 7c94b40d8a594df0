import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Payment } from '../../src/payments/payment.ts';
import { openBankShop } from './bankShop.ts';
import { type BankEntry, camtText, dayAfter, statusText } from './bankTexts.ts';

/** Files come in any order, late, twice, and as a report of the day, a statement and a notification of the same. */

let shop: Awaited<ReturnType<typeof openBankShop>>;
before(async () => {
  shop = await openBankShop();
});
after(() => shop.close());

/** The life of a collection at the bank. */
const lives = ['booked', 'rejected', 'returned', 'silent'] as const;
type Life = (typeof lives)[number];

let numbers = 0;
function fresh(): string {
  numbers += 1;
  return `N${numbers}`;
}

type Sent = { readonly messageId: string; readonly batchId: string };

/** All that a bank writes about one collection, each as a file of its own. */
function filesOf(payment: Payment, life: Life, { messageId, batchId }: Sent): readonly ((mark: string) => string)[] {
  const { id } = payment;
  const transactions = (status: string) => [{ id, status, ...(status === 'RJCT' && { reason: 'AC01' }) }];
  const status = (word: string) => (mark: string) =>
    statusText({ messageId, batches: [{ id: batchId, transactions: transactions(word) }], mark });
  const statements = (entry: BankEntry) =>
    (['052', '053', '054'] as const).map((kind) => (mark: string) => camtText(kind, [entry], { mark }));
  const booked = statements({ amount: '12.00', sign: 'CRDT', code: 'IDDT/ESDD', ref: 'c', details: [{ id, booked: '12.00' }] });
  const details = [{ id, booked: '15.00', amount: '12.00', charges: '3.00', reason: 'MD06' }];
  const back = statements({ amount: '15.00', sign: 'DBIT', code: 'IDDT/UPDD', ref: 'r', on: dayAfter(4), details });
  switch (life) {
    case 'booked':
      return [status('ACCP'), ...booked];
    case 'rejected':
      return [status('RJCT'), status('RJCT')];
    case 'returned':
      return [status('ACSP'), ...booked, ...back];
    case 'silent':
      return [status('PDNG')];
  }
}

/** What a collection came to: its money is there, it is not, or it is unknown. */
async function outcomeOf(payment: Payment): Promise<string> {
  const [own, ...others] = await shop.family(payment);
  if (own === 'DB open') return 'open';
  assert.ok(others.length <= 1, `${others}`);
  return own === 'DB 000.100.112' && others.length === 0 ? 'money' : 'none';
}

const expected: Readonly<Record<Life, string>> = { booked: 'money', rejected: 'none', returned: 'none', silent: 'open' };

test('any order and repetition of files leads to the same books', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...lives), { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      async (story, chances) => {
        const earlier = await shop.balances();
        const payments = await Promise.all(story.map(() => shop.pay()));
        const messageId = fresh();
        const sent = { messageId, batchId: `${messageId}-1` };
        shop.send(sent.messageId, sent.batchId, payments);
        const once = payments.flatMap((payment, at) => filesOf(payment, story[at] ?? 'silent', sent));
        const chance = (): number => chances.next().value ?? 0;
        const all = once.flatMap((file) => (chance() < 0.3 ? [file, file] : [file]));
        const shuffled = all.map((file) => [chance(), file] as const).toSorted(([one], [other]) => one - other);
        for (const [, file] of shuffled) {
          const text = file(fresh());
          assert.equal((await shop.take(text)).is, 'kept');
          if (chance() < 0.2) assert.equal((await shop.take(text)).is, 'known');
        }
        const outcomes = await Promise.all(payments.map(outcomeOf));
        assert.deepEqual(
          outcomes,
          story.map((life) => expected[life]),
        );
        const now = await shop.balances();
        // All that is approved is paid out too, and the charges of a return are the merchant's.
        const returns = BigInt(story.filter((life) => life === 'returned').length);
        assert.deepEqual(
          { merchant: now.merchant - earlier.merchant, fees: now.fees - earlier.fees },
          { merchant: 0n, fees: 300n * returns },
        );
        const own = new Set(payments.map(({ id }) => id));
        const open = (await shop.exceptions()).filter(({ paymentId }) => own.has(paymentId ?? ''));
        // Two statements with the same line are worth a look; a statement and a notification are not.
        assert.deepEqual(
          open.filter(({ match }) => match.exception?.kind !== 'duplicate').map(({ match }) => match.why),
          [],
        );
        if (all.length === once.length) assert.deepEqual(open, []);
      },
    ),
    { numRuns: 60 },
  ));
