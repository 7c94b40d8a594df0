import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { settings } from '../connectors/sepa/account.ts';
import { freshShops } from '../http/freshShops.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** Direct debit mandates: the list, the page of one, and its end. */

const account = { connector: 'sepa', settings: { ...settings, noticeDays: 14 } };
const { shops, rows } = freshShops(1, { isLenient: true, connectors: { default: 'bank' }, accounts: { bank: account } });
const shop = shops[0] ?? assert.fail('no shop');
const entityId = shop.merchant.entityId;
const skip = noBrowser;

let office: Office;

async function collect(mandateId: string, amount: string): Promise<void> {
  office.gateway.pass(1_000);
  const reply = await fetch(`${office.gateway.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.merchant.token}` },
    body: new URLSearchParams({
      entityId: shop.channels[0]?.entityId ?? '',
      testMode: 'EXTERNAL',
      paymentType: 'DB',
      paymentBrand: 'DIRECTDEBIT_SEPA',
      amount,
      currency: 'EUR',
      recurringType: 'INITIAL',
      createRegistration: 'true',
      'bankAccount.iban': 'AT611904300234573201',
      'bankAccount.holder': 'Ann Example',
      'bankAccount.bic': 'BKAUATWW',
      'bankAccount.country': 'AT',
      'bankAccount.mandate.id': mandateId,
      'bankAccount.mandate.dateOfSignature': '2026-01-05',
      'customer.merchantCustomerId': 'customer-17',
    }),
  });
  const { result } = (await reply.json()) as { readonly result: { readonly code: string } };
  assert.match(result.code, /^000\.200/);
}

before(async () => {
  if (noBrowser) return;
  office = await openOffice({ rows });
  await collect('SUB-2026-0017', '29.90');
  await collect('SUB-2026-0017', '31.00');
  await collect('SUB-2026-0018', '9.00');
});
afterEach(() => office?.release());
after(() => office?.close());

test('a mandate is found, shows what the payer must know, and is ended after a question', { skip }, async () => {
  const { page, ...seat } = await office.sit({ role: 'support', entityId });
  await seat.go('/mandates');
  await page.getByRole('link', { name: 'SUB-2026-0018' }).waitFor();
  await seat.fits();
  await seat.axe();
  await seat.shot('mandates');
  await page.emulateMedia({ colorScheme: 'dark' });
  await seat.axe(['color-contrast']);
  await seat.shot('mandates-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await seat.go('/mandates?mandateId=sub-2026-0017');
  assert.equal(await page.getByRole('link', { name: /SUB-2026/ }).count(), 1);
  await page.getByRole('link', { name: 'SUB-2026-0017' }).click();
  await page.getByRole('heading', { level: 1, name: 'SUB-2026-0017' }).waitFor();
  await page.getByText(/Shop GmbH will collect €29\.90 from your account ending in 3201/).waitFor();
  await page.getByText('Recurring (RCUR)').waitFor();
  await seat.fits();
  await seat.axe();
  await seat.shot('mandate');
  await page.emulateMedia({ colorScheme: 'dark' });
  await seat.axe(['color-contrast']);
  await seat.shot('mandate-dark');
  await page.getByRole('button', { name: 'End mandate' }).click();
  await page.getByText(/Nothing more is collected by the mandate SUB-2026-0017/).waitFor();
  await seat.shot('mandate-end');
  await page.getByRole('dialog').getByRole('button', { name: 'End mandate' }).click();
  await page.getByText('Mandate ended.').waitFor();
  await page.getByText('Ended', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'End mandate' }).count(), 0);
  assert.deepEqual(seat.troubles, []);
});

test('without the right there is no way to end it; above merchants one is chosen first', { skip }, async () => {
  const { page, ...seat } = await office.sit({ role: 'readOnly', entityId });
  await seat.go('/mandates');
  await page.getByRole('link', { name: 'SUB-2026-0018' }).click();
  await page.getByRole('heading', { level: 1, name: 'SUB-2026-0018' }).waitFor();
  await page.getByRole('heading', { level: 2, name: 'Collections' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'End mandate' }).count(), 0);
  assert.deepEqual(seat.troubles, []);
  const above = await office.sit();
  await above.go('/mandates');
  await above.page.getByText('Choose a merchant').first().waitFor();
});

test('on a phone in German', { skip }, async () => {
  const viewport = { width: 390, height: 844 };
  const seat = await office.sit({ role: 'support', entityId, language: 'de', viewport, colorScheme: 'dark' });
  await seat.go('/mandates');
  await seat.page.getByRole('link', { name: 'SUB-2026-0018' }).waitFor();
  await seat.fits();
  await seat.shot('mandates-phone-dark');
  await seat.page.getByRole('link', { name: 'SUB-2026-0018' }).click();
  await seat.page.getByRole('heading', { level: 2, name: 'Vorabankündigung' }).waitFor();
  await seat.page.getByText(/den Betrag von 9,00/).waitFor();
  await seat.fits();
  await seat.axe();
  await seat.shot('mandate-phone-dark');
});
