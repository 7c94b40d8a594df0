import type { Authentication, AuthenticationEvent } from './authentication.ts';
import { uuid } from './messages/formats.ts';
import {
  type ChallengeReturn,
  type CReq,
  decodeMethodData,
  decodeReturned,
  encodeMessage,
  encodeMethodData,
} from './messages/message.ts';
import type { Addresses } from './settings.ts';

/** A form that the shopper's browser posts. */
export type Form = {
  readonly url: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
};

/** The agreed sizes of a challenge window in pixels; 05 is the whole page. */
export const windowSizes: Readonly<Record<string, { readonly width: number; readonly height: number } | null>> = {
  '01': { width: 250, height: 400 },
  '02': { width: 390, height: 400 },
  '03': { width: 500, height: 600 },
  '04': { width: 600, height: 400 },
  '05': null,
};

/** The form of the 3DS method; null outside the phase `method`. It is also in `redirect.preconditions`. */
export function methodForm({ threeDSServerTransID, phase }: Authentication, addresses: Addresses): Form | null {
  if (phase.at !== 'method') return null;
  const threeDSMethodNotificationURL = addresses.methodNotification;
  const value = encodeMethodData({ threeDSServerTransID, threeDSMethodNotificationURL });
  return { url: phase.methodUrl, parameters: [{ name: 'threeDSMethodData', value }] };
}

/** Facts 12.1: the hidden frame as an entry of `redirect.preconditions`. */
export const preconditionOf = ({ url, parameters }: Form) => ({
  origin: 'iframe#hidden',
  waitUntil: 'iframe#onload',
  description: 'Hidden iframe post for 3D Secure 2.0',
  method: 'POST',
  url,
  parameters,
});

/** The `redirect` of a pending answer; null without one (app, 3RI, decoupled). */
export function redirectOf(
  authentication: Authentication,
  { url, addresses }: { readonly url: string; readonly addresses: Addresses },
) {
  const { phase, parameters } = authentication;
  if (parameters.deviceChannel !== '02' || phase.at === 'done' || phase.at === 'decoupled') return null;
  const form = methodForm(authentication, addresses);
  return { url, parameters: [], method: 'GET', ...(form && { preconditions: [preconditionOf(form)] }) };
}

/** The event of a 3DS method notification; null when it cannot be read. */
export function methodEvent(threeDSMethodData: string): AuthenticationEvent | null {
  const id = decodeMethodData(threeDSMethodData)?.threeDSServerTransID;
  return id === undefined ? null : { is: 'methodDone', threeDSServerTransID: id };
}

/** The form that sends the shopper to the issuer; null without a challenge. */
export function challengeForm(authentication: Authentication, sessionData: string): Form | null {
  const { phase, acsTransID, version, threeDSServerTransID, parameters } = authentication;
  if (phase.at !== 'challenge' || phase.acsUrl === null || acsTransID === null) return null;
  const creq: CReq = {
    messageType: 'CReq',
    messageVersion: version,
    threeDSServerTransID,
    acsTransID,
    challengeWindowSize: parameters.windowSize,
  };
  return {
    url: phase.acsUrl,
    parameters: [
      { name: 'creq', value: encodeMessage(creq) },
      { name: 'threeDSSessionData', value: Buffer.from(sessionData).toString('base64url') },
    ],
  };
}

/**
 * A challenge without a redirect, in the element names of the protocol; null when there is none. An app passes it to its SDK. For a
 * decoupled authentication of the test environment it is the page that simulates the cardholder's phone.
 */
export function challengeWithoutRedirect(authentication: Authentication): Readonly<Record<string, string>> | null {
  const { phase, parameters, threeDSServerTransID, acsTransID, acsReferenceNumber, acsSignedContent } = authentication;
  if (phase.at === 'decoupled') return phase.acsUrl === null ? null : { acsURL: phase.acsUrl };
  if (phase.at !== 'challenge' || parameters.deviceChannel !== '01') return null;
  if (acsTransID === null || acsReferenceNumber === null || acsSignedContent === null) return null;
  const { dsReferenceNumber, version: messageVersion } = authentication;
  const known = { messageVersion, threeDSServerTransID, acsTransID, acsReferenceNumber, acsSignedContent };
  return dsReferenceNumber === null ? known : { ...known, dsReferenceNumber };
}

/**
 * The event of the shopper's return. The message is a challenge response or an error message, of any version: it says only that the
 * shopper is back and from which challenge, so nothing else in it is checked. Null: no such message.
 */
export function returnEvent(message: string | undefined): AuthenticationEvent {
  const { messageType, ...elements } = (message !== undefined && decodeReturned(message)) || {};
  if (messageType !== 'CRes' && messageType !== 'Erro') return { is: 'returned', cres: null };
  const { threeDSServerTransID, acsTransID, transStatus } = elements;
  const cres: ChallengeReturn = {
    ...(isUuid(threeDSServerTransID) && { threeDSServerTransID }),
    ...(isUuid(acsTransID) && { acsTransID }),
    ...((transStatus === 'Y' || transStatus === 'N') && { transStatus }),
  };
  return { is: 'returned', cres };
}

const isUuid = (value: unknown): value is string => uuid.fits(value, '2.2.0');
