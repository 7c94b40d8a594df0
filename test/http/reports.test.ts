import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { hasCardNumber } from '../../src/spec/cards/cardNumbers.ts';
import { defaultColumns } from '../../src/spec/reconciliation.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { bring } from '../contract/storeSettlementFixtures.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** The settlement report and the reconciliation file by HTTP. */

const { demoShop, otherShop } = sandbox;
const store = createMemoryStore();
let gateway: TestGateway;

const own = { merchantId: demoShop.merchantId, entityId: demoShop.channelId };
const lines = [
  ...Array.from({ length: 230 }, (_, at) => ({ ...own, merchantTransactionId: `order-${at}`, settledAmount: BigInt(at) })),
  { ...own, recordType: 'FEE' as const, transactionType: 'MONTHLY' as const, cashflow: 'NEG' as const, settledAmount: 500n },
  { ...own, settledOn: '2031-10-03', settledCurrency: 'USD' },
  { ...own, entityId: demoShop.lenientChannelId, settledOn: '2031-10-03', holder: '=HYPERLINK("x")' },
  { merchantId: otherShop.merchantId, entityId: otherShop.channelId },
];
const NET = 229n * 115n - 500n;

before(async () => {
  gateway = await startGateway({ store });
  await bring(store, lines);
});
after(() => gateway.close());

type ReportReply = {
  readonly result: { readonly code: string };
  readonly records?: readonly Record<string, unknown>[];
  readonly pages?: number;
  readonly ndc: string;
};
type Answer = { readonly status: number; readonly said: ReportReply; readonly text: string; readonly headers: Headers };

async function ask(path: string, query: Record<string, string> = {}, token: string = demoShop.token): Promise<Answer> {
  const entityId = query.entityId ?? demoShop.merchantId;
  const url = `${gateway.url}/reports/${path}?${new URLSearchParams({ entityId, ...query })}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  const said = text.startsWith('{') ? (JSON.parse(text) as ReportReply) : ({} as ReportReply);
  return { status: response.status, said, text, headers: response.headers };
}

const october = { 'date.from': '2031-10-01', 'date.to': '2031-10-31' };
const list = 'v1/reconciliations/aggregations';
const idOf = async (query: Record<string, string>) => String((await ask(list, { ...october, ...query })).said.records?.[0]?.id);

test('a merchant sees the settled amounts of all its channels, by day and currency', async () => {
  const { status, said } = await ask(list, october);
  assert.equal(status, 200);
  assert.equal(said.result.code, '000.000.100');
  assert.ok(said.ndc.startsWith(demoShop.merchantId));
  const records = said.records?.map(({ id, ...rest }) => {
    assert.match(String(id), /^[0-9a-f]{32}$/);
    return rest;
  });
  const [euros, dollars] = [{ amount: '91.00', fee: '1.00', count: '1' }, { currency: 'USD' }];
  assert.deepEqual(records, [
    { date: '2031-10-02', currency: 'EUR', amount: `${NET / 100n}.${NET % 100n}`, fee: '231.00', count: '231' },
    { date: '2031-10-03', currency: 'EUR', ...euros },
    { date: '2031-10-03', ...dollars, ...euros },
  ]);
});

const narrower: readonly (readonly [says: string, query: Record<string, string>, dates: readonly string[]])[] = [
  ['one currency', { currency: 'USD' }, ['2031-10-03']],
  ['one day', { 'date.to': '2031-10-02' }, ['2031-10-02']],
  ['one channel', { entityId: demoShop.lenientChannelId }, ['2031-10-03']],
];
for (const [says, query, dates] of narrower) {
  test(`the list is of ${says} when the request says so`, async () => {
    const { said } = await ask(list, { ...october, ...query });
    assert.deepEqual(
      said.records?.map(({ date }) => date),
      dates,
    );
  });
}

test('the same id is returned every time, and each entity has its own', async () => {
  assert.equal(await idOf({}), await idOf({}));
  assert.notEqual(await idOf({}), await idOf({ entityId: demoShop.channelId }));
});

test('every id that the list gives is found, also one that looks like a card number', async () => {
  const [numbers, others]: [string[], string[]] = [[], []];
  const sample = { testMode: 'INTERNAL', entityId: demoShop.channelId };
  for (const currency of ['EUR', 'USD', 'CHF']) {
    const days = { 'date.from': '2031-01-01', 'date.to': '2031-01-31', currency };
    for (const { id } of (await ask(list, { ...days, ...sample })).said.records ?? []) {
      (hasCardNumber(String(id), { isStrict: true }) ? numbers : others).push(String(id));
    }
  }
  assert.ok(numbers.length >= 8, `${numbers.length} of ${numbers.length + others.length}`);
  for (const id of [...numbers.slice(0, 12), ...others.slice(0, 2)]) {
    for (const version of ['v1', 'v2']) {
      assert.equal((await ask(`${version}/reconciliations/aggregations/${id}`, sample)).status, 200, id);
    }
  }
});

test('the first version returns all records of a day, the second in pages of a hundred', async () => {
  const id = await idOf({});
  const all = await ask(`${list}/${id}`);
  assert.equal(all.said.result.code, '000.000.100');
  assert.equal(all.said.records?.length, 231);
  assert.equal(all.said.pages, undefined);
  const pages = await Promise.all(['', '2', '3'].map((pageNo) => ask(`v2/reconciliations/aggregations/${id}`, { pageNo })));
  assert.deepEqual(
    pages.map(({ said }) => [said.records?.length, said.pages]),
    [
      [100, 3],
      [100, 3],
      [31, 3],
    ],
  );
  assert.deepEqual(
    pages.flatMap(({ said }) => said.records),
    all.said.records,
  );
  const backwards = await ask(`${list}/${id}`, { sortValue: 'SettlementTxDate', sortOrder: 'desc' });
  assert.deepEqual(backwards.said.records, all.said.records?.toReversed());
  const fees = await ask(`v2/reconciliations/aggregations/${id}`, { reconciliationType: 'FEE' });
  assert.deepEqual([fees.said.records?.length, fees.said.pages, fees.said.records?.[0]?.transactionType], [1, 1, 'MONTHLY']);
});

test('a record has the names of the API, with the hierarchy above it', async () => {
  const { said } = await ask(`${list}/${await idOf({})}`);
  const record = said.records?.[3];
  assert.deepEqual(
    { ...record, payment: undefined, matchedTransactions: undefined },
    {
      recordType: 'SETTLED',
      transactionType: 'DEBIT',
      settlement: {
        cashflow: 'POS',
        amount: '0.03',
        currency: 'EUR',
        fee: '1.00',
        fxRate: '1.00',
        date: '2031-10-02',
        status: 'SUCCESS',
        format: 'turnpike-csv',
      },
      clearingInstitute: { merchantId: 'ACQ-1', name: 'Acquirer' },
      merchantAccount: { id: demoShop.channelId, name: 'Demo_Shop' },
      pspEntityId: sandbox.psp,
      divisionEntityId: sandbox.division,
      merchantEntityId: demoShop.merchantId,
      amount: '92.00',
      currency: 'EUR',
      paymentBrand: 'VISA',
      merchantTransactionId: 'order-3',
      presentmentDate: record?.presentmentDate,
      payment: undefined,
      matchedTransactions: undefined,
    },
  );
  assert.match(String(record?.presentmentDate), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

test('a foreign or unknown id, a page behind the last and a day without records are nowhere', async () => {
  const foreign = await ask(list, { ...october, entityId: otherShop.merchantId }, otherShop.token);
  const id = String(foreign.said.records?.[0]?.id);
  assert.equal(foreign.said.records?.length, 1);
  const channels = await idOf({ entityId: demoShop.channelId });
  const nowhere = [
    ask(`${list}/${id}`),
    ask(`v2/reconciliations/aggregations/${id}`),
    ask(`${list}/${channels}`, { entityId: demoShop.lenientChannelId }),
    ask(`${list}/${'0'.repeat(32)}`),
    ask(`${list}/x`),
    ask(`v2/reconciliations/aggregations/${await idOf({})}`, { pageNo: '4' }),
    ask(list, { 'date.from': '2030-01-01', 'date.to': '2030-01-02' }),
  ];
  for (const { status, said } of await Promise.all(nowhere)) {
    assert.equal(status, 404);
    assert.equal(said.result.code, '700.400.580');
  }
  assert.equal((await ask(list, { ...october, entityId: otherShop.merchantId })).status, 403);
});

test('what is made up is there on a fresh system, and is the same every time', async () => {
  const query = { ...october, testMode: 'INTERNAL', entityId: demoShop.channelId, currency: 'GBP' };
  const [one, other] = [await ask(list, query), await ask(list, query)];
  assert.equal(one.said.records?.length, 31);
  assert.deepEqual(one.said.records, other.said.records);
  const [first] = one.said.records ?? [];
  const details = await ask(`${list}/${first?.id}`, { testMode: 'INTERNAL', entityId: demoShop.channelId });
  assert.equal(details.said.records?.length, Number(first?.count));
  const paged = await ask(`v2/reconciliations/aggregations/${first?.id}`, { testMode: 'INTERNAL', entityId: demoShop.channelId });
  assert.deepEqual(paged.said.records, details.said.records?.slice(0, 100));
  assert.equal((await ask(`${list}/${first?.id}`, { entityId: demoShop.channelId })).status, 404, 'it was never settled');
});

test('what is made up is refused in live', async (t) => {
  const live = await startGateway({ environment: 'live' });
  t.after(() => live.close());
  const query = new URLSearchParams({ ...october, entityId: demoShop.channelId, testMode: 'INTERNAL' });
  const answer = await fetch(`${live.url}/reports/${list}?${query}`, { headers: { authorization: `Bearer ${demoShop.token}` } });
  assert.equal(((await answer.json()) as ReportReply).result.code, '600.200.701');
});

test('the spelling of the prose leads to the same place, and what is missing or wrong is named', async () => {
  const { said } = await ask('v1/reconiliations/aggregrations', october);
  assert.equal(said.records?.length, 3);
  assert.equal((await ask(list, { 'date.from': '2031-10-01' })).said.result.code, '200.300.404');
  const faults: readonly Record<string, string>[] = [
    { 'date.from': '2031-10-1' },
    { 'date.from': '2031-11-01' },
    { sortOrder: 'up' },
    { columns: 'Iban' },
  ];
  for (const wrong of faults)
    assert.equal((await ask(list, { ...october, ...wrong })).said.result.code, '200.300.404', JSON.stringify(wrong));
});

test("the file can be downloaded: its columns, its lines, and no other merchant's", async () => {
  const { status, text, headers } = await ask('v1/reconciliations/csv', october);
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/csv/);
  assert.match(headers.get('content-disposition') ?? '', /attachment; filename="reconciliation_2031-10-01_2031-10-31\.csv"/);
  const [head = [], ...rows] = parse(text, { delimiter: ';', recordDelimiter: '\r\n' }) as string[][];
  assert.deepEqual(head, defaultColumns);
  assert.equal(rows.length, 233);
  assert.ok(rows.every((row) => row[head.indexOf('MerchantId')] === demoShop.merchantId));
  assert.ok(text.includes(`"'=HYPERLINK(""x"")"`), 'no formula');
});

test('a file has the columns that are wanted, and one of nothing is its first line', async () => {
  const columns = 'TransactionId,Amount';
  const some = await ask('v1/reconciliations/csv', { ...october, columns, currency: 'USD' });
  assert.equal(some.text, 'TransactionId;Amount\r\n;92.00\r\n');
  const none = await ask('v1/reconciliations/csv', { 'date.from': '2030-01-01', 'date.to': '2030-01-01', columns });
  assert.equal(none.text, 'TransactionId;Amount\r\n');
});

test('a file requested with HEAD has a head and no body, and the connection serves on', async () => {
  const url = `${gateway.url}/reports/v1/reconciliations/csv?${new URLSearchParams({ ...october, entityId: demoShop.merchantId })}`;
  const options = { headers: { authorization: `Bearer ${demoShop.token}` } };
  const answer = await fetch(url, { ...options, method: 'HEAD' });
  assert.equal(answer.status, 200);
  assert.equal(await answer.text(), '');
  assert.equal((await fetch(url, options)).status, 200);
});
