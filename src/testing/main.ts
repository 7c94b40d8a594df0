/** `turnpike/testing`: a gateway for the tests of a shop. */

import { type Client, createClient } from '../client/client.ts';
import { demoShop } from '../client/generated/sandbox.ts';
import { startProcess } from './process.ts';
import { type RecordedWebhooks, startReceiver } from './webhooks.ts';

export { playScenario, testCard } from '../client/sandbox.ts';
export { ExpectationError, expectDeclined, expectPaid, expectPending, type Paid, type Transaction } from './expectations.ts';
export { answerChallenge, type CardDetails, type ChallengeAnswer, fillCard, type PageShape, submitCard } from './playwright.ts';
export type { RecordedWebhooks, WebhookFilter } from './webhooks.ts';

export type TurnpikeOptions = {
  /** Where the frozen clock stands, from now on. Default: now. */
  readonly at?: string | Date;
  /** False: the clock runs. */
  readonly isFrozen?: boolean;
  /** False: nothing is recorded, and the start is a little quicker. */
  readonly recordsWebhooks?: boolean;
  /** A webhook of the shop itself, which gets every event beside the recorder. */
  readonly webhook?: { readonly url: string; readonly key: string };
};

/** A gateway of its own, in memory, on a free port. */
export type Turnpike = {
  readonly url: string;
  readonly entityId: string;
  readonly merchantId: string;
  readonly token: string;
  readonly client: Client;
  readonly webhooks: RecordedWebhooks;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Hook = { readonly url: string; readonly key?: string };

async function addWebhook(client: Client, { url, key }: Hook, setKey: (key: string) => void): Promise<void> {
  const hook = await client.admin.createWebhook({
    entityId: demoShop.merchantId,
    name: 'Tests',
    url,
    ...(key === undefined ? {} : { key }),
  });
  setKey(hook.key);
  const { state } = await client.admin.testWebhook(hook.id);
  if (state !== 'active') throw new Error(`the webhook ${url} did not accept the test delivery`);
}

/**
 * Starts a gateway with the demo shop of the sandbox, a frozen clock and a recorder of webhooks. Instances are independent of each other.
 * It ends with `close`, and with the program.
 */
export async function startTurnpike(options: TurnpikeOptions = {}): Promise<Turnpike> {
  const { at, isFrozen = true, recordsWebhooks = true, webhook } = options;
  const [gateway, receiver] = await Promise.all([startProcess(), startReceiver()]);
  const close = async () => {
    await Promise.all([gateway.close(), receiver.close()]);
  };
  try {
    const client = createClient({ url: gateway.url, ...demoShop });
    if (isFrozen) await client.clock.freeze();
    if (at !== undefined) await client.clock.moveTo(at);
    if (recordsWebhooks) await addWebhook(client, { url: receiver.url }, receiver.setKey);
    if (webhook) await addWebhook(client, webhook, () => {});
    return {
      url: gateway.url,
      ...demoShop,
      client,
      webhooks: receiver.recorded,
      close,
      [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: close,
    } as Turnpike;
  } catch (error) {
    await close();
    throw error;
  }
}
