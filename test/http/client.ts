import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { assertDescribed } from '../describedReplies.ts';

/** A merchant's server as a test needs it: form fields out, JSON back. */

export const DEMO = {
  entityId: '5eed0000000000000000000000000001',
  lenientId: '5eed0000000000000000000000000002',
  merchantId: '5eed00000000000000000000000000f1',
  token: 'NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTF8c2FuZGJveC1kZW1v',
} as const;

export const OTHER = {
  entityId: '5eed0000000000000000000000000003',
  token: 'NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTJ8c2FuZGJveC1vdGhlcg==',
} as const;

export const CARD = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Ann Example',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
} as const;

/** What 3D Secure asks of a browser and of an address. */
export const SHOPPER = {
  'customer.givenName': 'Ann',
  'customer.surname': 'Example',
  'customer.email': 'ann@example.org',
  'customer.ip': '192.0.2.17',
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'en',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.screenColorDepth': '24',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
  'billing.street1': '17 Market Street',
  'billing.city': 'Springfield',
  'billing.postcode': '12345',
  'billing.country': 'DE',
} as const;

export type Fields = Readonly<Record<string, string>>;
export type Reply = {
  readonly status: number;
  readonly code: string;
  readonly id: string;
  readonly headers: Headers;
  // The body of a reply is whatever JSON came back: tests read it by name.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
};

const agent = new Agent({ keepAlive: true });

/**
 * Closes the connections that no request uses. After a long time without requests the gateway closes them too, and a request that is sent
 * on one at the same moment fails.
 */
export function closeIdleConnections(): void {
  for (const idle of Object.values(agent.freeSockets)) for (const socket of idle ?? []) socket.destroy();
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };

type Sent = { readonly method: string; readonly headers: Fields; readonly body: string | null };

/** One request on a kept connection. `fetch` takes three times the processor time. */
function exchange(url: string, { method, headers, body }: Sent): Promise<IncomingMessage> {
  const length = body === null ? {} : { ...FORM, 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    request(url, { agent, method, headers: { ...length, ...headers } }, resolve)
      .once('error', reject)
      .end(body ?? undefined);
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}

/** One merchant talking to one gateway. */
export function createClient(url: string, who: { readonly entityId: string; readonly token: string } = DEMO) {
  async function send(method: string, path: string, fields: Fields, headers: Fields = {}): Promise<Reply> {
    const form = new URLSearchParams({ entityId: who.entityId, ...fields });
    const isBodyless = method === 'GET' || method === 'DELETE';
    const answer = await exchange(isBodyless ? `${url}${path}?${form}` : `${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${who.token}`, ...headers },
      body: isBodyless ? null : form.toString(),
    });
    const status = answer.statusCode ?? 0;
    const body = JSON.parse(await text(answer)) as Reply['body'];
    assertDescribed(method, path, { status, body });
    return { status, code: body.result?.code, id: body.id, headers: headersOf(answer), body };
  }
  return {
    send,
    /** A card payment of 92.00 EUR, changed as given; a field set to '' is not sent. */
    pay: (fields: Fields = {}, headers?: Fields) =>
      send('POST', '/v1/payments', present({ amount: '92.00', currency: 'EUR', paymentType: 'DB', ...CARD, ...fields }), headers),
    refer: (id: string, fields: Fields, headers?: Fields) => send('POST', `/v1/payments/${id}`, fields, headers),
    capture: (id: string, amount: string, fields: Fields = {}) =>
      send('POST', `/v1/payments/${id}`, { paymentType: 'CP', amount, currency: 'EUR', ...fields }),
    refund: (id: string, amount: string, fields: Fields = {}) =>
      send('POST', `/v1/payments/${id}`, { paymentType: 'RF', amount, currency: 'EUR', ...fields }),
    reverse: (id: string, fields: Fields = {}) => send('POST', `/v1/payments/${id}`, { paymentType: 'RV', ...fields }),
    read: (id: string, fields: Fields = {}) => send('GET', `/v1/payments/${id}`, fields),
  };
}

/** A field set to '' is not sent. */
export function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
