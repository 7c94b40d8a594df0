import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { type AnswerOf, callApi } from './api.ts';

/** Passkeys. The library loads with the first use. */

/** Browsers offer passkeys for host names, not for IP addresses. */
export const hasPasskeys = (): boolean =>
  globalThis.isSecureContext && 'PublicKeyCredential' in globalThis && !/^[\d.]+$|:/.test(globalThis.location.hostname);

type Credential = Readonly<Record<string, unknown>>;

/** The options come from the gateway as plain objects. */
const isRequest = (options: object): options is PublicKeyCredentialRequestOptionsJSON => 'challenge' in options;
const isCreation = (options: object): options is PublicKeyCredentialCreationOptionsJSON => 'rp' in options && 'user' in options;

/** Asks the browser for a passkey; throws when the user cancels. */
export async function showPasskey(options: object): Promise<Credential> {
  if (!isRequest(options)) throw new Error('these options ask for no passkey');
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return { ...(await startAuthentication({ optionsJSON: options })) };
}

/** Asks the browser to create a passkey. */
export async function makePasskey(options: object): Promise<Credential> {
  if (!isCreation(options)) throw new Error('these options create no passkey');
  const { startRegistration } = await import('@simplewebauthn/browser');
  return { ...(await startRegistration({ optionsJSON: options })) };
}

/** Signs in with a passkey alone. */
export async function signInWithPasskey(): Promise<void> {
  const { ticket, passkey } = await callApi('passkeyOptions');
  await callApi('passkeySignIn', { ticket, credential: await showPasskey(passkey) });
}

/** Confirms the identity of the signed-in user with a passkey. */
export async function stepUpWithPasskey(): Promise<AnswerOf<'stepUp'>> {
  const { ticket, passkey } = await callApi('stepUpOptions');
  return callApi('stepUp', { ticket, credential: await showPasskey(passkey) });
}
