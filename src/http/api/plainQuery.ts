import { type Context, checkForm, type Faulty } from '../../form/check.ts';
import type { Checked } from '../../form/checked.ts';
import { type Decoded, decode } from '../../form/decode.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import type { Request } from '../handler.ts';

/**
 * Reads by id name their entity and nothing else: all reads of a channel have one query, which is decoded and checked once for each
 * endpoint. No other query is kept, because it may hold data of a shopper.
 */
const PLAIN_QUERY = /^entityId=[a-f0-9]{32}$/;
const PLAIN_LENGTH = 41;

/** Queries of one endpoint that are kept; one more, and they are collected anew. */
const QUERIES_MAX = 1_000;

type LastCheck = { readonly context: Context; readonly outcome: Checked | Faulty };

const forms = new Map<EndpointName, Map<string, Decoded>>();
const checks = new WeakMap<Decoded, LastCheck | null>();

/** The form of a request that names its entity alone; null: it is decoded as any other. */
export function plainForm({ method, endpoint, query, body }: Request): Decoded | null {
  if (query.length !== PLAIN_LENGTH || method !== 'GET' || body.length > 0) return null;
  const known = forms.get(endpoint);
  return known?.get(query) ?? keepForm(endpoint, query);
}

function keepForm(endpoint: EndpointName, query: string): Decoded | null {
  if (!PLAIN_QUERY.test(query)) return null;
  const known = forms.get(endpoint);
  const kept = known === undefined || known.size >= QUERIES_MAX ? new Map<string, Decoded>() : known;
  const decoded = decode(query);
  checks.set(decoded, null);
  forms.set(endpoint, kept.set(query, decoded));
  return decoded;
}

/** Checks a form; one that is kept is checked again only when its context is another. */
export function checkOnce(decoded: Decoded, context: Context): Checked | Faulty | Promise<Checked | Faulty> {
  const last = checks.get(decoded);
  if (last === undefined) return checkForm(decoded, context);
  if (last !== null && isSame(last.context, context)) return last.outcome;
  const outcome = checkForm(decoded, context);
  if (!(outcome instanceof Promise)) checks.set(decoded, { context, outcome });
  return outcome;
}

const isSame = (one: Context, other: Context): boolean =>
  one.endpoint === other.endpoint &&
  one.isLenient === other.isLenient &&
  one.cardNumbers === other.cardNumbers &&
  one.source === other.source &&
  one.environment === other.environment;
