import type { Payment } from './generated/answers.ts';

/**
 * Why a call has no result: `invalid` (400), `unauthorised` (401, 403), `notFound` (404), `throttled` (429), `server` (5xx), `network` (no
 * connection, or none that lasted), `timeout`, `unreadable` (the reply is not what the API sends). A declined payment is a result.
 */
export type FailureKind = 'invalid' | 'unauthorised' | 'notFound' | 'throttled' | 'server' | 'network' | 'timeout' | 'unreadable';

export type ParameterError = { readonly name?: string; readonly value?: string | null; readonly message?: string };

type Facts = {
  readonly kind: FailureKind;
  readonly status?: number;
  /** The body of the reply, where there was one. */
  readonly reply?: { readonly result?: Payment['result']; readonly ndc?: string };
  readonly attempts: number;
  readonly idempotencyKey?: string | null;
  readonly cause?: unknown;
};

/** A call without a result. */
export class TurnpikeError extends Error {
  override readonly name: string = 'TurnpikeError';
  readonly kind: FailureKind;
  readonly status: number | null;
  /** The result code, where the gateway sent one. */
  readonly code: string | null;
  /** The number of the request, for support. */
  readonly ndc: string | null;
  readonly parameterErrors: readonly ParameterError[];
  readonly attempts: number;
  /** Send it again with the same parameters to learn the outcome of the payment. */
  readonly idempotencyKey: string | null;

  constructor(message: string, { kind, status, reply, attempts, idempotencyKey, cause }: Facts) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.status = status ?? null;
    this.code = reply?.result?.code ?? null;
    this.ndc = reply?.ndc ?? null;
    this.parameterErrors = reply?.result?.parameterErrors ?? [];
    this.attempts = attempts;
    this.idempotencyKey = idempotencyKey ?? null;
  }
}

/** A resourcePath that the gateway did not make. */
export class ResourcePathError extends Error {
  override readonly name: string = 'ResourcePathError';
}

/** Why a webhook was not accepted. */
export type WebhookFault = 'header' | 'age' | 'signature' | 'key' | 'payload';

/** A request that is no webhook of this gateway. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** A file that is no reconciliation file. */
export class ReconciliationError extends Error {
  override readonly name: string = 'ReconciliationError';
  /** The line of the file, from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}
