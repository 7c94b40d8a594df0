import { setTimeout as pause } from 'node:timers/promises';
import { amountOf, type Body, cents, PENDING, type Reply, read, SUCCESS } from './client.ts';
import type { Acknowledged, Journal } from './load.ts';

/** Compares all acknowledged payments with the stored ones. Each list names the offenders; empty lists are the proof. */
export type Reconciliation = {
  readonly checked: number;
  /** Acknowledged, and not stored. */
  readonly lost: readonly string[];
  /** Stored, but not as acknowledged. */
  readonly changed: readonly string[];
  /** Still without an answer after the sweeper had its time. */
  readonly pending: readonly string[];
  /** More captured than authorised, or more paid back than taken. */
  readonly overruns: readonly string[];
  /** Idempotency keys with more than one payment. */
  readonly doubled: readonly string[];
};

const READERS = 24;

export type ReconcileOptions = {
  /** How long the sweeper may take for what is still open. */
  readonly settleMsMax: number;
};

/** Reads every acknowledged payment back and compares it with its acknowledgement. */
export async function reconcile(url: string, journal: Journal, { settleMsMax }: ReconcileOptions): Promise<Reconciliation> {
  const ids = [...new Set(journal.acknowledged.map(({ id }) => id))];
  const found = await readAll(url, ids);
  const began = performance.now();
  let open = openIn(found);
  while (open.length > 0 && performance.now() - began < settleMsMax) {
    await pause(250);
    for (const [id, reply] of await readAll(url, open)) found.set(id, reply);
    open = openIn(found);
  }
  const differences = journal.acknowledged.map((one) => [one.id, difference(one, found.get(one.id))] as const);
  return {
    checked: ids.length,
    lost: ids.flatMap((id) => (found.get(id)?.body?.id === undefined ? [`${id}: ${summaryOf(found.get(id))}`] : [])),
    changed: differences.flatMap(([id, says]) => (says === null ? [] : [`${id}: ${says}`])),
    pending: open,
    overruns: overruns(journal.acknowledged, found),
    doubled: [...journal.idsOfKey].filter(([, named]) => named.size > 1).map(([key, named]) => `${key}: ${[...named].join(' ')}`),
  };
}

async function readAll(url: string, ids: readonly string[]): Promise<Map<string, Reply>> {
  const found = new Map<string, Reply>();
  const left = [...ids];
  const reader = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) found.set(id, await read(url, id));
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return found;
}

const summaryOf = (reply: Reply | undefined): string => `${reply?.status} ${reply?.text.slice(0, 200)}`;
const codeIn = (body: Body | null | undefined): string => body?.result?.code ?? '';
const openIn = (found: ReadonlyMap<string, Reply>): string[] =>
  [...found].filter(([, { body }]) => codeIn(body) === PENDING).map(([id]) => id);

/** Null when the payment is as acknowledged, or was pending then and has only another result now. */
function difference(acknowledged: Acknowledged, now: Reply | undefined): string | null {
  const { body } = now ?? {};
  if (body?.id === undefined) return null;
  const before: Body = acknowledged.body;
  if (body.id !== acknowledged.id) return `answers with the id ${body.id}`;
  if (body.paymentType !== before.paymentType || body.paymentType !== acknowledged.requested.paymentType)
    return `is now a ${body.paymentType}`;
  const code = codeIn(body);
  if (acknowledged.code !== PENDING && code !== acknowledged.code) return `was ${acknowledged.code}, is ${code}`;
  if (acknowledged.code !== PENDING && now?.status !== acknowledged.status)
    return `was answered ${acknowledged.status}, is read ${now?.status}`;
  if ((acknowledged.requested.referencedId ?? undefined) !== body.referencedId && code === SUCCESS)
    return `references ${body.referencedId}`;
  const hasMoney = code === SUCCESS || code === PENDING;
  if (hasMoney && body.amount !== acknowledged.requested.amount)
    return `asked ${acknowledged.requested.amount}, is ${body.amount}`;
  if (hasMoney && body.currency !== 'EUR') return `is in ${body.currency}`;
  if (acknowledged.code !== PENDING && (body.amount !== before.amount || body.currency !== before.currency))
    return 'shows other money';
  return null;
}

/** Sums what was approved against the payment it references. An id counts once, however often it was acknowledged. */
function overruns(acknowledged: readonly Acknowledged[], found: ReadonlyMap<string, Reply>): string[] {
  const used = new Map<string, number>();
  const amountOfId = new Map<string, number>();
  const seen = new Set<string>();
  for (const { id, requested } of acknowledged) {
    if (seen.has(id) || codeIn(found.get(id)?.body) !== SUCCESS) continue;
    seen.add(id);
    amountOfId.set(id, cents(requested.amount));
    // Captures and reversals draw on an authorisation, refunds and reversals on a debit or a capture: always on what they reference.
    if (requested.referencedId !== null)
      used.set(requested.referencedId, (used.get(requested.referencedId) ?? 0) + cents(requested.amount));
  }
  return [...used]
    .filter(([id, sum]) => sum > (amountOfId.get(id) ?? 0))
    .map(([id, sum]) => `${id}: ${amountOf(sum)} of ${amountOf(amountOfId.get(id) ?? 0)}`);
}
