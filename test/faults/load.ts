import { setTimeout as pause } from 'node:timers/promises';
import {
  amountOf,
  type Body,
  card,
  cents,
  codeOf,
  type Fields,
  isApproved,
  isHang,
  PENDING,
  pay,
  type Reply,
  refer,
} from './client.ts';

/** A reply that named a payment: from here on the merchant relies on it. */
export type Acknowledged = {
  readonly id: string;
  readonly status: number;
  readonly body: Body;
  readonly code: string;
  /** What was asked for, since a declined payment shows no amount. */
  readonly asked: { readonly paymentType: string; readonly amount: string; readonly referencedId: string | null };
  readonly key: string | null;
};

/** Everything the shops saw. Connections that broke and clean refusals for want of a store are part of the exercise; the rest is not. */
export type Journal = {
  readonly acknowledged: Acknowledged[];
  /** The ids by which each key was answered: one, or somebody paid twice. */
  readonly idsOfKey: Map<string, Set<string>>;
  readonly statuses: Map<number, number>;
  /** Answers that are neither a payment nor a clean refusal with a JSON body. */
  readonly unclean: string[];
  readonly hangs: string[];
  /** Keys whose owner never got an answer although he went on trying. */
  readonly unanswered: string[];
  broken: number;
  answered: number;
};

export type Load = {
  readonly journal: Journal;
  /** No new stories; those under way are told to their end. */
  stop(): Promise<void>;
};

export type LoadOptions = {
  /** The nodes to spread over; a retry goes to another one. */
  readonly urls: readonly string[];
  readonly perSecond: number;
  readonly seed: number;
};

const IN_FLIGHT_MAX = 150;
const RETRY_MS = 40;
const RETRY_MS_MAX = 40_000;
const NOT_LUHN: Fields = { ...card, 'card.number': '4200000000000001' };

/** A source of chance that can be started again from the same seed. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Step = {
  readonly paymentType: string;
  readonly amount: string;
  readonly fields: Fields;
  readonly referencedId: string | null;
};
type Teller = (step: Step) => Promise<Reply | null>;
type Story = (tell: Teller, chance: () => number) => Promise<void>;

const begin = (paymentType: string, sum: number, fields: Fields = card): Step => ({
  paymentType,
  amount: amountOf(sum),
  fields,
  referencedId: null,
});
const follow = (paymentType: string, { body }: Reply, sum: number): Step => ({
  paymentType,
  amount: amountOf(sum),
  fields: {},
  referencedId: body?.id ?? '',
});
const somewhere = (chance: () => number, least: number, most: number) => least + Math.floor(chance() * (most - least + 1));
const slow = (chance: () => number): Fields => ({
  ...card,
  'customParameters[SIMULATOR_latency]': String(somewhere(chance, 20, 400)),
});
const strange = (chance: () => number): Fields => ({
  ...card,
  'customParameters[SIMULATOR_answer]': ['lost', 'lost-request', 'late', 'garbled'][somewhere(chance, 0, 3)] ?? 'lost',
});

/** What shops do all day, and how often. Some ask for more than there is. */
const stories: readonly (readonly [weight: number, story: Story])[] = [
  [30, async (tell, chance) => void (await tell(begin('DB', somewhere(chance, 100, 50_000))))],
  [
    20,
    async (tell, chance) => {
      const sum = somewhere(chance, 1_000, 50_000);
      const debit = await tell(begin('DB', sum));
      for (let refunds = 0; debit && isApproved(debit) && refunds < 2; refunds += 1) {
        await tell(follow('RF', debit, somewhere(chance, sum / 4, sum * 0.75)));
      }
    },
  ],
  [
    25,
    async (tell, chance) => {
      const sum = somewhere(chance, 1_000, 50_000);
      const authorisation = await tell(begin('PA', sum));
      for (let captures = 0; authorisation && isApproved(authorisation) && captures < 3; captures += 1) {
        const capture = await tell(follow('CP', authorisation, somewhere(chance, sum / 4, sum / 2)));
        if (capture && isApproved(capture) && chance() < 0.3)
          await tell(follow('RF', capture, cents(capture.body?.amount ?? '')));
      }
    },
  ],
  [
    5,
    async (tell, chance) => {
      const authorisation = await tell(begin('PA', somewhere(chance, 1_000, 9_000)));
      if (authorisation && isApproved(authorisation))
        await tell(follow('RV', authorisation, cents(authorisation.body?.amount ?? '')));
    },
  ],
  [8, async (tell, chance) => void (await tell(begin('DB', somewhere(chance, 100, 9_000), NOT_LUHN)))],
  [8, async (tell, chance) => void (await tell(begin('DB', somewhere(chance, 100, 9_000), slow(chance))))],
  [4, async (tell, chance) => void (await tell(begin('DB', somewhere(chance, 100, 9_000), strange(chance))))],
];
const weights = stories.reduce((sum, [weight]) => sum + weight, 0);

function pick(chance: () => number): Story {
  let left = chance() * weights;
  for (const [weight, story] of stories) {
    left -= weight;
    if (left < 0) return story;
  }
  return stories[0]![1];
}

export function startLoad({ urls, perSecond, seed }: LoadOptions): Load {
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
  const began = performance.now();
  let sent = 0;
  let keys = 0;
  let isOver = false;

  const tell: Teller = async (step) => {
    const isKeyed = chance() < 0.5;
    keys += 1;
    const key = isKeyed ? `load-${seed}-${keys}` : null;
    const first = await send(journal, { step, key, urls, from: sent++ });
    // Some merchants ask twice although they were answered.
    if (key !== null && chance() < 0.1) await send(journal, { step, key, urls, from: sent++ });
    return first;
  };
  const beat = setInterval(() => {
    const due = Math.floor(((performance.now() - began) * perSecond) / 1000);
    // What could not be sent while the gateway was down is not made up for.
    if (due - sent > perSecond / 2) sent = due - Math.floor(perSecond / 2);
    while (sent < due && underWay.size < IN_FLIGHT_MAX && !isOver) {
      const telling = pick(chance)(tell, chance).finally(() => underWay.delete(telling));
      underWay.add(telling);
    }
  }, 10);
  return {
    journal,
    stop: async () => {
      isOver = true;
      clearInterval(beat);
      await Promise.all(underWay);
    },
  };
}

type Sending = { readonly step: Step; readonly key: string | null; readonly urls: readonly string[]; readonly from: number };

/** With a key a shop goes on trying until it is answered; without one it must not, and never learns what became of it. */
async function send(journal: Journal, { step, key, urls, from }: Sending): Promise<Reply | null> {
  const began = performance.now();
  for (let tries = 0; performance.now() - began < RETRY_MS_MAX; tries += 1) {
    const url = urls[(from + tries) % urls.length] ?? '';
    try {
      const reply = await post(url, step, key);
      note(journal, reply, { step, key });
      if (reply.status < 500 || key === null) return reply;
    } catch (error) {
      if (isHang(error)) journal.hangs.push(String(error));
      journal.broken += 1;
      if (key === null) return null;
    }
    await pause(RETRY_MS);
  }
  if (key !== null) journal.unanswered.push(key);
  return null;
}

function post(url: string, { paymentType, amount, fields, referencedId }: Step, key: string | null): Promise<Reply> {
  const order = { fields: { paymentType, amount, currency: 'EUR', ...fields }, key };
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
  journal.acknowledged.push({ id: body.id, status, body, code, asked: { paymentType, amount, referencedId }, key });
  if (key !== null) journal.idsOfKey.set(key, (journal.idsOfKey.get(key) ?? new Set()).add(body.id));
}

/** The most careful reading of what the shops were told: pending is neither yes nor no. */
export const isPending = ({ code }: Acknowledged): boolean => code === PENDING;
