import { type Client, type Order, PENDING } from './client.ts';
import { cardMeans, fulfil, isLost, type OrderRequest, type Target, type Telling, waitForEnd } from './orders.ts';
import { cards, channels } from './shops.ts';
import type { Sim } from './sim.ts';

type Practice = 'INCREMENTAL_AUTH' | 'REAUTHORIZATION' | 'DELAYED_CHARGES' | 'RESUBMISSION';

/** One shopper's purchase and everything the merchant does about it afterwards, carefully or not. */
export async function tell(sim: Sim, client: Client): Promise<void> {
  const { chance, scheduler, weather } = sim;
  await scheduler.sleep(chance.below(weather.chaosMs * 0.6));
  const telling: Telling = { sim, client, channel: chance.pick(channels), targets: [] };
  const operation = chance.pick(['PA', 'PA', 'PA', 'DB', 'DB', 'CD'] as const);
  const { number, fields } = cardMeans(chance.pick(cards));
  await fulfil(telling, {
    operation,
    endpoint: 'pay',
    channel: telling.channel,
    id: null,
    amount: operation === 'PA' && chance.hits(0.03) ? 0n : BigInt(chance.between(300, 50_000)),
    currency: chance.pick(['EUR', 'EUR', 'USD']),
    number,
    token: null,
    fields: { ...extras(sim, operation), ...fields },
  });
  const root = telling.targets[0];
  if (!root) return;
  if (chance.hits(0.2)) await storm(telling, root.id);
  if (chance.hits(0.8)) await waitForEnd(telling, root.id);
  if (isLost(client, root.id) && chance.hits(0.8)) return;
  await goOn(telling, chance.between(0, 4));
}

/** Several at the same instant, through whatever nodes, with sums that fit only in part. */
export async function goOn(telling: Telling, rounds: number): Promise<void> {
  const { chance, scheduler } = telling.sim;
  for (let round = rounds; round > 0; round -= 1) {
    if (chance.hits(0.7)) await scheduler.sleep(chance.below(90_000));
    const wishes = Array.from({ length: chance.pick([1, 1, 2, 2, 3, 4]) }, () => followUp(telling));
    await Promise.all(wishes.map((next) => fulfil(telling, next)));
  }
}

const FOLLOW_UPS: Readonly<Partial<Record<Order['operation'], readonly Order['operation'][]>>> = {
  PA: ['CP', 'CP', 'CP', 'CP', 'CP', 'INC', 'INC', 'INC', 'RV', 'RF', 'PA'],
  INC: ['CP', 'RV', 'RV', 'INC'],
  DB: ['RF', 'RF', 'RF', 'RF', 'RV', 'CP', 'DB'],
  CD: ['RF', 'RF', 'RV'],
  CP: ['RF', 'RF', 'RF', 'RV', 'CP'],
  RF: ['RF', 'RV'],
  RV: ['RF', 'CP'],
};

function followUp({ sim, client, channel, targets }: Telling): OrderRequest {
  const { chance } = sim;
  const approved = targets.filter(({ id }) => (client.known.get(id)?.code ?? PENDING) !== PENDING && !isLost(client, id));
  const likely = approved.length > 0 && chance.hits(0.8) ? approved : targets;
  const target = chance.hits(0.4) ? (likely[0] as Target) : chance.pick(likely);
  const operation = chance.pick<Order['operation']>(FOLLOW_UPS[target.operation] ?? ['RF']);
  const { amount } = target;
  const third = amount / 3n;
  const parts = [amount, amount / 2n, third, third, amount / 4n, third * 2n, amount + 1n, 1n, BigInt(chance.between(1, 20_000))];
  const practice = practiceOf(chance.hits(0.5), operation);
  return {
    operation,
    endpoint: practice ? 'pay' : 'refer',
    channel: chance.hits(0.06) ? chance.pick(channels) : channel,
    id: practice ? null : target.id,
    amount: operation === 'RV' && chance.hits(0.5) ? null : chance.pick(parts),
    currency: chance.hits(0.03) ? 'CHF' : target.currency,
    number: null,
    token: null,
    fields: {
      ...extras(sim, operation),
      ...(practice && { referenceUuid: target.id, 'standingInstruction.industryPractice': practice }),
    },
  };
}

const extras = ({ chance }: Sim, operation: Order['operation']): Readonly<Record<string, string>> => ({
  ...(operation === 'PA' && chance.hits(0.25) && { numberOfCaptures: String(chance.between(1, 3)) }),
  ...((operation === 'CP' || operation === 'RF') && chance.hits(0.15) && { sequence: 'FINAL' }),
});

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

/** A shop that polls with every process it has, and another merchant that tries the id too. */
async function storm({ sim, client, channel }: Telling, id: string): Promise<void> {
  await Promise.all(Array.from({ length: sim.chance.between(3, 8) }, () => client.read(channel, id)));
  for (const other of channels) await client.read(other, id);
}
