import { forwardedReply, requestFrom } from '../../http/forwarded.ts';
import { handleRequest } from '../../http/gateway.ts';
import type { PackCalls } from '../../http/inspector/inspector.ts';
import type { Services } from '../../http/services.ts';
import { drive } from '../../payments/drive.ts';
import type { World } from '../../payments/ports.ts';
import { noteOutcome } from '../../payments/screen.ts';
import type { RiskFacts } from '../../risk/facts.ts';
import type { Log } from '../../telemetry/log.ts';
import { runSentCall } from '../../telemetry/tracer.ts';
import type { Evaluation, MainCalls, Outcome, ThreadCalls } from './calls.ts';
import type { Link } from './link.ts';

export type MainParts = {
  readonly world: World;
  readonly services: Services;
  readonly log: Log;
  readonly packCalls: PackCalls;
  readonly shareWriter: MainCalls['writerPort'];
  readonly noteRequest: () => void;
  readonly writeLines: (lines: string) => void;
  readonly crash: (error: unknown) => void;
};

/** Evaluations whose outcome has not come yet. The outcome of one that was dropped is counted from the stored payment. */
const EVALUATED_MAX = 5_000;

/** Counts what payments of other threads do, in the counters of this one. */
function createCounting(world: World): Pick<MainCalls, 'evaluate' | 'countAttempt' | 'countOutcome'> {
  const evaluated = new Map<string, RiskFacts>();
  const remember = (paymentId: string, facts: RiskFacts): void => {
    evaluated.set(paymentId, facts);
    const [oldest] = evaluated.size > EVALUATED_MAX ? evaluated.keys() : [];
    if (oldest !== undefined) evaluated.delete(oldest);
  };
  const countStored = async (merchantId: string, paymentId: string): Promise<void> => {
    const payment = await world.store.payment(merchantId, paymentId);
    if (payment) await noteOutcome(world, payment);
  };
  return {
    async evaluate({ facts, as, paymentId }: Evaluation) {
      const assessment = await world.risk.evaluate(facts, world.channel(facts.entityId)?.risk ?? {}, as, paymentId);
      if (assessment !== null && as === 'attempt') {
        world.countedEvents.attempt(paymentId);
        if (assessment.verdict.is !== 'decline') remember(paymentId, facts);
      }
      return JSON.stringify(assessment);
    },
    countAttempt: (paymentId) => void world.countedEvents.attempt(paymentId),
    countOutcome({ merchantId, paymentId, evaluatedId, is }: Outcome) {
      const facts = evaluated.get(evaluatedId);
      evaluated.delete(evaluatedId);
      // The counters are in memory: a store that does not answer costs a count, and no payment.
      if (!facts) void countStored(merchantId, paymentId).catch(() => {});
      else if (world.countedEvents.outcome(paymentId))
        void world.risk.record(facts, world.channel(facts.entityId)?.risk ?? {}, is, paymentId);
    },
  };
}

/** The calls that the main thread answers to one of the others; `link` leads to that thread. */
export function createMainCalls(parts: MainParts, link: () => Link<ThreadCalls>): Omit<MainCalls, 'crash'> {
  const { world, services, log } = parts;
  return {
    ...createCounting(world),
    async request({ call, ...forwarded }) {
      const file = forwarded.stream === null ? undefined : link().pieces(forwarded.stream);
      const reply = await runSentCall(call, () => handleRequest(services, requestFrom(forwarded, file), log));
      return forwardedReply(reply, reply.pieces ? link().offer(reply.pieces) : null);
    },
    drive: ({ payment, version, attempt, call }) => runSentCall(call, () => drive(world, { payment, version }, attempt)),
    putSecrets: ({ paymentId, attempt, until }) => world.pendingSecrets.put(paymentId, attempt, until),
    dropSecrets: (paymentId) => world.pendingSecrets.drop(paymentId),
    enrolment: async ({ number, network }) => {
      const directory = world.threeDS?.directory('');
      if (!directory) return { is: 'unreachable' };
      return directory.versions({ number, read: () => undefined, ...(network !== undefined && { network }) });
    },
    packCalls: parts.packCalls,
    writerPort: parts.shareWriter,
    noteRequest: parts.noteRequest,
    log: parts.writeLines,
  };
}

/**
 * The World of the main thread of several. A message of another thread is handled before a decision is made here: it was sent before
 * its client had the reply, and has arrived.
 */
export const adaptMainWorld =
  (drain: () => void) =>
  (own: World): World => ({
    ...own,
    risk: {
      ...own.risk,
      evaluate(...given) {
        drain();
        return own.risk.evaluate(...given);
      },
    },
    pendingSecrets: {
      ...own.pendingSecrets,
      get(paymentId) {
        drain();
        return own.pendingSecrets.get(paymentId);
      },
    },
  });
