import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createIds } from '../../src/app/system.ts';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { exampleCommit, examplePayment } from '../../src/payments/examples.ts';
import { StoreOutOfOrder, UnknownOutcome } from '../../src/payments/storeErrors.ts';
import type { Store } from '../../src/store/store.ts';
import { exampleWebhook } from '../../src/webhooks/examples.ts';
import { type FanOutNeeds, fanOut } from '../../src/webhooks/fanOut.ts';
import { createChance } from '../faults/stories.ts';

const WRITERS = 64;
const READERS = 4;
const PAGE = 5_000;
const ENTITY = examplePayment().entityId;

export type EventRace = {
  /** One for each node. Writers and readers are spread over them. */
  readonly stores: readonly Store[];
  readonly events: number;
  /** Of so many commits one is late, by up to `lateMs`: its id and its time are older than those of events that were read before it. */
  readonly lateOnceIn: number;
  readonly lateMs: number;
  /** A planted fault: the store as a reader sees it. */
  readonly plant?: (store: FanOutNeeds['store']) => FanOutNeeds['store'];
};

export type RaceResult = { readonly missed: number; readonly doubled: number; readonly foreign: number; readonly late: number };

/** Writers commit payments, some of them late, while readers of all nodes fan out their events. Compares what was written with what was heard. */
export async function raceEvents({
  stores,
  events,
  lateOnceIn,
  lateMs,
  plant = (store) => store,
}: EventRace): Promise<RaceResult> {
  const nodeOf = (at: number): Store => stores[at % stores.length] ?? assert.fail();
  const clock = { now: Date.now };
  const ids = createIds(clock.now);
  const chance = createChance(11);
  const webhook = exampleWebhook({ id: ids.next(), createdAt: 0, changedAt: 0 });
  await nodeOf(0).addWebhook(webhook);
  const written = new Set<string>();
  let late = 0;
  const write = async (writer: number) => {
    for (let at = writer; at < events; at += WRITERS) {
      const now = clock.now();
      const payment = examplePayment({ id: ids.next(), createdAt: now, movedAt: now });
      if (chance() * lateOnceIn < 1) {
        late += 1;
        await pause(chance() * lateMs);
      }
      assert.equal((await nodeOf(writer).commit(exampleCommit(payment))).is, 'kept');
      written.add(payment.id);
    }
  };
  let isOver = false;
  const readEvents = async (reader: number) => {
    const needs = { store: plant(nodeOf(reader)), ids, entity: () => ({ path: [ENTITY, webhook.entityId] }) };
    // Like the loop of jobs: a run that fails is repeated.
    const run = () => fanOut(needs, { merchants: allMerchants, clock }).catch(ofStore);
    while (!isOver) if ((await run()) === 0) await pause(5);
    while ((await run()) > 0) {}
  };
  const reading = Promise.all(Array.from({ length: READERS }, (_, reader) => readEvents(reader)));
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  isOver = true;
  await reading;
  const heard = await heardBy(nodeOf(0), webhook.id);
  const once = new Set(heard);
  return {
    missed: [...written].filter((id) => !once.has(id)).length,
    doubled: heard.length - once.size,
    foreign: [...once].filter((id) => !written.has(id)).length,
    late,
  };
}

async function heardBy(store: Store, webhookId: string): Promise<readonly string[]> {
  const heard: string[] = [];
  for (let after: { createdAt: number; id: string } | undefined; ; ) {
    const page = await store.deliveries({ webhookId, limit: PAGE, ...(after && { after }) });
    for (const { event } of page) heard.push(event.id);
    after = page.at(-1);
    if (page.length < PAGE) return heard;
  }
}

/** A busy database may refuse a run, or leave its outcome unknown. Any other failure is one of the test. */
function ofStore(error: unknown): number {
  if (error instanceof StoreOutOfOrder || error instanceof UnknownOutcome) return 1;
  throw error;
}

/** The trap: readers that remember the newest event and ask only for those after it. */
export function createReadAfterNewest(): NonNullable<EventRace['plant']> {
  let newest = '';
  return (store) => ({
    webhooks: () => store.webhooks(),
    saveFanOut: (events, deliveries) => store.saveFanOut(events, deliveries),
    passEvents: (merchants, limit) => store.passEvents(merchants, limit),
    async pendingEvents(merchants, limit) {
      const found = (await store.pendingEvents(merchants, limit)).filter(({ id }) => id > newest);
      newest = found.reduce((most, { id }) => (id > most ? id : most), newest);
      return found;
    },
  });
}
