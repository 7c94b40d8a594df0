import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { DAY_MS, HOUR_MS } from '../../src/spec/time.ts';
import { CARD, createClient, DEMO } from '../http/client.ts';
import { openOffice } from './office.ts';

/** Takes the pictures of the back office for README and docs: `npm run pictures`. The same payments every time, up to today. */

const FOLDER = join(import.meta.dirname, '../../docs/images');
const DAYS = 29;
const WIDE = { width: 1280, height: 800 } as const;
const PHONE = { width: 390, height: 844 } as const;

/** The same numbers from 0 to 1 in every run. */
function createNumbers(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

const cards = [
  { paymentBrand: 'VISA', 'card.number': '4200000000000000' },
  { paymentBrand: 'MASTER', 'card.number': '5454545454545454' },
  { paymentBrand: 'AMEX', 'card.number': '377777777777770', 'card.cvv': '1234' },
] as const;
const plain = { ...cards[0], 'card.cvv': '123' } as const;
const declines = ['800.100.155', '800.100.153', '800.100.151', '800.100.162', '800.100.155'] as const;

const office = await openOffice();
try {
  const { gateway } = office;
  const shop = createClient(gateway.url);
  const number = createNumbers();
  const pay = (more: Readonly<Record<string, string>> = {}) =>
    shop.send('POST', '/v1/payments', {
      ...CARD,
      ...(cards[Math.floor(number() * number() * cards.length)] ?? cards[0]),
      amount: (12 + Math.floor(number() * 180) + (number() < 0.5 ? 0.9 : 0.5)).toFixed(2),
      currency: 'EUR',
      paymentType: number() < 0.2 ? 'PA' : 'DB',
      merchantTransactionId: `order-${10_000 + Math.floor(number() * 80_000)}`,
      ...more,
    });
  gateway.pass(-DAYS * DAY_MS);
  for (let day = 0; day < DAYS; day += 1) {
    const count = 14 + Math.floor(10 * Math.sin(day / 2.2) ** 2 + number() * 8);
    for (let one = 0; one < count; one += 1) {
      const code = number() < 0.09 ? declines[Math.floor(number() * declines.length)] : undefined;
      const made = await pay(code === undefined ? {} : { 'customParameters[forceResultCode]': code });
      if (code === undefined && made.body.paymentType === 'DB' && number() < 0.06) {
        const part = number() < 0.5 ? made.body.amount : '5.00';
        await shop.send('POST', `/v1/payments/${made.id}`, { paymentType: 'RF', amount: part, currency: 'EUR' });
      }
      gateway.pass(Math.floor(DAY_MS / count));
    }
    await gateway.work('aggregate statistics');
  }
  const captured = await pay({ paymentType: 'PA', amount: '92.00', ...plain });
  await shop.send('POST', `/v1/payments/${captured.id}`, { paymentType: 'CP', amount: '40.00', currency: 'EUR' });
  const debit = await pay({ paymentType: 'DB', amount: '92.00', ...plain });
  await pay({ 'customParameters[forceResultCode]': '800.100.155' });
  gateway.pass(HOUR_MS / 60);
  await gateway.work('aggregate statistics');

  const take = (page: Page, name: string) => page.screenshot({ path: join(FOLDER, `${name}.png`) });
  const { page, go } = await office.sit({ entityId: DEMO.merchantId, viewport: WIDE });
  await go('/?range=30days');
  await take(page, 'office-dashboard-1280');
  await go('/payments');
  await take(page, 'office-payments-1280');
  await go(`/payments/${captured.id}`);
  await take(page, 'office-payment-1280');
  await go(`/payments/${debit.id}`);
  await page.getByRole('button', { name: 'Refund' }).first().click();
  await page
    .getByRole('dialog')
    .getByLabel(/Amount/)
    .fill('10.00');
  await take(page, 'office-refund-1280');
  await go('/developer/calls');
  await page.getByRole('row').filter({ hasText: '800.100.155' }).first().click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(500);
  await take(page, 'office-call-1280');
  const phone = await office.sit({ entityId: DEMO.merchantId, viewport: PHONE });
  await phone.go('/?range=30days');
  await take(phone.page, 'office-phone-390');
} finally {
  await office.close();
}
