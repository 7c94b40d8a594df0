import assert from 'node:assert/strict';
import { applyNotification } from '../../src/payments/connector/notifications.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { createAdministrator } from '../http/administrator.ts';
import { closeIdleConnections, createClient, DEMO } from '../http/client.ts';
import { createClockClient } from '../http/clockFixture.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Chance, createChance } from '../simulation/chance.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { acquirerFile, importFile, type Notify } from './acquirerFile.ts';
import { askFigures } from './askFigures.ts';
import { beginFamily, continueFamily, currencies, type GeneratedFamily, playEveryPair, type Tried } from './families.ts';
import { type CustomerOf, type Figures, readable } from './figures.ts';
import { type Accounts, accountNames, type MerchantView } from './recompute.ts';

/** A merchant's families by HTTP, and what the gateway says about them: webhooks, the reconciliation file and the balances of its ledger. */

export type Moment = MerchantView & {
  readonly when: string;
  readonly balances: ReadonlyMap<string, Accounts>;
};

/** What pages and replies say in the end, and what they must. */
export type SaidFigures = { readonly said: Figures; readonly customerOf: CustomerOf };

export type RunOutcome = {
  readonly moments: readonly Moment[];
  readonly tried: Tried;
  readonly postings: readonly string[];
  readonly figures: SaidFigures;
};
export type RunOptions = {
  readonly seed: number;
  readonly families: number;
  /** Every type on every type of transaction as well, and a file of another acquirer. */
  readonly isEveryPair?: boolean;
  readonly store?: Store;
};

const AT_ONCE = 8;

/** Several at a time; each has a chance of its own, so that the order of replies changes nothing. */
async function forEach<T>(list: readonly T[], work: (one: T, at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < list.length; at = next++) await work(list[at] as T, at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Moves the clock, however long the work of that time takes. */
async function arrive(clock: ReturnType<typeof createClockClient>, by: string): Promise<void> {
  const { status, body } = await clock.set({ by });
  assert.equal(status, 200, JSON.stringify(body));
  for (let isMoving = body.isMoving; isMoving; ) isMoving = (await clock.read()).body.isMoving;
  closeIdleConnections();
}

/** Records chargebacks as the notifications of an acquirer do. */
const notifierOf =
  ({ services }: TestGateway): Notify =>
  async (paymentId, amount) => {
    const event = { is: 'chargeback', amount: hundredths(amount), code: null } as const;
    const about = { merchantId: DEMO.merchantId, paymentId };
    const id = `${paymentId}/${amount}`;
    const { world } = services.forMerchant(DEMO.merchantId);
    assert.equal(await applyNotification(world, { id, about, event, data: {} }, 'acquirer/main'), 'applied');
  };

const hundredths = (text: string): bigint => BigInt(text.replace('.', ''));

export async function runFamilies({
  seed,
  families,
  isEveryPair = false,
  store = createMemoryStore(),
}: RunOptions): Promise<RunOutcome> {
  const postings: string[] = [];
  const seal: Store['seal'] = (block, lines) => {
    postings.push(...lines);
    return store.seal(block, lines);
  };
  const gateway = await startGateway({ store: { ...store, seal }, isQuiet: true });
  const receiver = await startReceiver(() => gateway.services.forMerchant(null).world.clock.now());
  try {
    const administrator = createAdministrator(gateway.url);
    const { body: hook } = await administrator.create({ url: receiver.url });
    receiver.keys = [Buffer.from(hook.key, 'hex')];
    assert.equal((await administrator.test(hook.id)).body.state, 'active');
    const [shop, clock] = [createClient(gateway.url), createClockClient(gateway.url)];
    await clock.freeze();
    const since = new Date(await clock.now()).toISOString().slice(0, 10);
    const tried: Tried = new Map();
    const moments: Moment[] = [];
    const look = async (when: string) => {
      const until = new Date(await clock.now()).toISOString().slice(0, 10);
      const query = new URLSearchParams({ entityId: DEMO.merchantId, 'date.from': since, 'date.to': until });
      const headers = { authorization: `Bearer ${DEMO.token}` };
      const file = await (await fetch(`${gateway.url}/reports/v1/reconciliations/csv?${query}`, { headers })).text();
      const { body } = await administrator.ask('GET', `/balances?entityId=${DEMO.merchantId}`);
      const accounts = body.balances as readonly {
        readonly currency: string;
        readonly accounts: Readonly<Record<string, string>>;
      }[];
      const balances = new Map(
        accounts.map(({ currency, accounts: sums }) => [
          currency,
          Object.fromEntries(accountNames.map((name) => [name, hundredths(sums[name] ?? '')])) as Accounts,
        ]),
      );
      // A repeated delivery has the id of the first one.
      const webhooks = [...new Map(receiver.accepted.map(({ id, text }) => [id, text ?? ''])).values()];
      moments.push({ when, webhooks, file, balances });
    };

    const chances: Chance[] = Array.from({ length: families }, (_, at) => createChance(seed * 1_000_003 + at));
    const all: GeneratedFamily[] = [];
    await forEach(chances, async (chance, at) => {
      all[at] = await beginFamily(shop, chance, `customer-${at}`);
      await continueFamily(shop, all[at], { chance, tried, steps: chance.between(2, 7) });
    });
    const own = isEveryPair ? await acquirerFile(shop, since, notifierOf(gateway)) : null;
    if (isEveryPair) await forEach(currencies.slice(0, 3), (currency) => playEveryPair(shop, currency, tried));
    await arrive(clock, '1h');
    await look('before the first settlement');
    if (own) await importFile(gateway.url, own);
    await arrive(clock, '4d');
    await look('after the first settlement');
    await forEach(all, (family, at) => continueFamily(shop, family, { chance: chances[at] as Chance, tried, steps: 4 }));
    await arrive(clock, '1h');
    await look('after steps on settled payments');
    await arrive(clock, '5d');
    await look('when everything is settled');
    await gateway.work('aggregate statistics');
    const [fromDay, until] = [since, new Date((await clock.now()) + 1).toISOString()];
    const said = await askFigures(
      { shop, administrator, forEach },
      {
        customers: all.map((_, at) => `customer-${at}`),
        paymentIds: readable(moments.at(-1) ?? assert.fail('there is no moment')),
        days: [fromDay, until.slice(0, 10)],
        until,
      },
    );
    const customers = new Map(all.map(({ rootId = '' }, at) => [rootId, `customer-${at}`]));
    const figures = { said, customerOf: (rootId: string) => customers.get(rootId) };
    return {
      moments,
      tried,
      figures,
      postings: [...postings, ...(await store.unsealed(DEMO.merchantId, Number.MAX_SAFE_INTEGER))],
    };
  } finally {
    await gateway.close();
    receiver.close();
  }
}
