import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createUserWithPassword, PASSWORD } from '../http/userFixture.ts';
import { noBrowser, type Office, openOffice } from './office.ts';

/** Passkeys with an authenticator of the browser's own, at a name: they do not exist at a bare address. */

let office: Office;
let url: string;
before(async () => {
  if (noBrowser) return;
  office = await openOffice();
  url = office.gateway.backOfficeUrl.replace('127.0.0.1', 'localhost');
});
after(() => office?.close());

/** Built into the machine; it knows its holder by finger or face, and the holder is there. */
const BUILT_IN = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

async function withAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: BUILT_IN });
}

test('a passkey is added, signs in alone, shows that it is you, and can be taken away', { skip: noBrowser }, async () => {
  const { user, code } = await createUserWithPassword(office.gateway, { email: 'passkey@shop.example' });
  const { page } = await office.sit({ isSignedOut: true });
  await withAuthenticator(page);
  await page.goto(`${url}/account`);
  await page.getByLabel('E-mail').fill(user.email);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('textbox', { name: 'Code' }).fill(code());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Work laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor();

  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('button', { name: /^Account:/ }).waitFor();

  // The session stays, and what it has shown is over.
  office.gateway.pass(6 * 60_000);
  await page.goto(`${url}/account`);
  await page.getByRole('button', { name: 'Set up a new app' }).click();
  await page.getByRole('dialog', { name: 'Confirm your identity' }).getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();

  await page.goto(`${url}/account`);
  await page.getByRole('button', { name: /Remove.*Work laptop/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('Wrong e-mail, password or code.').waitFor();
  assert.match(page.url(), /\/sign-in/);
});
