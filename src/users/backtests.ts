import { BacktestStopped, type RunBacktest } from '../payments/backtest/run.ts';
import type { Payment } from '../payments/payment.ts';
import { instantShown, paymentView } from '../payments/paymentView.ts';
import type { BacktestJob } from '../risk/backtest/job.ts';
import { type ReportContext, reportJson } from '../risk/backtest/reportJson.ts';
import type { Sample, Samples } from '../risk/backtest/samples.ts';
import type { Backtest, BacktestSample, BacktestState } from '../spec/answers/risk.ts';
import type { Clock } from '../spec/time.ts';
import type { DocumentStore, StoredDocument } from './documents.ts';

/**
 * Back-tests that people of the back office have asked for: the last of each entity, as a document under the id of the entity. So there is
 * one at a time, every node can tell how far it is and end it, and one whose process has died is found out by what it has not written.
 */
const COLLECTION = 'backtest';
/** How often it is written down how far one is, and after which silence it counts as lost. */
const BEAT_MS = 1_000;
const LOST_MS = 60_000;
const TRIES_MAX = 8;

type Kept = {
  readonly id: string;
  readonly by: string;
  readonly state: Exclude<BacktestState, 'lost'>;
  readonly isEnding: boolean;
  readonly startedAt: number;
  readonly beatAt: number;
  readonly span: ReportContext['span'];
  readonly risk: Readonly<Record<string, unknown>>;
  readonly done: number;
  readonly percent: number;
  readonly report: Backtest['report'];
  readonly samples: Backtest['samples'];
};

export type BacktestNeeds = {
  readonly documents: Pick<DocumentStore, 'document' | 'saveDocuments'>;
  readonly payment: (merchantId: string, id: string) => Promise<Payment | null>;
  readonly run: RunBacktest;
  readonly clock: Clock;
  readonly ids: { random(): string };
  readonly alarm: (message: string, about: Readonly<Record<string, string>>) => void;
};

export type BacktestRequest = Pick<ReportContext, 'entity' | 'span' | 'timeZone'> & {
  readonly job: BacktestJob;
  readonly risk: Readonly<Record<string, unknown>>;
  readonly by: string;
};

export interface Backtests {
  /** Begins one. `busy`: one of this entity is under way; `full`: this process makes one for somebody else. */
  start(asked: BacktestRequest): Promise<Backtest | 'busy' | 'full'>;
  /** The last one of an entity. */
  read(entityId: string): Promise<Backtest | null>;
  /** Ends the one that is under way; false: there is none. */
  cancel(entityId: string): Promise<boolean>;
  /** Ends what this process has begun. */
  stop(): Promise<void>;
}

type Running = { readonly ending: AbortController; readonly done: Promise<void> };

export function createBacktests(needs: BacktestNeeds): Backtests {
  const running = new Map<string, Running>();
  // A back-test keeps two processors busy: this process makes one at a time.
  let isTaken = false;
  const find = async (entityId: string) => (await needs.documents.document(COLLECTION, entityId)) as StoredDocument<Kept> | null;
  return {
    async start(asked) {
      const { id: entityId } = asked.entity;
      const before = await find(entityId);
      if (before && stateOf(before.body, needs.clock.now()) === 'running') return 'busy';
      if (isTaken) return 'full';
      isTaken = true;
      const body = begun(needs, asked);
      const document: StoredDocument<Kept> = {
        ...{ collection: COLLECTION, id: entityId, ownerId: asked.job.merchantId, at: body.startedAt },
        ...{ revision: (before?.revision ?? 0) + 1, body },
      };
      const isFiled = await needs.documents.saveDocuments([document]).catch((error: unknown) => {
        isTaken = false;
        throw error;
      });
      isTaken = isFiled;
      if (!isFiled) return 'busy';
      const ending = new AbortController();
      const done = handle(needs, asked, { document, ending }).finally(() => {
        isTaken = false;
        running.delete(entityId);
      });
      running.set(entityId, { ending, done });
      return shown(body, needs.clock.now());
    },
    read: async (entityId) => {
      const document = await find(entityId);
      return document && shown(document.body, needs.clock.now());
    },
    async cancel(entityId) {
      const own = running.get(entityId);
      own?.ending.abort();
      await own?.done;
      const document = own ? null : await find(entityId);
      if (!document || stateOf(document.body, needs.clock.now()) !== 'running') return own !== undefined;
      // Another process makes it, and sees this when it next says how far it is.
      return needs.documents.saveDocuments([
        { ...document, revision: document.revision + 1, body: { ...document.body, isEnding: true } },
      ]);
    },
    async stop() {
      for (const { ending } of running.values()) ending.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

const begun = ({ ids, clock }: BacktestNeeds, { by, span, risk }: BacktestRequest): Kept => ({
  id: ids.random(),
  by,
  state: 'running',
  isEnding: false,
  startedAt: clock.now(),
  beatAt: clock.now(),
  span,
  risk,
  done: 0,
  percent: 0,
  report: null,
  samples: null,
});

const stateOf = ({ state, beatAt }: Kept, now: number): BacktestState =>
  state === 'running' && now - beatAt > LOST_MS ? 'lost' : state;

function shown(kept: Kept, now: number): Backtest {
  const { id, startedAt, beatAt, span, risk, done, percent, report, samples } = kept;
  const seconds = Math.max(1, beatAt - startedAt) / 1_000;
  return {
    ...{ id, state: stateOf(kept, now), startedAt: instantShown(startedAt), risk, report, samples },
    span: { from: span.from === null ? null : instantShown(span.from), to: instantShown(span.before) },
    progress: { done, percent, perSecond: Math.round(done / seconds) },
  };
}

/** Writes down how far one is, each time on what stands there: somebody else may have asked for its end. */
function createKeeper({ documents, clock }: BacktestNeeds, first: StoredDocument<Kept>) {
  let document = first;
  const keep = async (change: Partial<Kept>): Promise<boolean> => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const next = { ...document, revision: document.revision + 1, body: { ...document.body, ...change, beatAt: clock.now() } };
      if (await documents.saveDocuments([next])) {
        document = next;
        return true;
      }
      const present = (await documents.document(COLLECTION, document.id)) as StoredDocument<Kept> | null;
      // It counted as lost, and another one was begun.
      if (present?.body.id !== document.body.id) return false;
      document = present;
    }
    return false;
  };
  return { keep, isEnding: () => document.body.isEnding };
}

type Begun = { readonly document: StoredDocument<Kept>; readonly ending: AbortController };

async function handle(needs: BacktestNeeds, asked: BacktestRequest, { document, ending }: Begun): Promise<void> {
  const { clock, run } = needs;
  const { job, entity, span, timeZone } = asked;
  const keeper = createKeeper(needs, document);
  let [toldAt, telling]: [number, Promise<unknown>] = [clock.now(), Promise.resolve()];
  let samples: Samples = { blockedNow: [], freedNow: [], reviewedNow: [] };
  try {
    const report = await run({
      job,
      signal: ending.signal,
      onStep: ({ done, firstAt, at }) => {
        if (clock.now() - toldAt < BEAT_MS) return;
        toldAt = clock.now();
        const percent = Math.min(99, Math.floor((100 * (at - firstAt)) / Math.max(1, job.until - firstAt)));
        telling = telling
          .then(() => keeper.keep({ done, percent }))
          .then((isKept) => (isKept && !keeper.isEnding() ? undefined : ending.abort()));
      },
      onSamples: (found) => {
        samples = found;
      },
    });
    await telling;
    const { good, bad, other } = report.all;
    await keeper.keep({
      state: 'done',
      done: good.count + bad.count + other.count,
      percent: 100,
      report: reportJson(report, { entity, span, timeZone, ms: clock.now() - document.body.startedAt }),
      samples: await samplesSeen(needs, job.merchantId, samples),
    });
  } catch (error) {
    await telling.catch(() => {});
    const isStopped = error instanceof BacktestStopped || ending.signal.aborted;
    if (!isStopped) needs.alarm('a back-test failed', { entityId: entity.id, why: String(error) });
    await keeper.keep({ state: isStopped ? 'cancelled' : 'failed' }).catch(() => false);
  }
}

async function samplesSeen(
  { payment }: BacktestNeeds,
  merchantId: string,
  { blockedNow, freedNow, reviewedNow }: Samples,
): Promise<Backtest['samples']> {
  const seen = async (of: readonly Sample[]): Promise<readonly BacktestSample[]> => {
    const found = await Promise.all(of.map(async ({ id, worth }) => ({ worth, one: await payment(merchantId, id) })));
    return found.flatMap(({ one, worth }) => (one ? [{ ...paymentView(one), worth }] : []));
  };
  return { blockedNow: await seen(blockedNow), freedNow: await seen(freedNow), reviewedNow: await seen(reviewedNow) };
}
