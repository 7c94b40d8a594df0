import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { sandbox } from '../src/merchants/sandbox.ts';
import { startChild } from './children.ts';

const { merchantId, token } = sandbox.demoShop;
const PAUSE_MS = 20;
const ARRIVAL_MS_MAX = 120_000;

/** A receiver of webhooks. `arrived`: resolves when so many more than at the call before have come. */
export type Receiver = { readonly url: string; arrived(more: number): Promise<void> };

export async function startReceiver(): Promise<Receiver> {
  const { child } = startChild('webhookReceiver.ts');
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
  const count = async (): Promise<number> => {
    child.send('how many?');
    const [{ answered }] = (await once(child, 'message')) as [{ readonly answered: number }];
    return answered;
  };
  let known = 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    arrived: async (more) => {
      known += more;
      const until = performance.now() + ARRIVAL_MS_MAX;
      for (let answered = await count(); answered < known; answered = await count()) {
        if (performance.now() > until) throw new Error(`${answered} webhooks have arrived, ${known} were expected`);
        await pause(PAUSE_MS);
      }
    },
  };
}

/** Lets a gateway deliver every event of the demo shop to a receiver, which has to take a test delivery first. */
export async function addWebhook(port: number, { url, arrived }: Receiver): Promise<void> {
  const ask = async (path: string, fields: object): Promise<{ readonly id: string }> => {
    const reply = await fetch(`http://127.0.0.1:${port}/admin/v1/webhooks${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    if (!reply.ok) throw new Error(await reply.text());
    return (await reply.json()) as { readonly id: string };
  };
  const { id } = await ask('', { entityId: merchantId, name: 'Bench', url });
  await ask(`/${id}/test`, {});
  await arrived(1);
}
