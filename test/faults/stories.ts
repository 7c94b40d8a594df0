import { amountOf, card, cents, type Fields, isApproved, type Reply } from './client.ts';

const NOT_LUHN: Fields = { ...card, 'card.number': '4200000000000001' };

/** A seeded source of random numbers. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One request of a story. */
export type Step = {
  readonly paymentType: string;
  readonly amount: string;
  readonly fields: Fields;
  readonly referencedId: string | null;
  /** The acquirer is silent for as long as the gateway waits. */
  readonly isSilent?: boolean;
};
/** Sends the step and returns the reply; null when the connection broke and the outcome is unknown. */
export type SendStep = (step: Step) => Promise<Reply | null>;
type Story = (send: SendStep, chance: () => number) => Promise<void>;

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
const somewhere = (chance: () => number, least: number, most: number) => Math.floor(least + chance() * (most - least + 1));
const slow = (chance: () => number): Fields => ({
  ...card,
  'customParameters[SIMULATOR_latency]': String(somewhere(chance, 20, 400)),
});
const strange = (chance: () => number): Step => {
  const answer = ['garbled', 'lost', 'lost-request', 'late'][somewhere(chance, 0, 3)] ?? 'lost';
  const fields = { ...card, 'customParameters[SIMULATOR_answer]': answer };
  return { ...begin('DB', somewhere(chance, 100, 9_000), fields), isSilent: answer !== 'garbled' };
};

/** What shops usually do, with weights. Some requests exceed the remaining amount. */
export const stories: readonly (readonly [weight: number, story: Story])[] = [
  [30, async (send, chance) => void (await send(begin('DB', somewhere(chance, 100, 50_000))))],
  [
    20,
    async (send, chance) => {
      const sum = somewhere(chance, 1_000, 50_000);
      const debit = await send(begin('DB', sum));
      for (let refunds = 0; debit && isApproved(debit) && refunds < 2; refunds += 1) {
        await send(follow('RF', debit, somewhere(chance, sum / 4, sum * 0.75)));
      }
    },
  ],
  [
    25,
    async (send, chance) => {
      const sum = somewhere(chance, 1_000, 50_000);
      const authorisation = await send(begin('PA', sum));
      for (let captures = 0; authorisation && isApproved(authorisation) && captures < 3; captures += 1) {
        const capture = await send(follow('CP', authorisation, somewhere(chance, sum / 4, sum / 2)));
        if (capture && isApproved(capture) && chance() < 0.3)
          await send(follow('RF', capture, cents(capture.body?.amount ?? '')));
      }
    },
  ],
  [
    5,
    async (send, chance) => {
      const authorisation = await send(begin('PA', somewhere(chance, 1_000, 9_000)));
      if (authorisation && isApproved(authorisation))
        await send(follow('RV', authorisation, cents(authorisation.body?.amount ?? '')));
    },
  ],
  [8, async (send, chance) => void (await send(begin('DB', somewhere(chance, 100, 9_000), NOT_LUHN)))],
];
/** The same, with payments for which the acquirer is slow, silent or answers garbage. */
export const strangeStories: typeof stories = [
  ...stories,
  [8, async (send, chance) => void (await send(begin('DB', somewhere(chance, 100, 9_000), slow(chance))))],
  [6, async (send, chance) => void (await send(strange(chance)))],
];

/** Picks a story at random by weight. */
export function pick(from: typeof stories, chance: () => number): Story {
  let left = chance() * from.reduce((sum, [weight]) => sum + weight, 0);
  const found = from.find(([weight]) => {
    left -= weight;
    return left < 0;
  });
  return (found ?? from[0]!)[1];
}
