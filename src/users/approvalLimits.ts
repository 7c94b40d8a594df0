import type { Settings } from '../merchants/settings.ts';
import { type Amount, amountOf } from '../money/amount.ts';

type Limits = NonNullable<Settings['approvals']>;

/**
 * How much one user may move alone in a currency, by the setting `approvals`; null: approvals are off. They are on as soon as one currency
 * has a limit; a currency without one then has the limit 0, so everything in it needs a second person.
 */
export function approvalLimit({ approvals = {} }: Pick<Settings, 'approvals'>, currency: string): Amount | null {
  if (!hasLimits(approvals)) return null;
  return (Object.hasOwn(approvals, currency) ? amountOf(approvals[currency] ?? '') : undefined) ?? 0n;
}

export const hasLimits = (approvals: Settings['approvals']): boolean => Object.keys(approvals ?? {}).length > 0;

/** Represents every currency that neither side names. */
const ANY_OTHER = '';

/** Whether a user may move more alone after a change than before it, in any currency. */
export function isWeaker(before: Limits, after: Limits): boolean {
  return [...Object.keys(before), ...Object.keys(after), ANY_OTHER].some((currency) => {
    const [limitBefore, limitAfter] = [before, after].map((approvals) => approvalLimit({ approvals }, currency)) as [
      Amount | null,
      Amount | null,
    ];
    return limitBefore !== null && (limitAfter === null || limitAfter > limitBefore);
  });
}

type Node = { readonly id: string; readonly parentId: string | null; readonly settings: Readonly<Record<string, unknown>> };

/** The limits of a node with those above it merged in, as settings are inherited. */
function limitsAt(nodes: ReadonlyMap<string, Node>, id: string): Limits {
  const node = nodes.get(id);
  if (!node) return {};
  return { ...limitsAt(nodes, node.parentId ?? ''), ...((node.settings.approvals ?? {}) as Limits) };
}

/** Whether other settings of a node weaken the limits there or at any node below it. */
export function weakensLimits(rows: readonly Node[], id: string, settings: Node['settings']): boolean {
  const before = new Map(rows.map((row) => [row.id, row]));
  const after = new Map(rows.map((row) => [row.id, row.id === id ? { ...row, settings } : row]));
  return rows.some((row) => isWeaker(limitsAt(before, row.id), limitsAt(after, row.id)));
}
