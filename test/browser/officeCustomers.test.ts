import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { CARD, createClient, DEMO } from '../http/client.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** The customer view, reached from a payment, a stored card, the palette and its own page. */

const ID = 'customer/17 & co';
const CUSTOMER = {
  'customer.merchantCustomerId': ID,
  'customer.givenName': 'Zoe',
  'customer.surname': 'Sample',
  'customer.email': 'zoe@example.org',
} as const;
const INITIAL = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.source': 'CIT',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
} as const;

let office: Office;
let paymentId: string;
let registrationId: string;

before(async () => {
  if (noBrowser) return;
  office = await openOffice();
  const shop = createClient(office.gateway.url);
  const stored = await shop.send('POST', '/v1/registrations', { ...CARD, ...INITIAL, ...CUSTOMER });
  registrationId = stored.id;
  const paid = await shop.pay({ amount: '100.00', ...CUSTOMER });
  paymentId = paid.id;
  await shop.refund(paymentId, '18.00');
  await shop.pay({ amount: '20.00', currency: 'USD', ...CUSTOMER });
  const plan = { registrationId, amount: '5.00', currency: 'EUR', 'job.expression': '0 30 6 1 * ?' };
  assert.equal((await shop.send('POST', '/scheduling/v1/schedules', plan)).status, 200);
});
afterEach(() => office?.release());
after(() => office?.close());

const skip = noBrowser;

test('from a payment: totals by currency, stored cards, schedules and payments, each with its link', { skip }, async () => {
  const { page, ...seat } = await office.sit({ role: 'support', entityId: DEMO.merchantId });
  await seat.go(`/payments/${paymentId}`);
  await page.getByRole('link', { name: ID }).click();
  await page.getByRole('heading', { level: 1, name: ID }).waitFor();
  await page.getByText('zoe@example.org').waitFor();
  const euros = page.getByRole('row').filter({ hasText: 'EUR' });
  assert.deepEqual(await euros.getByRole('cell').allTextContents(), ['EUR', '1', '€100.00', '€18.00', '€0.00']);
  const dollars = page.getByRole('row').filter({ hasText: 'USD' });
  assert.deepEqual(await dollars.getByRole('cell').allTextContents(), ['USD', '1', 'US$20.00', 'US$0.00', 'US$0.00']);
  await page.getByText('Partially refunded · €82.00 left').waitFor();
  await seat.fits();
  await seat.axe();
  await seat.shot('customer');
  await page.emulateMedia({ colorScheme: 'dark' });
  await seat.axe(['color-contrast']);
  await seat.shot('customer-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('link', { name: 'VISA 420000••••0000' }).click();
  await page.waitForURL(`**/registrations/${registrationId}**`);
  await page.getByRole('link', { name: ID }).click();
  await page.getByRole('link', { name: 'At 06:30:00 on day 1 of every month' }).click();
  await page.waitForURL('**/schedules/**');
  await page.goBack();
  await page.getByRole('link', { name: 'Search and export' }).click();
  await page.waitForURL('**/payments?customer=**');
  await page.getByText('Partially refunded · €82.00 left').waitFor();
  assert.deepEqual(seat.troubles, []);
});

test('the palette and the page find a customer; an unknown one is none; above merchants each is listed', { skip }, async () => {
  const { page, ...seat } = await office.sit();
  await seat.go('/payments');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search pages, actions, payments, IDs, merchants').fill(ID);
  await page.getByRole('button', { name: /Customer · Demo Shop/ }).waitFor();
  await seat.shot('palette-customer');
  await page.getByRole('button', { name: /Customer · Demo Shop/ }).click();
  await page.getByRole('heading', { level: 1, name: ID }).waitFor();
  await page.getByText('Zoe Sample').first().waitFor();
  await seat.go('/customers');
  await page.getByLabel('Customer ID').fill('nobody');
  await page.keyboard.press('Enter');
  await page.getByText('No customer with this ID').waitFor();
  await page.getByLabel('Customer ID').fill(ID);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('heading', { level: 2, name: 'Merchants with this customer ID' }).waitFor();
  await seat.axe();
  await page.getByRole('link', { name: 'Demo Shop' }).click();
  await page.getByText('Zoe Sample').first().waitFor();
  assert.deepEqual(seat.troubles, []);
});

test('on a phone in German', { skip }, async () => {
  const viewport = { width: 390, height: 844 };
  const seat = await office.sit({ role: 'support', entityId: DEMO.merchantId, language: 'de', viewport, colorScheme: 'dark' });
  await seat.go(`/customers?customer=${encodeURIComponent(ID)}`);
  await seat.page.getByRole('heading', { level: 2, name: 'Summen' }).waitFor();
  await seat.page.getByText('Um 06:30:00 am 1. jedes Monats').waitFor();
  await seat.fits();
  await seat.axe();
  await seat.shot('customer-phone-dark');
});
