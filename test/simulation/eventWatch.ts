import type { Payment } from '../../src/payments/payment.ts';
import type { Commit, NewOutboxEvent } from '../../src/payments/ports.ts';
import type { EventType, Webhook } from '../../src/webhooks/webhook.ts';
import { decryptPayload, type Signed, verify } from '../../src/webhooks/wireFormat.ts';
import { bound, type Store } from './chronicle.ts';
import { breaks, brief, lateMs, note, type Sim, START } from './sim.ts';

/** The one above all merchants. */
export const PSP = '5eed000000000000000000000000000f';

/** What was seen of a webhook from outside. */
export type Ear = {
  readonly webhookId: string;
  readonly entityId: string;
  readonly types: readonly EventType[];
  /** It will be well again, so that everything must reach it. */
  readonly isMeantToHear: boolean;
  /** The gateway has received its 410. */
  readonly isGone: () => boolean;
  /** Nothing was ever wrong with it. */
  readonly isWell: boolean;
  /** The keys that its owner knows, the latest last. */
  readonly keys: Uint8Array[];
};

/** One call as the receiver has it. `isTaken`: it is answered with 2xx. */
export type Call = { readonly body: string; readonly headers: Readonly<Record<string, string>>; readonly isTaken: boolean };

type ToldEvent = {
  readonly id: string;
  readonly merchantId: string;
  readonly entityId: string;
  readonly subjectId: string;
  readonly revision: number;
  readonly type: EventType;
  readonly code: string;
  readonly isOfPlan: boolean;
  readonly at: number;
};

type Hearing = {
  readonly ear: Ear;
  readonly firstAt: Map<string, number>;
  readonly taken: Map<string, number>;
  readonly dead: Set<string>;
  /** What each event has told, without what is different in every event. */
  readonly texts: Map<string, string>;
};

/** What is known of an event, from the commit to the receiver. */
export type EventWatch = {
  over(store: Store, wake: () => void): Store;
  listen(ear: Ear): void;
  heard(webhookId: string, call: Call): void;
  /** Everything has reached everybody who will be well. */
  isAtRest(): boolean;
  check(store: Store, now: () => number): Promise<void>;
};

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const FIRST_TRY_MS_MAX = 2 * SECOND_MS;
/** The claim of a node whose clock has jumped back looks expired to the others: the event before is sent twice, and this one a look later. */
const NEXT_LOOK_MS = SECOND_MS;
/** Whatever was slow when the trouble ended is over by then. */
const CALM_MS = 90 * SECOND_MS;
const TOLERANCE_MS = 300_000;

/**
 * I8: every event reaches each healthy subscriber at least once. W1: under one id, which is that of the events and tells the same in
 * every try. W2: the events of one transaction come in their order. W3: signed with keys the receiver knows, lately, and encrypted with one of
 * them. W4: whoever is well is tried within two seconds, whoever else is dead. W5: 410 switches off, five days of failure pause. W6: of events
 * there is one delivery to each. W7: two consecutive events of a payment differ in what they tell. I11: nobody hears of another merchant.
 */
export function createEventWatch(sim: Sim): EventWatch {
  const events = new Map<string, ToldEvent>();
  const subjects = new Map<string, ToldEvent[]>();
  const hearings = new Map<string, Hearing>();
  let waiting = 0;
  const add = (
    { id, type, code }: NewOutboxEvent,
    of: Pick<Payment, 'merchantId' | 'entityId' | 'scheduleId' | 'paymentType'>,
    { subjectId, revision }: Pick<ToldEvent, 'subjectId' | 'revision'>,
  ) => {
    const { merchantId, entityId } = of;
    const isOfPlan = of.scheduleId !== undefined || ['SD', 'RS', 'DS'].includes(of.paymentType);
    const told: ToldEvent = { id, merchantId, entityId, subjectId, revision, type, code, isOfPlan, at: sim.scheduler.now() };
    events.set(id, told);
    for (const { ear } of hearings.values()) if (ear.isMeantToHear && isWanted(ear, told)) waiting += 1;
    subjects.set(subjectId, [...(subjects.get(subjectId) ?? []), told]);
  };
  const kept = ({ payment, event, registration, schedule }: Commit) => {
    if (event) add(event, payment, { subjectId: payment.id, revision: payment.revision });
    const { event: own, registration: stored } = registration ?? {};
    if (own && stored) add(own, { ...payment, entityId: stored.entityId }, { subjectId: stored.id, revision: stored.revision });
    const { event: ofSchedule, schedule: changed } = schedule ?? {};
    if (ofSchedule && changed) add(ofSchedule, payment, { subjectId: changed.id, revision: changed.revision });
  };
  const waking =
    <Given extends readonly unknown[], T>(step: (...given: Given) => Promise<T>, wake: () => void) =>
    async (...given: Given): Promise<T> => {
      const done = await step(...given);
      wake();
      return done;
    };
  return {
    over(store, wake) {
      const free = bound(store);
      return {
        ...free,
        async commit(change) {
          const outcome = await store.commit(change);
          if (outcome.is === 'kept') kept(change);
          if (outcome.is === 'kept') wake();
          return outcome;
        },
        async saveDeliveries(deliveries) {
          await store.saveDeliveries(deliveries);
          for (const { webhookId, event: its, state } of deliveries)
            if (state === 'dead') hearings.get(webhookId)?.dead.add(its.id);
        },
        async saveSchedule(schedule, skipped, event = null) {
          const isSaved = await store.saveSchedule(schedule, skipped, event);
          const { id: subjectId, revision } = schedule;
          if (isSaved && event) add(event, { ...schedule, paymentType: 'SD' }, { subjectId, revision });
          if (isSaved && event) wake();
          return isSaved;
        },
        redeliver: waking(free.redeliver, wake),
        saveWebhook: waking(free.saveWebhook, wake),
      };
    },
    listen: (ear) =>
      void hearings.set(ear.webhookId, { ear, firstAt: new Map(), taken: new Map(), dead: new Set(), texts: new Map() }),
    heard(webhookId, call) {
      const hearing = hearings.get(webhookId);
      const text = hearing && checkSeals(sim, hearing.ear, call);
      const id = call.headers['webhook-id'] ?? '';
      if (!hearing || (text && JSON.parse(text).type === 'test')) return;
      const told = events.get(id);
      if (!told) {
        breaks(sim, 'W1', `${brief(webhookId)} was told ${id}, which is the id of no event`);
        return;
      }
      checkWanted(sim, hearing.ear, told);
      if (text) checkText(sim, told, text);
      if (text) hearing.texts.set(id, contentOf(text));
      const now = sim.scheduler.now();
      if (!hearing.firstAt.has(id)) hearing.firstAt.set(id, now);
      if (!call.isTaken) return;
      if (hearing.taken.has(id)) sim.tally.hit('event: heard twice', 'webhook');
      else checkOrder(sim, hearing, { told, others: subjects.get(told.subjectId) ?? [] });
      if (!hearing.taken.has(id) && hearing.ear.isMeantToHear && isWanted(hearing.ear, told)) waiting -= 1;
      if (!hearing.taken.has(id)) hearing.taken.set(id, now);
    },
    isAtRest: () => waiting === 0,
    async check(store, now) {
      for (const hearing of hearings.values()) {
        const lost = missing(hearing, events);
        const { ear } = hearing;
        if (lost.length > 0) breaks(sim, 'I8', `${brief(ear.webhookId)} never heard of ${lost.map(shown).join(', ')}`);
        for (const told of events.values()) checkPromptness(sim, hearing, { told, others: subjects.get(told.subjectId) ?? [] });
        for (const others of subjects.values()) checkDifference(sim, hearing, others);
        await checkOnce(sim, ear, store);
      }
      const webhooks = await store.webhooks();
      for (const webhook of webhooks) {
        checkHealth(sim, webhook, now());
        if (webhook.state !== 'off' && hearings.get(webhook.id)?.ear.isGone())
          breaks(sim, 'W5', `${brief(webhook.id)} answered 410 and is ${webhook.state}`);
      }
    },
  };
}

const shown = ({ id, type, subjectId, revision }: ToldEvent): string => `${type} ${brief(subjectId)} r${revision} (${brief(id)})`;

const isTheirs = ({ entityId }: Ear, told: ToldEvent): boolean => [told.entityId, told.merchantId, PSP].includes(entityId);
const isWanted = (ear: Ear, told: ToldEvent): boolean => isTheirs(ear, told) && ear.types.includes(told.type);

const missing = ({ ear, taken }: Hearing, events: ReadonlyMap<string, ToldEvent>): readonly ToldEvent[] =>
  ear.isMeantToHear ? [...events.values()].filter((told) => isWanted(ear, told) && !taken.has(told.id)) : [];

/** W3. The text, where the receiver knows the key it is encrypted with. */
function checkSeals(sim: Sim, { webhookId, keys }: Ear, { body, headers }: Call): string | null {
  const signed = headers as unknown as Signed;
  const sentAt = Number(signed['webhook-timestamp']) * SECOND_MS;
  if (verify(signed, { body, keys, now: sentAt }) !== 'good')
    breaks(sim, 'W3', `${brief(webhookId)} was told something that none of its keys has signed`);
  const { skewMsMax, jumps } = sim.weather;
  const wrongMs = Math.abs(sim.scheduler.now() - sentAt) - TOLERANCE_MS - skewMsMax - (jumps > 0 ? HOUR_MS : 0);
  if (wrongMs > 0) breaks(sim, 'W3', `${brief(webhookId)} was told something that was signed long ago`);
  const received = { body, iv: headers['X-Initialization-Vector'] ?? '', tag: headers['X-Authentication-Tag'] ?? '' };
  return keys.map((key) => decryptPayload(received, key)).find((text) => text !== null) ?? null;
}

/** I11 */
function checkWanted(sim: Sim, ear: Ear, told: ToldEvent): void {
  if (!isTheirs(ear, told)) breaks(sim, 'I11', `${brief(ear.webhookId)} of ${ear.entityId} was told of ${told.entityId}`);
  else if (!ear.types.includes(told.type)) breaks(sim, 'W1', `${brief(ear.webhookId)} was told ${told.type} unasked`);
}

type Payload = { readonly id: string; readonly result: { readonly code: string }; readonly source: string };

/** W1 */
function checkText(sim: Sim, told: ToldEvent, text: string): void {
  const { type, payload } = JSON.parse(text) as { readonly type: string; readonly payload: Payload };
  if (type !== told.type || payload.result.code !== told.code)
    breaks(sim, 'W1', `${told.id} is ${told.type} ${told.code} and was told as ${type} ${payload.result.code}`);
  if (told.type === 'PAYMENT' && payload.id !== told.subjectId)
    breaks(sim, 'W1', `${told.id} is of ${told.subjectId} and tells of ${payload.id}`);
  if ((payload.source === 'SCHEDULER') !== told.isOfPlan)
    breaks(sim, 'P1', `${told.subjectId} was told to be of ${payload.source}`);
}

type Placed = { readonly told: ToldEvent; readonly others: readonly ToldEvent[] };

const earlier = ({ ear }: Hearing, { told, others }: Placed): readonly ToldEvent[] =>
  others.filter((other) => other.revision < told.revision && isWanted(ear, other));

/** W2 */
function checkOrder(sim: Sim, hearing: Hearing, placed: Placed): void {
  const { ear, taken, dead } = hearing;
  // What was given up is in nobody's way.
  const before = earlier(hearing, placed).find(({ id }) => !taken.has(id) && !dead.has(id));
  if (before) breaks(sim, 'W2', `${brief(ear.webhookId)} heard ${shown(placed.told)} before ${shown(before)}`);
}

/** W4 */
function checkPromptness(sim: Sim, hearing: Hearing, placed: Placed): void {
  const { ear, firstAt, taken } = hearing;
  const { told } = placed;
  if (!ear.isWell || !isWanted(ear, told) || told.at < START + sim.weather.chaosMs + CALM_MS) return;
  // Events wait for the earlier ones of their transaction.
  if (earlier(hearing, placed).some(({ id }) => (taken.get(id) ?? Infinity) > told.at)) return;
  const ms = (firstAt.get(told.id) ?? Infinity) - told.at;
  sim.tally.hit('event: told in a calm', 'webhook');
  if (ms > FIRST_TRY_MS_MAX + (sim.weather.jumps > 0 ? NEXT_LOOK_MS : 0) + lateMs(sim))
    breaks(sim, 'W4', `${brief(ear.webhookId)} heard ${shown(told)} after ${ms} ms`);
}

/** What an event tells; instants and the random field are different in every event. */
function contentOf(text: string): string {
  const { type, action, payload } = JSON.parse(text) as { type: string; action?: string; payload: Payload };
  const { code } = payload.result;
  return JSON.stringify([type, action, { ...payload, result: code, timestamp: null }]);
}

/** W7 */
function checkDifference(sim: Sim, { ear, texts }: Hearing, others: readonly ToldEvent[]): void {
  const heard = others.filter(({ id }) => texts.has(id)).sort((one, other) => one.revision - other.revision);
  for (const [at, event] of heard.entries()) {
    const before = heard[at - 1];
    if (event.type === 'PAYMENT' && before && texts.get(before.id) === texts.get(event.id))
      breaks(sim, 'W7', `${brief(ear.webhookId)} heard ${shown(event)}, which tells no more than ${shown(before)}`);
  }
}

/** W6 */
async function checkOnce(sim: Sim, { webhookId }: Ear, store: Store): Promise<void> {
  const seen = new Set<string>();
  for (const { event } of await store.deliveries({ webhookId, limit: 100_000 })) {
    if (seen.has(event.id)) breaks(sim, 'W6', `${brief(webhookId)} has two deliveries of ${event.id}`);
    seen.add(event.id);
  }
}

const DAY_MS = 86_400_000;

/** W5 */
function checkHealth(sim: Sim, { id, state, failingSince }: Webhook, now: number): void {
  note(sim, `webhook ${brief(id)} is ${state}`);
  if (state === 'active' && failingSince !== null && now - failingSince > 6 * DAY_MS)
    breaks(sim, 'W5', `${brief(id)} has failed for ${Math.floor((now - failingSince) / DAY_MS)} days and is not paused`);
}
