import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { firstInvitation } from '../../src/users/invitations.ts';
import { bytesOfBase32, codeAt, stepAt } from '../../src/users/secondFactor.ts';
import { createUserWithPassword, PASSWORD } from '../http/userFixture.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** How people come in and find their way, in a real browser. */

let office: Office;
before(async () => {
  if (!noBrowser) office = await openOffice();
});
afterEach(() => office?.release());
after(() => office?.close());

test('the first administrator follows the link, links an app and is in', { skip: noBrowser }, async () => {
  const { users, world } = office.gateway.services;
  const token = await firstInvitation(users.needs);
  const { page, axe, go } = await office.sit({ isSignedOut: true });
  await go(`/welcome#${token}`);
  await page.getByLabel('Name').fill('Ann Example');
  await page.getByLabel('E-mail').fill('ann@shop.example');
  const password = page.locator('input[type=password]');
  await password.fill('too short');
  await page.getByText('At least 15 characters; 9 so far').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Use at least 15 characters.').waitFor();
  await axe();
  await password.fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Set up your authenticator app' }).waitFor();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = (await page.locator('.copyable code').textContent())?.replaceAll(' ', '') ?? '';
  await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(bytesOfBase32(secret), stepAt(world.clock.now())));
  await page.getByRole('button', { name: 'Finish and sign in' }).click();
  await page.getByRole('button', { name: 'Account: Ann Example' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/');

  // A link is good once.
  const other = await office.sit({ isSignedOut: true });
  await other.go(`/welcome#${token}`);
  await other.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
});

test('sign-in with password and code leads back to where one wanted to go', { skip: noBrowser }, async () => {
  const { user, code } = await createUserWithPassword(office.gateway, { email: 'finn@shop.example' });
  const { page, go, axe } = await office.sit({ isSignedOut: true });
  // Firefox selects a text only in the window that is in front.
  await page.bringToFront();
  await go('/account');
  assert.equal(new URL(page.url()).pathname, '/sign-in');
  await page.getByLabel('E-mail').fill(user.email);
  await page.locator('input[type=password]').fill('not the right password');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Wrong e-mail, password or code.').waitFor();
  await axe();
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill(code());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/account');

  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await go('/account');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a sensitive action asks for a code and then continues', { skip: noBrowser }, async () => {
  const { user, code } = await createUserWithPassword(office.gateway, { email: 'kim@shop.example' });
  const seat = await office.sit({ user, isSteppedUp: false });
  const { page, go } = seat;
  await go('/account');
  await page.getByRole('button', { name: 'Set up a new app' }).click();
  await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Wrong code.').waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill(code());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('dialog', { name: 'Set up your authenticator app' }).waitFor();
});

test('everything can be reached by keyboard', { skip: noBrowser }, async () => {
  const { page, go, axe } = await office.sit();
  await go('/account');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).waitFor();
  await axe();
  await page.keyboard.type('audit');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/audit**');
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  assert.equal(await page.evaluate('document.activeElement?.id'), 'main', 'the focus is where the page begins');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await axe();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await page.waitForURL('**/webhooks**');
  await page.keyboard.press('/');
  await page.keyboard.type('abc');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/payments?q=abc*');
  await go('/account');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement?.className'), 'skip', 'the first key leads past the rail');
});

test('what the keyboard goes back to is never left under the bar', { skip: noBrowser }, async () => {
  const { page, go } = await office.sit();
  await page.setViewportSize({ width: 1_000, height: 300 });
  await go('/account');
  await page.locator('main button').last().focus();
  const focused = () =>
    page.evaluate<{ isInMain: boolean; top: number; bar: number }>(`(() => {
      const at = document.activeElement;
      const bar = document.querySelector('.top').getBoundingClientRect().bottom;
      return { isInMain: at.closest('main') !== null && at.id !== 'main', top: at.getBoundingClientRect().top, bar };
    })()`);
  let seen = 0;
  for (let at = await focused(); at.isInMain && seen < 100; at = await focused()) {
    seen += 1;
    assert.ok(at.top >= at.bar, `${at.top} px, below a bar of ${at.bar} px`);
    await page.keyboard.press('Shift+Tab');
  }
  assert.ok(seen > 3, `${seen} places`);
});

test('colours, language and entity are chosen, and stay', { skip: noBrowser }, async () => {
  const { page, go, axe } = await office.sit();
  const scheme = () => page.evaluate('document.documentElement.dataset.mantineColorScheme');
  await go('/account');
  assert.equal(await scheme(), 'light');
  await page.getByRole('button', { name: /^Account:/ }).click();
  await axe();
  await page.getByRole('button', { name: 'Dark' }).click();
  assert.equal(await scheme(), 'dark');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mein Konto' }).waitFor();
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  await go('/account');
  await page.getByRole('heading', { level: 1, name: 'Mein Konto' }).waitFor();

  await page.getByRole('button', { name: /^Händler oder Kanal/ }).click();
  await page.getByRole('option').nth(2).click();
  await page.waitForURL('**entity=*');
  const chosen = new URL(page.url()).searchParams.get('entity');
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.waitForURL('**/webhooks?*');
  assert.equal(new URL(page.url()).searchParams.get('entity'), chosen);
});

test('no page of another origin can frame it', { skip: noBrowser }, async () => {
  const { page } = await office.sit();
  await page.goto(`${office.gateway.url}/docs`);
  const body = await page.evaluate(`new Promise((done) => {
    const frame = document.createElement('iframe');
    frame.src = ${JSON.stringify(office.gateway.backOfficeUrl)};
    frame.onload = () => done(frame.contentDocument === null ? 'refused' : frame.contentDocument.body.textContent);
    document.body.append(frame);
    setTimeout(() => done('refused'), 3000);
  })`);
  assert.notEqual(typeof body === 'string' && body.includes('Turnpike'), true);
  const framed = page.frames().find((frame) => frame.url().startsWith(office.gateway.backOfficeUrl));
  assert.equal(framed && (await framed.locator('#root').count()) > 0, framed ? false : undefined);
});
