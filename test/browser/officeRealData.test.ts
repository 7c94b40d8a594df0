import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createClient, DEMO } from '../http/client.ts';
import { signedInAs } from '../http/userFixture.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** Pages of money as a merchant's finance team sees them: with a merchant, with files of a bank, and with names as long as banks make them. */

let office: Office;

const STATEMENT = 'camt.053_DE89370400440532013000_EUR_2031-10-02_statement-00017_Kontoauszug_Musterhandel.xml';
const entry = (ref: string, sign: string, amount: string): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Sts>BOOK</Sts>
   <BookgDt><Dt>2031-10-02</Dt></BookgDt><AcctSvcrRef>${ref}</AcctSvcrRef></Ntry>`;
const entries = [entry('WAGES-OF-OCTOBER-2031-ACCOUNT-00017', 'DBIT', '4500.00'), entry('UNKNOWN-CUSTOMER', 'CRDT', '92.00')];
const statement = `<Document><BkToCstmrStmt><Stmt><CreDtTm>2031-10-02T10:00:00Z</CreDtTm>${entries.join('\n')}</Stmt></BkToCstmrStmt></Document>`;

before(async () => {
  if (noBrowser) return;
  office = await openOffice();
  const shop = createClient(office.gateway.url);
  await shop.refund((await shop.pay({ amount: '1234567.89' })).id, '12.00');
  await shop.capture((await shop.pay({ paymentType: 'PA' })).id, '40.00');
  const { ask } = await signedInAs(office.gateway);
  const bring = (name: string, file: string) =>
    ask('POST', `/settlements?entityId=${DEMO.merchantId}&name=${name}`, file, { 'content-type': 'application/octet-stream' });
  assert.equal((await bring(STATEMENT, statement)).status, 200);
});
afterEach(() => office?.release());
after(() => office?.close());

const windows = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const pages = { ledger: '/ledger', settlement: '/settlement', exceptions: '/settlement/exceptions', payments: '/payments' };

for (const language of ['en', 'de'] as const) {
  test(`${language}: the columns of every table of money are in view, with long names`, { skip: noBrowser }, async () => {
    const seat = await office.sit({ role: 'finance', entityId: DEMO.merchantId, language });
    const found: string[] = [];
    for (const [name, path] of Object.entries(pages)) {
      await seat.go(path);
      await seat.page.locator('.table-scroll tbody td').first().waitFor();
      for (const [at, window] of windows.entries()) {
        await seat.page.setViewportSize(window);
        await seat.page.emulateMedia({ colorScheme: at === 1 ? 'dark' : 'light' });
        await seat.fits().catch((error: Error) => found.push(error.message));
        await seat.shot(`real-${name}-${language}-${window.width}`);
      }
    }
    assert.deepEqual(found, []);
    assert.deepEqual(seat.troubles, []);
  });
}

for (const [language, debit, credit] of [
  ['en', '-€4,500.00', '€92.00'],
  ['de', '-4.500,00 €', '92,00 €'],
] as const) {
  test(`${language}: an exception that took money has a minus sign, in the list and in its details`, {
    skip: noBrowser,
  }, async () => {
    const seat = await office.sit({ role: 'finance', entityId: DEMO.merchantId, language });
    const page = await seat.go('/settlement/exceptions');
    const rows = page.locator('tbody tr');
    const plain = async (within: typeof rows) =>
      (await within.locator('.money').allTextContents()).map((text) => text.replaceAll('\u00a0', ' '));
    await rows.first().locator('.money').waitFor();
    assert.deepEqual((await plain(rows)).sort(), [debit, credit].sort());
    await rows.filter({ hasText: 'WAGES' }).locator('.money').click();
    const details = page.getByRole('dialog');
    await details.locator('.money').first().waitFor();
    assert.equal((await plain(details))[0], debit);
    await seat.shot(`real-debit-${language}`);
    assert.deepEqual(seat.troubles, []);
  });
}

test('a planted fault: the oracle sees a table that hides a column', { skip: noBrowser }, async () => {
  const seat = await office.sit({ role: 'finance', entityId: DEMO.merchantId });
  const page = await seat.go('/ledger');
  await page.locator('.table-scroll tbody td').first().waitFor();
  await page.evaluate("document.querySelectorAll('.ledger-says').forEach(({ style }) => { style.whiteSpace = 'nowrap'; })");
  await assert.rejects(seat.fits(), /columns of a table are out of view/);
});
