import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { DEMO } from '../http/client.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

const store = createMemoryStore();
let office: Office;
before(async () => {
  if (!noBrowser) office = await openOffice({ store });
});
after(() => office?.close());

test('the audit log shows the last actions, filters them, verifies itself and exports CSV', {
  skip: noBrowser,
}, async () => {
  const { page, ...seat } = await office.sit({ role: 'administrator', entityId: DEMO.merchantId });
  const webhook = { entityId: DEMO.merchantId, name: 'Orders', url: 'https://shop.example/hook' };
  const made = await seat.ask?.('POST', '/webhooks', webhook);
  await seat.ask?.('POST', '/webhooks', { ...webhook, url: 'ftp://shop.example' });
  await seat.go('/audit');
  const rows = page.getByRole('row').filter({ hasText: 'Created webhook' });
  assert.equal(await rows.count(), 2);
  await rows.filter({ hasText: 'Rejected' }).waitFor();
  await seat.axe();
  await seat.shot('audit');

  await rows.filter({ hasText: 'Completed' }).click();
  const collection = page.getByRole('dialog');
  await collection.getByText(made?.id ?? '-').waitFor();
  await collection.getByText(/Ann Example <person\d+@shop\.example>/).waitFor();
  await seat.axe();
  await seat.shot('audit-entry');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name: 'Result', exact: true }).click();
  await page.getByRole('combobox', { name: 'Result' }).click();
  await page.getByRole('option', { name: 'Rejected' }).click();
  await page.waitForURL(/result=refused/);
  await page.getByRole('row').filter({ hasText: 'Completed' }).first().waitFor({ state: 'detached' });
  assert.equal(await rows.count(), 1);

  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText(/Verified up to entry \d+: no changes found\./).waitFor();
  const [third] = (await store.auditChain(1, 1)) as unknown as { result: string }[];
  assert.ok(third);
  third.result = 'done by nobody';
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText(/Problems found: 1/).waitFor();
  await seat.axe();

  const arriving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const download = await arriving;
  assert.equal(download.suggestedFilename(), 'audit.csv');
  const { number } = await store.auditHead();
  assert.equal((await store.auditChain(number - 1, 1))[0]?.what, 'exportAudit');
  assert.deepEqual(seat.troubles, []);
});
