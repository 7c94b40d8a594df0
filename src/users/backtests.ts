import { BacktestStopped, type RunBacktest } from '../payments/backtest/run.ts';
import type { Payment } from '../payments/payment.ts';
import { instantShown, paymentView } from '../payments/reply/paymentView.ts';
import { type ReportContext, reportJson } from '../risk/backtest/backtest.ts';
import type { Sample, Samples } from '../risk/backtest/joinTraces.ts';
import type { BacktestJob } from '../risk/backtest/ruleSelector.ts';
import type { Backtest, BacktestSample, BacktestState } from '../spec/answers/risk.ts';
import type { Clock } from '../spec/time.ts';
import type { DocumentStore, StoredDocument } from './documents.ts';

/**
 * Back-tests of back-office users: the last one of each entity is a document under the entity's id. So each entity has one at a time,
 * every node can read its progress and cancel it, and a crashed process is detected by its missing heartbeat.
 */
const COLLECTION = 'backtest';
/** How often it is written down how far one is, and after which silence it counts as lost. */
const BEAT_MS = 1_000;
const LOST_MS = 60_000;
const TRIES_MAX = 8;

type BacktestRecord = {
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
  /** Starts one. `busy`: the entity has one that is running; `full`: this process runs one of another entity. */
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
  const find = async (entityId: string) =>
    (await needs.documents.document(COLLECTION, entityId)) as StoredDocument<BacktestRecord> | null;
  return {
    async start(asked) {
      const { id: entityId } = asked.entity;
      const before = await find(entityId);
      if (before && stateOf(before.body, needs.clock.now()) === 'running') return 'busy';
      if (isTaken) return 'full';
      isTaken = true;
      const body = newRecord(needs, asked);
      const document: StoredDocument<BacktestRecord> = {
        collection: COLLECTION,
        id: entityId,
        ownerId: asked.job.merchantId,
        at: body.startedAt,
        revision: (before?.revision ?? 0) + 1,
        body,
      };
      const isSaved = await needs.documents.saveDocuments([document]).catch((error: unknown) => {
        isTaken = false;
        throw error;
      });
      isTaken = isSaved;
      if (!isSaved) return 'busy';
      const ending = new AbortController();
      const done = runBacktest(needs, asked, { document, ending }).finally(() => {
        isTaken = false;
        running.delete(entityId);
      });
      running.set(entityId, { ending, done });
      return view(body, needs.clock.now());
    },
    read: async (entityId) => {
      const document = await find(entityId);
      return document && view(document.body, needs.clock.now());
    },
    async cancel(entityId) {
      const own = running.get(entityId);
      own?.ending.abort();
      await own?.done;
      const document = own ? null : await find(entityId);
      if (!document || stateOf(document.body, needs.clock.now()) !== 'running') return own !== undefined;
      // Another process runs it, and sees this when it next reports its progress.
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

const newRecord = ({ ids, clock }: BacktestNeeds, { by, span, risk }: BacktestRequest): BacktestRecord => ({
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

const stateOf = ({ state, beatAt }: BacktestRecord, now: number): BacktestState =>
  state === 'running' && now - beatAt > LOST_MS ? 'lost' : state;

function view(record: BacktestRecord, now: number): Backtest {
  const { id, startedAt, beatAt, span, risk, done, percent, report, samples } = record;
  const seconds = Math.max(1, beatAt - startedAt) / 1_000;
  return {
    id,
    state: stateOf(record, now),
    startedAt: instantShown(startedAt),
    risk,
    report,
    samples,
    span: { from: span.from === null ? null : instantShown(span.from), to: instantShown(span.before) },
    progress: { done, percent, perSecond: Math.round(done / seconds) },
  };
}

/** Saves the progress of a back-test on the present revision: another request may have cancelled it. */
function createProgress({ documents, clock }: BacktestNeeds, first: StoredDocument<BacktestRecord>) {
  let document = first;
  const save = async (change: Partial<BacktestRecord>): Promise<boolean> => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const next = { ...document, revision: document.revision + 1, body: { ...document.body, ...change, beatAt: clock.now() } };
      if (await documents.saveDocuments([next])) {
        document = next;
        return true;
      }
      const present = (await documents.document(COLLECTION, document.id)) as StoredDocument<BacktestRecord> | null;
      // It counted as lost, and another one was begun.
      if (present?.body.id !== document.body.id) return false;
      document = present;
    }
    return false;
  };
  return { save, isEnding: () => document.body.isEnding };
}

type RunningBacktest = { readonly document: StoredDocument<BacktestRecord>; readonly ending: AbortController };

async function runBacktest(needs: BacktestNeeds, asked: BacktestRequest, { document, ending }: RunningBacktest): Promise<void> {
  const { clock, run } = needs;
  const { job, entity, span, timeZone } = asked;
  const progress = createProgress(needs, document);
  let [savedAt, saving]: [number, Promise<unknown>] = [clock.now(), Promise.resolve()];
  let samples: Samples = { blockedNow: [], freedNow: [], reviewedNow: [] };
  try {
    const report = await run({
      job,
      signal: ending.signal,
      onStep: ({ done, firstAt, at }) => {
        if (clock.now() - savedAt < BEAT_MS) return;
        savedAt = clock.now();
        const percent = Math.min(99, Math.floor((100 * (at - firstAt)) / Math.max(1, job.until - firstAt)));
        saving = saving
          .then(() => progress.save({ done, percent }))
          .then((isOwn) => (isOwn && !progress.isEnding() ? undefined : ending.abort()));
      },
      onSamples: (found) => {
        samples = found;
      },
    });
    await saving;
    const { good, bad, other } = report.all;
    await progress.save({
      state: 'done',
      done: good.count + bad.count + other.count,
      percent: 100,
      report: reportJson(report, { entity, span, timeZone, ms: clock.now() - document.body.startedAt }),
      samples: await viewSamples(needs, job.merchantId, samples),
    });
  } catch (error) {
    await saving.catch(() => {});
    const isStopped = error instanceof BacktestStopped || ending.signal.aborted;
    if (!isStopped) needs.alarm('a back-test failed', { entityId: entity.id, why: String(error) });
    await progress.save({ state: isStopped ? 'cancelled' : 'failed' }).catch(() => false);
  }
}

async function viewSamples(
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
