import { type Entity, hierarchy } from '../../merchants/directory.ts';
import { type ModuleFaults, unread } from '../../merchants/moduleSettings.ts';
import type { EntityRow } from '../../merchants/ports.ts';
import type { ListEntry } from '../ports.ts';
import { ruleBookOf } from '../ruleBook.ts';
import { type RiskSettings, resolvedRisk, riskSettingFaults } from '../settings.ts';
import type { ChannelRisk } from './judges.ts';

/** A back-test as data: what the thread that reads is told. */
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

/** What was begun so shortly ago may not be written yet. */
export const SETTLE_MS = 5_000;

export type Tree = ReadonlyMap<string, Entity>;

const services: ModuleFaults = { ...unread, risk: riskSettingFaults };

/** The hierarchy of these rows, risk settings looked at. */
export const treeOf = (rows: readonly EntityRow[]): Tree => hierarchy(rows, services);

/** The hierarchy with another setting `risk` at one node; what cannot be made ready is told: each rule may be right and all too many. */
export function treeWith(
  rows: readonly EntityRow[],
  entityId: string,
  risk: Partial<RiskSettings>,
): { readonly tree: Tree } | { readonly fault: string } {
  const changed = rows.map((row) => (row.id === entityId ? { ...row, settings: { ...row.settings, risk } } : row));
  const tree = treeOf(changed);
  for (const { path, settings } of tree.values()) {
    if (!path.includes(entityId)) continue;
    try {
      ruleBookOf(resolvedRisk(settings.risk));
    } catch (error) {
      return { fault: (error as Error).message };
    }
  }
  return { tree };
}

type Tried = {
  readonly entity: Pick<Entity, 'id' | 'kind'>;
  readonly merchantId: string;
  readonly trees: Readonly<Record<'before' | 'after', Tree>>;
  readonly span: { readonly from: number | null; readonly before: number };
  readonly entries: readonly ListEntry[];
};

/** The back-test of a merchant with all its channels, or of one channel. */
export const jobOf = ({ entity, merchantId, trees, span, entries }: Tried): BacktestJob => ({
  merchantId,
  from: span.from,
  until: span.before,
  channels: {
    before: channelsOf(trees.before, merchantId, entity),
    after: channelsOf(trees.after, merchantId, entity),
  },
  entries,
});

/** Payments of other channels of the merchant are remembered: a card that fails in one shop is known in the other. */
function channelsOf(tree: Tree, merchantId: string, { id, kind }: Tried['entity']): Readonly<Record<string, ChannelRisk>> {
  const channels = tree.get(merchantId)?.channels ?? [];
  return Object.fromEntries(
    channels.map(({ entityId, timeZone, risk }) => [
      entityId,
      { timeZone, risk, isJudged: kind === 'merchant' || entityId === id },
    ]),
  );
}
