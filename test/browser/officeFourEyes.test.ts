import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { createClient } from '../http/client.ts';
import { signedInAs } from '../http/userFixture.ts';
import { noBrowser, type Office, type OfficePage, openOffice } from './office.ts';

/** Why a second person is needed and who may be that, in a real browser, in both languages. */

const { merchantId, channelId, token } = sandbox.otherShop;
/** A busy machine is slow, and the page must come all the same. */
const WAIT = { timeout: 120_000 };

let office: Office;
before(async () => {
  if (noBrowser) return;
  office = await openOffice();
  await office.gateway.services.backOffice();
  const { gateway } = office;
  const operator = await signedInAs(gateway);
  await signedInAs(gateway, { role: 'finance', entityId: merchantId });
  const { revision } = (await operator.ask('GET', `/entities/${merchantId}`)).body;
  const reply = await operator.ask('POST', `/entities/${merchantId}`, { revision, set: { approvals: { EUR: '40.00' } } });
  assert.equal(reply.status, 200);
});
afterEach(() => office?.release());
after(() => office?.close());

/** A user who has refunded 30 of a payment alone, at the form for another 20. */
async function refunding(seat: OfficePage, words: { readonly act: string; readonly amount: RegExp }) {
  const payment = await createClient(office.gateway.url, { entityId: channelId, token }).pay();
  const values = { amount: '30.00', key: `before-${payment.id}` };
  assert.equal((await seat.ask?.('POST', `/payments/${payment.id}/refund`, values))?.status, 200);
  await seat.go(`/payments/${payment.id}`);
  await seat.page.getByRole('button', { name: words.act }).click(WAIT);
  const dialog = seat.page.getByRole('dialog', { name: words.act });
  await dialog.getByLabel(words.amount).fill('20.00', WAIT);
  return dialog;
}

test('a split refund says why it waits, and for whom', { skip: noBrowser }, async () => {
  const seat = await office.sit({ role: 'finance', entityId: merchantId });
  const dialog = await refunding(seat, { act: 'Refund', amount: /^Amount/ });
  await dialog.getByText('Refund: your total on this payment would be €50.00; limit €40.00.').waitFor(WAIT);
  await dialog.getByText('Can be approved by: Ann Example').waitFor(WAIT);
  await seat.axe();
  await seat.shot('four-eyes-refund-en');
  await dialog.getByRole('button', { name: 'Refund €20.00' }).click(WAIT);
  await seat.page.getByText('Submitted for approval. A second user must approve it.').waitFor(WAIT);
  const other = await office.sit({ role: 'finance', entityId: merchantId });
  await other.go('/administration/approvals');
  await other.page.getByText('The user’s total on this payment would be €50.00; limit €40.00.').waitFor(WAIT);
  await other.axe();
  await other.fits();
  await other.shot('four-eyes-approvals-en');
  const button = await other.page.getByRole('button', { name: 'Approve' }).first().boundingBox();
  assert.ok(button && button.x + button.width <= 1280, `it ends at ${button && button.x + button.width}`);
  assert.deepEqual([...seat.troubles, ...other.troubles], []);
});

test('the same in German, on a phone', { skip: noBrowser }, async () => {
  const seat = await office.sit({ role: 'finance', entityId: merchantId, language: 'de', viewport: { width: 390, height: 844 } });
  const dialog = await refunding(seat, { act: 'Erstatten', amount: /^Betrag/ });
  await dialog.getByText(/Die eigene Summe an dieser Zahlung wäre 50,00\s€; Limit 40,00\s€\./).waitFor(WAIT);
  await dialog.getByText(/Freigeben können: Ann Example/).waitFor(WAIT);
  await seat.axe();
  await seat.fits();
  await seat.shot('four-eyes-refund-de');
  assert.deepEqual(seat.troubles, []);
});

test('a higher limit waits for a second person, who sees what it was and will be', { skip: noBrowser }, async () => {
  const seat = await office.sit({ role: 'administrator', entityId: merchantId });
  const { page } = seat;
  await seat.go(`/administration/account?entity=${merchantId}&part=settings`);
  await page.getByRole('button', { name: 'Edit: Approval above' }).click(WAIT);
  const dialog = page.getByRole('dialog', { name: 'Approval above' });
  await dialog.getByText(/Amounts that a user may process alone/).waitFor(WAIT);
  // A limit needs a currency and an amount.
  const amount = dialog.getByRole('textbox', { name: 'Amount' });
  await amount.fill('', WAIT);
  await dialog.getByRole('button', { name: 'Add currency' }).click(WAIT);
  await dialog.getByRole('button', { name: 'Save' }).click(WAIT);
  await dialog.getByText('Choose a currency.').waitFor(WAIT);
  const missing = dialog.getByText('Enter an amount, for example 500.00.');
  await missing.nth(1).waitFor(WAIT);
  assert.equal(await missing.count(), 2);
  await seat.axe();
  await seat.shot('four-eyes-limit-missing-en');
  await dialog.getByRole('button', { name: 'Remove Amount' }).click(WAIT);
  await amount.fill('900', WAIT);
  await seat.shot('four-eyes-limit-en');
  await dialog.getByRole('button', { name: 'Save' }).click(WAIT);
  await page.getByText('This weakens the approval rules and needs a second user.').waitFor(WAIT);
  await seat.shot('four-eyes-limit-asked-en');
  assert.deepEqual(office.gateway.directory.entity(merchantId)?.settings.approvals, { EUR: '40.00' });
  const other = await office.sit({ role: 'finance', entityId: merchantId, language: 'de' });
  await other.go('/administration/approvals');
  const row = other.page.getByRole('row').filter({ hasText: 'Änderung der Freigabelimits' });
  await row.getByText('Schwächt die Freigaberegeln. Limits: EUR 40.00 → EUR 900.00').waitFor(WAIT);
  await other.shot('four-eyes-approvals-de');
  await row.getByRole('button', { name: 'Freigeben' }).click(WAIT);
  await other.page.getByRole('dialog', { name: 'Freigeben' }).getByRole('button', { name: 'Freigeben' }).click(WAIT);
  await other.page.getByText('Freigegeben und ausgeführt.').waitFor(WAIT);
  assert.deepEqual(office.gateway.directory.entity(merchantId)?.settings.approvals, { EUR: '900.00' });
  assert.deepEqual([...seat.troubles, ...other.troubles], []);
});
