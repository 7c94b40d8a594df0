import { createInboxes } from '../../developer/inbox.ts';
import type { DeveloperService, ScenarioService } from '../../http/admin/ports.ts';
import { createInspector } from '../../http/inspector/inspector.ts';
import type { Directory } from '../../merchants/directory.ts';
import { createScenarioSettings, type ScenarioSettingsNeeds } from '../../merchants/scenarioSettings.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { Vault } from '../../vault/ports.ts';
import type { Job } from '../../workers/loop.ts';
import type { AppOptions } from '../options.ts';
import { createIds } from '../system.ts';

const FLUSH_MS = 500;
const DELETE_MS = 600_000;

/** The default retention of inspected requests, per merchant. */
const defaultRetention = { days: 7, callsMax: 100_000 } as const;

type DeveloperModule = {
  readonly service: DeveloperService;
  readonly jobs: readonly Job[];
  stop(): Promise<void>;
};

/** Developer tools: inspected requests and webhook inboxes. They use real time, whatever test clocks merchants have. */
export function createDeveloperModule(options: AppOptions, { directory }: { readonly directory: Directory }): DeveloperModule {
  const { environment, store, clock, timers, log, trust, inspect = environment === 'test' ? defaultRetention : null } = options;
  const { threads = 1, onFlushed, packCalls } = options;
  const ids = (options.createIds ?? createIds)(clock.now);
  const own =
    inspect &&
    createInspector({
      store,
      directory,
      clock,
      ids,
      trust,
      log,
      ...(packCalls && { pack: packCalls }),
      ownerOf: (checkoutId) => store.checkout(checkoutId),
      keepMs: inspect.days * DAY_MS,
      keepMax: inspect.callsMax,
      threads,
    });
  const inspector = own && onFlushed ? { ...own, flush: () => own.flush().then(onFlushed) } : own;
  const jobs: readonly Job[] = inspector
    ? [
        { name: 'save inspected requests', everyMs: FLUSH_MS, run: inspector.flush },
        { name: 'delete old inspected requests', everyMs: DELETE_MS, run: inspector.forget },
      ]
    : [];
  const inboxes = environment === 'test' ? createInboxes({ store, timers, clock, ids }) : null;
  // The database may be unavailable at a shutdown. Inspected requests may be lost then.
  const stop = async () => void (await inspector?.flush().catch(() => {}));
  const { nextDueAt, nextRunAt, nextDeliveryAt } = store;
  const service: DeveloperService = { calls: store, inspector, inboxes, nextDueAt, nextRunAt, nextDeliveryAt };
  return { service, jobs, stop };
}

/** Scenarios of the test environment, in the settings of entities. */
export const createScenarioModule = ({
  store,
  directory,
  vault,
}: ScenarioSettingsNeeds & { readonly vault: Pick<Vault, 'ready' | 'fingerprint'> }): ScenarioService => ({
  ...createScenarioSettings({ store, directory }),
  fingerprint: async (merchantId, number) => {
    await vault.ready(merchantId);
    return vault.fingerprint(merchantId, number);
  },
});
