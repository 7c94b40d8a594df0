import type { Channel } from '../../src/merchants/channel.ts';
import { amountText } from '../../src/money/amount.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import { type Client, type Order, PENDING } from './client.ts';
import type { Reply } from './node.ts';
import { type accounts, type Card, channels } from './shops.ts';
import { type Sim, strikes } from './sim.ts';

export type OrderRequest = {
  readonly operation: Order['operation'];
  readonly endpoint: EndpointName;
  readonly channel: Channel;
  /** The id in the path. */
  readonly id: string | null;
  readonly amount: bigint | null;
  readonly currency: string;
  readonly number: string | null;
  readonly token: string | null;
  /** What else the request says. */
  readonly fields: Fields;
};

type Fields = Readonly<Record<string, string>>;

/** A payment that a story goes on with. */
export type Target = {
  readonly id: string;
  readonly operation: Order['operation'];
  readonly amount: bigint;
  readonly currency: string;
};

export type Telling = {
  readonly sim: Sim;
  readonly client: Client;
  readonly channel: Channel;
  readonly targets: Target[];
};

/** A card or an account as it is sent. */
export type Means = { readonly number: string; readonly fields: Fields };

export const cardMeans = ({ brand, number, cvv }: Card): Means => ({
  number,
  fields: {
    paymentBrand: brand,
    'card.number': number,
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': cvv,
  },
});

export const accountMeans = ({ iban, bic, country }: (typeof accounts)[number]): Means => ({
  number: iban,
  fields: {
    paymentBrand: 'DIRECTDEBIT_SEPA',
    'bankAccount.holder': 'Jane Jones',
    'bankAccount.iban': iban,
    'bankAccount.bic': bic,
    'bankAccount.country': country,
  },
});

/** Sends until there is an answer, or gives up. What comes of it may become the target of what follows. */
export async function fulfil(telling: Telling, wish: OrderRequest): Promise<Reply | null> {
  const { sim, client } = telling;
  const { chance, scheduler } = sim;
  const order = orderFor(sim, client, wish);
  let reply: Reply | null = null;
  if (order.key !== null && strikes(sim, 0.15, ['client: double click', order.operation])) {
    const replies = await Promise.all([client.send(order), client.send(order)]);
    reply = replies.find((one) => one !== null) ?? null;
  } else reply = await client.send(order);
  for (let tries = chance.between(0, 4); reply === null && tries > 0; tries -= 1) {
    await scheduler.sleep(chance.pick([0, 200, 5_000, chance.below(120_000)]));
    if (order.key !== null) sim.tally.hit('client: same key again', order.operation);
    reply = await client.send(order);
  }
  const isOther = order.key !== null && strikes(sim, 0.1, ['client: other body', order.operation]);
  if (isOther) await client.send(order, otherBody(order));
  if (reply === null && strikes(sim, 0.4, ['client: new key', order.operation])) return fulfil(telling, wish);
  if (order.key !== null && chance.hits(0.1)) await client.send(order);
  await remember(telling, wish, reply);
  return reply;
}

async function remember({ sim, client, targets }: Telling, wish: OrderRequest, reply: Reply | null): Promise<void> {
  const { operation, amount, currency } = wish;
  const id = reply?.body.id;
  if (typeof id !== 'string') return;
  const isWorthwhile = !isLost(client, id) || sim.chance.hits(0.1);
  if (amount !== null && isWorthwhile) targets.push({ id, operation, amount, currency });
  if (sim.chance.hits(0.1)) await client.read(sim.chance.pick(channels), id);
}

/** Told to be declined or refused: nothing can follow, though it may be tried. */
export const isLost = (client: Client, id: string): boolean => !(client.known.get(id)?.code ?? PENDING).startsWith('000.');

export async function waitForEnd({ sim, client, channel }: Telling, id: string): Promise<void> {
  for (let looks = 0; looks < 8 && (client.known.get(id)?.code ?? PENDING) === PENDING; looks += 1) {
    await sim.scheduler.sleep(1_000 * 2 ** looks);
    await client.read(channel, id);
  }
}

function orderFor({ chance }: Sim, client: Client, wish: OrderRequest): Order {
  const { operation, endpoint, channel, id, amount, currency, number, token } = wish;
  const merchantTransactionId = `order-${String(client.orders.length).padStart(4, '0')}`;
  // Two channels may well use the same key: it is only theirs.
  const count = client.orders.filter((other) => other.channel === channel).length;
  const key = chance.hits(0.8) ? `key-${count}` : null;
  const said = { operation, endpoint, channel, id, amount, currency, number, token, merchantTransactionId, key };
  const order: Order = { ...said, body: bodyOf(wish, merchantTransactionId), sentAt: [], ids: new Set() };
  client.add(order);
  return order;
}

const WITHOUT_MONEY: readonly string[] = ['RG', 'DR', 'TE'];
const WITHOUT_TYPE: readonly string[] = [...WITHOUT_MONEY, '3D'];

function bodyOf({ operation, channel, amount, currency, fields }: OrderRequest, merchantTransactionId: string): string {
  return new URLSearchParams({
    entityId: channel.entityId,
    ...(!WITHOUT_TYPE.includes(operation) && { paymentType: operation === 'INC' ? 'PA' : operation }),
    ...(amount !== null && { amount: amountText(amount), currency }),
    merchantTransactionId,
    ...fields,
  }).toString();
}

/** As a client does that uses a key twice. */
function otherBody(order: Order): Pick<Order, 'body' | 'amount'> {
  if (WITHOUT_MONEY.includes(order.operation)) return { amount: null, body: `${order.body}&descriptor=other` };
  const amount = (order.amount ?? 0n) + 100n;
  const rest = order.body.replace(/&amount=[^&]*/, '').replace(/&currency=[^&]*/, '');
  return { amount, body: `${rest}&amount=${amountText(amount)}&currency=${order.currency}` };
}
