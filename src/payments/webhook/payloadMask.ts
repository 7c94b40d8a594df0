import type { WebhookPayload } from './payload.ts';
import { withoutPersons } from './payloadPersons.ts';

const MASK = '***';

/** What a payment is paid with, by the names of the payload; of these only the digits by which people know a card stay. */
const instruments: readonly string[] = [
  'card',
  'bankAccount',
  'virtualAccount',
  'tokenAccount',
  'giftCard',
  'networkToken',
  'wallet',
];
const harmless: readonly string[] = ['last4Digits', 'bin'];

/** The same message for whoever looks after deliveries: every field is there, but not what it says of people and instruments. */
export function maskPayload(notice: WebhookPayload): WebhookPayload {
  const bare = withoutPersons(notice).payload;
  const payload = Object.fromEntries(
    Object.entries(notice.payload).map(([name, value]) => {
      const kept = Object.hasOwn(bare, name) ? veiled(value, bare[name]) : hidden(value, []);
      return [name, instruments.includes(name) ? hidden(kept, harmless) : kept];
    }),
  );
  return { ...notice, payload };
}

/** The value, and a mask wherever `bare` has left something out. */
function veiled(value: unknown, bare: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry, at) => veiled(entry, Array.isArray(bare) ? bare[at] : undefined));
  if (typeof value !== 'object' || value === null) return value;
  const rest = typeof bare === 'object' && bare !== null ? (bare as Readonly<Record<string, unknown>>) : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      Object.hasOwn(rest, name) ? veiled(inner, rest[name]) : hidden(inner, []),
    ]),
  );
}

function hidden(value: unknown, except: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => hidden(entry, except));
  if (typeof value !== 'object' || value === null) return value === undefined ? undefined : MASK;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, except.includes(name) ? inner : hidden(inner, except)]),
  );
}
