import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { payAt, routedKinds, routedShops } from '../http/routedShop.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** Routing: rules are read, changed, refused, saved and tried on the past. */

const skip = noBrowser;
const { shops, rows } = routedShops(1, [{ name: 'Large', when: { amountFrom: '100.00' }, to: ['closed', 'large'] }]);
const shop = shops[0] ?? assert.fail('no shop');
const channelId = shop.channels[0]?.entityId ?? '';
const merchantId = shop.merchant.entityId;
const PAGE = '/administration/routing';

let office: Office;
before(async () => {
  if (skip) return;
  office = await openOffice({ rows, connectorKinds: routedKinds });
  await office.gateway.services.backOffice();
});
afterEach(() => office?.release());
after(() => office?.close());

const storedRules = async () =>
  ((await office.gateway.services.accounts.store.entities()).find(({ id }) => id === channelId)?.settings.routing as
    | { readonly rules: readonly object[] }
    | undefined) ?? null;

test('rules are added, moved, undone, refused, mended and saved for the channel', { skip }, async () => {
  const seat = await office.sit({ role: 'administrator', entityId: merchantId });
  const page = await seat.go(`${PAGE}?entity=${merchantId}`);
  await page.getByText('Choose a channel', { exact: true }).waitFor();
  await seat.axe();
  await page.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: 'Fresh_1' }).click();
  await page.getByText('100.00 and above: to closed, then large').waitFor();
  await page.getByText('Inherited from Fresh.').waitFor();
  const rules = page.locator('.routing-rule');
  assert.equal(await rules.first().getByText('Off', { exact: true }).count(), 1);
  assert.equal(await page.getByText('all other methods').count(), 1);

  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('combobox', { name: 'Currencies' }).fill('JPY');
  await page.getByRole('option', { name: 'JPY' }).click();
  await page.getByRole('textbox', { name: 'Amount from' }).fill('ten');
  await page.getByText('JPY, ten and above: to no account yet').waitFor();
  await seat.axe();
  await page.getByRole('button', { name: 'Save rules' }).click();
  const fault = rules.nth(1).getByRole('alert');
  await fault.waitFor();
  assert.match((await fault.textContent()) ?? '', /"to" must be .*"when\.amountFrom" must be an amount/);
  assert.equal(await rules.first().getByRole('alert').count(), 0);
  await seat.shot('routing-fault');
  await page.getByRole('textbox', { name: 'Amount from' }).fill('5000');
  await fault.waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Share in percent' }).fill('40');
  await page.getByRole('combobox', { name: 'Add account' }).click();
  await page.getByRole('option', { name: 'strict' }).click();
  await page.getByRole('combobox', { name: 'Add account' }).click();
  await page.getByRole('option', { name: 'base' }).click();
  await page.getByRole('button', { name: 'Move up: base' }).click();
  await page.getByText('JPY, 5000 and above: 40 % to base, then strict').waitFor();
  await page.getByRole('combobox', { name: 'When none of these accounts' }).click();
  await page.getByRole('option', { name: 'Refuse the payment' }).click();
  await page.getByText('40 % to base, then strict, or refuse the payment').waitFor();
  await seat.axe();
  await seat.shot('routing-refuse');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('40 % to strict, then base').waitFor();
  await page.getByRole('combobox', { name: 'When none of these accounts' }).click();
  await page.getByRole('option', { name: 'Refuse the payment' }).click();
  await page.getByRole('button', { name: 'Move up: Rule 2' }).press('Enter');
  assert.match((await rules.first().textContent()) ?? '', /strict, then base/);
  await page.getByRole('button', { name: 'Remove: Rule 2' }).click();
  assert.equal(await rules.count(), 1);
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await rules.count(), 2);
  await seat.axe();
  await seat.shot('routing');

  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByText('Rules saved. They apply from now on.').waitFor();
  assert.deepEqual(await storedRules(), {
    rules: [
      { when: { currencies: ['JPY'], amountFrom: '5000' }, share: 40, to: ['strict', 'base'], otherwise: 'refuse' },
      { name: 'Large', when: { amountFrom: '100.00' }, to: ['closed', 'large'] },
    ],
  });
  await page.getByRole('button', { name: 'Inherit again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Inherit again' }).click();
  await page.getByText('Inherited from Fresh.').waitFor();
  assert.equal(await storedRules(), null);
  assert.deepEqual(
    seat.troubles.filter((trouble) => !trouble.startsWith('400: POST')),
    [],
  );
});

test('changed rules are tried on past payments, beside those in force', { skip }, async () => {
  const { gateway } = office;
  const payer = { url: gateway.url, token: shop.merchant.token, entityId: channelId };
  for (const amount of ['10.00', '20.00', '300.00']) await payAt(payer, { amount });
  gateway.pass(1_000);
  const seat = await office.sit({ role: 'administrator', entityId: merchantId });
  const page = await seat.go(`${PAGE}?entity=${channelId}`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('button', { name: 'Try on past payments' }).click();
  await page.getByText('rule 2: "to" must be a list of account names').waitFor();
  await page.getByRole('combobox', { name: 'Add account' }).click();
  await page.getByRole('option', { name: 'strict' }).click();
  await page.getByRole('button', { name: 'Close rule 2' }).click();
  await page.getByRole('button', { name: 'Try on past payments' }).click();
  await page.getByText(/^3 payments from /).waitFor();
  const byAccount = page.getByRole('table', { name: 'By account' });
  const rowOf = async (name: string) =>
    (
      await byAccount
        .getByRole('row', { name: new RegExp(`^${name}`) })
        .getByRole('cell')
        .allTextContents()
    ).join(' | ');
  assert.equal(await rowOf('base'), '2 66.67%€30.00 | 0 0% | 100% (2 of 2)');
  assert.equal(await rowOf('strict'), '0 0% | 2 66.67%€30.00 | –');
  assert.equal(await rowOf('large'), '1 33.33%€300.00 | 1 33.33%€300.00 | 100% (1 of 1)');
  await seat.axe();
  await page.getByRole('heading', { name: 'Back-test' }).scrollIntoViewIfNeeded();
  await byAccount.scrollIntoViewIfNeeded();
  await seat.shot('routing-backtest');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The rules have changed since this back-test.').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await seat.fits();
  await byAccount.scrollIntoViewIfNeeded();
  await seat.shot('routing-backtest-phone');
  await seat.axe();
  assert.deepEqual(
    seat.troubles.filter((trouble) => !trouble.startsWith('400: POST')),
    [],
  );
});

test('the rules on a phone, in German and dark; who only reads changes nothing', { skip }, async () => {
  const seat = await office.sit({
    role: 'support',
    entityId: merchantId,
    language: 'de',
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  });
  const page = await seat.go(`${PAGE}?entity=${channelId}`);
  await page.getByText('ab 100.00: an closed, dann large').waitFor();
  await seat.fits();
  await seat.axe();
  await seat.shot('routing-phone');
  assert.equal(await page.getByRole('button', { name: 'Regel hinzufügen' }).count(), 0);
  assert.deepEqual(seat.troubles, []);
});

test('the fields of a rule on a phone, in the dark', { skip }, async () => {
  const seat = await office.sit({
    role: 'administrator',
    entityId: merchantId,
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  });
  const page = await seat.go(`${PAGE}?entity=${channelId}`);
  await page.getByRole('button', { name: 'Change rule 1' }).click();
  await page.getByRole('textbox', { name: 'Amount from' }).waitFor();
  await seat.fits();
  await seat.axe();
  await seat.shot('routing-fields-phone');
  await page.setViewportSize({ width: 1280, height: 1000 });
  await seat.shot('routing-fields-dark');
  assert.deepEqual(seat.troubles, []);
});

test('saving asks for the identity, and a change of another user is not overwritten', { skip }, async () => {
  const unproven = await office.sit({ role: 'administrator', entityId: merchantId, isSteppedUp: false });
  const asked = await unproven.go(`${PAGE}?entity=${channelId}`);
  await asked.getByRole('button', { name: 'Remove: Rule 1' }).click();
  await asked.getByRole('button', { name: 'Save rules' }).click();
  await asked.getByRole('dialog', { name: 'Confirm your identity' }).waitFor();

  const seat = await office.sit({ role: 'administrator', entityId: merchantId });
  const page = await seat.go(`${PAGE}?entity=${channelId}`);
  await page.getByRole('button', { name: 'Remove: Rule 1' }).click();
  const { store } = office.gateway.services.accounts;
  const row = (await store.entities()).find(({ id }) => id === channelId) ?? assert.fail('no channel');
  await store.saveEntity({ id: row.id, name: row.name, settings: { timeZone: 'UTC' }, revision: row.revision + 1 });
  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByText('Another user has saved changes. Discard yours to see them.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Save rules' }).isDisabled());
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('100.00 and above: to closed, then large').waitFor();
  assert.equal(await storedRules(), null);
});
