import { CARD, type Fields } from '../http/client.ts';
import { playing } from '../http/settlementFixture.ts';
import type { Chance } from '../simulation/chance.ts';

/** A subscriber, and what happens to him in his year. */
export type Subscriber = {
  readonly amount: string;
  readonly dayOfMonth: number;
  readonly card: Fields;
  /** What the simulated acquirer does with every charge. */
  readonly scenario: Fields;
  /** The months, from 0, in which his account is empty: from the first one up to, not including, the second. */
  readonly isPoor: readonly [from: number, to: number] | null;
  /** The month in which he cancels. */
  readonly cancelsIn: number | null;
};

/** Of a hundred subscribers, so many have this fate. */
const fates: readonly (readonly [share: number, fate: (chance: Chance) => Partial<Subscriber>])[] = [
  [12, () => ({ card: { ...CARD, 'card.expiryMonth': '06', 'card.expiryYear': '2028' } })],
  [8, () => ({ scenario: playing('chargeback-day-40') })],
  [8, () => ({ scenario: playing('chargeback-won-back') })],
  [6, () => ({ scenario: playing('settled-in-parts') })],
  [
    12,
    (chance) => {
      const from = chance.between(0, 8);
      return { isPoor: [from, from + chance.between(1, 2)] };
    },
  ],
  [8, (chance) => ({ cancelsIn: chance.between(1, 11) })],
];

/** So many subscribers, of which the first ones have every fate once. */
export function drawSubscribers(chance: Chance, count: number): readonly Subscriber[] {
  return Array.from({ length: count }, (_, at) => {
    let left = chance.below(100);
    const drawn = fates.find(([share]) => {
      left -= share;
      return left < 0;
    });
    const fate = fates[at] ?? drawn;
    return {
      amount: `${chance.between(1, 89)}.${chance.digits(2)}`,
      dayOfMonth: chance.between(1, 28),
      card: CARD,
      scenario: {},
      isPoor: null,
      cancelsIn: null,
      ...fate?.[1](chance),
    };
  });
}
