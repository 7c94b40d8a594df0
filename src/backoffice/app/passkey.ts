import { type AnswerOf, callApi } from './api.ts';

/** Passkeys. The library comes when the first one is wanted. */

/** Passkeys belong to a name, not to an address of digits. */
export const hasPasskeys = (): boolean =>
  globalThis.isSecureContext && 'PublicKeyCredential' in globalThis && !/^[\d.]+$|:/.test(globalThis.location.hostname);

type Credential = Readonly<Record<string, unknown>>;

/** Asks the browser for a passkey; throws when the user cancels. */
export async function showPasskey(wish: object): Promise<Credential> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return (await startAuthentication({ optionsJSON: wish as never })) as unknown as Credential;
}

/** Has the browser make one. */
export async function makePasskey(wish: object): Promise<Credential> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return (await startRegistration({ optionsJSON: wish as never })) as unknown as Credential;
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
