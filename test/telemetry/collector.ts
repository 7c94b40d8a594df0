import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TelemetrySettings } from '../../src/config/telemetry.ts';
import { spanKinds, spanRows } from '../../src/telemetry/tracer.ts';

/** A span as a collector gets it. */
export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: string };
  }[];
  readonly status: { readonly code?: number };
};

type Body = {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[];
};

/** A collector that speaks OTLP over HTTP with JSON, and refuses what the standard does not allow. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const state = { status: 200 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const isOtlp =
        request.method === 'POST' && request.url === '/v1/traces' && request.headers['content-type'] === 'application/json';
      if (isOtlp && state.status === 200) {
        bodies.push(text);
        const { resourceSpans } = JSON.parse(text) as Body;
        spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      }
      response.writeHead(isOtlp ? state.status : 400, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    state,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  };
}

export const settingsFor = (url: string, more: Partial<TelemetrySettings> = {}): TelemetrySettings => ({
  url: `${url}/v1/traces`,
  headers: {},
  resource: { 'service.name': 'turnpike' },
  timeoutMs: 5_000,
  delayMs: 60_000,
  queueMax: 2_048,
  batchMax: 512,
  sampler: 'parentbased_always_on',
  ratio: 1,
  ...more,
});

export const attribute = ({ attributes }: ReceivedSpan, key: string): string | undefined => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

/** Every span has the form of OTLP, a kind and attributes of its row, and times in order. */
export function assertDescribedSpans(spans: readonly ReceivedSpan[]): void {
  for (const span of spans) {
    assert.match(span.traceId, /^[0-9a-f]{32}$/);
    assert.match(span.spanId, /^[0-9a-f]{16}$/);
    assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));
    const row = Object.hasOwn(spanRows, span.name) ? spanRows[span.name as keyof typeof spanRows] : spanRows.request;
    assert.equal(span.kind, spanKinds[row.kind], span.name);
    const foreign = span.attributes.map(({ key }) => key).filter((key) => !(row.attributes as readonly string[]).includes(key));
    assert.deepEqual(foreign, [], span.name);
  }
}
