import { Agent, type ClientRequest, request } from 'node:http';
import { sandbox } from '../../src/merchants/sandbox.ts';

/** A merchant's program: a channel of the sandbox and the token that opens it. */
export type Shop = { readonly entityId: string; readonly token: string };
export const demoShop: Shop = { entityId: sandbox.demoShop.channelId, token: sandbox.demoShop.token };
export const lenientShop: Shop = { entityId: sandbox.demoShop.lenientChannelId, token: sandbox.demoShop.token };
export const otherShop: Shop = { entityId: sandbox.otherShop.channelId, token: sandbox.otherShop.token };

export type Fields = Readonly<Record<string, string>>;
export const card: Fields = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Ann Example',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};

/** The fields of an answer that these tests read. */
export type Body = {
  readonly id?: string;
  readonly paymentType?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly referencedId?: string;
  readonly result?: { readonly code: string; readonly description: string };
  readonly [name: string]: unknown;
};

/** `body` is null when the answer is not a JSON object. */
export type Reply = { readonly status: number; readonly body: Body | null; readonly text: string; readonly ms: number };

export type Call = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly shop?: Shop;
  readonly fields?: Fields;
  readonly key?: string | null;
  /** Destroys the socket so many milliseconds after the request was written: the answer is never read. */
  readonly cutAfterMs?: number;
  /** Ends the wait for an answer that is known to take long. Without it a call fails after `HANG_MS`. */
  readonly patience?: AbortSignal;
};

/** A call that takes longer is a hang, and a hang is a fault. */
const HANG_MS = 12_000;

const hangOf = (what: string) => Object.assign(new Error(`no answer after ${HANG_MS} ms: ${what}`), { code: 'HANG' });
export const isHang = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'HANG';

/** Connections are kept alive and shared like those of a shop's server. A request on a dead connection fails and is not sent again. */
const agent = new Agent({ keepAlive: true, maxSockets: 512, timeout: 60_000 });
/** Closes the connections that are kept for further requests. */
export const hangUp = (): void => agent.destroy();

/** Sends one request. Rejects when the connection breaks (the outcome is unknown) and when no answer comes (`isHang`). */
export function call(
  url: string,
  { method, path, shop = demoShop, fields = {}, key, cutAfterMs, patience }: Call,
): Promise<Reply> {
  const form = new URLSearchParams({ entityId: shop.entityId, ...fields }).toString();
  const headers = {
    authorization: `Bearer ${shop.token}`,
    ...(method === 'POST' && {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'content-length': form.length,
    }),
    ...(key && { 'idempotency-key': key }),
  };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(
      `${url}${path}${method === 'GET' ? `?${form}` : ''}`,
      { agent, method, headers, signal: patience },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.once('end', () => {
          clearTimeout(hang);
          resolve({ status: answer.statusCode ?? 0, body: objectOf(text), text, ms: performance.now() - began });
        });
        answer.once('error', reject);
        answer.once('aborted', () => reject(new Error('the answer broke off')));
      },
    );
    const hang = patience ? undefined : setTimeout(() => sent.destroy(hangOf(`${method} ${path}`)), HANG_MS);
    sent.once('error', (error) => {
      clearTimeout(hang);
      reject(error);
    });
    sent.end(method === 'POST' ? form : undefined, () => {
      if (cutAfterMs !== undefined) setTimeout(() => sent.destroy(new Error('cut on purpose')), cutAfterMs);
    });
  });
}

function objectOf(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null;
  } catch {
    return null;
  }
}

export type Order = Omit<Call, 'method' | 'path'> & { readonly fields: Fields };

export const pay = (url: string, order: Order): Promise<Reply> => call(url, { method: 'POST', path: '/v1/payments', ...order });

export const refer = (url: string, id: string, order: Order): Promise<Reply> =>
  call(url, { method: 'POST', path: `/v1/payments/${id}`, ...order });

export const read = (url: string, id: string, shop: Shop = demoShop): Promise<Reply> =>
  call(url, { method: 'GET', path: `/v1/payments/${id}`, shop });

export const SUCCESS = '000.100.110';
export const PENDING = '000.200.000';
export const codeOf = ({ body }: Reply): string => body?.result?.code ?? '';
export const isApproved = (reply: Reply): boolean => codeOf(reply) === SUCCESS;

/** An amount in cents: the tests never add amounts as floating-point numbers. */
export const cents = (amount: string): number => Number.parseInt(amount.replace('.', ''), 10);
export const amountOf = (sum: number): string => `${Math.floor(sum / 100)}.${String(sum % 100).padStart(2, '0')}`;
