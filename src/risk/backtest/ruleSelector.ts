import type { RiskFacts } from '../facts.ts';
import { type RuleBook, ruleBookOf } from '../ruleBook.ts';
import type { RuleSet } from '../rules.ts';
import { resolveRiskSettings } from '../settings.ts';
import type { RuleSelector } from './backtest.ts';
import type { Sides } from './paymentBatch.ts';

/** A channel in a back-test. `isEvaluated` false: its payments only feed the velocity counters. */
export type ChannelRisk = {
  readonly timeZone: string;
  readonly risk: Readonly<Record<string, unknown>>;
  readonly isEvaluated: boolean;
};

type SideInput = { readonly channels: Readonly<Record<string, ChannelRisk>>; readonly from: number | null };

type BothSides = { readonly channels: Readonly<Record<keyof Sides, SideInput['channels']>>; readonly from: number | null };

export const createSides = ({ channels, from }: BothSides): Sides => ({
  before: createRuleSelector({ channels: channels.before, from }),
  after: createRuleSelector({ channels: channels.after, from }),
});

/** Selects rule sets by channel. */
export function createRuleSelector({ channels, from }: SideInput): RuleSelector {
  const byText = new Map<string, { readonly book: RuleBook; readonly sets: readonly RuleSet[] }>();
  const books = new Map<string, RuleBook>();
  for (const [entityId, { risk, isEvaluated }] of Object.entries(channels)) {
    if (!isEvaluated) continue;
    const text = JSON.stringify(risk);
    const ready = byText.get(text) ?? bookAndSets(risk);
    byText.set(text, ready);
    books.set(entityId, ready.book);
  }
  return {
    sets: [...byText.values()].flatMap(({ sets }) => sets),
    select(facts: RiskFacts) {
      if (from !== null && facts.now < from) return null;
      return books.get(facts.entityId)?.select(facts.risk) ?? null;
    },
  };
}

function bookAndSets(risk: Readonly<Record<string, unknown>>) {
  const settings = resolveRiskSettings(risk);
  const book = ruleBookOf(settings);
  const names = [null, ...Object.keys(settings.ruleSets)];
  return { book, sets: names.map((channelId) => book.select({ channelId, serviceId: null })) };
}
