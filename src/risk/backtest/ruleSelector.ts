import { type Entity, hierarchy } from '../../merchants/directory.ts';
import { type ModuleFaults, noModuleFaults } from '../../merchants/moduleSettings.ts';
import type { EntityRow } from '../../merchants/ports.ts';
import type { RiskFacts } from '../facts.ts';
import type { ListEntry } from '../ports.ts';
import { type RuleBook, ruleBookOf } from '../ruleBook.ts';
import type { RuleSet } from '../rules.ts';
import { type RiskSettings, resolveRiskSettings, riskSettingFaults } from '../settings.ts';
import type { RuleSelector } from './backtest.ts';
import type { Sides } from './paymentBatch.ts';

/** A channel in a back-test. `isEvaluated` false: its payments only feed the velocity counters. */
type ChannelRisk = {
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

/** The input of the reading thread of a back-test. */
export type BacktestJob = {
  readonly merchantId: string;
  /** The first instant that counts; null: from the first payment on. */
  readonly from: number | null;
  /** The instant before which every payment is read. */
  readonly until: number;
  /** By entityId: every channel of the merchant, with the rules of each side. */
  readonly channels: Readonly<Record<'before' | 'after', Readonly<Record<string, ChannelRisk>>>>;
  readonly entries: readonly ListEntry[];
};

/** Payments that began more recently may not be committed yet. */
export const COMMIT_DELAY_MS = 5_000;

export type Tree = ReadonlyMap<string, Entity>;

const services: ModuleFaults = { ...noModuleFaults, risk: riskSettingFaults };

/** The hierarchy of these rows, with validated risk settings. */
export const treeOf = (rows: readonly EntityRow[]): Tree => hierarchy(rows, services);

/** The hierarchy with another setting `risk` at one node, or the fault: valid rules may together exceed a limit. */
export function treeWith(
  rows: readonly EntityRow[],
  entityId: string,
  risk: Partial<RiskSettings>,
): { readonly is: 'valid'; readonly tree: Tree } | { readonly is: 'invalid'; readonly fault: string } {
  const changed = rows.map((row) => (row.id === entityId ? { ...row, settings: { ...row.settings, risk } } : row));
  const tree = treeOf(changed);
  for (const { path, settings } of tree.values()) {
    if (!path.includes(entityId)) continue;
    try {
      ruleBookOf(resolveRiskSettings(settings.risk));
    } catch (error) {
      return { is: 'invalid', fault: (error as Error).message };
    }
  }
  return { is: 'valid', tree };
}

type BacktestInput = {
  readonly entity: Pick<Entity, 'id' | 'kind'>;
  readonly merchantId: string;
  readonly trees: Readonly<Record<'before' | 'after', Tree>>;
  readonly span: { readonly from: number | null; readonly before: number };
  readonly entries: readonly ListEntry[];
};

/** The back-test of a merchant with all its channels, or of one channel. */
export const createBacktestJob = ({ entity, merchantId, trees, span, entries }: BacktestInput): BacktestJob => ({
  merchantId,
  from: span.from,
  until: span.before,
  channels: {
    before: channelsOf(trees.before, merchantId, entity),
    after: channelsOf(trees.after, merchantId, entity),
  },
  entries,
});

/** Payments of the merchant's other channels feed the counters: a card that fails in one shop counts in the other. */
function channelsOf(
  tree: Tree,
  merchantId: string,
  { id, kind }: BacktestInput['entity'],
): Readonly<Record<string, ChannelRisk>> {
  const channels = tree.get(merchantId)?.channels ?? [];
  return Object.fromEntries(
    channels.map(({ entityId, timeZone, risk }) => [
      entityId,
      { timeZone, risk, isEvaluated: kind === 'merchant' || entityId === id },
    ]),
  );
}
