import type { WebhookPayload } from '../payments/webhook/payload.ts';
import { withoutPersonalData } from '../spec/masking.ts';
import type { Clock } from '../spec/time.ts';
import { encryptPayload } from './envelope.ts';
import type { WebhookKeys } from './keys.ts';
import { sign } from './signature.ts';
import type { OutboxEvent, Webhook } from './webhook.ts';

/** Posts a text and answers what is kept of the answer; rejects when nobody answers in time. */
export type Post = (
  url: string,
  sent: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  bounds: { readonly answerBytesMax: number; readonly withinMs: number },
) => Promise<{ readonly status: number; readonly retryAfter: string | null }>;

export type AttemptNeeds = {
  readonly post: Post;
  readonly keys: Pick<WebhookKeys, 'read'>;
  /** The message for news; null when what it is about is not there any more. */
  readonly payloadFor: (news: OutboxEvent) => Promise<WebhookPayload | null>;
  /** Twelve bytes that were never used before. */
  readonly iv: () => Uint8Array;
  /** The time as everybody has it: a receiver looks whether a signature is of now, whatever a merchant's own clock says. */
  readonly clock: Clock;
};

/**
 * What came of a try. `isOurs`: it failed before anybody was called, which tells nothing about the receiver. `isVoid`: there is nothing
 * to tell any more.
 */
export type AttemptResult = {
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly ms: number;
  readonly why: string | null;
  readonly isInternal: boolean;
  readonly isObsolete: boolean;
};

/** R39: an answer is read so far and waited for so long. */
export const bounds = { answerBytesMax: 65_536, withinMs: 15_000 } as const;

type Message = { readonly id: string; readonly text: string };

/** Tells one webhook one piece of news, once. Never rejects. */
export async function attempt(needs: AttemptNeeds, webhook: Webhook, news: OutboxEvent): Promise<AttemptResult> {
  const ours = { status: null, retryAfter: null, ms: 0, isInternal: true, isObsolete: false };
  try {
    const notice = await needs.payloadFor(news);
    if (!notice) return { ...ours, isObsolete: true, why: 'what it is about is not there any more' };
    const text = JSON.stringify(webhook.fields === 'ALL' ? notice : withoutPersonalData(notice));
    return await send(needs, webhook, { id: news.id, text });
  } catch {
    return { ...ours, why: 'the message could not be made' };
  }
}

/** Encrypts, signs and posts a text. Rejects only when the keys cannot be read. */
export async function send(
  needs: Omit<AttemptNeeds, 'payloadFor'>,
  webhook: Webhook,
  { id, text }: Message,
): Promise<AttemptResult> {
  const began = needs.clock.now();
  const keys = await needs.keys.read(webhook, began);
  const [key] = keys;
  if (!key) throw new Error(`the webhook ${webhook.id} has no key`);
  const { body, headers } = encryptPayload(text, key, { iv: needs.iv(), wrapper: webhook.wrapper });
  const all = { 'User-Agent': 'Turnpike', Accept: '*/*', ...headers, ...sign({ id, at: began, body, keys }) };
  const heard = await needs.post(webhook.url, { body, headers: all }, bounds).then(
    ({ status, retryAfter }) => ({ status, retryAfter, why: whyNot(status) }),
    (error: unknown) => ({ status: null, retryAfter: null, why: reasonOf(error) }),
  );
  return { ...heard, ms: needs.clock.now() - began, isInternal: false, isObsolete: false };
}

function whyNot(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `answered with a redirect (${status})` : `answered ${status}`;
}

/** The name of the error where it has one: its text may repeat what the other side sent. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (message === 'late') return `no answer within ${bounds.withinMs / 1000} s`;
  if (typeof code === 'string') return code;
  return typeof message === 'string' ? message : 'nobody was reached';
}
