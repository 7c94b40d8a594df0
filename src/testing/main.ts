/** `turnpike/testing`: a gateway for the tests of a shop. */

import { type Client, createClient } from '../client/client.ts';
import { demoShop } from '../client/generated/sandbox.ts';
import { addShop, sharedGateway, startProcess } from './process.ts';
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
  /** False: a gateway of its own, although the test run has one for all files (`turnpike/testing/setup`). */
  readonly isShared?: boolean;
  /** A webhook of the shop itself, which gets every event beside the recorder. */
  readonly webhook?: { readonly url: string; readonly key: string };
};

/** A gateway in memory, on a free port, and a merchant there. */
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

type Hook = { readonly entityId: string; readonly url: string; readonly key?: string };

async function addWebhook(client: Client, { entityId, url, key }: Hook, setKey: (key: string) => void): Promise<void> {
  const hook = await client.admin.createWebhook({
    entityId,
    name: 'Tests',
    url,
    ...(key === undefined ? {} : { key }),
  });
  setKey(hook.key);
  const { state } = await client.admin.testWebhook(hook.id);
  if (state !== 'active') throw new Error(`the webhook ${url} did not accept the test delivery`);
}

/**
 * Starts a gateway with the demo shop of the sandbox, a frozen clock and a recorder of webhooks. Where the test run shares a gateway, it
 * adds a merchant like that shop to it instead. Instances are independent of each other. They end with `close`, and with the program.
 */
export async function startTurnpike(options: TurnpikeOptions = {}): Promise<Turnpike> {
  const { at, isFrozen = true, recordsWebhooks = true, isShared = true, webhook } = options;
  const shared = isShared ? sharedGateway() : null;
  const [gateway, receiver] = await Promise.all([
    shared === null ? startProcess() : { ...shared, close: () => {} },
    startReceiver(),
  ]);
  const close = async () => {
    await Promise.all([gateway.close(), receiver.close()]);
  };
  try {
    const shop = shared === null ? demoShop : await addShop(shared);
    const { merchantId } = shop;
    const client = createClient({ url: gateway.url, ...shop });
    if (isFrozen) await client.clock.freeze();
    if (at !== undefined) await client.clock.moveTo(at);
    if (recordsWebhooks) await addWebhook(client, { entityId: merchantId, url: receiver.url }, receiver.setKey);
    if (webhook) await addWebhook(client, { entityId: merchantId, ...webhook }, () => {});
    return {
      url: gateway.url,
      ...shop,
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
