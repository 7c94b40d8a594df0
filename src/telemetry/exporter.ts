import { maskCardNumbers } from '../spec/cards/cardNumbers.ts';
import { type SpanRecord, spanKinds, spanRows } from './tracer.ts';

/** The settings of the exporter. Durations are in milliseconds. */
export type ExportSettings = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly delayMs: number;
  readonly queueMax: number;
  readonly batchMax: number;
};

/** `queue`: the queue was full. `collector`: the collector refused the spans, or did not answer. */
type DropReason = 'queue' | 'collector';

export type ExporterNeeds = {
  readonly version: string;
  /** Posts to the collector; resolves with the status, and rejects when no answer comes in time. */
  readonly post: (url: string, body: string, headers: Readonly<Record<string, string>>, withinMs: number) => Promise<number>;
  /** Resolves early when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onExported: (spans: number) => void;
  readonly onDropped: (spans: number, reason: DropReason) => void;
  readonly onProblem: (why: string) => void;
};

interface Exporter {
  /** Takes a span, or drops it when the queue is full. Never waits. */
  add(span: SpanRecord): void;
  /** Sends the remaining spans and ends. Resolves after the time-out of a request at the latest. */
  stop(): Promise<void>;
}

/** A collector that has failed this often in a row is asked less often: the pause doubles up to the limit. */
const PAUSE_MS_MAX = 60_000;

/** The collector may succeed later with the same request. */
const isPassing = (status: number): boolean => status === 429 || status === 502 || status === 503 || status === 504;

/** Collects spans and sends them in batches. A collector that is away costs spans, never a payment. */
export function createExporter(settings: ExportSettings, needs: ExporterNeeds): Exporter {
  const { queueMax, batchMax, delayMs, timeoutMs } = settings;
  let queue: SpanRecord[] = [];
  let failures = 0;
  let isFull = new AbortController();
  const ending = new AbortController();

  const send = async (batch: readonly SpanRecord[]): Promise<void> => {
    const body = otlpBody(settings.resource, needs.version, batch);
    const status = await needs.post(settings.url, body, settings.headers, timeoutMs).catch((error: Error) => error.message);
    if (typeof status === 'number' && status >= 200 && status < 300) {
      failures = 0;
      return needs.onExported(batch.length);
    }
    if (failures === 0) needs.onProblem(typeof status === 'number' ? `answered ${status}` : status);
    failures += 1;
    const room = queueMax - queue.length;
    const isRepeated = (typeof status === 'string' || isPassing(status)) && !ending.signal.aborted;
    const kept = isRepeated ? batch.slice(0, Math.max(0, room)) : [];
    queue = [...kept, ...queue];
    if (kept.length < batch.length) needs.onDropped(batch.length - kept.length, 'collector');
  };
  const sendAll = async (): Promise<void> => {
    const before = failures;
    while (queue.length > 0 && failures === before) await send(queue.splice(0, batchMax));
  };
  const loop = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const pauseMs = Math.min(PAUSE_MS_MAX, delayMs * 2 ** Math.min(failures, 10));
      // A full batch leaves immediately, unless the collector is away.
      await needs.sleep(pauseMs, failures === 0 ? AbortSignal.any([isFull.signal, ending.signal]) : ending.signal);
      isFull = new AbortController();
      if (!ending.signal.aborted) await sendAll();
    }
  };
  const running = loop();
  return {
    add(span) {
      if (queue.length >= queueMax) return needs.onDropped(1, 'queue');
      queue.push(span);
      if (queue.length === batchMax) isFull.abort();
    },
    async stop() {
      ending.abort();
      await running;
      await sendAll();
      if (queue.length > 0) needs.onDropped(queue.length, 'collector');
      queue = [];
    },
  };
}

/** The body of a request to `/v1/traces` (OTLP over HTTP, JSON). */

type Attribute = { readonly key: string; readonly value: { readonly stringValue: string } | { readonly intValue: string } };

const attributesOf = (values: Readonly<Record<string, string | number>>): readonly Attribute[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: maskCardNumbers(value, { isStrict: true }) },
  }));

const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);
const ERROR = 2;

const spanOf = ({ row, name, context, parentId, startedAt, endedAt, attributes, isError }: SpanRecord) => ({
  traceId: context.traceId,
  spanId: context.spanId,
  ...(parentId !== null && { parentSpanId: parentId }),
  ...(context.state !== '' && { traceState: context.state }),
  flags: 1,
  name,
  kind: spanKinds[spanRows[row].kind],
  startTimeUnixNano: nanoseconds(startedAt),
  endTimeUnixNano: nanoseconds(Math.max(startedAt, endedAt)),
  attributes: attributesOf(attributes),
  status: isError ? { code: ERROR } : {},
});

const otlpBody = (resource: Readonly<Record<string, string>>, version: string, spans: readonly SpanRecord[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'turnpike', version }, spans: spans.map(spanOf) }],
      },
    ],
  });
