import assert from 'node:assert/strict';
import { after } from 'node:test';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { createAdministrator } from './administrator.ts';
import { DEMO, type Reply } from './client.ts';
import type { TestGateway } from './gateway.ts';

/** A client with a test clock. */

export const DAY_MS = 86_400_000;

/** The clock of a merchant or of its channels. */
export function createClockClient(url: string, entityId: string = DEMO.merchantId, token: string = DEMO.token) {
  const { ask } = createAdministrator(url, token);
  const set = (wish: object): Promise<Reply> => ask('POST', '/clock', { entityId, ...wish });
  const read = (): Promise<Reply> => ask('GET', `/clock?entityId=${entityId}`);
  return {
    set,
    read,
    now: async (): Promise<number> => Date.parse((await read()).body.now),
    freeze: () => set({ freeze: true }),
    real: () => set({ real: true }),
    /** Moves it and waits until it is there, however long that takes. */
    async move(wish: { readonly by: string } | { readonly to: string }): Promise<Reply> {
      const answer = await set(wish);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(answer.body.isMoving, false, 'it has arrived');
      return answer;
    },
  };
}

/** A decrypted webhook payload. */
export type ReceivedEvent = { readonly type: string; readonly payload: Readonly<Record<string, unknown>> };

/** A shop's own webhook receiver, created and switched on. */
export async function createWebhookReceiver(
  gateway: TestGateway,
  entityId: string = DEMO.merchantId,
): Promise<Receiver & { readonly hookId: string }> {
  const receiver = await startReceiver(() => gateway.services.forMerchant(null).world.clock.now());
  after(() => receiver.close());
  const administrator = createAdministrator(gateway.url);
  const { body } = await administrator.create({ entityId, url: receiver.url });
  receiver.keys = [Buffer.from(body.key, 'hex')];
  const { body: tested } = await administrator.test(body.id);
  assert.equal(tested.state, 'active');
  receiver.heard.length = 0;
  receiver.accepted.length = 0;
  return Object.assign(receiver, { hookId: body.id as string });
}

export const receivedBy = ({ accepted }: Receiver): readonly ReceivedEvent[] =>
  accepted.map(({ text }) => JSON.parse(text ?? '{}') as ReceivedEvent);
