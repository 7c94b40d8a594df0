import { maskCardNumbers } from '../spec/cards/cardNumbers.ts';
import { spanKinds, spanRows } from './spanRows.ts';
import type { SpanRecord } from './tracer.ts';

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

export const otlpBody = (resource: Readonly<Record<string, string>>, version: string, spans: readonly SpanRecord[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'turnpike', version }, spans: spans.map(spanOf) }],
      },
    ],
  });
