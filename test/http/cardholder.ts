import type { Attempt } from '../../src/payments/ports.ts';
import { isProofOf } from '../../src/threeds/sandbox/proof.ts';
import type { Fields, Reply } from './client.ts';
import type { TestGateway } from './gateway.ts';

/** A cardholder with a browser, an app or a telephone, as far as a test needs one. */

export type Seen = { readonly status: number; readonly html: string; readonly refresh: string | null };

/** Loads a page, or posts a form to it, following nothing. */
export async function visit(url: string, form?: Fields): Promise<Seen> {
  const init = form ? { method: 'POST', body: new URLSearchParams(form) } : {};
  const response = await fetch(url, { redirect: 'manual', ...init });
  return { status: response.status, html: await response.text(), refresh: response.headers.get('refresh') };
}

/** The fields and the address of a form on a page, as a browser would send it. */
export function formIn(html: string, id = 'send'): { readonly url: string; readonly fields: Record<string, string> } {
  const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
  const form =
    [...html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].find(([, head = '']) => head.includes(`id="${id}"`)) ??
    html.match(/<form([^>]*)>([\s\S]*?)<\/form>/);
  const [, head = '', body = ''] = form ?? [];
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
    name,
    plain(value),
  ]);
  return { url: plain(/action="([^"]*)"/.exec(head)?.[1] ?? ''), fields: Object.fromEntries(fields) };
}

/** The shopper goes through the hidden frame, if there is one, and arrives at the challenge. */
export async function arrive(pending: Reply): Promise<Seen> {
  const page = await visit(pending.body.redirect.url);
  if (!page.html.includes('id="frame"')) return page;
  const { url, fields } = formIn(page.html);
  const done = formIn((await visit(url, fields)).html);
  await visit(done.url, done.fields);
  return visit(`${pending.body.redirect.url}/continue`);
}

export const codeOn = (html: string): Fields => ({
  code: /\b([0-9]{6})\b/.exec(html.replace(/value="[^"]*"/g, ''))?.[1] ?? '',
});

/** Presses a button of an issuer's page. */
export const press = (page: Seen, action: string, more: Fields = {}): Promise<Seen> => {
  const { url, fields } = formIn(page.html);
  return visit(url, { ...fields, action, ...more });
};

/** The issuer's page: the browser posts the challenge request. */
export async function atIssuer(pending: Reply): Promise<Seen> {
  const { url, fields } = formIn((await arrive(pending)).html);
  return visit(url, fields);
}

/** The challenge: arrives, then acts on the issuer's page as given. */
export async function challenge(pending: Reply, action: string, more: (html: string) => Fields = () => ({})): Promise<Seen> {
  const page = await atIssuer(pending);
  return press(page, action, more(page.html));
}

/** Back from the issuer with its result, and on to the shop. */
export async function goBack(end: Seen, pending: Reply): Promise<Seen> {
  const { url, fields } = formIn(end.html);
  await visit(url, fields);
  return visit(`${pending.body.redirect.url}/continue`);
}

/** The ids in the challenge request of a pending payment. */
export async function idsOf(pending: Reply): Promise<Record<string, string>> {
  const creq = formIn((await arrive(pending)).html).fields.creq ?? '';
  return JSON.parse(Buffer.from(creq, 'base64url').toString()) as Record<string, string>;
}

/** What an app's SDK returns for `threeDSecure.deviceInfo`. */
export const DEVICE_INFO = JSON.stringify({
  sdkAppID: '11111111-2222-4333-8444-555555555555',
  deviceData: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a.b.c.d',
  sdkEphemeralPublicKey: '{"kty":"EC","crv":"P-256","x":"eA","y":"eQ"}',
  sdkReferenceNumber: '3DS_LOA_SDK_EXAM_020100_00001',
  sdkTransactionID: '66666666-7777-4888-8999-aaaaaaaaaaaa',
});

/** The SDK of the merchant's app, with the challenge of a pending reply: talks to the issuer. */
export function appOf(pending: Reply) {
  const { messageVersion, threeDSServerTransID, acsTransID, acsSignedContent } = pending.body.threeDSecure.challenge;
  const [, content = ''] = acsSignedContent.split('.');
  const { acsURL } = JSON.parse(Buffer.from(content, 'base64url').toString()) as { acsURL: string };
  const sdkTransID = '66666666-7777-4888-8999-aaaaaaaaaaaa';
  const base = { messageType: 'CReq', messageVersion, threeDSServerTransID, acsTransID, sdkTransID };
  const ask = async (more: object): Promise<Record<string, string>> => {
    const response = await fetch(acsURL, { method: 'POST', body: JSON.stringify({ ...base, ...more }) });
    return (await response.json()) as Record<string, string>;
  };
  return {
    ask,
    /** Requests the challenge, finds the code in it, and enters it. */
    async answer(): Promise<Record<string, string>> {
      const asked = await ask({ sdkCounterStoA: '000' });
      const code = /([0-9]{6})$/.exec(asked.challengeInfoText ?? '')?.[1] ?? '';
      return ask({ sdkCounterStoA: '001', challengeDataEntry: code });
    },
  };
}

/** Records every request to an acquirer; the gateway works as usual. */
export function listenAt(gateway: TestGateway): (id: string) => Attempt | null {
  const attempts = new Map<string, Attempt>();
  const { connector } = gateway.world;
  Object.assign(gateway.world, {
    connector: (name: string, entityId: string) => {
      const found = connector(name, entityId);
      if (!found) return null;
      const { decide } = found;
      const note = (attempt: Attempt) => attempts.set(attempt.payment.id, attempt);
      return {
        ...found,
        send: (attempt: Attempt) => note(attempt) && found.send(attempt),
        ...(decide && { decide: (attempt: Attempt) => note(attempt) && decide(attempt) }),
      };
    },
  });
  return (id) => attempts.get(id) ?? null;
}

/** Whether the acquirer got a proof that the issuer has given for this very payment: then the liability is the issuer's. */
export function isShifted({ payment, secrets }: Attempt): boolean {
  const { verificationId, number = '' } = secrets;
  const { 'threeDSecure.dsTransactionId': dsTransactionId = '', 'threeDSecure.eci': eci = '' } = payment.fields;
  const { amount, currency } = payment;
  return verificationId !== undefined && isProofOf(verificationId, { dsTransactionId, number, eci, amount, currency });
}
