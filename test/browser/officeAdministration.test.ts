import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { createClient, DEMO } from '../http/client.ts';
import { createUserWithPassword, sessionFor, signedInAs } from '../http/userFixture.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** Account data, users and approvals, in a real browser. */

const { merchantId } = sandbox.demoShop;
const ACCOUNT = '/administration/account';

let office: Office;
before(async () => {
  if (noBrowser) return;
  office = await openOffice();
  // On a busy machine they take longer to make than a page may take to load.
  await office.gateway.services.backOffice();
});
afterEach(() => office?.release());
after(() => office?.close());

test('a token is rotated with a code of the app, and both pay until the old one is ended', { skip: noBrowser }, async () => {
  const { gateway } = office;
  const person = await createUserWithPassword(gateway, { role: 'administrator', entityId: merchantId });
  const seat = await office.sit({ isSignedOut: true });
  const { page } = seat;
  const [name = '', value = ''] = (await sessionFor(gateway, person.user, false)).cookie.split('=');
  await seat.context.addCookies([{ name, value, url: gateway.backOfficeUrl, httpOnly: true, sameSite: 'Strict' }]);
  await seat.go(`${ACCOUNT}?entity=${merchantId}`);
  const trail = page.getByRole('navigation', { name: 'Path' });
  assert.equal(await trail.textContent(), 'Administration › Account data › Merchant Info');
  await seat.shot('account');

  await page.getByRole('button', { name: 'Actions for Unnamed' }).click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate token' });
  assert.equal(await dialog.getByRole('radio', { name: 'In 24 hours' }).isChecked(), true);
  await seat.axe();
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
  await proof.getByRole('textbox', { name: 'Code' }).fill(person.code());
  await proof.getByRole('button', { name: 'Confirm' }).click();
  const shown = page.getByRole('dialog', { name: 'New token' });
  const token = (await shown.locator('.copyable code').textContent()) ?? '';
  await seat.axe();
  await seat.shot('token');
  await shown.getByRole('button', { name: 'I’ve saved it' }).click();
  await shown.waitFor({ state: 'detached' });
  assert.ok(!(await page.content()).includes(token), 'it is not seen again');

  const pay = async (by: string) => (await createClient(gateway.url, { entityId: DEMO.entityId, token: by }).pay()).status;
  assert.deepEqual([await pay(DEMO.token), await pay(token)], [200, 200], 'side by side');
  await page.getByRole('row').filter({ hasText: 'Expiring' }).getByRole('button', { name: 'Actions for Unnamed' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog', { name: 'Revoke token' }).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row').filter({ hasText: 'Expired' }).waitFor();
  assert.deepEqual([await pay(DEMO.token), await pay(token)], [403, 200]);
  assert.deepEqual(
    seat.troubles.filter((trouble) => !trouble.startsWith('403: POST')),
    [],
    'but the refusal that asks for the code',
  );
});

test('a token is limited to addresses, told what is none, and accepted from anywhere again', { skip: noBrowser }, async () => {
  const { gateway } = office;
  const { ask } = await signedInAs(gateway, { role: 'administrator', entityId: merchantId });
  const { token } = (await ask('POST', '/tokens', { entityId: DEMO.entityId, name: 'Till' })).body;
  const pay = async () => (await createClient(gateway.url, { entityId: DEMO.entityId, token }).pay()).status;
  const seat = await office.sit({ role: 'administrator', entityId: merchantId });
  const { page } = seat;
  await seat.go(`${ACCOUNT}?entity=${DEMO.entityId}`);
  const row = page.getByRole('row').filter({ hasText: 'Till' });
  const open = async () => {
    await page.getByRole('button', { name: 'Actions for Till' }).click();
    await page.getByRole('menuitem', { name: 'Set allowed addresses' }).click();
  };
  const dialog = page.getByRole('dialog', { name: 'Set allowed addresses' });
  const save = dialog.getByRole('button', { name: 'Set allowed addresses' });
  const field = dialog.getByRole('textbox', { name: 'Allowed addresses' });
  await open();
  await field.fill('192.0.2.7/24');
  await save.click();
  await dialog.getByText('a block has no bits after its prefix').waitFor();
  await seat.axe();
  await field.fill('192.0.2.0/24, 2001:db8::/32');
  await save.click();
  await row.filter({ hasText: '192.0.2.0/24, 2001:db8::/32' }).waitFor();
  assert.equal(await pay(), 403);
  await open();
  assert.equal(await field.inputValue(), '192.0.2.0/24\n2001:db8::/32');
  await field.fill('');
  await save.click();
  await row.filter({ hasText: 'Anywhere' }).waitFor();
  assert.equal(await pay(), 200);
});

test('what another user does with a token is counted and listed as a notice, until it is read', { skip: noBrowser }, async () => {
  const { gateway } = office;
  const seat = await office.sit({ role: 'administrator', entityId: merchantId });
  await gateway.work('write notices');
  const { ask } = await signedInAs(gateway, { role: 'administrator', entityId: merchantId });
  await ask('POST', '/tokens', { entityId: DEMO.entityId, name: 'Unseen' });
  await gateway.work('write notices');
  const { page } = seat;
  await seat.go('/administration/notices');
  const place = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: /^Administration/ });
  await place.filter({ hasText: '1' }).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Issued access token' });
  await row.filter({ hasText: 'New' }).waitFor();
  await seat.axe();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await row.filter({ hasNotText: 'New' }).waitFor();
  await place.filter({ hasNotText: '1' }).waitFor();
  assert.deepEqual(seat.troubles, []);
});

test('a setting is changed, told what is wrong, and inherited again; who only reads changes nothing', {
  skip: noBrowser,
}, async () => {
  const seat = await office.sit({ role: 'administrator', entityId: merchantId });
  const { page } = seat;
  const row = (label: string) => page.locator('.setting').filter({ has: page.getByText(label, { exact: true }) });
  const change = async (label: string) => {
    await page.getByRole('button', { name: `Edit: ${label}` }).click();
    return page.getByRole('dialog', { name: label });
  };
  await seat.go(`${ACCOUNT}?entity=${DEMO.entityId}&part=settings`);
  await row('Lenient validation').getByText('Default').waitFor();
  const lenient = await change('Lenient validation');
  await lenient.getByRole('switch', { name: 'Lenient validation' }).check({ force: true });
  await lenient.getByRole('button', { name: 'Save' }).click();
  await row('Lenient validation').getByText('Overridden').waitFor();
  assert.equal(office.gateway.directory.entity(DEMO.entityId)?.channel?.isLenient, true);
  await (await change('Lenient validation')).getByRole('button', { name: 'Reset to inherited' }).click();
  await row('Lenient validation').getByText('Default').waitFor();
  assert.equal(office.gateway.directory.entity(DEMO.entityId)?.channel?.isLenient, false);

  const duplicates = await change('Duplicate window (seconds)');
  await duplicates.getByRole('textbox', { name: 'Duplicate window (seconds)' }).fill('999999');
  await duplicates.getByRole('button', { name: 'Save' }).click();
  await duplicates.getByText('must be a whole number of 0 to 86400').waitFor();
  await seat.axe();
  await duplicates.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(
    seat.troubles.filter((trouble) => !trouble.startsWith('400: POST')),
    [],
  );

  const reader = await office.sit({ role: 'readOnly', entityId: merchantId });
  await reader.go(`${ACCOUNT}?entity=${DEMO.entityId}&part=settings`);
  await reader.page.getByText('Lenient validation', { exact: true }).waitFor();
  assert.equal(await reader.page.getByRole('button', { name: 'Edit: Lenient validation' }).count(), 0);
  assert.deepEqual(reader.troubles, []);
});

test('somebody is invited by a link that is shown once', { skip: noBrowser }, async () => {
  const seat = await office.sit({ role: 'administrator', entityId: merchantId });
  const { page } = seat;
  await seat.go('/administration/users');
  await page.getByRole('button', { name: 'Invite user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite user' });
  await dialog.getByLabel('E-mail').fill('till@shop.example');
  await dialog.getByLabel('Name').fill('Ann Example, night shift');
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Support' }).click();
  await seat.axe();
  await dialog.getByRole('button', { name: 'Invite user' }).click();
  const shown = page.getByRole('dialog', { name: 'Invitation link' });
  const link = (await shown.locator('.copyable code').textContent()) ?? '';
  assert.match(link, /\/welcome#[A-Za-z0-9_-]{20,}$/);
  await seat.shot('invited');
  await shown.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: 'till@shop.example' });
  await row.getByText('Invited').waitFor();
  await row.getByText('Support at Demo Shop').waitFor();
  await page.getByRole('link', { name: 'Ann Example, night shift' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ann Example, night shift' }).waitFor();
  await seat.axe();
  const guest = await office.sit({ isSignedOut: true });
  await guest.page.goto(link);
  await guest.page.getByLabel('Name').waitFor();
  assert.deepEqual(seat.troubles, []);
});

test('a refund above the set amount is approved by another', { skip: noBrowser }, async () => {
  const { gateway } = office;
  const operator = await signedInAs(gateway);
  const { revision } = (await operator.ask('GET', `/entities/${sandbox.otherShop.merchantId}`)).body;
  const limit = { revision, set: { approvals: { EUR: '50.00' } } };
  assert.equal((await operator.ask('POST', `/entities/${sandbox.otherShop.merchantId}`, limit)).status, 200);
  const entity = { entityId: sandbox.otherShop.channelId, token: sandbox.otherShop.token };
  const shop = createClient(gateway.url, entity);
  const payment = await shop.pay();
  const asking = await signedInAs(gateway, { role: 'finance', entityId: sandbox.otherShop.merchantId });
  const asked = await asking.ask('POST', `/payments/${payment.id}/refund`, { amount: '92.00', key: 'f'.repeat(32) });
  assert.ok(asked.status < 300, JSON.stringify(asked.body));

  const seat = await office.sit({ role: 'finance', entityId: sandbox.otherShop.merchantId });
  const { page } = seat;
  await seat.go('/administration/approvals');
  const row = page.getByRole('row').filter({ hasText: 'Refund' });
  await row.getByText('€92.00', { exact: true }).waitFor();
  await row.getByText('€92.00 exceeds the limit of €50.00.').waitFor();
  await seat.axe();
  await seat.shot('approvals');
  await row.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve' });
  await dialog.getByLabel('Note').fill('called the shopper');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('No pending approvals').waitFor();
  await page.getByRole('tab', { name: 'Decided' }).click();
  await page.getByRole('row').filter({ hasText: 'Executed' }).getByText('called the shopper').waitFor();
  assert.equal((await shop.refund(payment.id, '1.00')).status, 400, 'all of it was paid back');
  assert.deepEqual(seat.troubles, []);
});
