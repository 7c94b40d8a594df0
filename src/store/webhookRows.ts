import type { DeliveryQuestion } from '../webhooks/needs.ts';
import type { Delivery, News, Webhook } from '../webhooks/webhook.ts';
import { BrokenCommit } from './errors.ts';
import type { Cell } from './rows.ts';

/** Rows of the tables of webhooks as they are read. 64-bit columns come as text from PostgreSQL. */

export type WebhookRow = {
  readonly id: string;
  readonly entity_id: string;
  readonly state: Webhook['state'];
  readonly created_at: string | number;
  readonly revision: string | number;
  readonly data: string;
};

export const webhookOf = (row: WebhookRow): Webhook => ({
  ...(JSON.parse(row.data) as Webhook),
  id: row.id,
  entityId: row.entity_id,
  state: row.state,
  createdAt: Number(row.created_at),
  revision: Number(row.revision),
});

/** In the order of the columns in webhookStatements.ts. */
export function webhookCells({ id, entityId, state, createdAt, revision, ...rest }: Webhook) {
  return [id, entityId, state, createdAt, revision, JSON.stringify(rest)] as const satisfies Cell[];
}

/** What no change may touch in a webhook that is there. */
export const fixedInWebhook = ['entityId', 'createdAt'] as const satisfies readonly (keyof Webhook)[];

/** Throws when a webhook contradicts itself, so that every driver refuses the same ones before anything is touched. */
export function checkWebhook({ id, revision }: Webhook, isNew: boolean): void {
  const isCounted = Number.isSafeInteger(revision) && (isNew ? revision === 1 : revision > 1);
  if (!isCounted || id === '') throw new BrokenCommit(`a webhook at revision ${revision} is not the one that is meant`);
}

export type NewsRow = {
  readonly merchant_id: string;
  readonly news_id: string;
  readonly entity_id: string;
  readonly subject_id: string;
  readonly revision: string | number;
  readonly type: News['type'];
  readonly action: News['action'];
  readonly code: string;
  readonly happened_at: string | number;
};

export const newsOf = (row: NewsRow): News => ({
  merchantId: row.merchant_id,
  id: row.news_id,
  entityId: row.entity_id,
  subjectId: row.subject_id,
  revision: Number(row.revision),
  type: row.type,
  action: row.action,
  code: row.code,
  createdAt: Number(row.happened_at),
});

export type DeliveryRow = NewsRow & {
  readonly id: string;
  readonly webhook_id: string;
  readonly state: Delivery['state'];
  readonly due_at: string | number;
  readonly tries: string;
  readonly created_at: string | number;
};

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  news: newsOf(row),
  state: row.state,
  dueAt: Number(row.due_at),
  tries: JSON.parse(row.tries) as Delivery['tries'],
  createdAt: Number(row.created_at),
});

/** The longest overdue first. */
export const byDueAt = (one: Delivery, other: Delivery): number => one.dueAt - other.dueAt || (one.id < other.id ? -1 : 1);

export const deliveryStates = ['due', 'delivered', 'dead'] as const satisfies readonly Delivery['state'][];

/** In the order of deliveryColumns in webhookStatements.ts. */
export function deliveryCells({ id, webhookId, news, state, dueAt, tries, createdAt }: Delivery) {
  return [
    id,
    webhookId,
    news.merchantId,
    news.id,
    news.entityId,
    news.subjectId,
    news.revision,
    news.type,
    news.action,
    news.code,
    news.createdAt,
    state,
    dueAt,
    JSON.stringify(tries),
    createdAt,
  ] as const satisfies Cell[];
}

/** The places of the statements that list deliveries. */
export function listCells({ webhookId, from, to, after, limit }: DeliveryQuestion) {
  const behind = [after?.createdAt ?? Number.MAX_SAFE_INTEGER, after?.id ?? ''] as const;
  return [webhookId, ...behind, ...stretchOf(from, to), limit] as const satisfies Cell[];
}

/** An open end is as far away as can be. */
export const stretchOf = (from: number | undefined, to: number | undefined): readonly [number, number] => [
  from ?? Number.MIN_SAFE_INTEGER,
  to ?? Number.MAX_SAFE_INTEGER,
];

export type CountRow = { readonly state: Delivery['state']; readonly number: string | number };

export function countsOf(rows: readonly CountRow[]): Record<Delivery['state'], number> {
  const numberOf = (state: Delivery['state']) => Number(rows.find((row) => row.state === state)?.number ?? 0);
  return { due: numberOf('due'), delivered: numberOf('delivered'), dead: numberOf('dead') };
}

export type AgainRow = { readonly created_at: string | number; readonly id: string };
type Portion = (state: Delivery['state'], behind: readonly [number, string]) => Promise<readonly AgainRow[]>;

/**
 * Portion after portion, so that commits come in between. Those that are due come first: what has ended is due afterwards, and would be
 * met once more.
 */
export async function againInPortions(state: Delivery['state'] | undefined, size: number, portion: Portion): Promise<number> {
  let sum = 0;
  for (const one of state === undefined ? deliveryStates : [state]) {
    let behind: readonly [number, string] = [Number.MIN_SAFE_INTEGER, ''];
    for (let count = size; count === size; ) {
      const rows = await portion(one, behind);
      count = rows.length;
      sum += count;
      behind = rows.map((row) => [Number(row.created_at), row.id] as const).reduce(later, behind);
    }
  }
  return sum;
}

const later = (one: readonly [number, string], other: readonly [number, string]): readonly [number, string] =>
  one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]) ? one : other;
