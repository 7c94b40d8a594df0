import type { RiskFacts } from '../facts.ts';
import { type RuleBook, ruleBookOf } from '../ruleBook.ts';
import type { RuleSet } from '../rules.ts';
import { resolvedRisk } from '../settings.ts';
import type { Judges } from './backtest.ts';
import type { Sides } from './sheet.ts';

/** What a back-test knows of a channel. `isJudged` false: its payments are remembered and not judged. */
export type ChannelRisk = {
  readonly timeZone: string;
  readonly risk: Readonly<Record<string, unknown>>;
  readonly isJudged: boolean;
};

type Asked = { readonly channels: Readonly<Record<string, ChannelRisk>>; readonly from: number | null };

type Both = { readonly channels: Readonly<Record<keyof Sides, Asked['channels']>>; readonly from: number | null };

/** The rules of both sides. */
export const sidesOf = ({ channels, from }: Both): Sides => ({
  before: judgesFor({ channels: channels.before, from }),
  after: judgesFor({ channels: channels.after, from }),
});

/** The rules of one side, each channel's its own. */
export function judgesFor({ channels, from }: Asked): Judges {
  const byText = new Map<string, { readonly book: RuleBook; readonly sets: readonly RuleSet[] }>();
  const books = new Map<string, RuleBook>();
  for (const [entityId, { risk, isJudged }] of Object.entries(channels)) {
    if (!isJudged) continue;
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
  const settings = resolvedRisk(risk);
  const book = ruleBookOf(settings);
  const names = [null, ...Object.keys(settings.ruleSets)];
  return { book, sets: names.map((channelId) => book.select({ channelId, serviceId: null })) };
}
