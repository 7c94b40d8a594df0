import type { Channel } from '../../src/merchants/channel.ts';
import type { Client, Order } from './client.ts';
import { goOn } from './merchant.ts';
import { accountMeans, cardMeans, fulfil, type Means, type OrderRequest, type Telling, waitForEnd } from './orders.ts';
import { accounts, cards, channels } from './shops.ts';
import type { Sim } from './sim.ts';
import type { WalletBox } from './walletBox.ts';

/** A shopper whose card is kept: stored, charged again and again, deleted, by several hands at once. */

type Fields = Readonly<Record<string, string>>;
type Charge = 'PA' | 'DB' | 'CD';

const CHARGES: readonly Charge[] = ['PA', 'DB', 'DB', 'CD'];
const series = (mode: string, source: string): Fields => ({
  'standingInstruction.mode': mode,
  'standingInstruction.source': source,
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
});
const BEGINS = series('INITIAL', 'CIT');

export async function tellStored(sim: Sim, client: Client, wallets: WalletBox): Promise<void> {
  const { chance, scheduler, weather } = sim;
  await scheduler.sleep(chance.below(weather.chaosMs * 0.6));
  const telling: Telling = { sim, client, channel: chance.pick(channels), targets: [] };
  const way = chance.below(10);
  const making = way < 4 ? registering(telling) : way < 7 ? payingAndStoring(telling) : byWallet(telling, wallets);
  const first = fulfil(telling, making);
  if (making.token !== null && chance.hits(0.7)) void again(telling, making);
  // Some act on the first event of it, which may come before its end.
  const reply = await first;
  if (making.token !== null && chance.hits(0.3)) await again(telling, making);
  const { id, registrationId } = (reply?.body ?? {}) as { readonly id?: string; readonly registrationId?: string };
  const stored = making.operation === 'RG' ? id : registrationId;
  if (id === undefined || stored === undefined) return;
  if (chance.hits(0.5)) await waitForEnd(telling, id);
  await use(telling, stored);
  if (telling.targets.length > 0 && chance.hits(0.2)) await goOn({ ...telling, targets: charges(telling) }, 1);
}

/** Only payments can be gone on with. */
const charges = ({ targets }: Telling) => targets.filter(({ amount }) => amount > 0n).slice(0, 3);

/** What was stored is charged, extended, looked at and deleted, several times at once. */
export async function use(telling: Telling, stored: string): Promise<void> {
  const { chance, scheduler } = telling.sim;
  for (let round = chance.between(1, 4); round > 0; round -= 1) {
    if (chance.hits(0.6)) await scheduler.sleep(chance.below(60_000));
    const wishes = Array.from({ length: chance.pick([1, 2, 2, 3]) }, () => nextWith(telling, stored));
    await Promise.all(wishes.map((wish) => (wish === 'look' ? look(telling, stored) : fulfil(telling, wish))));
  }
  if (chance.hits(0.3)) await look(telling, stored);
}

const look = ({ sim, client, channel }: Telling, stored: string) =>
  client.readStored(sim.chance.hits(0.3) ? sim.chance.pick(channels) : channel, stored);

const amountOf = ({ chance }: Sim) => BigInt(chance.between(300, 50_000));

/** Any channel of the merchant, and now and then another merchant's. */
function channelFor({ sim, channel }: Telling): Channel {
  const { chance } = sim;
  if (chance.hits(0.06)) return chance.pick(channels);
  return chance.hits(0.3) ? chance.pick(channels.filter(({ merchantId }) => merchantId === channel.merchantId)) : channel;
}

const NOTHING = { amount: null, currency: 'EUR', number: null, token: null, id: null, fields: {} } as const;

function nextWith(telling: Telling, stored: string): OrderRequest | 'look' {
  const { chance } = telling.sim;
  const channel = channelFor(telling);
  const roll = chance.below(20);
  if (roll < 5) return { ...NOTHING, operation: 'DR', endpoint: 'deregister', channel, id: stored };
  if (roll < 8) return { ...NOTHING, operation: 'TE', endpoint: 'extendLife', channel, id: stored };
  if (roll < 9) return 'look';
  return {
    ...NOTHING,
    operation: chance.pick(CHARGES),
    endpoint: 'payRegistered',
    channel,
    id: stored,
    amount: amountOf(telling.sim),
    fields: chance.pick([{}, BEGINS, series('REPEATED', 'CIT'), series('REPEATED', 'MIT')]),
  };
}

function registering(telling: Telling): OrderRequest {
  const { chance } = telling.sim;
  const isAccount = chance.hits(0.25);
  const means: Means = isAccount ? accountMeans(chance.pick(accounts)) : cardMeans(chance.pick(cards));
  const { number, fields } = means;
  const begins = !isAccount && chance.hits(0.4) ? BEGINS : {};
  return {
    ...NOTHING,
    operation: 'RG',
    endpoint: 'register',
    channel: telling.channel,
    number,
    fields: { ...fields, ...begins },
  };
}

function paying(
  telling: Telling,
  means: { readonly number: string; readonly token: string | null; readonly fields: Fields },
): OrderRequest {
  const { sim, channel } = telling;
  const operation: Order['operation'] = sim.chance.pick(CHARGES);
  const amount = amountOf(sim);
  return { operation, endpoint: 'pay', channel, id: null, amount, currency: 'EUR', ...means };
}

function payingAndStoring(telling: Telling): OrderRequest {
  const { chance } = telling.sim;
  const { number, fields } = chance.hits(0.1) ? accountMeans(chance.pick(accounts)) : cardMeans(chance.pick(cards));
  const begins = chance.hits(0.4) ? BEGINS : {};
  return paying(telling, { number, token: null, fields: { ...fields, ...begins, createRegistration: 'true' } });
}

const VALID_MS_MAX = 600_000;

function byWallet(telling: Telling, wallets: WalletBox): OrderRequest {
  const { sim, channel } = telling;
  const { chance, scheduler } = sim;
  const validUntil = scheduler.now() + chance.between(60_000, VALID_MS_MAX);
  const { text, wallet, number } = wallets.make(channel.merchantId, validUntil);
  const storing: Fields = chance.hits(0.4) ? { createRegistration: 'true' } : {};
  return paying(telling, {
    number,
    token: text,
    fields: { paymentBrand: 'VISA', [`${wallet}.paymentToken`]: text, ...storing },
  });
}

/** The token is sent once more, as a payment of its own. */
async function again(telling: Telling, wish: OrderRequest): Promise<void> {
  const { chance, scheduler, tally } = telling.sim;
  await scheduler.sleep(chance.pick([0, 100, 5_000, chance.below(VALID_MS_MAX)]));
  tally.hit('wallet: the same token again', wish.operation);
  await fulfil(telling, { ...wish, channel: channelFor(telling) });
}
