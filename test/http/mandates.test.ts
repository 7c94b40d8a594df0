import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MandateDetail, MandatePage } from '../../src/spec/answers/stored.ts';
import { settings } from '../connectors/sepa/account.ts';
import { createAdministrator } from './administrator.ts';
import { freshShops } from './freshShops.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Direct debit mandates in the administration. */

const account = { connector: 'sepa', settings: { ...settings, noticeDays: 14 } };
const { shops, rows } = freshShops(2, { isLenient: true, connectors: { default: 'bank' }, accounts: { bank: account } });
const [shop = assert.fail('no shop'), other = assert.fail('no other shop')] = shops;
const entityId = shop.merchant.entityId;

/** The mandate goes on after the first collection. */
const SERIES = { recurringType: 'INITIAL', createRegistration: 'true' };
const OPERATOR = 'operator-of-the-mandates-0123456789abcdef';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ rows, operatorToken: OPERATOR });
  for (const [at, id] of ['M-1', 'Mandate/2 (b)', 'M-3'].entries()) {
    gateway.pass(1_000);
    await collect(id, { ...SERIES, ...(at === 0 && { 'customer.merchantCustomerId': 'customer-1' }) });
  }
});
after(() => gateway.close());

async function collect(mandateId: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const reply = await fetch(`${gateway.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.merchant.token}` },
    body: new URLSearchParams({
      entityId: shop.channels[0]?.entityId ?? '',
      testMode: 'EXTERNAL',
      paymentType: 'DB',
      paymentBrand: 'DIRECTDEBIT_SEPA',
      amount: '12.00',
      currency: 'EUR',
      'bankAccount.iban': 'AT611904300234573201',
      'bankAccount.holder': 'Ann Example',
      'bankAccount.bic': 'BKAUATWW',
      'bankAccount.country': 'AT',
      'bankAccount.mandate.id': mandateId,
      'bankAccount.mandate.dateOfSignature': '2026-01-05',
      ...fields,
    }),
  });
  const body = (await reply.json()) as { readonly result: { readonly code: string } };
  return body.result.code;
}

const ask = async (method: string, path: string) => createAdministrator(gateway.url, OPERATOR).ask(method, path);
const list = async (filter = ''): Promise<MandatePage> =>
  (await ask('GET', `/mandates?entityId=${entityId}${filter}`)).body as unknown as MandatePage;
const idsIn = ({ mandates }: MandatePage): readonly string[] => mandates.map(({ mandateId }) => mandateId);

/** What is asked for, and the mandates that are found. */
const filters = [
  ['', ['M-3', 'Mandate/2 (b)', 'M-1']],
  ['&mandateId=m-1', ['M-1']],
  [`&mandateId=${encodeURIComponent('Mandate/2 (b)')}`, ['Mandate/2 (b)']],
  ['&mandateId=M-4', []],
  ['&customerId=customer-1', ['M-1']],
  ['&last4=3201', ['M-3', 'Mandate/2 (b)', 'M-1']],
  ['&last4=0000', []],
  ['&state=lapsed', []],
  ['&upcoming=true', ['M-3', 'Mandate/2 (b)', 'M-1']],
] as const;

for (const [filter, expected] of filters)
  test(`mandates are found by ${filter === '' ? 'nothing' : filter}`, async () => {
    assert.deepEqual(idsIn(await list(filter)), expected);
  });

test('a list is read page by page', async () => {
  const first = await list('&limit=2');
  assert.deepEqual(idsIn(first), ['M-3', 'Mandate/2 (b)']);
  const second = await list(`&limit=2&after=${first.next}`);
  assert.deepEqual([idsIn(second), second.next], [['M-1'], null]);
});

test('a mandate is shown with its collections and the text for the payer, in both languages', async () => {
  const [row] = (await list('&mandateId=M-1')).mandates;
  const seen = async (language: string) =>
    (await ask('GET', `/mandates/${row?.id}?entityId=${entityId}&language=${language}`)).body as unknown as MandateDetail;
  const detail = await seen('en');
  assert.deepEqual([detail.state, detail.scheme, detail.last4, detail.uses], ['active', 'CORE', '3201', 1]);
  const [collection] = detail.collections;
  assert.ok(collection && collection.noticeBy < collection.dueOn);
  assert.match(
    collection.notice ?? '',
    /^Shop GmbH will collect €12\.00 from your account ending in 3201 by SEPA direct debit on /,
  );
  assert.match(
    (await seen('de')).collections[0]?.notice ?? '',
    /den Betrag von 12,00\s€ per SEPA-Lastschrift .* Mandatsreferenz: M-1\./,
  );
});

test('a mandate that is ended collects nothing more', async () => {
  const [row] = (await list('&mandateId=M-3')).mandates;
  const { status, body } = await ask('DELETE', `/mandates/${row?.id}?entityId=${entityId}`);
  assert.deepEqual([status, (body as unknown as MandateDetail).state], [200, 'ended']);
  assert.equal(await collect('M-3'), '800.100.205');
  assert.deepEqual(idsIn(await list('&state=ended')).includes('M-3'), true);
});

test('a mandate of another merchant, an unknown one and a broken address are not found', async () => {
  const [row] = (await list('&mandateId=M-1')).mandates;
  const paths = [
    `/mandates/${row?.id}?entityId=${other.merchant.entityId}`,
    `/mandates/${Buffer.from('bank/nothing').toString('hex')}?entityId=${entityId}`,
    `/mandates/${Buffer.from('other/M-1').toString('hex')}?entityId=${entityId}`,
    `/mandates/x?entityId=${entityId}`,
  ];
  for (const path of paths)
    for (const method of ['GET', 'DELETE']) assert.equal((await ask(method, path)).status, 404, `${method} ${path}`);
  assert.equal((await ask('GET', `/mandates?entityId=${shop.channels[0]?.entityId}`)).status, 400);
});
