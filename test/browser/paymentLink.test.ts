import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { buildWidget } from '../../src/assets/build.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** A payment link from the back office to the paid page: the whole widget on a channel that lists its shops. */

const CHANNEL = '5eed00000000000000000000000000e1';
let office: Office;
before(async () => {
  if (noBrowser) return;
  const settings = { widgetOrigins: ['https://shop.example'], shopperResultHosts: ['shop.example'] };
  const entities = [{ id: CHANNEL, kind: 'channel', parentId: sandbox.demoShop.merchantId, name: 'Invoices', settings }] as const;
  office = await openOffice({ build: await buildWidget(), rows: { entities, tokens: [] } });
});
afterEach(() => office?.release());
after(() => office?.close());

async function enterCard(page: Page, holder: string): Promise<void> {
  const frame = (name: string) => page.frameLocator(`iframe[name="${name}"]`).locator('input');
  await frame('card.number').pressSequentially('4200000000000000');
  await page.locator('.wpwl-control-expiry').pressSequentially('0534');
  await page.locator('.wpwl-control-cardHolder').fill(holder);
  await frame('card.cvv').pressSequentially('123');
  await page.locator('button.wpwl-button-pay[type=submit]:visible').first().click();
}

test('an operator creates a link; the shopper is declined, pays, and sees the result again', { skip: noBrowser }, async () => {
  const { page, ...seat } = await office.sit({ role: 'support' });
  await seat.go(`/checkouts?entity=${CHANNEL}`);
  await page.getByRole('button', { name: 'Create payment link' }).click();
  const form = page.getByRole('dialog', { name: 'Create payment link' });
  await form.getByLabel('Amount').fill('92,5');
  await form.getByLabel('Description').fill('Invoice 4711');
  await form.getByLabel('Your reference').fill('short');
  await form.getByRole('button', { name: 'Create payment link' }).click();
  await form.getByText('must be 8 to 255 characters').waitFor();
  await seat.axe();
  await seat.shot('payment-link-form');
  await form.getByLabel('Your reference').fill('invoice-4711');
  await form.getByRole('button', { name: 'Create payment link' }).click();
  const created = page.getByRole('dialog', { name: 'Payment link created' });
  const url = (await created.locator('code').textContent()) ?? '';
  await created.getByRole('img', { name: 'The payment link as a QR code' }).waitFor();
  await seat.axe();
  await seat.shot('payment-link-created');
  await created.getByRole('button', { name: 'Done' }).click();

  const shopper = await office.sit({ isSignedOut: true });
  await shopper.page.goto(url);
  await shopper.page.getByRole('heading', { level: 1, name: '€92.50' }).waitFor();
  await shopper.page.getByText('Invoice 4711').waitFor();
  await shopper.page.locator('.wpwl-button-pay:visible').first().waitFor();
  await shopper.axe();
  await shopper.shot('payment-link-page');
  await enterCard(shopper.page, '800.100.151');
  await shopper.page.locator('.wpwl-message.wpwl-has-error').waitFor();
  await shopper.page.reload();
  await shopper.page.getByRole('status').filter({ hasText: 'This card could not be used' }).waitFor();
  await enterCard(shopper.page, 'Ann Example');
  await shopper.page.getByRole('status').filter({ hasText: 'Thank you' }).waitFor();
  await shopper.axe();
  await shopper.shot('payment-link-paid');
  await shopper.page.goto(url);
  await shopper.page.getByRole('status').filter({ hasText: 'Thank you' }).waitFor();
  assert.equal(await shopper.page.locator('.paymentWidgets').count(), 0);
  assert.deepEqual(shopper.troubles, []);

  await seat.go(`/checkouts?entity=${CHANNEL}`);
  await page.getByRole('row').filter({ hasText: 'Payment link' }).filter({ hasText: 'Paid' }).click();
  await page.getByText(url).first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Deactivate link' }).count(), 0);
  assert.deepEqual(seat.troubles, [`400: POST ${office.gateway.backOfficeUrl}/admin/v1/paymentLinks`]);
});

test('a deactivated link cannot be paid; the page fits a phone in the dark', { skip: noBrowser }, async () => {
  const { page, ask, ...seat } = await office.sit({ role: 'support' });
  const values = { entityId: CHANNEL, amount: '10.00', currency: 'EUR', brands: ['VISA', 'MASTER', 'PAYPAL'] };
  const { body } = (await ask?.('POST', '/paymentLinks', values)) ?? { body: {} };
  const phone = await office.sit({
    isSignedOut: true,
    viewport: { width: 390, height: 800 },
    colorScheme: 'dark',
    language: 'de',
  });
  await phone.page.goto(body.url);
  await phone.page.locator('.wpwl-button-pay:visible').first().waitFor();
  await phone.fits();
  await phone.axe();
  await phone.shot('payment-link-phone');
  await phone.page.getByText('PayPal').first().click();
  await phone.page.locator('.wpwl-container-virtualAccount-PAYPAL .wpwl-button:visible').first().waitFor();
  await seat.go(`/checkouts/${body.id}?entity=${CHANNEL}`);
  await page.getByRole('button', { name: 'Deactivate link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Deactivate link' }).click();
  await page.getByText('Expired').first().waitFor();
  const answer = await phone.page.goto(body.url);
  assert.equal(answer?.status(), 410);
});

test('the dialogs speak German: form, fault, created link, deactivation', { skip: noBrowser }, async () => {
  const { page, ...seat } = await office.sit({ role: 'support', language: 'de', viewport: { width: 390, height: 844 } });
  await seat.go(`/checkouts?entity=${CHANNEL}`);
  await page.getByRole('button', { name: 'Zahlungslink erstellen' }).click();
  const form = page.getByRole('dialog', { name: 'Zahlungslink erstellen' });
  await form.getByText('Der Käufer öffnet den Link').waitFor();
  await form.getByText('Kunde', { exact: true }).click();
  for (const label of [
    'Betrag',
    'Währung',
    'Beschreibung',
    'Ihre Referenz',
    'Gültig für',
    'Art',
    'Zahlungsarten',
    'Kundennummer',
  ])
    await form.getByLabel(label).first().waitFor();
  assert.doesNotMatch(await form.innerText(), /\b(?:Amount|Currency|Description|Customer|Valid|Language|Cancel|Close)\b/);
  await seat.fits();
  await seat.axe();
  await seat.shot('payment-link-form-de');
  await form.getByLabel('Betrag').fill('10');
  await form.getByRole('button', { name: 'Zahlungslink erstellen' }).click();
  const created = page.getByRole('dialog', { name: 'Zahlungslink erstellt' });
  await created.getByText('Gültig bis').waitFor();
  await created.getByRole('img', { name: 'Der Zahlungslink als QR-Code' }).waitFor();
  const url = (await created.locator('code').textContent()) ?? '';
  await seat.axe();
  await seat.shot('payment-link-created-de');
  await created.getByRole('button', { name: 'Fertig' }).click();
  await seat.go(`/checkouts/${url.slice(url.lastIndexOf('/') + 1)}?entity=${CHANNEL}`);
  await page.getByRole('button', { name: 'Link deaktivieren' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Mit diesem Link kann dann nicht mehr gezahlt werden.').waitFor();
  await dialog.getByRole('button', { name: 'Link deaktivieren' }).click();
  await page.getByText('Abgelaufen').first().waitFor();
  assert.deepEqual(seat.troubles, []);
});
