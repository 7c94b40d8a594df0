import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createClient, SHOPPER } from '../http/client.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** Users of the back office who zoom or force colours, and its accessibility tree. */

let office: Office;
let id: string;
before(async () => {
  if (noBrowser) return;
  office = await openOffice();
  ({ id } = await createClient(office.gateway.url).pay({ ...SHOPPER, amount: '57.31' }));
});
afterEach(() => office?.release());
after(() => office?.close());

const skip = noBrowser;
/** A window of 1280 by 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 };
const paths = (): readonly string[] => [
  '/',
  '/payments',
  `/payments/${id}`,
  '/webhooks',
  '/administration/users',
  '/account',
  '/developer',
];

test('zoom of 400 %: no page scrolls sideways, and the menu and every heading can be reached', { skip }, async () => {
  const seat = await office.sit({ viewport: ZOOMED });
  for (const path of paths()) {
    await seat.go(path);
    await seat.fits();
    await seat.page.getByRole('heading', { level: 1 }).first().scrollIntoViewIfNeeded();
    assert.ok(await seat.page.getByRole('heading', { level: 1 }).first().isVisible(), path);
  }
  const stranger = await office.sit({ isSignedOut: true, viewport: ZOOMED });
  await stranger.go('/sign-in');
  await stranger.fits();
  await stranger.page.getByLabel('E-mail').fill('ann@shop.example');
});

/** Text fields without a border, which forced colours would make part of the page. */
const borderless = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('input[type=text], input[type=search], input[type=email], input[type=password], textarea')]
    .filter((el) => el.checkVisibility() && el.getBoundingClientRect().width > 30)
    .filter((el) => [el, el.parentElement].every((part) => {
      const { borderTopStyle, borderTopWidth } = getComputedStyle(part);
      return borderTopStyle === 'none' || borderTopWidth === '0px';
    }))
    .map((el) => el.outerHTML)`);

test('forced colours: every field has a border, and the focus is seen; without one it is found', { skip }, async () => {
  const seat = await office.sit();
  await seat.page.emulateMedia({ forcedColors: 'active' });
  for (const path of paths()) {
    await seat.go(path);
    assert.deepEqual(await borderless(seat.page), [], path);
    await seat.shot(`forced${path.replaceAll('/', '-')}`);
  }
  for (let presses = 0; presses < 8; presses += 1) {
    await seat.page.keyboard.press('Tab');
    const at = 'document.activeElement';
    const [outline, what] = await seat.page.evaluate<[string, string]>(
      `[getComputedStyle(${at}).outlineStyle, ${at}.outerHTML.slice(0, 200)]`,
    );
    assert.notEqual(outline, 'none', what);
  }
  await seat.go('/payments');
  await seat.page.evaluate(`for (const el of document.querySelectorAll('input')) el.style.border = '0'`);
  assert.notDeepEqual(await borderless(seat.page), []);
  await seat.page.emulateMedia({ forcedColors: 'none' });
});

test('the accessibility tree of a payment: its heading, its actions, its parts', { skip }, async () => {
  const seat = await office.sit();
  const { page } = seat;
  await seat.go(`/payments/${id}`);
  const tree = await page.locator('main').ariaSnapshot();
  for (const part of ['heading "€57.31" [level=1]', 'button "Refund"', 'heading "Timeline"'])
    assert.ok(tree.includes(part), `${part}\n${tree}`);
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund' });
  await dialog.getByLabel('Amount (EUR)').fill('60');
  const asked = await dialog.ariaSnapshot();
  assert.ok(asked.includes('textbox "Amount (EUR)'), asked);
  const ids = (await dialog.getByLabel('Amount (EUR)').getAttribute('aria-describedby')) ?? '';
  const described = await page.evaluate<string>(
    `${JSON.stringify(ids.split(' '))}.map((one) => document.getElementById(one)?.textContent).join(' ')`,
  );
  assert.match(described, /Maximum €57\.31/);
});
