import type { Channel } from '../../src/merchants/channel.ts';
import { amountText } from '../../src/money/amount.ts';
import { holdsSecret } from './chronicle.ts';
import type { Node, Reply, Request } from './node.ts';
import { breaks, brief, note, type Sim, strikes } from './sim.ts';
import type { Operation } from './tally.ts';

/** One thing a merchant wants done. Its merchantTransactionId names it on both sides of the gateway. */
export type Order = {
  readonly operation: Exclude<Operation, 'GET' | 'sweep'>;
  readonly channel: Channel;
  readonly id: string | null;
  readonly merchantTransactionId: string;
  readonly key: string | null;
  readonly body: string;
  readonly amount: bigint | null;
  readonly currency: string;
  sends: number;
  /** The payments the gateway named in its answers. */
  readonly ids: Set<string>;
};

/** What the gateway has told somebody about a payment. */
type Known = {
  readonly code: string;
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  readonly channel: Channel;
};

export const PENDING = '000.200.000';

/** The merchants' side of the wire. It remembers every answer and compares each new one with what was said before. */
export type Client = {
  readonly orders: readonly Order[];
  readonly known: ReadonlyMap<string, Known>;
  add(order: Order): void;
  /** Null when no answer came. `other` replaces body and amount, as a client does that uses a key twice. */
  send(order: Order, other?: Pick<Order, 'body' | 'amount'>): Promise<Reply | null>;
  read(channel: Channel, id: string): Promise<Reply | null>;
};

export function createClient(sim: Sim, nodes: readonly Node[]): Client {
  const orders: Order[] = [];
  const known = new Map<string, Known>();

  const post = async (request: Request): Promise<Reply | null> => {
    const { chance, scheduler, weather } = sim;
    const loss = weather.clientLoss / 2;
    if (strikes(sim, loss, ['client: request lost', request.operation])) return cut(sim);
    await scheduler.sleep(chance.between(1, 80));
    const node = chance.pick(nodes);
    if (!node.machine.isUp) return null;
    const waitMs = chance.between(5_000, 70_000);
    const reply = await new Promise<Reply | null>((resolve) => {
      const off = scheduler.after(waitMs, () => resolve(null));
      void node.handle(request).then((answer) => {
        off();
        resolve(answer);
      });
    });
    if (reply === null || strikes(sim, loss, ['client: answer lost', request.operation])) return cut(sim);
    await scheduler.sleep(chance.between(1, 80));
    return reply.status === 500 ? null : reply;
  };

  return {
    orders,
    known,
    add: (order) => void orders.push(order),
    async send(order, other) {
      const { operation, channel, id, key } = order;
      const before = new Map([...order.ids].map((told) => [told, known.get(told)]));
      order.sends += 1;
      const reply = await post({ operation, channel, id, key, body: other?.body ?? order.body });
      if (reply === null) return null;
      if (reply.body.otherBody) sim.tally.hit('gateway: refuses another body', operation);
      const told = hear(sim, known, { reply, channel, before });
      if (told === null) return reply;
      order.ids.add(told.id);
      if (key !== null && order.ids.size > 1) breaks(sim, 'I3', `key ${key} was answered with ${[...order.ids].join(' and ')}`);
      checkEcho(sim, { ...order, ...other }, reply);
      return reply;
    },
    async read(channel, id) {
      const before = new Map([[id, known.get(id)]]);
      const reply = await post({ operation: 'GET', channel, id, key: null, body: '' });
      if (reply === null) return null;
      const owner = known.get(id)?.channel;
      if (owner !== undefined && owner !== channel) {
        if (reply.status !== 404) breaks(sim, 'I11', `${channel.name} could read ${id} of ${owner.name}`);
      } else if (reply.status === 404) breaks(sim, 'I5', `${id} was answered once and is gone`);
      else hear(sim, known, { reply, channel, before });
      return reply;
    },
  };
}

/** The line is dead; the client finds out after a while. */
async function cut(sim: Sim): Promise<null> {
  await sim.scheduler.sleep(sim.chance.between(10, 3_000));
  return null;
}

type Hearing = { readonly reply: Reply; readonly channel: Channel; readonly before: ReadonlyMap<string, Known | undefined> };

/** An answer that names a payment, held against what had been said of it before the question was asked. */
function hear(sim: Sim, known: Map<string, Known>, { reply, channel, before }: Hearing): { readonly id: string } | null {
  const { id, amount, currency, result } = reply.body as Record<string, string | undefined> & { result?: { code: string } };
  if (holdsSecret(JSON.stringify(reply.body))) breaks(sim, 'I12', `an answer for ${id} holds a card number or security code`);
  if (id === undefined || result === undefined) return null;
  note(sim, `${channel.name} hears ${brief(id)} ${result.code}`);
  const said = before.get(id);
  if (said && said.code !== PENDING && said.code !== result.code) {
    breaks(sim, 'I5', `${id} was ${said.code} and is ${result.code}`);
  }
  if (said?.amount !== undefined && amount !== undefined && (said.amount !== amount || said.currency !== currency)) {
    breaks(sim, 'I5', `${id} was of ${said.amount} ${said.currency} and is of ${amount} ${currency}`);
  }
  if (!known.has(id) || result.code !== PENDING) known.set(id, { code: result.code, amount, currency, channel });
  return { id };
}

function checkEcho(sim: Sim, order: Order, { body }: Reply): void {
  const asked = order.amount === null ? undefined : amountText(order.amount);
  if (asked !== undefined && body.amount !== undefined && body.amount !== asked) {
    breaks(sim, 'I5', `${order.operation} of ${asked} was answered with ${String(body.amount)}`);
  }
  if (body.merchantTransactionId !== order.merchantTransactionId) {
    breaks(sim, 'I5', `${order.merchantTransactionId} was answered with ${String(body.merchantTransactionId)}`);
  }
}
