import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { type Books, differencesOf } from './compareBooks.ts';
import { liveMerchantYear, type Year } from './merchantYear.ts';
import type { OwnPayment } from './ownBooks.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-merchant-'));
/** Two months show everything once. */
const [subscribers, months] = sized({ quick: [8, 2], assure: [300, 12], reliability: [5_000, 12] });
let year: Year;

before(async () => {
  year = await liveMerchantYear(folder, { seed: 2_028, subscribers, months });
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('a year of a merchant: webhooks, ledger and settlement files agree to the cent', (context) => {
  const { books, refunded, repeatedDeliveries } = year;
  assert.deepEqual(differencesOf(books), []);
  const types = Map.groupBy(books.own.values(), ({ type, isApproved }) => `${type} ${isApproved ? 'approved' : 'declined'}`);
  for (const kind of ['DB approved', 'DB declined', 'CP approved', 'RF approved', 'RV approved', 'CB approved', 'CR approved'])
    assert.ok(types.has(kind), `${kind}: ${[...types.keys()].join(', ')}`);
  assert.ok(repeatedDeliveries > 0, 'the merchant was deaf for some days');
  assert.ok(books.own.size > (subscribers * months) / 2, `${books.own.size} payments`);
  context.diagnostic(`${books.own.size} payments, ${books.settlement.length} settled lines, ${refunded} refunds of charges`);
  reportFigure('R12', 'subscriptions', subscribers);
  reportFigure('R12', 'payments of their year', books.own.size);
});

test('a year of a merchant: the proof of the ledger finds nothing', () => {
  const { found, findings } = year.verdict;
  assert.equal(found, 0, JSON.stringify(findings.slice(0, 5)));
});

test('a year of a merchant: every due day of a subscription has its charge', () => {
  assert.deepEqual(year.missedRuns, []);
});

test('a year of a merchant: the last webhook about a payment says what the gateway answers', () => {
  assert.deepEqual(year.toldOtherwise, []);
});

const firstOf = (books: Books, type: string): OwnPayment =>
  [...books.own.values()].find((one) => one.type === type && one.isApproved) ?? assert.fail(`there is no ${type}`);
const without = (books: Books, { id }: OwnPayment): Books => ({
  ...books,
  own: new Map([...books.own].filter(([other]) => other !== id)),
});

/** Faults that the comparison must find. */
const planted: readonly (readonly [fault: string, (books: Books) => Books])[] = [
  ...['DB', 'CP', 'RF', 'CB', 'CR'].map(
    (type) => [`no webhook came for a ${type}`, (books: Books) => without(books, firstOf(books, type))] as const,
  ),
  [
    'a charge is a cent less in its webhook',
    (books) => {
      const charge = firstOf(books, 'DB');
      return { ...books, own: new Map(books.own).set(charge.id, { ...charge, cents: charge.cents - 1n }) };
    },
  ],
  ['a line is settled twice', (books) => ({ ...books, settlement: [...books.settlement, ...books.settlement.slice(0, 1)] })],
  [
    'a chargeback of a file is not matched',
    (books) => ({
      ...books,
      settlement: books.settlement.map((line) => (line.recordType === 'CHARGEBACK' ? { ...line, isMatched: false } : line)),
    }),
  ],
  [
    'a won chargeback of a file is not matched',
    (books) => ({
      ...books,
      settlement: books.settlement.map((line) =>
        line.recordType === 'CHARGEBACK REVERSAL' ? { ...line, isMatched: false } : line,
      ),
    }),
  ],
  ['a line is missing in a file', (books) => ({ ...books, settlement: books.settlement.slice(1) })],
  [
    'a fee is not in the ledger',
    (books) => ({ ...books, ledger: { ...books.ledger, fees: books.ledger.fees - 1n, acquirer: books.ledger.acquirer + 1n } }),
  ],
  [
    'a chargeback is not in the ledger',
    (books) => ({
      ...books,
      ledger: { ...books.ledger, chargebacks: books.ledger.chargebacks - 100n, merchant: books.ledger.merchant + 100n },
    }),
  ],
];

for (const [fault, plant] of planted) {
  test(`a year of a merchant: found: ${fault}`, () => {
    assert.notDeepEqual(differencesOf(plant(year.books)), []);
  });
}
