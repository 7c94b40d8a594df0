import { setTimeout as pause } from 'node:timers/promises';
import { allMerchants } from '../../../src/merchants/merchantFilter.ts';
import { sweep } from '../../../src/payments/sweep.ts';
import { createMemoryStore } from '../../../src/store/memory/memoryStore.ts';
import { freshShops } from '../../http/freshShops.ts';
import { startGateway, type TestGateway } from '../../http/gateway.ts';
import type { AcquirerServer, ConnectorUnderTest, Planted } from '../contract.ts';
import { ACCOUNT, SECOND, type Shop, sealSecrets, send, settingsFor, shopOf } from '../trialShop.ts';
import type { Flow } from './flows.ts';
import { type Done, judge } from './judge.ts';
import { type Rows, stepFinder } from './paths.ts';
import { type Fault, openStriker, type Striker } from './strike.ts';

/** The faults of the first account while a flow is run. */
export type Plan = { readonly flow: string; readonly strikes: readonly (readonly [step: string, fault: Fault])[] };

export type Result = {
  readonly plan: Plan;
  /** The steps that the first account was sent, in the whole flow and afterwards. */
  readonly reached: ReadonlySet<string>;
  readonly faults: readonly string[];
  /** The longest that a request of the shop took, by the clock of this process. */
  readonly worstMs: number;
};

export type TrialOptions = {
  readonly rows: Rows;
  readonly planted?: Planted;
  /** No notification arrives. */
  readonly isDeaf?: boolean;
  /** So much time passes before the network heals. */
  readonly awayMs?: number;
};

const MINUTE_MS = 60_000;
const ROUNDS_MAX = 400;
const QUIET_ROUNDS = 30;
/** What one payment may wait, over its two accounts, until a request that books has left. */
const UNSENT_MS = 1_600;
/** Longer waits are shortened, so far that a lost answer and what is repeated after it still end before the whole attempt does. */
const waitOf = (ms: number): number => Math.min(ms, UNSENT_MS) + Math.max(0, ms - UNSENT_MS) / 8;
/** Between the beginnings of two flows: their work is spread, and their waits overlap. */
const STAGGER_MS = 30;

type Cell = {
  readonly plan: Plan;
  readonly shop: Shop;
  readonly servers: readonly [AcquirerServer, AcquirerServer];
  readonly strikers: readonly [Striker, Striker];
  readonly done: Done[];
};

/**
 * Runs flows, each by a merchant of its own with two accounts: the network of the first one is struck, the second one works. Then the
 * network heals, time passes, and every payment is compared with the books of both acquirers.
 */
export async function tryPlans(
  underTest: ConnectorUnderTest,
  flows: Readonly<Record<string, Flow>>,
  plans: readonly Plan[],
  { rows, planted = (kind) => kind, isDeaf = false, awayMs = 0 }: TrialOptions,
): Promise<readonly Result[]> {
  const kind = planted(underTest.kind);
  let gateway: TestGateway | null = null;
  const time = { now: (): number => gateway?.world.clock.now() ?? Date.now() };
  const stepsOf = stepFinder(rows);
  const { shops, rows: entities } = freshShops(plans.length);
  const store = createMemoryStore();
  const cells: Cell[] = [];
  for (const [at, plan] of plans.entries()) {
    const servers = [await underTest.open(time), await underTest.open(time)] as const;
    const strikers = [await openStriker(servers[0], stepsOf), await openStriker(servers[1], stepsOf)] as const;
    const shop = shopOf(shops[at]);
    for (const account of [ACCOUNT, SECOND]) await sealSecrets(store, { ownerId: shop.ownerId, account }, underTest.secrets);
    cells.push({ plan, shop, servers, strikers, done: [] });
  }
  const settingsOf = new Map(
    cells.map(({ shop, strikers: [one, two] }) => [shop.ownerId, settingsFor(underTest, { url: one.url, secondUrl: two.url })]),
  );
  gateway = await startGateway({
    store,
    rows: {
      ...entities,
      entities: entities.entities.map((row) => ({ ...row, settings: settingsOf.get(row.id) ?? row.settings })),
    },
    isClockAttended: true,
    isQuiet: true,
    unsentMs: UNSENT_MS,
    waitOf,
    connectorKinds: new Map([[kind.name, kind]]),
  });
  const started = gateway;
  try {
    const worst = await Promise.all(
      cells.map(async (cell, at) => {
        await pause(at * STAGGER_MS);
        return runFlow(started, cell, { flow: flows[cell.plan.flow] ?? [], underTest });
      }),
    );
    if (awayMs > 0) {
      started.pass(awayMs);
      await sweep(started.world, { limit: 1_000, merchants: allMerchants });
    }
    await Promise.all(cells.map(({ strikers: [one] }) => one.heal()));
    await settle(started, kind.name, isDeaf ? [] : cells);
    return await Promise.all(
      cells.map(async (cell, at) => ({
        plan: cell.plan,
        reached: new Set(cell.strikers[0].arrivals.flatMap(({ steps }) => steps)),
        faults: [
          ...cell.servers.flatMap(({ faults }) => faults),
          ...cell.strikers.flatMap(({ arrivals }) =>
            arrivals.flatMap(({ name, steps }) =>
              steps.length === 0 && !isProbe(name) ? [`${name} is the request of no step`] : [],
            ),
          ),
          ...(await judge(started.world.store, cell, rows)),
        ],
        worstMs: worst[at] ?? 0,
      })),
    );
  } finally {
    await started.close();
    for (const { servers, strikers } of cells) await Promise.all([...strikers, ...servers].map((one) => one.close()));
  }
}

/** What the breaker tries with is no request of a payment. */
const isProbe = (name: string): boolean => ['GET /v1/balance', 'POST /paymentMethods', 'GET /v1/query'].includes(name);

type Running = { readonly flow: Flow; readonly underTest: ConnectorUnderTest };

/** Sends what the shop sends, one request after the other. Returns the longest wait for a reply. */
async function runFlow(gateway: TestGateway, cell: Cell, { flow, underTest }: Running): Promise<number> {
  const { shop, strikers, plan, done } = cell;
  for (const [step, fault] of plan.strikes) strikers[0].strikes.set(step, fault);
  let worst = 0;
  for (const { fields, after } of flow) {
    const before = after && done[after.stage];
    if (after && !before?.isApproved) {
      done.push({ id: '', isFirst: false, isApproved: false, isPending: false, arrivals: [[], []], registrationId: null });
      continue;
    }
    const from = strikers.map(({ arrivals }) => arrivals.length);
    const begun = performance.now();
    const reply = await send(gateway, shop, {
      fields: { ...fields, ...(after?.by === 'referenceUuid' && { referenceUuid: before?.id ?? '' }) },
      ...(after?.by === 'path' && { id: before?.id ?? '' }),
      ...(after?.by === 'registration' && { registrationId: before?.registrationId ?? '' }),
    });
    if (reply.redirect && underTest.shopper) await underTest.shopper.act(reply.redirect.url, null);
    worst = Math.max(worst, performance.now() - begun);
    const { id = '', registrationId = null, result } = reply;
    const kept = await gateway.world.store.payment(shop.ownerId, id);
    const code = kept?.phase.at === 'final' ? kept.phase.code : result.code;
    done.push({
      id,
      registrationId,
      isFirst: after === undefined || after.by === 'registration',
      isApproved: /^000\.(?:000|100\.1)/.test(code),
      isPending: code.startsWith('000.200'),
      arrivals: [strikers[0].arrivals.slice(from[0]), strikers[1].arrivals.slice(from[1])],
    });
  }
  return worst;
}

/** Time passes until every payment is at rest; acquirers report by themselves. */
async function settle(gateway: TestGateway, kind: string, cells: readonly Cell[]): Promise<void> {
  for (let round = 0, quiet = 0; round < ROUNDS_MAX && quiet < QUIET_ROUNDS; round += 1) {
    gateway.pass(MINUTE_MS);
    let heard = 0;
    for (const { servers, shop } of cells)
      for (const [at, name] of [ACCOUNT, SECOND].entries())
        for (const { headers, body } of (await servers[at]?.takeNotifications()) ?? []) {
          heard += 1;
          const read = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]));
          const named = { kind, ownerId: shop.ownerId, name };
          await gateway.services.notifications(named, { headers: read, body: Buffer.from(body) }).catch(() => null);
        }
    const { looked } = await sweep(gateway.world, { limit: 1_000, merchants: allMerchants });
    quiet = looked === 0 && heard === 0 ? quiet + 1 : 0;
  }
}
