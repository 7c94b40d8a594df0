import type { TelemetrySettings } from '../../config/telemetry.ts';
import type { Exchange } from '../../connectors/ports.ts';
import { createCollectorPost } from '../../outbound/ownNetwork.ts';
import type { Payment } from '../../payments/payment.ts';
import type { PaymentWatch, ThreeDSServer, Timers, World } from '../../payments/ports.ts';
import type { Store } from '../../store/store.ts';
import { createExporter } from '../../telemetry/exporter.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { readTraceContext, type TraceContext, traceHeaders, traceparentOf } from '../../telemetry/traceContext.ts';
import { createSampler, createTracer, currentCall, runCall, type Span, type Tracer } from '../../telemetry/tracer.ts';
import { systemRandom } from '../../vault/randomBytes.ts';
import { readVersion } from '../../version.ts';
import type { AttemptNeeds, AttemptResult, Post } from '../../webhooks/prepareDispatch.ts';
import { elapsed, sleep } from '../system.ts';

export type Telemetry = {
  readonly tracer: Tracer;
  /** Sends the spans that wait. */
  stop(): Promise<void>;
};

type TelemetryNeeds = { readonly metrics: Metrics; readonly log: Log; readonly timers: Timers };

/** Traces of this thread; null: the operator wants none, and nothing is created. */
export function createTelemetry(settings: TelemetrySettings | null, { metrics, log, timers }: TelemetryNeeds): Telemetry | null {
  if (settings === null) return null;
  const exporter = createExporter(settings, {
    version: readVersion(),
    post: createCollectorPost({ timers }),
    sleep,
    onExported: metrics.spansExported,
    onDropped: metrics.spansDropped,
    onProblem: (why) => log.warn({ why }, 'the collector of traces does not take spans'),
  });
  const tracer = createTracer({
    sampler: createSampler(settings.sampler, settings.ratio),
    now: () => performance.timeOrigin + performance.now(),
    random: systemRandom,
    export: exporter.add,
  });
  return { tracer, stop: exporter.stop };
}

/** The trace of a payment, for work that no request waits for. */
const traceOf = ({ traceparent }: Pick<Payment, 'traceparent'>): TraceContext | null =>
  traceparent === undefined ? null : readTraceContext(traceparent);

const paymentAttributes = ({ id, paymentType }: Payment) => ({ 'turnpike.payment.id': id, 'turnpike.payment.type': paymentType });

/** Counts answers of acquirers, names the account in log lines, and traces. */
export const watchPayments = (metrics: Metrics, tracer: Tracer | null): PaymentWatch => ({
  traceparent() {
    const context = tracer === null ? undefined : currentCall()?.span?.context;
    return context?.isSampled ? traceparentOf(context) : undefined;
  },
  async question({ payment, question }, ask) {
    const { connector: account, id: paymentId } = payment;
    const startedAt = elapsed();
    const asked = async (span: Span<'connector call'> | null) => {
      const answer = await runCall({ ...currentCall(), account, paymentId }, ask);
      span?.set({ 'turnpike.answer': answer.is, ...('code' in answer && { 'turnpike.result.code': String(answer.code) }) });
      return answer;
    };
    const attributes = { ...paymentAttributes(payment), 'turnpike.account': account, 'turnpike.question': question };
    const answer = await (tracer?.run('connector call', { otherwise: traceOf(payment), attributes }, asked) ?? asked(null));
    metrics.acquirerAnswered({ account, question, answer: answer.is, seconds: (elapsed() - startedAt) / 1000 });
    return answer;
  },
  answered: ({ connector: account }, { is }) =>
    metrics.acquirerAnswered({ account, question: 'send', answer: is, seconds: null }),
});

/** The store, with a span for every commit of a payment. */
export function traceCommits(store: Store, tracer: Tracer | null | undefined): Store {
  if (!tracer) return store;
  const commit: Store['commit'] = (change) => {
    const { payment } = change;
    const attributes = { ...paymentAttributes(payment), 'turnpike.payment.revision': payment.revision };
    return tracer.run('commit', { otherwise: traceOf(payment), attributes }, async (span) => {
      const outcome = await store.commit(change);
      span?.set({ 'turnpike.commit.outcome': outcome.is });
      return outcome;
    });
  };
  return { ...store, commit };
}

/** The World, with spans for risk checks and questions to directory servers. */
export const traceWorld = (world: World, tracer: Tracer): World => ({
  ...world,
  risk: {
    ...world.risk,
    evaluate: (facts, settings, as, paymentId) =>
      tracer.run('risk check', { attributes: paymentId === undefined ? {} : { 'turnpike.payment.id': paymentId } }, async () =>
        world.risk.evaluate(facts, settings, as, paymentId),
      ),
  },
  threeDS: world.threeDS && traceDirectories(world.threeDS, tracer),
});

/** The directory servers, with a span for every question. */
export const traceDirectories = (server: ThreeDSServer, tracer: Tracer): ThreeDSServer => ({
  ...server,
  directory(origin) {
    const own = server.directory(origin);
    const traced = <Result>(question: string, ask: () => Promise<Result>): Promise<Result> =>
      tracer.run('3-D Secure', { attributes: { 'turnpike.threeds.question': question } }, ask);
    return {
      versions: (enquiry) => traced('enrolment', async () => own.versions(enquiry)),
      authenticate: (areq, network) => traced('authentication', async () => own.authenticate(areq, network)),
    };
  },
});

/** Requests of connectors, each with a span that the acquirer learns. */
export const traceExchange =
  (exchange: Exchange, tracer: Tracer): Exchange =>
  (request) =>
    tracer.run('acquirer request', { attributes: { 'http.request.method': request.method } }, async (span) => {
      if (span === null) return exchange(request);
      const host = URL.parse(request.url)?.hostname;
      if (host !== undefined) span.set({ 'server.address': host });
      const result = await exchange({ ...request, headers: { ...request.headers, ...traceHeaders(span.context) } });
      span.set(result.is === 'replied' ? { 'http.response.status_code': result.status } : { 'error.type': result.is });
      if (result.is !== 'replied') span.end(true);
      return result;
    });

const outcomeOf = ({ status }: AttemptResult): 'delivered' | 'refused' | 'unanswered' =>
  status === null ? 'unanswered' : status >= 200 && status < 300 ? 'delivered' : 'refused';

/** `loadPayment`: sees the payments that a payload is made from, and so the trace that the delivery belongs to. */
type DeliveryWatch = Required<Pick<AttemptNeeds, 'watch'>> & {
  readonly loadPayment: (eventId: string, payment: Payment | null) => Payment | null;
  readonly post: (post: Post) => Post;
};

/** More than deliveries are open at a time. */
const TRACES_MAX = 10_000;

/** Counts attempts to deliver events, and traces them: the receiver learns the span. */
export function watchDeliveries(metrics: Metrics, tracer: Tracer | null): DeliveryWatch {
  const traces = new Map<string, TraceContext>();
  return {
    loadPayment(eventId, payment) {
      const trace = tracer && payment && traceOf(payment);
      if (!trace) return payment;
      // To the end, and the oldest goes first: one payload serves several deliveries.
      traces.delete(eventId);
      if (traces.size >= TRACES_MAX) traces.delete(traces.keys().next().value ?? eventId);
      traces.set(eventId, trace);
      return payment;
    },
    post: (post) => (url, sent, bounds) => {
      const span = tracer && currentCall()?.span;
      return post(url, span ? { ...sent, headers: { ...sent.headers, ...traceHeaders(span.context) } } : sent, bounds);
    },
    async watch({ webhook, event }, call) {
      const otherwise = traces.get(event.id) ?? null;
      const startedAt = elapsed();
      const attributes = {
        'turnpike.webhook.id': webhook.id,
        'turnpike.event.id': event.id,
        'turnpike.event.type': event.type,
      };
      const traced = async (span: Span<'webhook delivery'> | null) => {
        const result = await call();
        span?.set(result.status === null ? { 'error.type': 'unanswered' } : { 'http.response.status_code': result.status });
        if (outcomeOf(result) !== 'delivered') span?.end(true);
        return result;
      };
      const result = await (tracer?.run('webhook delivery', { otherwise, attributes }, traced) ?? traced(null));
      metrics.webhookAttempted(outcomeOf(result), (elapsed() - startedAt) / 1000);
      return result;
    },
  };
}
