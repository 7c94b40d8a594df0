import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceContext } from './traceContext.ts';
import type { Span } from './tracer.ts';

/** What the current work is for. Every log line of it carries these fields. */
export type CallContext = {
  readonly requestId?: string;
  readonly job?: string;
  readonly paymentId?: string;
  /** The account at the acquirer that is asked. */
  readonly account?: string;
  /** Null or absent: the work is not traced. */
  readonly span?: Span | null;
};

const storage = new AsyncLocalStorage<CallContext>();

export const currentCall = (): CallContext | undefined => storage.getStore();

/** Runs work with this context; everything that it starts has it too. */
export const runCall = <Result>(context: CallContext, work: () => Result): Result => storage.run(context, work);

/** The fields of the current work in a log line. */
export function callFields(): object {
  const call = storage.getStore();
  if (!call) return {};
  const { span, ...fields } = call;
  return span?.context.isSampled ? { ...fields, traceId: span.context.traceId, spanId: span.context.spanId } : fields;
}

/** A call as plain data, for another thread. */
export type SentCall = Omit<CallContext, 'span'> & { readonly trace: TraceContext | null };

export function sentCall(): SentCall {
  const { span, ...fields } = storage.getStore() ?? {};
  return { ...fields, trace: span?.context ?? null };
}

/** Runs work of a call that another thread began. The span belongs to that thread, which ends it. */
export function runSentCall<Result>({ trace, ...fields }: SentCall, work: () => Result): Result {
  const span: Span | null = trace && { context: trace, set: () => {}, end: () => {} };
  return storage.run({ ...fields, span }, work);
}
