import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { AuditShown } from '../../src/spec/answers/users.ts';
import { createClient, DEMO, SHOPPER } from '../http/client.ts';
import { createUserWithPassword, sessionFor } from '../http/userFixture.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

let office: Office;
before(async () => {
  if (!noBrowser) office = await openOffice();
});
afterEach(() => office?.release());
after(() => office?.close());

const skip = noBrowser;
const WAIT = { timeout: 20_000 };

test('a payment is found while typing, and partly refunded after a step-up', { skip }, async () => {
  const { gateway } = office;
  const shop = createClient(gateway.url);
  const { id } = await shop.pay({ ...SHOPPER, merchantTransactionId: 'order-browser-1', amount: '57.31' });
  for (let number = 0; number < 3; number += 1) await shop.pay({ merchantTransactionId: `order-other-${number}` });
  const person = await createUserWithPassword(gateway, { role: 'finance', entityId: DEMO.merchantId });
  const { cookie } = await sessionFor(gateway, person.user, false);
  const seat = await office.sit({ isSignedOut: true });
  const { page } = seat;
  const [name = '', value = ''] = cookie.split('=');
  await seat.context.addCookies([{ name, value, url: gateway.backOfficeUrl, httpOnly: true, sameSite: 'Strict' }]);
  await seat.go('/payments');
  await page.getByRole('row').nth(4).waitFor(WAIT);
  await page.getByRole('searchbox', { name: 'Find payments' }).fill('57.31');
  await page.waitForURL(/q=57\.31/, WAIT);
  await page.getByText('1 row', { exact: true }).waitFor(WAIT);
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: '€57.31' }).waitFor(WAIT);
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund' });
  const amount = dialog.getByLabel('Amount (EUR)');
  await amount.fill('60');
  await dialog.getByText('Maximum €57.31.').waitFor(WAIT);
  await amount.fill('20.00');
  await dialog.getByText('€37.31').waitFor(WAIT);
  await seat.shot('payments-refund');
  await seat.axe();
  await dialog.getByRole('button', { name: 'Refund €20.00' }).dblclick();
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
  await proof.getByLabel('Code').fill(person.code());
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Refund completed: €20.00.').waitFor(WAIT);
  await page.getByRole('heading', { name: 'Related transactions' }).waitFor(WAIT);
  const family = await gateway.world.store.family(DEMO.merchantId, id);
  assert.deepEqual(
    family?.payments.map(({ paymentType, amount: moved }) => [paymentType, moved]),
    [
      ['DB', 5731n],
      ['RF', 2000n],
    ],
  );
  // The code was asked for before the refund was sent: nothing was refused.
  assert.deepEqual(seat.troubles, []);
  const operator = await office.sit();
  const audit = await operator.ask?.('GET', `/audit?entityId=${DEMO.merchantId}&what=refundPayment`);
  const entries: readonly AuditShown[] = audit?.body.entries ?? [];
  assert.deepEqual(
    entries.map(({ outcome }) => outcome),
    ['done'],
  );
});

test('a read-only user has no buttons, is refused by the API, and exports the list', { skip }, async () => {
  const { gateway } = office;
  const shop = createClient(gateway.url);
  const declined = await shop.pay({ merchantTransactionId: 'order-declined', 'card.expiryYear': '2020' });
  const { id } = await shop.pay({ merchantTransactionId: 'order-looked-at' });
  const seat = await office.sit({ role: 'readOnly', entityId: DEMO.merchantId, colorScheme: 'dark' });
  const { page } = seat;
  await seat.go(`/payments/${id}`);
  await page.getByRole('heading', { name: 'Timeline' }).waitFor(WAIT);
  assert.equal(await page.getByRole('button', { name: /^(Refund|Reverse|Record chargeback|Capture)/ }).count(), 0);
  const refused = await seat.ask?.('POST', `/payments/${id}/refund`, { amount: '1.00', key: 'a-key-of-a-test-01' });
  assert.equal(refused?.status, 403);
  assert.equal((await gateway.world.store.family(DEMO.merchantId, id))?.payments.length, 1);
  // From the list to the cause of a decline: the row, then the link.
  await seat.go('/payments?state=declined&q=order-declined');
  await page.getByRole('row').nth(1).click();
  await page.getByRole('link', { name: 'See reason' }).click();
  assert.match(page.url(), /#cause$/);
  assert.ok(await page.locator('#cause').isVisible());
  await seat.axe();
  await seat.go('/payments?q=order-declined');
  const [download] = await Promise.all([
    page.waitForEvent('download', WAIT),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  const rows = parse(readFileSync(await download.path(), 'utf8'), { delimiter: ';', columns: true }) as Record<string, string>[];
  assert.deepEqual(
    rows.map((row) => [row.id, row.amount, row.code]),
    [[declined.id, '92.00', declined.code]],
  );
  assert.deepEqual(seat.troubles, []);
});

test('a view is saved, shared by its address, and opened again', { skip }, async () => {
  const seat = await office.sit({ role: 'support', entityId: DEMO.merchantId, viewport: { width: 390, height: 800 } });
  const { page } = seat;
  await seat.go('/payments?state=declined');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save view' }).click();
  await page.getByLabel('View name').fill('Declined ones');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('View “Declined ones” saved.').waitFor(WAIT);
  await seat.go('/payments');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Declined ones', exact: true }).click();
  await page.waitForURL(/state=declined/, WAIT);
  await seat.fits();
  await page.getByRole('searchbox', { name: 'Find payments' }).fill('4200 0000 0000 0000');
  await page.waitForURL(/q=0000(&|$)/, WAIT);
  assert.ok(!new URL(page.url()).search.includes('42'), 'a card number does not go into an address');
  const search = page.getByRole('searchbox', { name: 'Find payments' });
  await search.fill('');
  await search.pressSequentially('4200 0000 0000 0000');
  await page.waitForURL(/q=0000(&|$)/, WAIT);
  assert.equal(await search.inputValue(), '0000', 'typed key by key it is its end as well');
  assert.deepEqual(seat.troubles, []);
});
