import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from '../http/client.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

let office: Office;
before(async () => {
  if (!noBrowser) office = await openOffice();
});
after(() => office?.close());

test('the palette finds payments and merchants beside pages, and never sends a card number', { skip: noBrowser }, async () => {
  const { id } = await createClient(office.gateway.url).pay({ merchantTransactionId: 'order-4711-a' });
  const { page, ...seat } = await office.sit({ role: 'support' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await seat.go('/payments');
  const field = page.getByPlaceholder('Search pages, actions, payments, IDs, merchants');
  const open = async (text: string) => {
    await page.keyboard.press('Control+k');
    await field.fill(text);
  };
  await open('order-4711');
  await page.getByRole('button', { name: /order-4711-a/ }).waitFor();
  await seat.axe();
  await seat.shot('palette');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/payments/${id}**`);
  await open('Other Shop');
  await page
    .getByRole('button', { name: /Other Shop/ })
    .first()
    .click();
  await page.waitForURL('**/payments?entity=**');
  await open('4200 0000 0000 0000');
  await page.getByText('No results').waitFor();
  await page.waitForTimeout(400);
  assert.deepEqual(
    asked.filter((url) => /4200.{0,3}0000/.test(url)),
    [],
  );
  assert.deepEqual(seat.troubles, []);
});
