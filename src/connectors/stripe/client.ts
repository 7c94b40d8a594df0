import { parsedRecord } from '../../runtime/json.ts';
import type { Clock } from '../../spec/time.ts';
import type { StepRow } from '../kind.ts';
import type { AccountNeeds, ExchangeRequest, ExchangeResult } from '../ports.ts';
import { type ApiError, readError } from './objects.ts';

/** The version of the acquirer's API that every request names. */
export const API_VERSION = '2026-10-28.endive';

/** An intent books nothing before it is confirmed. A cancellation releases money, so its missing answer is none. */
export const steps = {
  create: { request: 'POST /payment_intents, /setup_intents', books: false },
  method: { request: 'POST /payment_methods', books: false },
  customer: { request: 'POST /customers', books: false },
  update: { request: 'POST /payment_intents/{id}', books: false },
  attach: { request: 'POST /payment_methods/{id}/attach', books: false },
  retrieve: { request: 'GET /payment_intents/{id}, /setup_intents/{id}, /refunds/{id}', books: false },
  search: { request: 'GET /payment_intents/search, /refunds', books: false },
  confirm: { request: 'POST /payment_intents/{id}/confirm, /setup_intents/{id}/confirm', books: true },
  capture: { request: 'POST /payment_intents/{id}/capture', books: true },
  increment: { request: 'POST /payment_intents/{id}/increment_authorization', books: true },
  cancel: { request: 'POST /payment_intents/{id}/cancel, /setup_intents/{id}/cancel', books: true },
  refund: { request: 'POST /refunds', books: true },
} as const satisfies Readonly<Record<string, StepRow>>;

export type StepName = keyof typeof steps;

/**
 * The outcome of a request, tried again with the same idempotency key where that is safe. `error`: a clear refusal; it is `isCertain`
 * when no earlier try can have been executed. `notExecuted`: every try was turned away before it was executed. `unknown`: it may have
 * been executed.
 */
export type ApiReply =
  | { readonly is: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | {
      readonly is: 'error';
      readonly status: number;
      readonly error: ApiError;
      readonly value: unknown;
      readonly isCertain: boolean;
    }
  | { readonly is: 'notExecuted'; readonly why: 'unreachable' | 'busy' | 'mode' }
  | { readonly is: 'unknown' };

type ApiCall = {
  readonly step: StepName;
  readonly method: 'GET' | 'POST';
  /** Below `/v1/`; ids in it are checked by the caller. */
  readonly path: string;
  readonly query?: FormFields;
  readonly form?: FormFields;
  readonly key?: string;
  readonly withinMs: number;
};

/** Calls about one payment, in the mode of it, until a deadline. */
export type Client = { call(request: ApiCall): Promise<ApiReply> };

type ClientOptions = {
  readonly url: string;
  readonly connectedAccount: string;
  readonly isLive: boolean;
  readonly clock: Clock;
  /** No try begins after so long. */
  readonly budgetMs: number;
  secretKey(): Promise<string | null>;
};

const TRIES_MAX = 3;
const PAUSE_MS = 100;

/** Keys of this mode; restricted keys (rk_) have the rights that the operator gave them. */
export const isKeyOf = (key: string, isLive: boolean): boolean =>
  /^(?:sk|rk)_(live|test)_/.exec(key)?.[1] === (isLive ? 'live' : 'test');

export function createClient(
  needs: Pick<AccountNeeds, 'exchange' | 'sleep' | 'random' | 'alarm' | 'log'>,
  options: ClientOptions,
): Client {
  const { exchange, sleep, random, alarm, log } = needs;
  const { isLive, clock, budgetMs } = options;
  const endsAt = clock.now() + budgetMs;

  async function call(request: ApiCall): Promise<ApiReply> {
    const key = await options.secretKey();
    if (key === null || !isKeyOf(key, isLive)) {
      alarm(key === null ? 'the account has no secret key' : 'the secret key is not one of this mode', {
        mode: isLive ? 'live' : 'test',
      });
      return { is: 'notExecuted', why: 'mode' };
    }
    let mayHaveRun = false;
    let isBusy = false;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const leftMs = endsAt - clock.now();
      if (leftMs <= 0) break;
      if (tries > 0) await sleep(PAUSE_MS * 2 ** tries + (random(1)[0] ?? 0));
      const read = readResult(
        await exchange(requestOf({ ...request, withinMs: Math.min(request.withinMs, leftMs) }, options, key)),
        isLive,
      );
      switch (read.is) {
        case 'notSent':
          continue;
        case 'unreadable':
          mayHaveRun = true;
          if (!read.mayRetry) return { is: 'unknown' };
          continue;
        case 'running':
          // An earlier try with the same key is still being processed.
          mayHaveRun = true;
          continue;
        case 'busy':
          isBusy = true;
          if (!read.mayRetry) return mayHaveRun ? { is: 'unknown' } : { is: 'notExecuted', why: 'busy' };
          continue;
        case 'otherMode':
          alarm('an answer is not of this mode', { mode: isLive ? 'live' : 'test' });
          return { is: 'unknown' };
        case 'object':
          return read;
        case 'error': {
          log('the acquirer refused a request', {
            status: read.status,
            code: read.error.code ?? read.error.type,
            requestId: read.requestId,
          });
          // Keys may have been exchanged between two tries: the second answer says nothing about the first request.
          if (mayHaveRun && (read.status === 401 || read.status === 403)) return { is: 'unknown' };
          return { is: 'error', status: read.status, error: read.error, value: read.value, isCertain: !mayHaveRun };
        }
      }
    }
    if (mayHaveRun) return { is: 'unknown' };
    return { is: 'notExecuted', why: isBusy ? 'busy' : 'unreachable' };
  }

  return { call };
}

function requestOf(
  { step, method, path, query, form, key, withinMs }: ApiCall,
  { url, connectedAccount }: ClientOptions,
  secret: string,
): ExchangeRequest {
  const search = query ? `?${encodeForm(query)}` : '';
  return {
    method,
    url: `${url.replace(/\/$/, '')}/v1/${path}${search}`,
    headers: {
      authorization: `Bearer ${secret}`,
      'stripe-version': API_VERSION,
      accept: 'application/json',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(connectedAccount !== '' && { 'stripe-account': connectedAccount }),
    },
    ...(form && { body: encodeForm(form) }),
    books: steps[step].books,
    withinMs,
  };
}

type Reading =
  | { readonly is: 'notSent' | 'otherMode' | 'running' }
  | { readonly is: 'unreadable' | 'busy'; readonly mayRetry: boolean }
  | { readonly is: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | {
      readonly is: 'error';
      readonly status: number;
      readonly error: ApiError;
      readonly value: unknown;
      readonly requestId: string;
    };

const BUSY_CODES: ReadonlySet<string | null> = new Set(['lock_timeout', 'rate_limit', 'payment_intent_rate_limit_exceeded']);
/** A dependency failed: whether the request was executed is open. */
const FAILED_DEPENDENCY = 424;

function readResult(result: ExchangeResult, isLive: boolean): Reading {
  if (result.is !== 'replied') return result.is === 'notSent' ? { is: 'notSent' } : { is: 'unreadable', mayRetry: true };
  const { status, headers, body } = result;
  // The header is the last word of the acquirer on whether the same request may be sent again.
  const mayRetry = headers['stripe-should-retry'] !== 'false';
  const value = parsedRecord(body);
  if (value === null || status >= 500 || status === FAILED_DEPENDENCY) return { is: 'unreadable', mayRetry };
  if (status >= 200 && status < 300) {
    if (value.livemode !== undefined && value.livemode !== isLive) return { is: 'otherMode' };
    return { is: 'object', value };
  }
  const error = readError(value.error);
  if (status < 400 || error === null) return { is: 'unreadable', mayRetry };
  if (status === 409 || error.code === 'idempotency_key_in_use') return { is: 'running' };
  if (status === 429 || BUSY_CODES.has(error.code)) return { is: 'busy', mayRetry };
  return { is: 'error', status, error, value: value.error, requestId: headers['request-id'] ?? '' };
}

/** A value of a form: fields may be nested, and a field that is undefined is left out. */
type FormValue = string | bigint | number | boolean | undefined | readonly string[] | FormFields;
export type FormFields = { readonly [name: string]: FormValue };

/** Nested fields as `a[b]=…`, lists as `a[]=…`, percent-encoded as application/x-www-form-urlencoded. */
export function encodeForm(fields: FormFields): string {
  const pairs = new URLSearchParams();
  append(pairs, '', fields);
  return pairs.toString();
}

function append(pairs: URLSearchParams, prefix: string, fields: FormFields): void {
  for (const [name, value] of Object.entries(fields)) {
    const path = prefix === '' ? name : `${prefix}[${name}]`;
    if (value === undefined) continue;
    if (isList(value)) for (const item of value) pairs.append(`${path}[]`, item);
    else if (typeof value === 'object') append(pairs, path, value);
    else pairs.append(path, String(value));
  }
}

const isList = (value: FormValue): value is readonly string[] => Array.isArray(value);
