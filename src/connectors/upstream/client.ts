import { isRecord, parsedJson } from '../../runtime/json.ts';
import type { StepRow } from '../kind.ts';
import type { AccountNeeds } from '../ports.ts';

/** To store details moves no money, but a platform that may have stored them is not left for another. */
export const steps = {
  send: { request: 'POST /v1/payments, /v1/payments/{id}, /v1/registrations, /v1/registrations/{id}/payments', books: true },
  undo: { request: 'POST /v1/payments/{id}, DELETE /v1/registrations/{id}', books: true },
  query: { request: 'GET /v1/payments/{id}, /v1/query', books: false },
} as const satisfies Readonly<Record<string, StepRow>>;

type StepName = keyof typeof steps;

/** A request of the API, before it is addressed and authorised. */
export type ApiRequest = {
  readonly step: StepName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Begins with a slash. */
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
};

export type Json = Readonly<Record<string, unknown>>;

/**
 * `notSent`: nothing can have happened. `unanswered`: it may have arrived; a status of 5xx and a body that is none of this API say no more
 * than silence.
 */
export type ApiReply =
  | { readonly is: 'answered'; readonly status: number; readonly code: string; readonly json: Json }
  | { readonly is: 'notSent' | 'unanswered'; readonly reason: string };

export type Api = (request: ApiRequest, withinMs: number) => Promise<ApiReply>;

type ApiSettings = { readonly url: string; readonly entityId: string };

export const NO_TOKEN = 'no access token';
/** As the outbound client says it. */
export const NOT_ALLOWED = 'the address is not allowed';
const CODE = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/;

/** Requests to the platform under one access token, which is read anew for each: it may have been exchanged. */
export function createApi(
  { exchange }: Pick<AccountNeeds, 'exchange'>,
  { url, entityId }: ApiSettings,
  accessToken: () => Promise<string | null>,
): Api {
  const origin = url.replace(/\/+$/, '');
  return async ({ step, method, path, fields, idempotencyKey }, withinMs) => {
    const token = await accessToken();
    if (token === null) return { is: 'notSent', reason: NO_TOKEN };
    const form = new URLSearchParams({ entityId, ...fields }).toString();
    const isForm = method === 'POST';
    const reply = await exchange({
      method,
      url: isForm ? `${origin}${path}` : `${origin}${path}?${form}`,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(isForm && { body: form }),
      books: steps[step].books,
      withinMs,
    });
    if (reply.is !== 'replied') return reply;
    if (reply.status >= 500) return { is: 'unanswered', reason: `status ${reply.status}` };
    return readBody(reply);
  };
}

function readBody({ status, body }: { readonly status: number; readonly body: string }): ApiReply {
  const json = parsedJson(body);
  const code = textAt(json, 'result', 'code');
  if (!isRecord(json) || code === null || !CODE.test(code))
    return { is: 'unanswered', reason: `no answer of this API (${status})` };
  return { is: 'answered', status, code, json };
}

/** The string at a path of members; null when there is none. */
export function textAt(json: unknown, ...path: readonly string[]): string | null {
  let value = json;
  for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : null;
  return typeof value === 'string' ? value : null;
}
