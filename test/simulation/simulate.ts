import { createCommitEffects } from '../../src/app/modules/paymentModule.ts';
import { payCheckout } from '../../src/checkouts/pay.ts';
import { onAuthenticated, onCallback, onShopperReturn, onThreeDSResults } from '../../src/payments/callbacks.ts';
import type { Attempt, Commit, CommitEffects, CommitOutcome } from '../../src/payments/ports.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { localMaster } from '../../src/vault/masterKey.ts';
import { type OpenedVault, openVault } from '../../src/vault/vault.ts';
import { type AccountEvent, createAcquirer } from './acquirer.ts';
import { createLookout } from './awayInvariants.ts';
import { tellAway } from './awayStory.ts';
import { tellOfLateBooking, tellOfRefusal } from './bankEvents.ts';
import { bytesFrom, createChance } from './chance.ts';
import { createCheckoutWatch } from './checkoutInvariants.ts';
import type { Counter } from './checkoutShoppers.ts';
import { tellCheckout } from './checkoutStory.ts';
import { bound, createChronicle, type Store } from './chronicle.ts';
import { type Client, createClient } from './client.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { createEventWatch } from './eventWatch.ts';
import { accountsIn, faultyConnector } from './faultyConnector.ts';
import { faultyDirectory } from './faultyDirectory.ts';
import { faultyStore } from './faultyStore.ts';
import { comeToRest, payInCalm, tellHooks } from './hookStory.ts';
import { checkInvariants } from './invariants.ts';
import { createIssuer } from './issuer.ts';
import { createLaxStore } from './laxStore.ts';
import { createTimers, type Life } from './machine.ts';
import { tell } from './merchant.ts';
import { createNode, type Node, type Parts } from './node.ts';
import type { Planted } from './planted.ts';
import type { Tools } from './plantedStores.ts';
import { createLifesDesk } from './riskEngine.ts';
import { createRiskWatch } from './riskWatch.ts';
import { createScheduler } from './scheduler.ts';
import { tellPlan } from './scheduleStory.ts';
import { createScheduleWatch } from './scheduleWatch.ts';
import { createScheme } from './scheme.ts';
import { createGuard } from './secureInvariants.ts';
import { createSecureShoppers } from './secureShoppers.ts';
import { tellSecure } from './secureStory.ts';
import { createShoppers } from './shoppers.ts';
import { channels } from './shops.ts';
import { type Broken, lateMs, note, type Sim, START } from './sim.ts';
import { tellStored } from './storedStory.ts';
import { createTally, type Tally } from './tally.ts';
import { createTrace } from './trace.ts';
import { sow } from './trouble.ts';
import { createWalletBox, type WalletBox } from './walletBox.ts';
import { drawWeather, type Weather } from './weather.ts';

export type Options = {
  /** A bug to be found; null runs the code as it is. */
  readonly planted?: Planted | null;
  /** The planted bugs live on a store without guards, unless they are to be seen stopped by the guards. */
  readonly isGuarded?: boolean;
  /** How many of the latest events to keep. */
  readonly keep?: number;
};

export type Result = {
  readonly seed: number;
  readonly hash: string;
  readonly events: number;
  readonly last: readonly string[];
  readonly broken: readonly Broken[];
  readonly weather: Weather;
  readonly tally: Tally;
  readonly payments: number;
  /** From the healing until the last payment was at rest, in virtual milliseconds. */
  readonly restMs: number;
};

const DAY_MS = 86_400_000;
const master = localMaster(new Uint8Array(32).fill(7), bytesFrom(createChance(7)));
/** How much of what is told is about stored details, shoppers who decide elsewhere, cardholders who are asked first, and checkouts. */
const STORED_SHARE = 0.28;
const AWAY_SHARE = 0.15;
const SECURE_SHARE = 0.2;
const CHECKOUT_SHARE = 0.1;
const APART = 2 ** 40;
/** The store of the planted bugs has neither ledger nor statistics. */
const NO_EFFECTS: CommitEffects = { posting: null, statisticsLine: null, emailHash: null };

/** One run: trouble, healing, rest, and then the account. The same seed is the same run. */
export async function simulate(
  seed: number,
  { planted = null, isGuarded = planted === null, keep = 200 }: Options = {},
): Promise<Result> {
  const sim = createSim(seed, keep);
  const scheme = createScheme(sim);
  const wallets = createWalletBox(sim.chance);
  const nodes: Node[] = [];
  const shoppers = createShoppers(sim, nodes);
  const watch = createWatch(sim);
  const { issuer, guard, risk, checkouts, schedules, eventWatch, asked } = watch;
  const bookedLate = (booking: AccountEvent) => void tellOfLateBooking({ sim, nodes }, booking);
  const refused = (refusal: AccountEvent) => void tellOfRefusal({ sim, nodes }, refusal);
  const acquirer = createAcquirer(
    sim,
    { scheme, sent: shoppers.sent, asked, bookedLate, refused },
    { cancelSticks: true, ...planted?.habits },
  );
  const lookout = createLookout(sim, acquirer.ledger);
  const lax = createLaxStore(planted?.busy);
  const store = isGuarded ? createMemoryStore() : lax;
  const chronicle = createChronicle(sim, {
    store,
    settle: (payment) => acquirer.settle(payment),
    lookout,
    guard,
    risk,
    checkouts,
  });
  const endpoints = sim.weather.webhooks === null ? null : createEndpoints(sim, eventWatch);
  const watched = endpoints ? eventWatch.over(schedules.over(chronicle.store), endpoints.wake) : schedules.over(chronicle.store);
  const tools = (life: Life): Tools => ({
    sim,
    life,
    timers: createTimers(sim, life),
    tables: lax.tables,
    post: (message) => lax.outbox.push(message),
    put: (change) => {
      if (change.registration) lax.put(change.registration);
      chronicle.register.kept(change);
    },
  });
  const parts: Parts = {
    store: (life) => {
      const far = planted?.store?.(watched, tools(life)) ?? watched;
      const near = hearing(faultyStore(sim, life, far), (change, outcome) => risk.heard(life, change, outcome));
      return planted?.nearStore?.(near, tools(life)) ?? near;
    },
    deriveEffects: isGuarded ? createCommitEffects({ store, digest: () => '' }) : async () => NO_EFFECTS,
    connectors: (life) =>
      accountsIn(sim).map((name) => {
        const connector = faultyConnector(sim, life, { acquirer, scheme, name });
        return planted?.connector?.(connector, tools(life)) ?? connector;
      }),
    ...checksOf(sim, watch, planted),
    wallets,
    hasSweeper: planted?.hasSweeper ?? true,
    entryPoints: {
      onCallback: onCallback,
      onShopperReturn: onShopperReturn,
      authenticated: onAuthenticated,
      onThreeDSResults: onThreeDSResults,
      pay: payCheckout,
      ...planted?.entryPoints,
    },
    endpoints,
    dispatcher: planted?.dispatcher ?? ((needs) => needs),
  };
  const vault = await openNodes(sim, nodes, parts);
  await endpoints?.build(watched, vault);
  const client = createClient(sim, nodes);
  const undo = planted?.plant?.();
  const secureShoppers = createSecureShoppers(sim, nodes, issuer);
  const counter: Counter = { sim, nodes, watch: checkouts, secureShoppers };
  const isAtRest = () => chronicle.isAtRest() && schedules.isAtRest();
  await live(sim, { nodes, client, wallets, counter, isAtRest, endpoints, isTold: eventWatch.isAtRest }).finally(undo);
  lookout.check(shoppers.idle);
  guard.check();
  risk.check(issuer);
  checkouts.check(acquirer.ledger);
  await schedules.check(store);
  await eventWatch.check(store, sim.scheduler.now);
  await checkInvariants({ sim, vault, acquirer, scheme, chronicle, client, store });
  const { trace, broken, weather, tally } = sim;
  const payments = chronicle.payments.size;
  const restMs = Math.max(0, chronicle.movedAt() - START - weather.chaosMs - lateMs(sim));
  return { seed, hash: trace.hash(), events: trace.count(), last: trace.last(), broken, weather, tally, payments, restMs };
}

function createSim(seed: number, keep: number): Sim {
  const chance = createChance(seed);
  const scheduler = createScheduler(chance, START);
  const [trace, tally, weather] = [createTrace(keep), createTally(), drawWeather(chance, createChance(seed + APART))];
  return { chance, scheduler, trace, tally, weather, isHealed: false, broken: [] };
}

/** The trouble of a seed, without its run. */
export const weatherOf = (seed: number): Weather => createSim(seed, 0).weather;

/** Those who only look on: what the issuers said, and whether the gateway keeps to it and to its own rules. */
function createWatch(sim: Sim) {
  const issuer = createIssuer();
  const guard = createGuard(sim, issuer);
  const risk = createRiskWatch(sim);
  const asked = (attempt: Attempt) => {
    guard.asked(attempt);
    risk.asked(attempt);
  };
  return {
    issuer,
    guard,
    risk,
    checkouts: createCheckoutWatch(sim),
    schedules: createScheduleWatch(sim),
    eventWatch: createEventWatch(sim),
    asked,
  };
}

type Watch = ReturnType<typeof createWatch>;

/** What a life of a node needs before it may ask for money. */
function checksOf(sim: Sim, { issuer, risk }: Watch, planted: Planted | null): Pick<Parts, 'threeDS' | 'engine' | 'held'> {
  return {
    threeDS: (life) => {
      const server = faultyDirectory(sim, life, { issuer, timers: createTimers(sim, life) });
      return planted?.threeDS?.(server) ?? server;
    },
    engine: (life) => {
      const engine = risk.engine(life, createLifesDesk());
      return planted?.engine?.(engine) ?? engine;
    },
    held: planted?.held ?? ((held) => held),
  };
}

/** The store on the node's side of the wire: watched as the node sees it. */
const hearing = (store: Store, heard: (change: Commit, outcome: CommitOutcome) => void): Store => ({
  ...bound(store),
  async commit(change) {
    const outcome = await store.commit(change);
    heard(change, outcome);
    return outcome;
  },
});

/**
 * Every node opens a vault of its own, over keys that are kept where no fault reaches them. The answer is that of the first: each
 * opens what any of them sealed.
 */
async function openNodes(sim: Sim, nodes: Node[], parts: Parts): Promise<OpenedVault> {
  const { chance, scheduler, weather } = sim;
  const needs = { masters: [master], store: createMemoryStore(), random: bytesFrom(chance) } as const;
  const vaults: OpenedVault[] = [];
  for (let at = 0; at < weather.nodes; at += 1) {
    const vault = await openVault({ ...needs, now: () => scheduler.now() + (nodes[at]?.machine.skewMs ?? 0) });
    vaults.push(vault);
    nodes.push(createNode(sim, `n${at + 1}`, { ...parts, vault }));
  }
  return vaults[0] as OpenedVault;
}

type Actors = {
  readonly nodes: readonly Node[];
  readonly client: Client;
  readonly wallets: WalletBox;
  readonly counter: Counter;
  readonly isAtRest: () => boolean;
  readonly endpoints: Endpoints | null;
  readonly isTold: () => boolean;
};

/** What happens to one shopper. */
function tellSomething(sim: Sim, { client, wallets, counter }: Actors): Promise<void> {
  const roll = sim.chance.below(1000) / 1000;
  if (roll < STORED_SHARE) return tellStored(sim, client, wallets);
  if (roll < STORED_SHARE + AWAY_SHARE) return tellAway(sim, client);
  if (roll < STORED_SHARE + AWAY_SHARE + SECURE_SHARE) return tellSecure(sim, client, counter.secureShoppers);
  return roll < STORED_SHARE + AWAY_SHARE + SECURE_SHARE + CHECKOUT_SHARE ? tellCheckout(counter) : tell(sim, client);
}

async function live(sim: Sim, actors: Actors): Promise<void> {
  const { nodes, client, isAtRest, endpoints, isTold } = actors;
  const { scheduler, weather, chance } = sim;
  let telling = weather.stories + weather.schedules;
  const told = () => {
    telling -= 1;
  };
  for (let story = 0; story < weather.stories; story += 1) void tellSomething(sim, actors).then(told);
  for (let plan = 0; plan < weather.schedules; plan += 1) void tellPlan({ sim, nodes, client }).then(told);
  if (endpoints) {
    telling += 1;
    void tellHooks({ sim, nodes, endpoints });
    void payInCalm(sim, client).then(told);
  }
  for (const node of nodes) {
    node.machine.skewMs = Math.round((chance.below(2001) / 1000 - 1) * weather.skewMsMax);
    node.start();
  }
  sow(sim, nodes);
  await scheduler.run(START + weather.chaosMs, () => false);
  note(sim, 'everything works again');
  sim.isHealed = true;
  for (const node of nodes) {
    node.machine.pausedUntil = 0;
    node.start();
  }
  await scheduler.run(scheduler.now() + DAY_MS, () => telling === 0 && isAtRest());
  if (endpoints) await comeToRest({ sim, nodes, endpoints }, isTold);
  await lookBack(sim, client);
}

/** Everything that was ever answered is read once more, by its owner and by another merchant. */
async function lookBack(sim: Sim, client: Client): Promise<void> {
  let isDone = false;
  const looking = async () => {
    for (const [id, { channel }] of client.known) {
      await client.read(channel, id);
      if (sim.chance.hits(0.2)) await client.read(sim.chance.pick(channels), id);
    }
    for (const [id, { channel }] of client.stored) {
      await client.readStored(channel, id);
      if (sim.chance.hits(0.2)) await client.readStored(sim.chance.pick(channels), id);
    }
    isDone = true;
  };
  void looking();
  await sim.scheduler.run(sim.scheduler.now() + DAY_MS, () => isDone);
}
