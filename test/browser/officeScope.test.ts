import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { DEMO } from '../http/client.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** What a user may open, and for which merchant. */

let office: Office;
before(async () => {
  if (!noBrowser) office = await openOffice();
});
afterEach(() => office?.release());
after(() => office?.close());

const skip = noBrowser;
const WAIT = { timeout: 20_000 };

for (const [language, title] of [
  ['en', 'No permission'],
  ['de', 'Keine Berechtigung'],
] as const) {
  test(`${language}: a page beyond the role of the user says so`, { skip }, async () => {
    const seat = await office.sit({ role: 'support', entityId: DEMO.merchantId, language });
    await seat.go('/administration/users');
    await seat.page.getByRole('heading', { level: 1, name: title }).waitFor(WAIT);
    await seat.axe();
    await seat.shot(`no-permission-${language}`);
    // The page does not ask for what the user may not see.
    assert.deepEqual(seat.troubles, []);
  });
}

test('a page about one merchant has the choice on it, and the next one remembers it', { skip }, async () => {
  const seat = await office.sit({ viewport: { width: 390, height: 844 } });
  const { page } = seat;
  await seat.go('/ledger');
  await page.getByText('Choose a merchant').waitFor(WAIT);
  await seat.axe();
  await seat.fits();
  await seat.shot('merchant-picker-390');
  await page.getByRole('combobox', { name: 'Merchant' }).click();
  await page.getByRole('option', { name: 'Demo Shop' }).click();
  await page.waitForURL(new RegExp(`entity=${DEMO.merchantId}`), WAIT);
  await page.getByLabel('As of').waitFor(WAIT);
  for (const path of ['/reports', '/settlement/unsettled', '/risk/lists', '/developer/clock']) {
    await seat.go(path);
    await page.waitForURL(new RegExp(`${path}\\?entity=${DEMO.merchantId}`), WAIT);
    assert.equal(await page.getByText('Choose a merchant').count(), 0, path);
  }
  assert.deepEqual(seat.troubles, []);
});

test('an invitation is for the narrowest scope and role until others are chosen', { skip }, async () => {
  const seat = await office.sit();
  const { page } = seat;
  await seat.go('/administration/users');
  await page.getByRole('button', { name: 'Invite user' }).click();
  const dialog = page.getByRole('dialog');
  const entity = dialog.getByRole('combobox', { name: 'Entity' });
  // Several merchants: none of them is taken for granted.
  assert.equal(await entity.inputValue(), '');
  await dialog.getByLabel('E-mail').fill('ben@shop.example');
  await dialog.getByLabel('Name').fill('Ben');
  assert.ok(await dialog.getByRole('button', { name: 'Invite user' }).isDisabled());
  await seat.axe();
  await seat.shot('invite-narrow');
  await seat.go(`/administration/users?entity=${DEMO.merchantId}`);
  await page.getByRole('button', { name: 'Invite user' }).click();
  assert.equal(await entity.inputValue(), 'Demo Shop');
  assert.equal(await dialog.getByRole('combobox', { name: 'Role' }).inputValue(), 'Read-only');
  assert.deepEqual(seat.troubles, []);
});
