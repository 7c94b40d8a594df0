import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMemoryStore, type MemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createAdministrator } from './administrator.ts';
import { CARD, createClient, DEMO, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Entries of a bank's statement that cannot be read, as a user sees and resolves them. */

let gateway: TestGateway;
let store: MemoryStore;
before(async () => {
  store = createMemoryStore();
  gateway = await startGateway({ store });
});
after(() => gateway.close());

async function paid(amount: string, currency: string): Promise<string> {
  const shop = createClient(gateway.url, { entityId: DEMO.lenientId, token: DEMO.token });
  return (await shop.send('POST', '/v1/payments', { amount, currency, paymentType: 'DB', ...CARD })).id;
}

const entry = (id: string, amount: string): string =>
  `<Ntry>${amount}<CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><NtryRef>N-${id.slice(-6)}</NtryRef>
<NtryDtls><TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`;

async function bring(...entries: readonly string[]): Promise<Reply['body']> {
  const on = new Date(gateway.world.clock.now()).toISOString();
  const response = await fetch(`${gateway.url}/admin/v1/settlements?entityId=${DEMO.merchantId}&name=bank.xml`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO.token}`, 'content-type': 'text/xml' },
    body: `<Document><BkToCstmrStmt><Stmt><CreDtTm>${on}</CreDtTm>${entries.join('\n')}</Stmt></BkToCstmrStmt></Document>`,
  });
  assert.equal(response.status, 200);
  return response.json();
}

test('an entry that cannot be read suggests the payment that it names, and a line without an amount settles none', async () => {
  const admin = createAdministrator(gateway.url);
  const [dinars, euros, fine] = [await paid('1234.56', 'KWD'), await paid('5.00', 'EUR'), await paid('7.00', 'EUR')];
  const { count, notes, noteCount } = await bring(
    entry(dinars, '<Amt Ccy="KWD">1234.567</Amt>'),
    entry(euros, '<Amt Ccy="EUR">-5.00</Amt>'),
    entry(fine, '<Amt Ccy="EUR">7.00</Amt>'),
  );
  assert.deepEqual(count, { MATCHED: 1, MULTIPLE_MATCHES: 0, NOT_MATCHED: 2, open: 2 });
  assert.deepEqual([notes.length, noteCount], [3, 3]);
  const { exceptions } = (await admin.ask('GET', `/settlementExceptions?entityId=${DEMO.merchantId}`)).body;
  const [three, negative] = exceptions;
  assert.deepEqual(
    [three, negative].map(({ exception, suggestedId, amount, currency }) => [exception, suggestedId, amount, currency]),
    [
      ['unreadable', dinars, '1234.56', 'KWD'],
      ['unreadable', euros, '0.00', 'EUR'],
    ],
  );
  const resolve = (id: string, fields: object) => admin.ask('POST', `/settlementExceptions/${id}`, { note: 'seen', ...fields });
  const refused = await resolve(negative.id, { paymentId: euros });
  assert.equal(refused.status, 400);
  assert.match(JSON.stringify(refused.body), /no amount that could be read; dismiss it/);
  assert.equal((await resolve(negative.id, { leave: true })).status, 200);
  assert.equal((await resolve(three.id, { paymentId: dinars })).status, 200);
  const records = await store.recordsOfPayments([DEMO.merchantId], [dinars, euros, fine], null);
  assert.deepEqual(records.map(({ settledAmount, settledCurrency }) => `${settledAmount} ${settledCurrency}`).toSorted(), [
    '123456 KWD',
    '700 EUR',
  ]);
});
