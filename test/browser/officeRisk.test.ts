import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { CARD, createClient, DEMO } from '../http/client.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** Risk and schedules as people of the back office see them. */

let office: Office;
const skip = noBrowser;
const MERCHANT = `entity=${DEMO.merchantId}`;

before(async () => {
  if (skip) return;
  office = await openOffice();
  // The pages are made when they are first asked for, which takes its time on a busy machine.
  await office.gateway.services.backOffice();
});
afterEach(() => office?.release());
after(() => office?.close());

const shop = () => createClient(office.gateway.url);

test('a rule is written, tried on the past, saved; what it finds is looked at and refused', { skip }, async () => {
  for (const amount of ['80.00', '510.00', '620.00']) assert.equal((await shop().pay({ amount })).code, '000.100.110');
  office.gateway.pass(60_000);
  const seat = await office.sit({ role: 'administrator', entityId: DEMO.merchantId });
  const page = await seat.go(`/risk/rules?${MERCHANT}`);
  await page.getByRole('combobox', { name: 'Risk checks' }).click();
  await page.getByRole('option', { name: 'On', exact: true }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  const condition = page.getByRole('textbox', { name: 'Condition' });
  await condition.fill('amount >');
  await page.getByText('Character 9:').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Save rules' }).isDisabled());
  await condition.fill('amount > 500.00');
  await page.getByText('When the amount is above 500. The payment goes on, and a person looks at it.').waitFor();

  await page.getByRole('button', { name: 'Run back-test' }).click();
  await page.getByText('3 payments evaluated').waitFor();
  const reviewed = page.getByRole('row', { name: /^Good payments reviewed/ });
  assert.match((await reviewed.textContent()) ?? '', /0\D+0%\D*2\D+66/);
  assert.equal(await page.getByRole('cell', { name: 'Newly sent to review' }).count(), 2);
  await seat.axe();
  await seat.shot('risk-rules');

  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByText('Rules saved. They apply from now on.').waitFor();
  const dear = await shop().pay({ amount: '777.00' });
  assert.equal(dear.code, '000.400.000');

  await seat.go(`/risk/reviews?${MERCHANT}`);
  await page.getByRole('row', { name: /777/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('the shopper says it was not him');
  await seat.axe();
  await dialog.getByRole('button', { name: /^Reject and return €777.00/ }).click();
  await page.getByText('Payment rejected.').waitFor();
  const { store } = office.gateway.world;
  const family = await store.family(DEMO.merchantId, dear.id);
  assert.deepEqual(
    family?.payments.map(({ paymentType, amount }) => [paymentType, amount]),
    [
      ['DB', 77_700n],
      ['RV', 77_700n],
    ],
  );
  await seat.go(`/risk/payments/${dear.id}?${MERCHANT}`);
  await page.getByText('amount = 777.00').waitFor();
  await seat.axe();
  assert.deepEqual(seat.troubles, []);
});

test('a card is listed by its number, which is shown masked only', { skip }, async () => {
  const seat = await office.sit({ role: 'administrator', entityId: DEMO.merchantId });
  const page = await seat.go(`/risk/lists?${MERCHANT}`);
  await page.getByRole('button', { name: 'Add entry' }).click();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Card', exact: true }).click();
  await page.getByLabel('Card number').fill('5454 5454 5454 5454');
  await page.getByRole('dialog').getByRole('button', { name: 'Add entry' }).click();
  await page.getByText('545454••••5454').waitFor();
  assert.doesNotMatch(await page.content(), /5454545454545454|5454 5454/);
  await seat.axe();
  const refused = await shop().pay({ paymentBrand: 'MASTER', 'card.number': '5454545454545454', amount: '9.00' });
  assert.equal(refused.code, '800.200.160');
  await page.getByRole('button', { name: 'Remove: 545454••••5454' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No entries').waitFor();
  assert.deepEqual(seat.troubles, []);
});

test('a schedule tells when it runs next, on the clocks of its channel, and is cancelled', { skip }, async () => {
  const stored = await shop().send('POST', '/v1/registrations', {
    ...CARD,
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.source': 'CIT',
    'standingInstruction.recurringType': 'SUBSCRIPTION',
  });
  const made = await shop().send('POST', '/scheduling/v1/schedules', {
    registrationId: stored.id,
    paymentType: 'DB',
    amount: '17.00',
    currency: 'EUR',
    'job.expression': '0 30 6 1 * ?',
  });
  assert.equal(made.status, 200);
  const seat = await office.sit({ role: 'support', entityId: DEMO.merchantId, language: 'de' });
  const page = await seat.go(`/schedules?${MERCHANT}`);
  await page.getByText('Um 06:30:00 am 1. jedes Monats').click();
  const runs = page.locator('.run-list li');
  await runs.first().waitFor();
  const texts = await runs.allTextContents();
  assert.equal(texts.length, 10);
  for (const text of texts) assert.match(text, / 1\. \S+ 20\d\d (?:um|at) 06:30:00$/);
  await seat.axe();
  await seat.shot('schedule');
  await page.getByRole('button', { name: 'Zeitplan beenden' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Zeitplan beenden' }).click();
  await page.getByText('Keine weiteren Läufe.').waitFor();
  await page.getByRole('link', { name: /VISA 420000/ }).click();
  await page.getByRole('heading', { name: 'Zahlungen' }).waitFor();
  await page.getByText('Ann Example', { exact: true }).last().waitFor();
  await seat.axe();
  assert.deepEqual(seat.troubles, []);
});
