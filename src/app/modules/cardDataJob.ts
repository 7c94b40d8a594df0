import type { AuditService } from '../../audit/service.ts';
import { defaultRetention } from '../../spec/retention.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import type { Store } from '../../store/store.ts';
import type { Job } from '../../workers/loop.ts';
import type { AppOptions } from '../options.ts';

type Needs = Pick<AppOptions, 'retention'> & {
  readonly store: Pick<Store, 'eraseCardData' | 'document' | 'saveDocuments'>;
};

/** Everything created before `until` is erased. `beganAt`: when the walk began at the oldest payment. */
type Progress = { readonly until: number; readonly beganAt: number };

const [COLLECTION, ID] = ['retention', 'cardData'];
/** Batches of one run: it goes on in the next. */
const BATCHES_MAX = 500;
/** A clock that was behind may date a payment before the part that is erased already, so the walk begins anew after this time. */
const WALK_MS = 30 * DAY_MS;
const LIMIT_MS = 10 * MINUTE_MS;

/** Erases the sealed numbers of old payments in batches, and writes to the audit log how many. */
export function createCardDataJob(
  { store, retention = defaultRetention }: Needs,
  audit: Pick<AuditService, 'write'>,
  /** The earliest clock of all merchants. */
  now: () => number,
): Job {
  async function erase(from: number, before: number, signal: AbortSignal): Promise<{ until: number; erased: number }> {
    let [until, erased] = [from, 0];
    for (let batch = 0; batch < BATCHES_MAX && until < before && !signal.aborted; batch += 1) {
      const done = await store.eraseCardData(until, before);
      until = done.until;
      erased += done.erased;
    }
    return { until, erased };
  }

  async function run(signal: AbortSignal): Promise<void> {
    const document = await store.document(COLLECTION, ID);
    const [at, before] = [now(), now() - retention.cardData * DAY_MS];
    const known = document?.body as Progress | undefined;
    const isKnown = known !== undefined && at - known.beganAt < WALK_MS && at >= known.beganAt;
    const begun: Progress = isKnown ? known : { until: 0, beganAt: at };
    const { until, erased } = await erase(begun.until, before, signal);
    // Written last: a run that dies is repeated, and finds nothing more to erase.
    if (erased > 0)
      await audit.write({
        who: 'turnpike',
        by: 'system',
        what: 'eraseCardData',
        entityId: null,
        objectId: null,
        result: 'done',
        from: '',
        note: `${erased} numbers of payments before ${new Date(until).toISOString().slice(0, 10)}`,
      });
    if (until === known?.until && isKnown) return;
    const revision = (document?.revision ?? 0) + 1;
    const body: Progress = { ...begun, until };
    await store.saveDocuments([{ collection: COLLECTION, id: ID, ownerId: '', at, revision, body }]);
  }
  return { name: 'erase old card data', everyMs: HOUR_MS, limitMs: LIMIT_MS, run };
}
