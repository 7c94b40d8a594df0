import type { WebhookPayload } from '../payments/webhook/payload.ts';
import { isLong, isRecord, jsonInSlices, type Members, SLICE_PLACES } from '../runtime/json.ts';
import { withoutPersonalData } from '../spec/masking.ts';
import type { Clock } from '../spec/time.ts';
import type { LongSlots } from './longSlots.ts';
import type { OutboxEvent, Webhook } from './webhook.ts';
import { encryptPayload, sign, signInSlices } from './wireFormat.ts';

/** Posts a body and returns the parts of the response that matter; rejects without a response in time. */
export type Post = (
  url: string,
  sent: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  bounds: { readonly answerBytesMax: number; readonly withinMs: number },
) => Promise<{ readonly status: number; readonly retryAfter: string | null }>;

export type AttemptNeeds = {
  readonly post: Post;
  /** The keys of a webhook: the first one encrypts, and each signs. */
  readonly keys: { read(webhook: Webhook, now: number): Promise<readonly Uint8Array[]> };
  /** The payload of an event; null when its subject no longer exists. */
  readonly payloadFor: (event: OutboxEvent) => Promise<WebhookPayload | null>;
  /** Twelve bytes, never the same twice. */
  readonly iv: () => Uint8Array;
  /** Runs the call of a receiver, for traces and metrics; absent: nothing watches. */
  readonly watch?: (
    about: { readonly webhook: Webhook; readonly event: OutboxEvent },
    call: () => Promise<AttemptResult>,
  ) => Promise<AttemptResult>;
  /** Waits for the next tick of the event loop between two steps of long work; absent: they follow immediately. */
  readonly rest?: () => Promise<void>;
  /** The payloads of events that go to several webhooks. */
  readonly payloads: SingleFlight<PreparedPayload>;
  /** Limits the long payloads in memory. */
  readonly slots: LongSlots;
  /** Real time: a receiver checks the age of a signature, whatever test clock the merchant has. */
  readonly clock: Clock;
};

/** The needs of a call that is not for an event, such as a test of the endpoint. */
export type EndpointNeeds = Pick<AttemptNeeds, 'post' | 'keys' | 'clock' | 'iv' | 'rest'>;

/**
 * The result of an attempt. `isInternal`: it failed before the receiver was called, which says nothing about the receiver. `isObsolete`:
 * the subject of the event no longer exists.
 */
export type AttemptResult = {
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly ms: number;
  readonly why: string | null;
  readonly isInternal: boolean;
  readonly isObsolete: boolean;
};

/** R39: the limits of a response. */
export const bounds = { answerBytesMax: 65_536, withinMs: 15_000 } as const;

/** A payload as JSON, with the id of its event. */
type Outgoing = { readonly id: string; readonly text: string };

/** Attempts one delivery of an event to a webhook. Never rejects. */
export async function attemptDelivery(needs: AttemptNeeds, webhook: Webhook, event: OutboxEvent): Promise<AttemptResult> {
  const internal = { status: null, retryAfter: null, ms: 0, isInternal: true, isObsolete: false };
  const called = (text: string) => {
    const call = () => callEndpoint(needs, webhook, { id: event.id, text });
    return needs.watch?.({ webhook, event }, call) ?? call();
  };
  try {
    const work = () => make(needs, webhook, event);
    const made = await needs.payloads.get(`${event.merchantId} ${event.id} ${webhook.fields}`, work);
    if (made.is === 'gone') return { ...internal, isObsolete: true, why: 'the subject of the event no longer exists' };
    if (made.is === 'made') return await called(made.text);
    const sent = await needs.slots.run(event.merchantId, async () => {
      const payload = await needs.payloadFor(event);
      return payload && called(await longText(needs, webhook, payload));
    });
    return sent ?? { ...internal, why: 'other long notifications of the merchant are under way' };
  } catch {
    return { ...internal, why: 'the payload could not be created' };
  }
}

/** Longer payloads take so much memory until their receiver has answered that only a few are made at the same time. */
const SLOTTED_LENGTH = 1_048_576;

/** The JSON of a payload. `long`: it is not kept in memory while it waits for a slot, and is made again. */
type PreparedPayload = { readonly is: 'made'; readonly text: string } | { readonly is: 'gone' | 'long' };

/** A longer payload is not kept for other webhooks. */
const SHARED_LENGTH_MAX = 16_384;

export const isSharedPayload = (made: PreparedPayload): boolean => made.is === 'made' && made.text.length <= SHARED_LENGTH_MAX;

async function make(needs: AttemptNeeds, webhook: Webhook, event: OutboxEvent): Promise<PreparedPayload> {
  const payload = await needs.payloadFor(event);
  if (!payload) return { is: 'gone' };
  const text = hasLongList(payload) ? await longText(needs, webhook, payload) : textOf(webhook, payload);
  return text.length > SLOTTED_LENGTH ? { is: 'long' } : { is: 'made', text };
}

const textOf = ({ fields }: Webhook, payload: WebhookPayload): string =>
  JSON.stringify(fields === 'ALL' ? payload : withoutPersonalData(payload));

/** The same for a payload with a long list: each step has a tick of the event loop to itself. */
async function longText({ rest }: Pick<AttemptNeeds, 'rest'>, webhook: Webhook, payload: WebhookPayload): Promise<string> {
  if (!rest) return textOf(webhook, payload);
  const shown = webhook.fields === 'ALL' ? payload : await stripInSlices(payload, rest);
  return writeInSlices(shown, rest);
}

/** The body of a delivery and its headers, as they are posted. */
type Dispatch = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** Longer payloads are encrypted and signed in several ticks of the event loop. */
const LONG_LENGTH = 262_144;

/** Encrypts and signs a payload. Rejects only when the keys cannot be read. */
async function prepareDispatch(
  { keys: store, clock, iv, rest }: Omit<EndpointNeeds, 'post'>,
  webhook: Webhook,
  { id, text }: Outgoing,
): Promise<Dispatch> {
  const at = clock.now();
  const keys = await store.read(webhook, at);
  const [key] = keys;
  if (!key) throw new Error(`the webhook ${webhook.id} has no key`);
  const pause = text.length > LONG_LENGTH ? rest : undefined;
  await pause?.();
  const { body, headers } = encryptPayload(text, key, { iv: iv(), wrapper: webhook.wrapper });
  await pause?.();
  const signing = { id, at, body, keys };
  const signed = pause ? await signInSlices(signing, pause) : sign(signing);
  await pause?.();
  return { body, headers: { 'User-Agent': 'Turnpike', Accept: '*/*', ...headers, ...signed } };
}

/** Prepares a payload and posts it to the endpoint. Rejects only when the keys cannot be read. */
export async function callEndpoint(needs: EndpointNeeds, webhook: Webhook, outgoing: Outgoing): Promise<AttemptResult> {
  const began = needs.clock.now();
  const dispatch = await prepareDispatch(needs, webhook, outgoing);
  const response = await needs.post(webhook.url, dispatch, bounds).then(
    ({ status, retryAfter }) => ({ status, retryAfter, why: failureOf(status) }),
    (error: unknown) => ({ status: null, retryAfter: null, why: reasonOf(error) }),
  );
  return { ...response, ms: needs.clock.now() - began, isInternal: false, isObsolete: false };
}

function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `answered with a redirect (${status})` : `answered ${status}`;
}

/** The code of the error where it has one: its message may repeat what the receiver sent. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (message === 'late') return `no answer within ${bounds.withinMs / 1000} s`;
  if (typeof code === 'string') return code;
  return typeof message === 'string' ? message : 'the receiver could not be reached';
}

/** Whether a payload has a long list, such as the items of a full cart: it takes tens of milliseconds in one tick. */
export const hasLongList = ({ payload }: WebhookPayload): boolean =>
  Object.values(payload).some((member) => isRecord(member) && Object.values(member).some(isLong));

/** The payload without personal data. `rest` lets other work in between two slices of a long list. */
export async function stripInSlices(message: WebhookPayload, rest: () => Promise<void>): Promise<WebhookPayload> {
  const stripped: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(message.payload)) {
    const long = isRecord(member) ? Object.keys(member).filter((inner) => isLong(member[inner])) : [];
    const short = isRecord(member) ? { ...member, ...Object.fromEntries(long.map((inner) => [inner, []])) } : member;
    // A personal member is left out completely.
    const { [name]: kept } = strip({ [name]: short });
    if (kept === undefined) continue;
    stripped[name] = kept;
    for (const inner of long) {
      if (!Object.hasOwn(kept as Members, inner)) continue;
      const list = (member as Members)[inner] as readonly unknown[];
      (kept as Record<string, unknown>)[inner] = await stripList(
        list,
        (slice) => listIn(strip({ [name]: { [inner]: slice } }), name, inner),
        rest,
      );
    }
  }
  return { ...message, payload: stripped };
}

/** The JSON of a message. `rest` lets other work in between two slices of a long list. */
export async function writeInSlices({ payload, ...head }: WebhookPayload, rest: () => Promise<void>): Promise<string> {
  return `${JSON.stringify(head).slice(0, -1)},"payload":${await jsonInSlices(payload, rest)}}`;
}

const strip = (payload: Members): Members => withoutPersonalData({ payload }).payload;
const listIn = (payload: Members, name: string, inner: string): readonly unknown[] =>
  (payload[name] as Members)[inner] as readonly unknown[];

async function stripList(
  list: readonly unknown[],
  stripSlice: (slice: readonly unknown[]) => readonly unknown[],
  rest: () => Promise<void>,
): Promise<readonly unknown[]> {
  const stripped: unknown[] = [];
  for (let from = 0; from < list.length; from += SLICE_PLACES) {
    await rest();
    stripped.push(...stripSlice(list.slice(from, from + SLICE_PLACES)));
  }
  return stripped;
}

/** Work that is done once for all deliveries of an event: an event goes to many webhooks, mostly within a moment. */
interface SingleFlight<T> {
  /** The result that `work` made for this key a moment ago, or makes now. */
  get(key: string, work: () => Promise<T>): Promise<T>;
}

/** A delivery that is later than this does its work anew. */
const LASTS_MS = 1_000;
const KEPT_MAX = 256;

/** `isKept`: whether a result is small enough to be kept; one that is not is shared only while it is being made. */
export function createSingleFlight<T>(clock: Clock, isKept: (made: T) => boolean): SingleFlight<T> {
  const kept = new Map<string, { readonly until: number; readonly made: Promise<T> }>();
  const start = (key: string, work: () => Promise<T>): Promise<T> => {
    const made = work();
    const one = { until: clock.now() + LASTS_MS, made };
    // To the end, and the oldest goes first.
    kept.delete(key);
    kept.set(key, one);
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value ?? key);
    const forget = (): void => {
      if (kept.get(key) === one) kept.delete(key);
    };
    made.then((value) => !isKept(value) && forget(), forget);
    return made;
  };
  return {
    get(key, work) {
      const one = kept.get(key);
      // A clock that was set back must not keep anything for longer.
      const lasts = (one?.until ?? 0) - clock.now();
      return one && lasts > 0 && lasts <= LASTS_MS ? one.made : start(key, work);
    },
  };
}
