import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ImportResult } from '../../src/settlement/in/importFile.ts';
import type { SettlementRecord } from '../../src/settlement/record.ts';
import { noSchemas, schemaFaults } from '../connectors/sepa/xmllint.ts';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { type Chance, createChance } from '../simulation/chance.ts';
import { openBankShop } from './bankShop.ts';
import { camtText, dayAfter } from './bankTexts.ts';
import { type Effect, type Entry, type Own, type Statement, write } from './otherBanks.ts';
import { foreign, foreignEntry, ours, payouts, refunds, type Writing } from './otherBanksEntries.ts';
import { envelopes, FAMILIES, FIRST_VERSION, LAST_VERSION } from './otherBanksForm.ts';

/** Statements of other banks: exactly our payments are found in them, with exactly what was booked, and every other entry has its reason. */

const FILES = sized({ quick: 200, assure: 3_000, reliability: 20_000 });

/** A store in memory looks through all payments for each line. */
const SHOP_FILES = 250;

let shop: Awaited<ReturnType<typeof openBankShop>>;
async function openShop(): Promise<void> {
  await shop?.close();
  shop = await openBankShop();
}
before(openShop);
after(() => shop.close());

let marks = 0;
const mark = (): string => {
  marks += 1;
  return `O${marks}`;
};

type Take = (text: string) => Promise<ImportResult>;
const take: Take = (text) => shop.take(text);

/** Entries of a day, in any order. */
async function story(chance: Chance, writing: Writing): Promise<readonly Entry[]> {
  const groups: (readonly Entry[])[] = [];
  for (let group = chance.between(1, 2); group > 0; group -= 1) {
    const type = chance.pick(['DB', 'DB', 'DB', 'CD', 'RF'] as const);
    const own = await Promise.all(
      Array.from({ length: chance.between(1, 2) }, () => sent(type, BigInt(chance.between(100, 50_000)))),
    );
    const batchId = mark();
    const payments = await Promise.all(
      own.map(async ({ id }) => (await shop.store.payment(shop.merchantId, id)) ?? assert.fail()),
    );
    shop.send(`M-${batchId}`, batchId, payments);
    const kind = chance.pick(Object.keys(ours));
    const entries = { DB: ours[kind] ?? payouts, CD: payouts, RF: refunds }[type](writing, own as [Own, ...Own[]], batchId);
    groups.push(entries);
  }
  const strangers = Array.from({ length: chance.between(1, 5) }, () => foreignEntry(chance.pick(Object.keys(foreign)), writing));
  const all = [...groups.flat(), ...strangers];
  return all
    .map((one) => [chance.below(1e9), one] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, one]) => one);
}

async function sent(paymentType: 'DB' | 'CD' | 'RF', cents: bigint): Promise<Own> {
  const digits = cents.toString().padStart(3, '0');
  const amount = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  const { id } = await shop.pay({ paymentType: paymentType === 'RF' ? 'DB' : paymentType, amount });
  if (paymentType !== 'RF') return { id, cents };
  // What is refunded has been booked before.
  await shop.take(
    camtText('053', [{ amount, sign: 'CRDT', code: 'IDDT/ESDD', details: [{ id, booked: amount }] }], { mark: mark() }),
  );
  const refund = await shop.pay({ paymentType, amount }, `/v1/payments/${id}`);
  return { id: refund.id, cents };
}

const openOf = async (fileId: string): Promise<readonly SettlementRecord[]> =>
  (await shop.store.exceptions({ entityIds: [shop.merchantId], status: null, limit: 1_000_000 })).filter(
    (one) => one.fileId === fileId,
  );

/** What must have become of each entry of a file. */
async function judgeFile(result: ImportResult, entries: readonly Entry[], told: readonly Entry[]): Promise<void> {
  assert.equal(result.is, 'kept', JSON.stringify(result.file.faults));
  if (result.is !== 'kept') return;
  const effects = entries.filter((one) => !told.includes(one)).flatMap((one) => one.effects);
  const open = await openOf(result.file.id);
  const whys = open.map(({ match }) => match.why).join('\n');
  // A reversal that stands before its return is matched once the return is recorded.
  const count = await shop.store.countFile(result.file.id);
  assert.equal(count.MATCHED, effects.length, `exactly our payments are matched: ${whys}`);
  assert.equal(count.MULTIPLE_MATCHES, 0);
  const notes = result.file.notes ?? [];
  for (const { name, ref, fate } of entries) {
    const own = open.filter(({ settlementId }) => settlementId === ref);
    const kinds = new Set(own.map(({ match }) => match.exception?.kind));
    const noted = notes.filter(({ message }) => message.includes(`(${ref})`) && /skipped/.test(message));
    const expected = {
      open: fate === 'exception' || fate === 'unreadable',
      isUnreadable: fate === 'unreadable',
      noted: fate === 'note',
    };
    assert.deepEqual({ open: own.length > 0, isUnreadable: kinds.has('unreadable'), noted: noted.length > 0 }, expected, name);
    for (const { match } of own) assert.ok(match.why.length > 20 && match.paymentIds.length === 0, `${name}: ${match.why}`);
    for (const { match } of own.filter(() => fate === 'unreadable')) assert.match(match.why, /^entry [1-9][0-9]* \(/);
  }
  const strange = open.filter(({ settlementId }) => entries.every(({ ref }) => ref !== settlementId));
  assert.deepEqual(strange, [], 'no exception is of an entry that is not there');
}

const recordTypes = {
  booked: 'SETTLED',
  paid: 'SETTLED',
  returned: 'CHARGEBACK',
  restored: 'CHARGEBACK REVERSAL',
  'came back': 'CHARGEBACK',
} as const;
const followUps = { booked: [], paid: [], returned: ['CB'], restored: ['CR'], 'came back': ['CB'] } as const;

/** What our payments came to, by the bank's account of them. */
async function judgePayments(effects: readonly Effect[]): Promise<void> {
  for (const [id, own] of Map.groupBy(effects, (one) => one.id)) {
    const payment = (await shop.store.payment(shop.merchantId, id)) ?? assert.fail();
    assert.deepEqual(payment.phase, { at: 'final', code: '000.100.112' });
    const family = (await shop.store.family(shop.merchantId, id))?.payments ?? [];
    const begun = family.filter(({ referencedId, paymentType }) => referencedId === id || paymentType === 'CR');
    assert.deepEqual(begun.map(({ paymentType }) => paymentType).toSorted(), own.flatMap(({ is }) => followUps[is]).toSorted());
    const records = (await shop.store.recordsOfPayments([shop.merchantId], [id], null)).filter(
      ({ match }) => match.status === 'MATCHED',
    );
    const shown = records.map(({ recordType, amount, settledAmount }) => `${recordType} ${amount} ${settledAmount}`);
    const expected = own.map(({ is, cents, settled }) => `${recordTypes[is]} ${cents} ${settled}`);
    assert.deepEqual(shown.toSorted(), expected.toSorted());
  }
}

/** Whether nothing has to be told before it. */
const isFirst = ({ effects }: Entry): boolean => effects.every(({ is }) => is === 'booked' || is === 'paid');

/** One day at one bank: a file, or several that repeat each other. */
async function day(seed: number, importFile: Take): Promise<{ readonly entries: number; readonly own: number }> {
  const chance = createChance(seed);
  const on = dayAfter(2);
  const entries = await story(chance, { chance, ref: mark, on, later: dayAfter(4) });
  const earlier = await shop.balances();
  const family = chance.pick(FAMILIES);
  const form = (of: Statement['family']): Statement => ({
    family: of,
    version: chance.between(FIRST_VERSION, LAST_VERSION),
    envelope: chance.pick(Object.keys(envelopes)),
    mark: mark(),
  });
  const told: Entry[] = [];
  const bring = async (of: Statement['family'], part: readonly Entry[], onDay = on): Promise<void> => {
    await judgeFile(await importFile(write(form(of), part, onDay)), part, told);
    told.push(...part);
  };
  // Reports of one day grow, and the statement repeats the notification.
  if (family === '052' && chance.hits(0.5))
    await bring('052', entries.slice(0, chance.below(entries.length)).filter(isFirst), dayAfter(1));
  await bring(family, entries);
  if (chance.hits(0.3)) await bring(chance.pick(FAMILIES.filter((one) => one !== family)), entries);
  const effects = entries.flatMap((one) => one.effects);
  await judgePayments(effects);
  const charges = effects.reduce((sum, { settled, cents }) => sum + settled - cents, 0n);
  const now = await shop.balances();
  // All that was booked has been paid out, and only the charges of returns are kept by the bank.
  assert.deepEqual({ merchant: now.merchant - earlier.merchant, fees: now.fees - earlier.fees }, { merchant: 0n, fees: charges });
  return { entries: entries.length, own: effects.length };
}

test('exactly our payments are found in statements of other banks, and every other entry has its reason', async () => {
  const sums = { entries: 0, own: 0 };
  for (let seed = 1; seed <= FILES; seed += 1) {
    if (seed % SHOP_FILES === 0) await openShop();
    const { entries, own } = await day(seed, take).catch((error: Error) => {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    });
    sums.entries += entries;
    sums.own += own;
  }
  assert.ok(sums.entries > FILES * 3 && sums.own > FILES);
  reportFigure('R12', 'entries of other banks', sums.entries);
});

/** Readers with a fault, as far as a file can show it. */
const faults: Readonly<Record<string, Take>> = {
  'the amount of a single detail replaces that of its entry': (text) =>
    take(
      text.replaceAll(/<((?:ns2:)?)Ntry>.*/g, (line) => {
        const [only, ...others] = [...line.matchAll(/<(?:ns2:)?TxAmt><(?:ns2:)?Amt Ccy="EUR">([^<]*)</g)];
        const isSingle = line.split('TxDtls>').length === 3 && only && others.length === 0;
        return isSingle ? line.replace(/(Amt Ccy="[A-Z]*">)[^<]*/, `$1${only[1]}`) : line;
      }),
    ),
  'one entry that cannot be read refuses the file': (text) =>
    take(/1234\.567|0\.00001|QQQ/.test(text) ? text.replace('</', '<') : text),
  'an entry that is not booked is read as others': (text) => take(text.replaceAll(/PDNG|INFO/g, 'BOOK')),
};

for (const [name, faulty] of Object.entries(faults))
  test(`control: ${name}, and it is found`, async () => {
    for (let seed = 1; seed <= FILES; seed += 1) {
      const error = await day(seed, faulty).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error !== null) return assert.ok(error instanceof assert.AssertionError, String(error));
    }
    assert.fail('not found');
  });

for (const family of ['053', '054'] as const)
  for (const version of [2, 8])
    test(`statements of other banks are valid by the schema: camt.${family}, version ${version}`, {
      skip: noSchemas,
    }, async () => {
      const texts = await Promise.all(
        Array.from({ length: 12 }, async (_, at) => {
          const chance = createChance(at);
          const entries = await story(chance, { chance, ref: mark, on: dayAfter(2), later: dayAfter(4) });
          return write({ family, version, envelope: 'of a schema', mark: mark() }, entries, dayAfter(2));
        }),
      );
      assert.equal(schemaFaults(`camt.${family}.001.0${version}`, texts), '');
    });
