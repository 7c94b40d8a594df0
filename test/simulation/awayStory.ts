import { type Client, PENDING } from './client.ts';
import { goOn } from './merchant.ts';
import { accountMeans, fulfil, isLost, type OrderRequest, type Telling } from './orders.ts';
import { accounts, channels } from './shops.ts';
import type { Sim } from './sim.ts';
import { use } from './storedStory.ts';

const BRANDS = ['SOFORTUEBERWEISUNG', 'GIROPAY'] as const;

/** A shopper who pays at his bank, or agrees there to what is stored, and the shop that waits for him. */
export async function tellAway(sim: Sim, client: Client): Promise<void> {
  const { chance, scheduler, weather } = sim;
  await scheduler.sleep(chance.below(weather.chaosMs * 0.6));
  const telling: Telling = { sim, client, channel: chance.pick(channels), targets: [] };
  const reply = await fulfil(telling, wishFor(telling));
  const { id, registrationId } = (reply?.body ?? {}) as { readonly id?: string; readonly registrationId?: string };
  if (id === undefined) return;
  for (let looks = chance.below(4); looks > 0 && client.known.get(id)?.code === PENDING; looks -= 1) {
    await scheduler.sleep(chance.below(180_000));
    await client.read(telling.channel, id);
  }
  if (isLost(client, id) && chance.hits(0.8)) return;
  const stored = telling.targets.length === 0 ? id : registrationId;
  if (stored !== undefined && chance.hits(0.5)) await use(telling, stored);
  else if (telling.targets.length > 0 && chance.hits(0.5)) await goOn(telling, 1);
}

function wishFor({ sim, channel }: Telling): OrderRequest {
  const { chance } = sim;
  const { number, fields: account } = accountMeans(accounts[0]);
  const shopperResultUrl = 'https://shop.example/result?order=17';
  const fields = { ...account, paymentBrand: chance.pick(BRANDS), shopperResultUrl };
  const said = { channel, id: null, currency: 'EUR', number, token: null } as const;
  if (chance.hits(0.3)) return { ...said, operation: 'RG', endpoint: 'register', amount: null, fields };
  const storing = chance.hits(0.15) && { createRegistration: 'true' };
  const operation = chance.pick(['DB', 'DB', 'PA'] as const);
  return { ...said, operation, endpoint: 'pay', amount: BigInt(chance.between(300, 50_000)), fields: { ...fields, ...storing } };
}
