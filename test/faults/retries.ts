import assert from 'node:assert/strict';
import { amountOf, type Body, card, type Fields, isApproved, pay, type Reply, refer } from './client.ts';

/** A request that must take effect once, with its idempotency key. */
export type Operation = { readonly key: string; readonly fields: Fields; readonly referencedId: string | null };

const kinds = ['DB', 'PA', 'declined', 'CP', 'RF'] as const;

/** The n-th operation; captures and refunds take the half of a payment of their own. Also returns how many payments that needed. */
export async function prepareOperation(
  url: string,
  at: number,
  label: string,
): Promise<{ readonly operation: Operation; readonly made: number }> {
  const kind = kinds[at % kinds.length];
  const key = `${label}-${at}`;
  const sum = 2_000 + at * 2;
  const money = (cents: number) => ({ amount: amountOf(cents), currency: 'EUR' });
  switch (kind) {
    case 'CP':
    case 'RF': {
      const root = await pay(url, { fields: { paymentType: kind === 'CP' ? 'PA' : 'DB', ...money(sum), ...card } });
      assert.ok(isApproved(root), root.text);
      return { operation: { key, fields: { paymentType: kind, ...money(sum / 2) }, referencedId: root.body?.id ?? '' }, made: 1 };
    }
    case 'declined':
      return {
        operation: {
          key,
          fields: { paymentType: 'DB', ...money(sum), ...card, 'card.number': '4200000000000001' },
          referencedId: null,
        },
        made: 0,
      };
    default:
      return { operation: { key, fields: { paymentType: kind ?? 'DB', ...money(sum), ...card }, referencedId: null }, made: 0 };
  }
}

/** Sends the operation once; null when the connection was cut before the answer came. */
export async function attempt(url: string, operation: Operation, cutAfterMs?: number): Promise<Reply | null> {
  const { key, fields, referencedId } = operation;
  const order = { key, fields, ...(cutAfterMs !== undefined && { cutAfterMs }) };
  try {
    return await (referencedId === null ? pay(url, order) : refer(url, referencedId, order));
  } catch (error) {
    if (cutAfterMs === undefined) throw error;
    return null;
  }
}

/** An answer without the fields that differ from one reply to the next. */
function stableFields({ body, status }: Reply): Body & { readonly status: number } {
  const { ndc: _ndc, timestamp: _timestamp, buildNumber: _buildNumber, ...rest } = body ?? {};
  return { ...rest, status };
}

/** Asserts that all answers to one key are equal and returns the payment's id; null when every connection was cut. */
export function assertOneAnswer(operation: Operation, replies: readonly (Reply | null)[]): string | null {
  const answers = replies.filter((reply) => reply !== null);
  const [first] = answers;
  if (!first) return null;
  assert.match(first.body?.id ?? '', /^[0-9a-f]{32}$/, `${operation.key}: ${first.text}`);
  for (const other of answers) assert.deepEqual(stableFields(other), stableFields(first), operation.key);
  return first.body?.id ?? null;
}

/** The same key with another body is a mistake of the merchant, and must not become a payment. */
export async function assertOtherBodyIsRefused(url: string, operation: Operation): Promise<void> {
  const fields = { ...operation.fields, amount: '1.11' };
  const { status, body, text } = (await attempt(url, { ...operation, fields })) ?? { status: 0, body: null, text: 'cut' };
  assert.equal(status, 400, text);
  assert.equal(body?.id, undefined, text);
  assert.match(body?.result?.code ?? '', /^\d{3}\.\d{3}\.\d{3}$/);
}
