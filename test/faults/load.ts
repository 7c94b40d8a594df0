import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Body, codeOf, isHang, pay, type Reply, refer } from './client.ts';
import { overload } from './overload.ts';
import { createChance, pick, type SendStep, type Step, stories, strangeStories } from './stories.ts';

/** A reply with a payment's id: from then on the merchant relies on it. */
export type Acknowledged = {
  readonly id: string;
  readonly status: number;
  readonly body: Body;
  readonly code: string;
  /** The request, since a declined payment shows no amount. */
  readonly requested: { readonly paymentType: string; readonly amount: string; readonly referencedId: string | null };
  readonly key: string | null;
};

/** All replies to the shops. Broken connections and clean refusals while the store is down are expected; other failures are not. */
export type Journal = {
  readonly acknowledged: Acknowledged[];
  /** The payment ids of each idempotency key: more than one means a double payment. */
  readonly idsOfKey: Map<string, Set<string>>;
  readonly statuses: Map<number, number>;
  /** Answers that are neither a payment nor a clean refusal with a JSON body. */
  readonly unclean: string[];
  readonly hangs: string[];
  /** Keys without any answer although the shop kept retrying. */
  readonly unanswered: string[];
  broken: number;
  answered: number;
};

export type Load = {
  readonly journal: Journal;
  /** Starts no new stories and waits for those under way. */
  stop(): Promise<void>;
  /** Stops retrying too, for a test that has failed. Does nothing after stop(). */
  abandon(): void;
};

export type LoadOptions = {
  /** The nodes that share the load; a retry goes to another one. */
  readonly urls: readonly string[];
  readonly perSecond: number;
  readonly seed: number;
  /** During this time some payments are slow or get no answer of the acquirer; the sweeper needs half a minute for those. */
  readonly strangeMs: number;
};

const IN_FLIGHT_MAX = 100;
const RETRY_MS = 150;
const RETRY_MS_MAX = 40_000;

export function startLoad({ urls, perSecond, seed, strangeMs }: LoadOptions): Load {
  const journal: Journal = {
    acknowledged: [],
    idsOfKey: new Map(),
    statuses: new Map(),
    unclean: [],
    hangs: [],
    unanswered: [],
    broken: 0,
    answered: 0,
  };
  const chance = createChance(seed);
  const underWay = new Set<Promise<void>>();
  const patience = new AbortController();
  setMaxListeners(0, patience.signal);
  const began = performance.now();
  let sent = 0;
  let keys = 0;
  let isOver = false;
  let isAbandoned = false;

  const sendStep: SendStep = async (step) => {
    const isKeyed = chance() < 0.5;
    keys += 1;
    const key = isKeyed ? `load-${seed}-${keys}` : null;
    const sending = { step, key, urls, patience: patience.signal, isAbandoned: () => isAbandoned };
    const first = await send(journal, { ...sending, from: sent++ });
    // Some merchants send a request again although it was answered.
    if (key !== null && chance() < 0.1) await send(journal, { ...sending, from: sent++ });
    return first;
  };
  const beat = setInterval(() => {
    const elapsedMs = performance.now() - began;
    const due = Math.floor((elapsedMs * perSecond) / 1000);
    // Requests that could not be sent while the gateway was down are not sent later.
    if (due - sent > perSecond / 2) sent = due - Math.floor(perSecond / 2);
    while (sent < due && underWay.size < IN_FLIGHT_MAX && !isOver) {
      const story = pick(elapsedMs < strangeMs ? strangeStories : stories, chance)(sendStep, chance).finally(() =>
        underWay.delete(story),
      );
      underWay.add(story);
    }
  }, 10);
  const stop = async () => {
    isOver = true;
    clearInterval(beat);
    patience.abort();
    await Promise.all(underWay);
  };
  return {
    journal,
    stop,
    abandon: () => {
      isAbandoned = true;
      void stop();
    },
  };
}

type Sending = {
  readonly step: Step;
  readonly key: string | null;
  readonly urls: readonly string[];
  readonly from: number;
  readonly patience: AbortSignal;
  readonly isAbandoned: () => boolean;
};

/** With a key a shop retries until it gets an answer; without one it must not retry, and never learns the outcome. */
async function send(journal: Journal, { step, key, urls, from, patience, isAbandoned }: Sending): Promise<Reply | null> {
  const began = performance.now();
  // On an overloaded machine a gateway takes that much longer to start, and no node answers meanwhile.
  for (let tries = 0; performance.now() - began < RETRY_MS_MAX * overload() && !isAbandoned(); tries += 1) {
    const url = urls[(from + tries) % urls.length] ?? '';
    try {
      // A shop that stops waiting sends the request again and gets the payment that is under way.
      const reply = await post(url, step, { key, ...(step.isSilent && !patience.aborted && { patience }) });
      note(journal, reply, { step, key });
      if (reply.status < 500 || key === null) return reply;
    } catch (error) {
      if (isHang(error)) journal.hangs.push(String(error));
      if (!step.isSilent) journal.broken += 1;
      if (key === null) return null;
    }
    await pause(RETRY_MS);
  }
  if (key !== null) journal.unanswered.push(key);
  return null;
}

function post(url: string, step: Step, how: { readonly key: string | null; readonly patience?: AbortSignal }): Promise<Reply> {
  const { paymentType, amount, fields, referencedId } = step;
  const order = { fields: { paymentType, amount, currency: 'EUR', ...fields }, ...how };
  return referencedId === null ? pay(url, order) : refer(url, referencedId, order);
}

function note(journal: Journal, reply: Reply, { step, key }: { readonly step: Step; readonly key: string | null }): void {
  const { status, body } = reply;
  const code = codeOf(reply);
  journal.answered += 1;
  journal.statuses.set(status, (journal.statuses.get(status) ?? 0) + 1);
  if (body?.id === undefined) {
    if (status !== 503 || code === '') journal.unclean.push(`${status} ${reply.text.slice(0, 300)}`);
    return;
  }
  if (code === '' || (status !== 200 && status !== 400)) journal.unclean.push(`${status} ${reply.text.slice(0, 300)}`);
  const { paymentType, amount, referencedId } = step;
  journal.acknowledged.push({ id: body.id, status, body, code, requested: { paymentType, amount, referencedId }, key });
  if (key !== null) journal.idsOfKey.set(key, (journal.idsOfKey.get(key) ?? new Set()).add(body.id));
}
