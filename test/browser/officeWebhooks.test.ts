import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createClient, DEMO } from '../http/client.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

let office: Office;
before(async () => {
  if (!noBrowser) office = await openOffice();
});
afterEach(() => office?.release());
after(() => office?.close());

/** The jobs that no request waits for. */
async function deliver(): Promise<void> {
  await office.gateway.work('fan out events');
  await office.gateway.work('dispatch deliveries');
}

test('a webhook is added, tested, fails, is sent again, gets another key and goes', { skip: noBrowser }, async (t) => {
  const { gateway } = office;
  const receiver = await startReceiver(() => gateway.services.forMerchant(null).world.clock.now());
  t.after(() => receiver.close());
  const { page, ...seat } = await office.sit({ role: 'developer', entityId: DEMO.merchantId });
  await seat.go('/webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Add webhook' });
  await form.getByLabel('Name').fill('Orders');
  await form.getByLabel('URL').fill(receiver.url);
  await form.getByLabel('Risk checks').uncheck();
  await seat.axe();
  await form.getByRole('button', { name: 'Add' }).click();
  const key = page.getByRole('dialog', { name: 'Save this key' });
  receiver.keys = [Buffer.from((await key.locator('code').textContent()) ?? '', 'hex')];
  assert.equal(receiver.keys[0]?.length, 32);
  await key.getByRole('button', { name: 'I’ve saved it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.getByText('Not tested').waitFor();
  const notice = page.getByRole('status').filter({ hasText: 'It receives nothing until a test succeeds.' });
  await seat.axe();
  await seat.shot('webhook-untested');
  await notice.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('The webhook is active.').waitFor();
  await notice.waitFor({ state: 'detached' });

  receiver.manner = 'error';
  const paid = await createClient(gateway.url).pay();
  await deliver();
  await page.reload();
  await page.getByRole('row').filter({ hasText: 'PAYMENT' }).click();
  const collection = page.getByRole('dialog', { name: 'Delivery' });
  await collection.getByText(/500 .*after \d+ ms/).waitFor();
  // The panel speaks of the delivery, not of the result of the payment.
  await collection.getByText(/^500 from your server\. Next attempt at \d+ \w+ \d{4}, \d\d:\d\d:\d\d$/).waitFor();
  assert.equal(await collection.getByText('What to do').count(), 0);
  await collection.getByText(paid.id).first().waitFor();
  await seat.axe();
  await seat.shot('webhooks-delivery');
  receiver.manner = 'ok';
  const heard = receiver.accepted.length;
  await collection.getByRole('button', { name: 'Resend' }).click();
  await page.getByText('1 resent.').waitFor();
  for (let tries = 0; tries < 50 && receiver.accepted.length === heard; tries += 1) {
    await deliver();
    await page.waitForTimeout(100);
  }
  assert.equal(receiver.accepted.length, heard + 1);
  assert.match(receiver.accepted.at(-1)?.text ?? '', new RegExp(paid.id));
  await collection.getByText(/Response 200 in \d+ ms/).waitFor({ timeout: 12_000 });
  // The history stays: the failed attempt stands below the one that succeeded.
  assert.equal(await collection.getByText(/500 .*after \d+ ms/).count(), 1);
  await collection.getByText('Delivered').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rotate key' }).click();
  await page.getByRole('dialog', { name: 'Rotate key' }).getByRole('button', { name: 'Rotate key' }).click();
  await page.getByRole('dialog', { name: 'Save this key' }).getByRole('button', { name: 'I’ve saved it' }).click();
  await seat.shot('webhook');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const sure = page.getByRole('dialog', { name: 'Delete' });
  assert.ok(await sure.getByRole('button', { name: 'Delete' }).isDisabled());
  await sure.getByRole('textbox').fill('Orders');
  await sure.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhooks yet').waitFor();
  assert.deepEqual(
    seat.troubles.filter((one) => !one.startsWith('404')),
    [],
  );
});

test('who may only look sees webhooks and no buttons', { skip: noBrowser }, async () => {
  const { page, ...seat } = await office.sit({ role: 'readOnly', entityId: DEMO.merchantId });
  await seat.go('/webhooks');
  await page.getByText('No webhooks yet').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add webhook' }).count(), 0);
});
