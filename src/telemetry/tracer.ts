import { AsyncLocalStorage } from 'node:async_hooks';
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
    work: (span: Span<Name> | null) => Promise<Result>,
  ): Promise<Result>;
}

type TracerNeeds = {
  readonly sampler: Sampler;
  /** Milliseconds since 1970, with fractions. */
  readonly now: () => number;
  readonly random: (bytes: Uint8Array) => void;
  readonly export: (span: SpanRecord) => void;
};

/** Random digits that cannot be taken for a card number: log lines mask everything that looks like one. */
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
    async run(row, { otherwise = null, attributes }, work) {
      const call = currentCall();
      const parent = call?.span?.context ?? otherwise;
      if (parent === null) return work(null);
      const span = start(row, { parent, ...(attributes && { attributes }) });
      try {
        const result = await runCall({ ...call, span: span as Span }, () => work(span));
        span.end();
        return result;
      } catch (error) {
        span.end(true);
        throw error;
      }
    },
  };
}

/** The purpose of the current work. Every log line of it carries these fields. */
export type CallContext = {
  readonly requestId?: string;
  readonly job?: string;
  readonly paymentId?: string;
  /** The account at the acquirer that is asked. */
  readonly account?: string;
  /** Null or absent: the work is not traced. */
  readonly span?: Span | null;
};

/** At module level because every call of the process shares it: the runtime keeps one value for each chain of calls. */
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

/** The samplers of OpenTelemetry. `parentbased_`: a caller that names a trace decides, and the rest of the name is for traces that begin here. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];

/** Whether a span is recorded: by the decision of its parent, if any, and the id of its trace. */
type Sampler = (traceId: string, parent: TraceContext | null) => boolean;

const DIGITS = 14;
/** A decision by the last 56 bits of the id: every program with the same ratio decides alike. */
const byRatio = (ratio: number): Sampler => {
  const bound = Math.round(ratio * 16 ** DIGITS);
  return (traceId) => Number.parseInt(traceId.slice(-DIGITS), 16) < bound;
};

export function createSampler(name: SamplerName, ratio: number): Sampler {
  const root = name.endsWith('always_on') ? () => true : name.endsWith('always_off') ? () => false : byRatio(ratio);
  return name.startsWith('parentbased_') ? (traceId, parent) => parent?.isSampled ?? root(traceId, null) : root;
}

/** Every span that the gateway makes, and its attributes: ids, codes, types and counts, never data of a card or a person. */

/** The numbers of OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;

export type SpanRow = {
  readonly kind: keyof typeof spanKinds;
  readonly means: string;
  readonly attributes: readonly string[];
};

const PAYMENT = ['turnpike.payment.id', 'turnpike.payment.type'] as const;

export const spanRows = {
  request: {
    kind: 'server',
    means: 'a request, from its head to the end of the reply; its name is method and path of the endpoint',
    attributes: [
      'http.request.method',
      'http.route',
      'http.response.status_code',
      'turnpike.request.id',
      'turnpike.ndc',
      'turnpike.entity.id',
      'turnpike.result.code',
    ],
  },
  'risk check': { kind: 'internal', means: 'the risk engine evaluates a payment', attributes: ['turnpike.payment.id'] },
  '3-D Secure': {
    kind: 'client',
    means: 'a directory server is asked: `enrolment` or `authentication`',
    attributes: ['turnpike.threeds.question'],
  },
  'connector call': {
    kind: 'client',
    means: 'a question to the acquirer: `send`, `inquire` or `cancel`, with all its HTTP requests',
    attributes: [...PAYMENT, 'turnpike.account', 'turnpike.question', 'turnpike.answer', 'turnpike.result.code'],
  },
  'acquirer request': {
    kind: 'client',
    means: 'one HTTP request of a connector; the acquirer gets this span as its parent',
    attributes: ['http.request.method', 'server.address', 'http.response.status_code', 'error.type'],
  },
  commit: {
    kind: 'client',
    means: 'state, ledger posting and event are written in one transaction',
    attributes: [...PAYMENT, 'turnpike.payment.revision', 'turnpike.commit.outcome'],
  },
  'webhook delivery': {
    kind: 'producer',
    means: 'an attempt to deliver an event, in the trace of the payment; the receiver gets this span as its parent',
    attributes: ['turnpike.webhook.id', 'turnpike.event.id', 'turnpike.event.type', 'http.response.status_code', 'error.type'],
  },
} as const satisfies Readonly<Record<string, SpanRow>>;

type SpanName = keyof typeof spanRows;
type AttributeName<Name extends SpanName> = (typeof spanRows)[Name]['attributes'][number];
type Attributes<Name extends SpanName> = Readonly<Partial<Record<AttributeName<Name>, string | number>>>;
