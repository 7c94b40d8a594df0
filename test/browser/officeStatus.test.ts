import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createClient, DEMO } from '../http/client.ts';
import { signedInAs } from '../http/userFixture.ts';
import { noBrowser, type Office, type OfficePage, openOffice } from './office.ts';

/** The status of payments in the list and on the page: what became of the money, in words. */

let office: Office;
const ids: Record<string, string> = {};

const STOLEN = { 'customParameters[forceResultCode]': '800.100.159' };

async function create({ gateway }: Office): Promise<void> {
  const shop = createClient(gateway.url);
  const { ask } = await signedInAs(gateway);
  const pay = async (name: string, fields: Readonly<Record<string, string>> = {}) => {
    const { id } = await shop.pay({ amount: '100.00', merchantTransactionId: `order-${name}`, ...fields });
    ids[name] = id;
    return id;
  };
  await pay('paid');
  await shop.refund(await pay('part-refunded'), '18.00');
  await shop.refund(await pay('refunded'), '100.00');
  await shop.capture(await pay('part-captured', { paymentType: 'PA' }), '40.00');
  const half = await shop.capture(await pay('part-both', { paymentType: 'PA', amount: '92.00' }), '40.00');
  await shop.refund(half.id, '10.00');
  await pay('authorised', { paymentType: 'PA' });
  await shop.reverse(await pay('reversed', { paymentType: 'PA' }));
  await ask('POST', `/payments/${await pay('disputed')}/chargeback`, { amount: '100.00', key: 'key-of-a-chargeback' });
  const refund = await shop.refund(await pay('refunded-in-vain'), '30.00', { merchantTransactionId: 'order-returned' });
  const back = await ask('POST', `/payments/${refund.id}/chargeback`, { amount: '12.00', key: 'key-of-a-returned-refund' });
  assert.equal(back.status, 200, JSON.stringify(back.body));
  await pay('stolen', STOLEN);
  await pay('stored', { createRegistration: 'true' });
}

before(async () => {
  if (noBrowser) return;
  office = await openOffice();
  await create(office);
});
afterEach(() => office?.release());
after(() => office?.close());

const skip = noBrowser;

/** The row of a payment. Later transactions have its reference too, and stand above it. */
const rowOf = ({ page }: OfficePage, name: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: `order-${name}`, exact: true }) })
    .last();

const statuses = {
  en: {
    paid: 'Approved',
    'part-refunded': 'Partially refunded · €82.00 left',
    refunded: 'Refunded',
    'part-captured': 'Captured €40.00 of €100.00',
    'part-both': 'Partially refunded · €30.00 left · €52.00 not captured',
    authorised: 'Authorised',
    reversed: 'Reversed',
    disputed: 'Disputed',
    returned: 'Returned · €12.00',
    stolen: 'Declined',
  },
  de: {
    paid: 'Genehmigt',
    'part-refunded': 'Teilweise erstattet · noch 82,00 €',
    refunded: 'Erstattet',
    'part-captured': '40,00 € von 100,00 € eingezogen',
    'part-both': 'Teilweise erstattet · noch 30,00 € · 52,00 € nicht eingezogen',
    authorised: 'Autorisiert',
    reversed: 'Storniert',
    disputed: 'Rückbelastet',
    returned: 'Zurückgekommen · 12,00 €',
    stolen: 'Abgelehnt',
  },
} as const;

const plain = (text: string | null): string => (text ?? '').replaceAll('\u00a0', ' ').trim();

for (const language of ['en', 'de'] as const) {
  test(`${language}: the list says what became of each payment, and the page says the same`, { skip }, async () => {
    const seat = await office.sit({ language });
    const { page } = seat;
    await seat.go(`/payments?entity=${DEMO.merchantId}`);
    for (const [reference, status] of Object.entries(statuses[language])) {
      const shown = await rowOf(seat, reference).locator('.status').first().textContent();
      assert.equal(plain(shown), status, reference);
    }
    await seat.fits();
    await seat.axe();
    await seat.shot(`payments-status-${language}`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await seat.shot(`payments-status-${language}-dark`);
    await seat.go(`/payments/${ids['part-refunded']}`);
    assert.equal(plain(await page.locator('.page-says .status').textContent()), statuses[language]['part-refunded']);
    await seat.shot(`payment-status-${language}`);
    assert.deepEqual(seat.troubles, []);
  });
}

test('a decline is explained in words, and its code shows on hover; the row is a link', { skip }, async () => {
  const seat = await office.sit({});
  const { page } = seat;
  await seat.go(`/payments?entity=${DEMO.merchantId}`);
  const row = rowOf(seat, 'stolen');
  const reason = row.getByText('The card was reported stolen.');
  assert.match((await reason.getAttribute('title')) ?? '', /^800\.100\.159 /);
  const link = row.getByRole('link');
  assert.equal(await link.count(), 1);
  assert.match((await link.getAttribute('href')) ?? '', new RegExp(`^/payments/${ids.stolen}`));
  assert.match(plain(await link.textContent()), /^\d{1,2} \w+ \d{4}, \d\d:\d\d$/);
  // Anywhere on the row is on the link, as for a middle click or the menu of the browser.
  const [opened] = await Promise.all([
    seat.context.waitForEvent('page'),
    rowOf(seat, 'stolen')
      .getByText('Declined')
      .click({ modifiers: ['ControlOrMeta'], force: true }),
  ]);
  await opened.getByRole('heading', { level: 1, name: '€100.00' }).waitFor();
  await opened.close();
  await row.click();
  await page.getByText('Do not retry this card. Offer another payment method.').waitFor();
  await page.getByText('Who should act').waitFor();
  assert.deepEqual(seat.troubles, []);
});

test('registrations and checks are listed when the user asks for them', { skip }, async () => {
  const { gateway } = office;
  await createClient(gateway.url).send('POST', '/v1/registrations', {
    paymentBrand: 'VISA',
    'card.number': '4200000000000000',
    'card.holder': 'Ann Example',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
  });
  const seat = await office.sit({ viewport: { width: 390, height: 844 } });
  const { page } = seat;
  await seat.go(`/payments?entity=${DEMO.merchantId}`);
  assert.equal(await page.getByRole('cell', { name: 'Registration', exact: true }).count(), 0);
  await seat.fits();
  await seat.axe();
  await seat.shot('payments-status-390');
  await page.getByRole('checkbox', { name: 'Show registrations and checks' }).check();
  await page.getByRole('cell', { name: 'Registration', exact: true }).first().waitFor();
  assert.match(page.url(), /types=all/);
  assert.deepEqual(seat.troubles, []);
});
