import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { EntityRow } from '../../src/merchants/ports.ts';
import { CARD, createClient, DEMO } from '../http/client.ts';
import { loadAxe, noBrowser, type Office, openOffice } from './office.ts';

/** What a developer does in the back office, in a real browser. */

const GUARDED = '5eed00000000000000000000000000c7';
const guarded: EntityRow = {
  id: GUARDED,
  kind: 'channel',
  parentId: DEMO.merchantId,
  name: 'Guarded',
  settings: {
    risk: {
      mode: 'on',
      duplicateSeconds: 0,
      velocity: 'off',
      rules: [
        {
          id: 'no-large',
          says: 'Nothing above 500.',
          when: 'amount > 500.00',
          mode: 'on',
          gives: { verdict: 'decline', code: '100.400.300' },
        },
      ],
    },
  },
};

let office: Office;
before(async () => {
  if (!noBrowser) office = await openOffice({ rows: { entities: [guarded], tokens: [] } });
});
afterEach(() => office?.release());
after(() => office?.close());

/** What axe finds in a dialog that is open; the page around it was looked at before. */
async function dialogFaults(page: Page): Promise<readonly string[]> {
  await loadAxe(page);
  // The library makes the head of a dialog a header, which axe counts with that of the page.
  const rules = "{ rules: { 'landmark-no-duplicate-banner': { enabled: false } } }";
  const run = `axe.run(document.querySelector('[role=dialog]'), ${rules}).then(({ violations }) => violations.map(({ id }) => id))`;
  return (await page.evaluate(run)) as readonly string[];
}

const developer = { role: 'developer', entityId: DEMO.merchantId } as const;

test('from a decline to its cause in three clicks, and once more with another card', { skip: noBrowser }, async () => {
  const shop = createClient(office.gateway.url, { entityId: GUARDED, token: DEMO.token });
  await shop.pay({ merchantTransactionId: 'order-good' });
  await shop.pay({ amount: '501.00', merchantTransactionId: 'order-declined' });
  const { page, go, axe, troubles } = await office.sit(developer);
  await go('/account');
  let clicks = 0;
  const click = async (what: ReturnType<typeof page.getByRole>) => {
    clicks += 1;
    await what.click();
  };
  await click(page.getByRole('link', { name: 'Developer' }).first());
  await click(page.getByRole('row', { name: /order-declined/ }).getByText('POST /v1/payments'));
  const why = page.getByRole('region', { name: 'What happened' });
  await why.getByText('Risk rule “no-large”: Nothing above 500.').waitFor();
  assert.ok(clicks <= 3, `it took ${clicks} clicks`);
  await why.getByText('A risk check declined the payment.').waitFor();
  await why.getByText('The shop', { exact: true }).waitFor();
  assert.equal(
    await page
      .getByRole('row', { name: 'card.number' })
      .innerText()
      .then((text) => text.includes('420000***0000')),
    true,
  );
  assert.match(await page.locator('.curl pre').last().innerText(), /Bearer \$ACCESS_TOKEN/);
  await axe();

  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByLabel('card.number (Test card)').selectOption('5454545454545454');
  assert.deepEqual(await dialogFaults(page), []);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('Response: 400').waitFor();
  await page.getByText('545454***5454').waitFor();
  assert.deepEqual(troubles, []);
});

test('a live list shows new calls; one that is not live does not', { skip: noBrowser }, async () => {
  const shop = createClient(office.gateway.url);
  const { page, go, troubles } = await office.sit(developer);
  await go(`/developer/calls?entity=${DEMO.entityId}&status=2xx`);
  await page.getByText('Status: 2xx: success').waitFor();
  await shop.pay({ merchantTransactionId: 'followed-order' });
  await page.getByRole('cell', { name: 'followed-order' }).waitFor();
  await page.getByLabel('Search by ID, ndc or reference').fill('followed');
  await page.waitForURL(/text=followed/);
  await page.getByText('1 row', { exact: true }).waitFor();
  await page.getByLabel('Live').uncheck({ force: true });
  await page.waitForURL(/follow=no/);
  assert.deepEqual(troubles, []);
});

test('an inbox is opened and shows what comes, opened', { skip: noBrowser }, async () => {
  const { page, go, axe, troubles } = await office.sit(developer);
  await go(`/developer/inbox?entity=${DEMO.entityId}`);
  await page.getByRole('button', { name: 'Create inbox' }).click();
  await page.getByText('test webhook activation').waitFor();
  await axe();
  const paid = await createClient(office.gateway.url).pay();
  await office.gateway.work('fan out events');
  await office.gateway.work('dispatch deliveries');
  // Events of earlier payments may come with it.
  const row = page.getByRole('row').filter({ hasText: `…${paid.id.slice(-4)}` });
  await row.getByText('PAYMENT').click();
  const message = page.getByRole('dialog', { name: 'Webhook request' });
  await message.getByText(`"${paid.id}"`).first().waitFor();
  await message.getByText('valid', { exact: true }).waitFor();
  assert.deepEqual(await dialogFaults(page), []);
  await page.keyboard.press('Escape');
  const changed = page.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/admin\/v1\/inbox\//.test(response.url()),
  );
  await page.getByLabel('Inbox response').selectOption('500');
  await changed;
  await createClient(office.gateway.url).pay();
  await office.gateway.work('fan out events');
  await office.gateway.work('dispatch deliveries');
  await page.getByRole('cell', { name: '500' }).first().waitFor();
  assert.deepEqual(troubles, []);
});

test('the clock is moved by a month, and what is due on the way is done', { skip: noBrowser }, async () => {
  const shop = createClient(office.gateway.url);
  const stored = await shop.send('POST', '/v1/registrations', {
    ...CARD,
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.source': 'CIT',
    'standingInstruction.recurringType': 'SUBSCRIPTION',
  });
  const plan = {
    registrationId: stored.id,
    amount: '12.00',
    currency: 'EUR',
    paymentType: 'DB',
    'job.expression': '0 0 9 1 * ?',
  };
  const planned = await shop.send('POST', '/scheduling/v1/schedules', plan);
  assert.equal(planned.status, 200, JSON.stringify(planned.body));
  const { page, go, axe, troubles } = await office.sit(developer);
  await go(`/developer/clock?entity=${DEMO.entityId}`);
  await page.getByText('real time', { exact: true }).waitFor();
  await page.getByText('schedule run').waitFor();
  const shown = () => page.getByTestId('clock').innerText();
  const first = await shown();
  await page.getByRole('button', { name: '1 month' }).click();
  await page.getByText(/^Schedule runs: [1-9]/).waitFor();
  await page.getByText('ahead of real time').waitFor();
  assert.equal(
    (await office.gateway.services.schedules.store.runs(DEMO.merchantId, planned.id, 10)).length,
    1,
    'it was charged once',
  );
  assert.notEqual((await shown()).slice(0, 11), first.slice(0, 11), 'another day is shown');
  await axe();
  await page.getByRole('button', { name: 'Reset to real time' }).click();
  await page.getByText('real time', { exact: true }).waitFor();
  assert.deepEqual(troubles, []);
});

test('a scenario is written, refused with its faults, mended, attached and detached', { skip: noBrowser }, async () => {
  const { page, go, axe } = await office.sit(developer);
  await go(`/developer/scenarios?entity=${DEMO.entityId}`);
  await axe();
  await page.getByRole('button', { name: 'Create scenario' }).click();
  const json = page.getByLabel('Scenario as JSON');
  await json.fill('{');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Invalid JSON').waitFor();
  await json.fill('{"name":"mine","says":"Mine.","acquirer":[{"says":"perhaps"}]}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('scenario.acquirer[0].says').waitFor();
  assert.deepEqual(await dialogFaults(page), []);
  await json.fill('{"name":"mine","says":"Mine.","acquirer":[{"says":"declined","code":"800.100.155"}]}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'mine', level: 1 }).waitFor();
  await page.getByText('declines · code 800.100.155').waitFor();
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByText('Attached to: All payments').waitFor();
  assert.equal((await createClient(office.gateway.url).pay()).code, '800.100.155');
  await page.getByRole('button', { name: 'Detach' }).click();
  await page.getByText('Attached to: All payments').waitFor({ state: 'detached' });
});

test('a wallet token is made, and the demo of the reference is found', { skip: noBrowser }, async () => {
  const { page, go, troubles } = await office.sit({ ...developer, language: 'de' });
  await go(`/developer/wallets?entity=${DEMO.entityId}`);
  await page.getByRole('button', { name: 'Token erzeugen' }).click();
  await page.getByText('walletA.paymentToken', { exact: true }).waitFor();
  await go('/developer/reference');
  const href = await page.getByRole('link', { name: /OpenAPI/ }).getAttribute('href');
  assert.match(href ?? '', /\/openapi\.json$/);
  assert.deepEqual(troubles, []);
});
