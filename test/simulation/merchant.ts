import type { Channel } from '../../src/merchants/channel.ts';
import { amountText } from '../../src/money/amount.ts';
import { type Client, type Order, PENDING } from './client.ts';
import type { Reply } from './node.ts';
import { cards, channels } from './shops.ts';
import { type Sim, strikes } from './sim.ts';

type Wish = {
  readonly operation: Order['operation'];
  readonly channel: Channel;
  readonly amount: bigint | null;
  readonly currency: string;
  readonly references: string | null;
  /** standingInstruction.industryPractice: a new charge that names an earlier one. */
  readonly practice: Practice | null;
};

type Practice = 'INCREMENTAL_AUTH' | 'REAUTHORIZATION' | 'DELAYED_CHARGES' | 'RESUBMISSION';

/** A payment that a story goes on with. */
type Target = { readonly id: string; readonly operation: Order['operation']; readonly amount: bigint; readonly currency: string };

type Telling = { readonly sim: Sim; readonly client: Client; readonly channel: Channel; readonly targets: Target[] };

/** One shopper's purchase and everything the merchant does about it afterwards, carefully or not. */
export async function tell(sim: Sim, client: Client): Promise<void> {
  const { chance, scheduler, weather } = sim;
  await scheduler.sleep(chance.below(weather.chaosMs * 0.6));
  const telling: Telling = { sim, client, channel: chance.pick(channels), targets: [] };
  const operation = chance.pick(['PA', 'PA', 'PA', 'DB', 'DB', 'CD'] as const);
  const wish: Wish = {
    operation,
    channel: telling.channel,
    amount: operation === 'PA' && chance.hits(0.03) ? 0n : BigInt(chance.between(300, 50_000)),
    currency: chance.pick(['EUR', 'EUR', 'USD']),
    references: null,
    practice: null,
  };
  await fulfil(telling, wish);
  const root = telling.targets[0];
  if (!root) return;
  if (chance.hits(0.2)) await storm(telling, root.id);
  if (chance.hits(0.8)) await waitForEnd(telling, root.id);
  if (isLost(client, root.id) && chance.hits(0.8)) return;
  for (let round = chance.between(0, 4); round > 0; round -= 1) {
    if (chance.hits(0.7)) await scheduler.sleep(chance.below(90_000));
    // Several at the same instant, through whatever nodes, with sums that fit only in part.
    const wishes = Array.from({ length: chance.pick([1, 1, 2, 2, 3, 4]) }, () => followUp(telling));
    await Promise.all(wishes.map((next) => fulfil(telling, next)));
  }
}

const FOLLOW_UPS = {
  PA: ['CP', 'CP', 'CP', 'CP', 'CP', 'INC', 'INC', 'INC', 'RV', 'RF', 'PA'],
  INC: ['CP', 'RV', 'RV', 'INC'],
  DB: ['RF', 'RF', 'RF', 'RF', 'RV', 'CP', 'DB'],
  CD: ['RF', 'RF', 'RV'],
  CP: ['RF', 'RF', 'RF', 'RV', 'CP'],
  RF: ['RF', 'RV'],
  RV: ['RF', 'CP'],
} as const satisfies Record<Order['operation'], readonly Order['operation'][]>;

function followUp({ sim, client, channel, targets }: Telling): Wish {
  const { chance } = sim;
  const approved = targets.filter(({ id }) => (client.known.get(id)?.code ?? PENDING) !== PENDING && !isLost(client, id));
  const likely = approved.length > 0 && chance.hits(0.8) ? approved : targets;
  const target = chance.hits(0.4) ? (likely[0] as Target) : chance.pick(likely);
  const operation = chance.pick(FOLLOW_UPS[target.operation]);
  const { amount } = target;
  const third = amount / 3n;
  const parts = [amount, amount / 2n, third, third, amount / 4n, third * 2n, amount + 1n, 1n, BigInt(chance.between(1, 20_000))];
  return {
    operation,
    channel: chance.hits(0.06) ? chance.pick(channels) : channel,
    amount: operation === 'RV' && chance.hits(0.5) ? null : chance.pick(parts),
    currency: chance.hits(0.03) ? 'CHF' : target.currency,
    references: target.id,
    practice: practiceOf(chance.hits(0.5), operation),
  };
}

function practiceOf(isNew: boolean, operation: Order['operation']): Practice | null {
  switch (operation) {
    case 'INC':
      return 'INCREMENTAL_AUTH';
    case 'PA':
      return isNew ? 'REAUTHORIZATION' : 'RESUBMISSION';
    case 'DB':
      return isNew ? 'DELAYED_CHARGES' : 'RESUBMISSION';
    default:
      return null;
  }
}

/** Sends until there is an answer, or gives up. What comes of it may become the target of what follows. */
async function fulfil(telling: Telling, wish: Wish): Promise<void> {
  const { sim, client, targets } = telling;
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
  const id = reply?.body.id;
  if (typeof id !== 'string') return;
  const isWorthwhile = !isLost(client, id) || chance.hits(0.1);
  if (wish.amount !== null && isWorthwhile) {
    targets.push({ id, operation: wish.operation, amount: wish.amount, currency: wish.currency });
  }
  if (chance.hits(0.1)) await client.read(chance.pick(channels), id);
}

/** Told to be declined or refused: nothing can follow, though somebody may try. */
const isLost = (client: Client, id: string): boolean => !(client.known.get(id)?.code ?? PENDING).startsWith('000.');

async function waitForEnd({ sim, client, channel }: Telling, id: string): Promise<void> {
  for (let looks = 0; looks < 8 && (client.known.get(id)?.code ?? PENDING) === PENDING; looks += 1) {
    await sim.scheduler.sleep(1_000 * 2 ** looks);
    await client.read(channel, id);
  }
}

/** A shop that polls with every process it has, and somebody else who tries the id too. */
async function storm({ sim, client, channel }: Telling, id: string): Promise<void> {
  await Promise.all(Array.from({ length: sim.chance.between(3, 8) }, () => client.read(channel, id)));
  for (const other of channels) await client.read(other, id);
}

function orderFor({ chance }: Sim, client: Client, wish: Wish): Order {
  const merchantTransactionId = `order-${String(client.orders.length).padStart(4, '0')}`;
  // Two channels may well use the same key: it is only theirs.
  const number = client.orders.filter(({ channel }) => channel === wish.channel).length;
  const extras = {
    ...(wish.operation === 'PA' && chance.hits(0.25) && { numberOfCaptures: String(chance.between(1, 3)) }),
    ...((wish.operation === 'CP' || wish.operation === 'RF') && chance.hits(0.15) && { sequence: 'FINAL' }),
    ...(wish.references === null && instrument(chance.pick(cards))),
    ...(wish.practice && { referenceUuid: wish.references ?? '', 'standingInstruction.industryPractice': wish.practice }),
  };
  const order: Order = {
    ...wish,
    id: wish.practice ? null : wish.references,
    merchantTransactionId,
    key: chance.hits(0.8) ? `key-${number}` : null,
    body: '',
    sends: 0,
    ids: new Set(),
  };
  const filled = { ...order, body: bodyOf(order, extras) };
  client.add(filled);
  return filled;
}

const instrument = ({ brand, number, cvv }: (typeof cards)[number]) => ({
  paymentBrand: brand,
  'card.number': number,
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': cvv,
});

function bodyOf(order: Order, extras: Readonly<Record<string, string>>): string {
  const fields = {
    entityId: order.channel.entityId,
    paymentType: order.operation === 'INC' ? 'PA' : order.operation,
    ...(order.amount !== null && { amount: amountText(order.amount), currency: order.currency }),
    merchantTransactionId: order.merchantTransactionId,
    ...extras,
  };
  return new URLSearchParams(fields).toString();
}

function otherBody(order: Order): Pick<Order, 'body' | 'amount'> {
  const amount = (order.amount ?? 0n) + 100n;
  const rest = order.body.replace(/&amount=[^&]*/, '').replace(/&currency=[^&]*/, '');
  return { amount, body: `${rest}&amount=${amountText(amount)}&currency=${order.currency}` };
}
