import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { settlementFileOf } from '../../src/connectors/simulator/settlement.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createClient, DEMO } from '../http/client.ts';
import { createClockClient } from '../http/clockFixture.ts';
import { chooseTime, noBrowser, type Office, openOffice } from './office.ts';

const DAY_MS = 86_400_000;
const store = createMemoryStore();
let office: Office;
before(async () => {
  if (!noBrowser) office = await openOffice({ store });
});
afterEach(() => office?.release());
after(() => office?.close());

/** What is dropped onto the page, without a mouse. */
const dropping = (name: string, text: string): string => `
  const data = new DataTransfer();
  data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/csv' }));
  const zone = document.querySelector('.dropzone');
  for (const type of ['dragover', 'drop']) zone.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
`;

test('a file is uploaded, its exception is matched by hand, and the report shows what was settled', {
  skip: noBrowser,
}, async () => {
  const { gateway } = office;
  const shop = createClient(gateway.url, { entityId: DEMO.lenientId, token: DEMO.token });
  const payments: Payment[] = [];
  for (const amount of ['92.00', '17.50', '8.20']) {
    const { id } = await shop.pay({ amount, merchantTransactionId: `order ${amount}` });
    payments.push((await store.payment(DEMO.merchantId, id)) as Payment);
  }
  const [, strange] = payments as [Payment, Payment, Payment];
  const day = new Date(gateway.world.clock.now() + DAY_MS).toISOString().slice(0, 10);
  const file = settlementFileOf(day, payments, { faults: new Map([[strange.id, 'unknownId']]) });
  const { page, ...seat } = await office.sit({ role: 'finance', entityId: DEMO.merchantId });

  await seat.go('/settlement');
  await page.getByText('No files yet').waitFor();
  await page.evaluate(dropping('broken.csv', 'this;is;no;file\n1;2;3;4\n'));
  await page.getByRole('alert').filter({ hasText: 'broken.csv' }).waitFor();
  await page.getByRole('row').filter({ hasText: 'Rejected' }).waitFor();
  await page
    .getByLabel('Upload file')
    .locator('input[type=file]')
    .setInputFiles({ name: 'acquirer.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByText('acquirer.csv imported: 2 lines matched, 1 exceptions.').waitFor();
  await seat.axe();
  await seat.shot('settlement');
  await page.getByRole('row').filter({ hasText: 'acquirer.csv' }).click();
  await page.getByText('2 of 3 lines').waitFor();
  await seat.axe();
  await page.getByRole('link', { name: 'Resolve exceptions' }).click();

  const row = page.getByRole('row').filter({ hasText: '€17.50' });
  await row.getByText('Unknown reference').waitFor();
  // The reference of the line, and the payment that it suggests.
  assert.equal(await row.getByRole('cell', { name: 'order 17.50', exact: true }).count(), 2);
  await row.getByText('€17.50').click();
  const collection = page.getByRole('dialog', { name: 'Resolve exception' });
  // The only payment of this amount is chosen already; another can be searched.
  assert.ok(await collection.getByRole('radio', { name: /order 17\.50/ }).isChecked());
  await collection.getByRole('searchbox', { name: 'Search payments' }).fill('order 8.20');
  await collection.getByRole('radio', { name: /order 8\.20/ }).waitFor();
  await collection.getByRole('radio', { name: /order 17\.50/ }).check();
  await collection.getByLabel('Note').fill('seen in the portal of the acquirer');
  await seat.axe();
  await seat.shot('settlement-decide');
  await collection.getByRole('button', { name: 'Match to this payment' }).click();
  await page.getByText('No open exceptions').waitFor();
  const [record] = await store.recordsOfPayments([DEMO.merchantId], [strange.id], null);
  assert.deepEqual([record?.match.status, record?.match.isOpen], ['MATCHED', false]);

  await seat.go(`/reports?from=${day}&to=${day}`);
  const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
  await page.getByRole('cell', { name: written, exact: true }).waitFor();
  await seat.axe();
  await seat.shot('reports');
  const arriving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const download = await arriving;
  assert.equal(download.suggestedFilename(), `reconciliation_${day}_${day}.csv`);
  const pieces: Buffer[] = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece as Buffer);
  assert.match(Buffer.concat(pieces).toString(), new RegExp(strange.id));

  await seat.go('/ledger');
  const fees = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Fees' }) });
  assert.match((await fees.textContent()) ?? '', /€[1-9]/);
  await chooseTime(page.getByLabel('As of'), '2020-01-01T00:00');
  await page.getByText('No postings yet').waitFor();
  await page.getByRole('button', { name: 'Now' }).click();
  await fees.waitFor();
  await seat.axe();
  await seat.shot('ledger');
  assert.deepEqual(
    seat.troubles.filter((one) => !one.startsWith('400: POST')),
    [],
  );
});

test('a bank’s file shows what was skipped, and an entry that cannot be read is an exception with its reason', {
  skip: noBrowser,
}, async () => {
  const { page, ...seat } = await office.sit({ role: 'finance', entityId: DEMO.merchantId });
  const entry = (ref: string, amount: string, status: string): string =>
    `<Ntry>${amount}<CdtDbtInd>CRDT</CdtDbtInd><Sts>${status}</Sts><AcctSvcrRef>${ref}</AcctSvcrRef></Ntry>`;
  const entries = [entry('DINARS', '<Amt Ccy="KWD">1234.567</Amt>', 'BOOK'), entry('LATER', '<Amt Ccy="EUR">5.00</Amt>', 'PDNG')];
  const text = `<Document><BkToCstmrStmt><Stmt><CreDtTm>2031-10-02T10:00:00Z</CreDtTm>${entries.join('\n')}</Stmt></BkToCstmrStmt></Document>`;
  await seat.go('/settlement');
  await page
    .getByLabel('Upload file')
    .locator('input[type=file]')
    .setInputFiles({ name: 'bank.xml', mimeType: 'text/xml', buffer: Buffer.from(text) });
  await page.getByText('bank.xml imported: 0 lines matched, 1 exceptions.').waitFor();
  await page.getByRole('row').filter({ hasText: 'bank.xml' }).click();
  await page.getByText('entry 2 (LATER) was skipped: it is not booked (Sts PDNG)').waitFor();
  await page.getByText('entry 1 (DINARS) has neither ValDt nor BookgDt').waitFor();
  await seat.axe();
  await seat.shot('settlement-remarks');
  await page.getByRole('link', { name: 'Resolve exceptions' }).click();
  await page.getByRole('row').filter({ hasText: 'Unreadable entry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resolve exception' });
  await dialog.getByText('its amount "1234.567 KWD" has more than two decimals').waitFor();
  await seat.shot('settlement-unreadable');
  await dialog.getByLabel('Note').fill('rent, not ours');
  await dialog.getByRole('button', { name: 'Dismiss: not ours' }).click();
  await page.getByText('No open exceptions').waitFor();
  assert.deepEqual(seat.troubles, []);
});

test('duplicates are selected together and dismissed with one note, in German on a phone', { skip: noBrowser }, async () => {
  const { gateway } = office;
  const shop = createClient(gateway.url, { entityId: DEMO.lenientId, token: DEMO.token });
  const payments: Payment[] = [];
  for (const amount of ['31.01', '32.02', '33.03']) {
    const { id } = await shop.pay({ amount, merchantTransactionId: `order ${amount}` });
    payments.push((await store.payment(DEMO.merchantId, id)) as Payment);
  }
  const day = new Date(gateway.world.clock.now() + DAY_MS).toISOString().slice(0, 10);
  const [first, second, third] = payments as [Payment, Payment, Payment];
  const faults = new Map([
    [first.id, 'doubled'],
    [second.id, 'doubled'],
    [third.id, 'wrongAmount'],
  ] as const);
  const seat = await office.sit({
    role: 'finance',
    entityId: DEMO.merchantId,
    language: 'de',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  const { page } = seat;
  await seat.go('/settlement');
  await page
    .getByLabel('Datei hochladen')
    .locator('input[type=file]')
    .setInputFiles({
      name: 'doppelt.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(settlementFileOf(day, payments, { faults })),
    });
  await page.getByText('doppelt.csv übernommen: 2 Zeilen zugeordnet, 3 Ausnahmen.').waitFor();
  await seat.go('/settlement/exceptions');
  assert.equal(await page.getByText('Dublette', { exact: true }).count(), 2);
  assert.equal(await page.getByText('Betrag weicht ab').count(), 1);
  await page.getByRole('button', { name: 'Dublette (2)' }).click();
  await page.getByText('2 ausgewählt').waitFor();
  await seat.axe();
  await seat.fits();
  await seat.shot('settlement-bulk-390');
  await page.getByRole('button', { name: 'Verwerfen' }).click();
  const dialog = page.getByRole('dialog', { name: '2 Zeilen verwerfen' });
  await dialog.getByLabel('Notiz').fill('Datei kam zweimal');
  await seat.axe();
  await dialog.getByRole('button', { name: 'Verwerfen' }).click();
  await page.getByText('2 Ausnahmen geklärt.').waitFor();
  await page.getByText('Dublette', { exact: true }).first().waitFor({ state: 'detached' });
  assert.equal(await page.getByText('Betrag weicht ab').count(), 1);
  assert.deepEqual(seat.troubles, []);
});

test('the report of a merchant ends today by the test clock of the merchant', { skip: noBrowser }, async () => {
  const clock = createClockClient(office.gateway.url);
  await clock.move({ by: '40d' });
  const today = new Date(await clock.now()).toISOString().slice(0, 10);
  const { page, go, troubles } = await office.sit();
  await go(`/reports?entity=${DEMO.merchantId}`);
  assert.equal(await page.getByLabel('To', { exact: true }).inputValue(), today);
  assert.deepEqual(troubles, []);
});
