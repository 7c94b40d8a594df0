import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { CARD, createClient, DEMO } from '../http/client.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

let office: Office;
before(async () => {
  if (!noBrowser) office = await openOffice();
});
afterEach(() => office?.release());
after(() => office?.close());

const pay = async (amount: string, more: Readonly<Record<string, string>> = {}) => {
  const fields = { ...CARD, amount, currency: 'EUR', paymentType: 'DB', ...more };
  return (await createClient(office.gateway.url).send('POST', '/v1/payments', fields)).code;
};

test('the dashboard shows what is paid while one looks, as plots and as tables, and leads to the payments', {
  skip: noBrowser,
}, async () => {
  const { page, ...seat } = await office.sit({ role: 'readOnly', entityId: DEMO.merchantId });
  await seat.go('/');
  await page.getByText('No payments in this period').waitFor();
  assert.match((await page.locator('pre').first().textContent()) ?? '', /^curl http.*\/v1\/payments/);

  const declined = { 'customParameters[forceResultCode]': '800.100.153' };
  const codes = [await pay('92.00'), await pay('10.50'), await pay('7.00', { currency: 'USD' }), await pay('1.00', declined)];
  assert.deepEqual(codes, ['000.100.110', '000.100.110', '000.100.110', '800.100.153']);
  await office.gateway.work('aggregate statistics');

  // The page is not loaded again: it asks by itself.
  const figures = page.locator('.figures');
  await figures.getByText('€102.50').waitFor({ timeout: 12_000 });
  await figures.getByText('75%').waitFor();
  await page.getByText('Declined: CVV is not valid').waitFor();
  await seat.axe();

  await page.getByRole('button', { name: '30 days' }).click();
  await page.waitForURL(/range=30days/);
  await page.getByRole('button', { name: 'Volume: Show as table' }).click();
  const table = page.getByRole('region', { name: 'Volume' }).getByRole('table');
  assert.equal(await table.getByRole('row').count(), 31);
  await table.getByRole('cell', { name: '€102.50' }).waitFor();
  await seat.axe();

  await page.getByRole('combobox', { name: 'Currency' }).click();
  await page.getByRole('option', { name: 'USD' }).click();
  await figures.getByText('US$7.00').waitFor();
  await page.waitForURL(/currency=USD/);

  const slider = page.getByRole('slider', { name: 'Payments' });
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^approved 3, declined 1$/);
  await slider.focus();
  await page.keyboard.press('End');
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /20[0-9]{2}, approved [0-9]+, declined [0-9]+$/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/payments\?.*from=.*to=/);

  await page.goBack();
  await page.getByRole('link', { name: /800\.100\.153/ }).click();
  await page.waitForURL(/\/payments\?.*code=800\.100\.153/);
  assert.deepEqual(seat.troubles, []);
});

test('a dashboard on a phone, in German and in the dark, fits and says which days it is about', { skip: noBrowser }, async () => {
  await pay('5.00');
  await office.gateway.work('aggregate statistics');
  const seat = await office.sit({ viewport: { width: 390, height: 800 }, language: 'de', colorScheme: 'dark' });
  await seat.go('/?fromDay=2031-03-28&toDay=2031-04-02');
  await seat.page.getByText('Keine Zahlungen in diesem Zeitraum').waitFor();
  await seat.page.getByRole('button', { name: '7 Tage' }).click();
  await seat.page.getByRole('heading', { name: 'Umsatz' }).waitFor();
  await seat.fits();
  await seat.axe();
  assert.deepEqual(seat.troubles, []);
});
