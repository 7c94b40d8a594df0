import { currentCall, runCall } from './callContext.ts';
import type { Sampler } from './sampler.ts';
import type { Attributes, SpanName } from './spanRows.ts';
import { holdsCardNumber, type TraceContext } from './traceContext.ts';

/** A span that has ended. Times are in milliseconds since 1970. */
export type SpanRecord = {
  readonly row: SpanName;
  readonly name: string;
  readonly context: TraceContext;
  readonly parentId: string | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
};

export interface Span<Name extends SpanName = SpanName> {
  readonly context: TraceContext;
  set(attributes: Attributes<Name>): void;
  /** Ends the span; a second end has no effect. */
  end(isError?: boolean): void;
}

/** `name`: other than that of the row. `parent`: where no call is under way; null begins a trace. */
type SpanStart<Name extends SpanName> = {
  readonly name?: string;
  readonly parent: TraceContext | null;
  readonly attributes?: Attributes<Name>;
};

export interface Tracer {
  start<Name extends SpanName>(row: Name, start: SpanStart<Name>): Span<Name>;
  /**
   * Runs work in a span below the current one, or below `otherwise` where there is none. Without either the work runs without a span. The
   * span ends with the work, in error when it throws.
   */
  run<Name extends SpanName, Result>(
    row: Name,
    about: { readonly otherwise?: TraceContext | null; readonly attributes?: Attributes<Name> },
    work: (span: Span<Name> | null) => Result,
  ): Result;
}

export type TracerNeeds = {
  readonly sampler: Sampler;
  /** Milliseconds since 1970, with fractions. */
  readonly now: () => number;
  readonly random: (bytes: Uint8Array) => void;
  readonly export: (span: SpanRecord) => void;
};

/** Random digits that cannot be taken for a card number: log lines mask what looks like one. */
function createIdSource(random: TracerNeeds['random']): (bytes: number) => string {
  return (bytes) => {
    for (;;) {
      const made = Buffer.alloc(bytes);
      random(made);
      const id = made.toString('hex');
      if (!/^0+$/.test(id) && !holdsCardNumber(id)) return id;
    }
  };
}

const [TRACE_BYTES, SPAN_BYTES] = [16, 8];

export function createTracer({ sampler, now, random, export: exportSpan }: TracerNeeds): Tracer {
  const idOf = createIdSource(random);
  const start: Tracer['start'] = (row, { name = row, parent, attributes = {} }) => {
    const traceId = parent?.traceId ?? idOf(TRACE_BYTES);
    const isSampled = sampler(traceId, parent);
    const context = { traceId, spanId: idOf(SPAN_BYTES), isSampled, state: parent?.state ?? '' };
    if (!isSampled) return { context, set: () => {}, end: () => {} };
    const startedAt = now();
    const kept: Record<string, string | number> = { ...attributes };
    let isEnded = false;
    return {
      context,
      set: (more) => void Object.assign(kept, more),
      end(isError = false) {
        if (isEnded) return;
        isEnded = true;
        const parentId = parent?.spanId ?? null;
        exportSpan({ row, name, context, parentId, startedAt, endedAt: now(), attributes: kept, isError });
      },
    };
  };
  return {
    start,
    run(row, { otherwise = null, attributes }, work) {
      const call = currentCall();
      const parent = call?.span?.context ?? otherwise;
      if (parent === null) return work(null);
      const span = start(row, { parent, ...(attributes && { attributes }) });
      return runCall({ ...call, span: span as Span }, () => endWith(span, work));
    },
  };
}

/** Ends the span when the work has ended, at once or later. */
function endWith<Name extends SpanName, Result>(span: Span<Name>, work: (span: Span<Name>) => Result): Result {
  try {
    const result = work(span);
    if (result instanceof Promise)
      return result.then(
        (value) => {
          span.end();
          return value;
        },
        (error: unknown) => {
          span.end(true);
          throw error;
        },
      ) as Result;
    span.end();
    return result;
  } catch (error) {
    span.end(true);
    throw error;
  }
}
