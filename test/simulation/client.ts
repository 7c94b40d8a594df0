import type { Channel } from '../../src/merchants/channel.ts';
import { amountText } from '../../src/money/amount.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { Node, Reply, Request } from './node.ts';
import { holdsSecret } from './shops.ts';
import { breaks, brief, note, type Sim, strikes } from './sim.ts';
import type { Operation } from './tally.ts';

/** One thing a merchant wants done. Its merchantTransactionId names it on both sides of the gateway. */
export type Order = {
  readonly operation: Exclude<Operation, 'GET' | 'TK' | 'sweep' | 'secure' | 'page' | 'results' | 'checkout'>;
  readonly endpoint: EndpointName;
  readonly channel: Channel;
  /** The id in the path: of a payment, or of stored details. */
  readonly id: string | null;
  readonly merchantTransactionId: string;
  readonly key: string | null;
  readonly body: string;
  readonly amount: bigint | null;
  readonly currency: string;
  /** The number that is to be charged or stored. */
  readonly number: string | null;
  /** The wallet's token it is paid by. */
  readonly token: string | null;
  /** When it was sent, each time. */
  readonly sentAt: number[];
  /** The payments the gateway named in its answers. */
  readonly ids: Set<string>;
};

/** What the gateway has answered about a payment. */
type Known = {
  readonly code: string;
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  readonly channel: Channel;
};

/** What the gateway has answered about stored details. */
type Stored = {
  readonly channel: Channel;
  /** The order that made them. */
  readonly order: Order;
  isDeleted: boolean;
};

export const PENDING = '000.200.000';

/** The merchants' side of the wire. It remembers every answer and compares each new one with what was said before. */
export type Client = {
  readonly orders: readonly Order[];
  readonly known: ReadonlyMap<string, Known>;
  readonly stored: ReadonlyMap<string, Stored>;
  add(order: Order): void;
  /** Null when no answer came. `other` replaces body and amount, as a client does that uses a key twice. */
  send(order: Order, other?: Pick<Order, 'body' | 'amount'>): Promise<Reply | null>;
  read(channel: Channel, id: string): Promise<Reply | null>;
  readStored(channel: Channel, id: string): Promise<Reply | null>;
};

export function createClient(sim: Sim, nodes: readonly Node[]): Client {
  const orders: Order[] = [];
  const known = new Map<string, Known>();
  const stored = new Map<string, Stored>();

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
    stored,
    add: (order) => void orders.push(order),
    async send(order, other) {
      const { operation, endpoint, channel, id, key } = order;
      const before = new Map([...order.ids].map((told) => [told, known.get(told)]));
      order.sentAt.push(sim.scheduler.now());
      const reply = await post({ operation, endpoint, channel, id, key, body: other?.body ?? order.body });
      if (reply === null) return null;
      if (reply.body.otherBody) sim.tally.hit('gateway: refuses another body', operation);
      if (reply.body.badToken) sim.tally.hit('wallet: the token is refused', operation);
      if (reply.body.refusal === DELETED) sim.tally.hit('stored: deleted twice', 'DR');
      const told = hear(sim, known, { reply, channel, before });
      if (told === null) return reply;
      order.ids.add(told.id);
      if (key !== null && order.ids.size > 1) breaks(sim, 'I3', `key ${key} was answered with ${[...order.ids].join(' and ')}`);
      checkEcho(sim, { ...order, ...other }, reply);
      hearOfStored(stored, order, reply);
      return reply;
    },
    async read(channel, id) {
      const before = new Map([[id, known.get(id)]]);
      const reply = await post({ endpoint: 'read', operation: 'GET', channel, id, key: null, body: '' });
      if (reply === null) return null;
      const owner = known.get(id)?.channel;
      if (owner !== undefined && owner !== channel) {
        if (reply.status !== 404) breaks(sim, 'I11', `${channel.name} could read ${id} of ${owner.name}`);
      } else if (reply.status === 404) breaks(sim, 'I5', `${id} was answered once and is gone`);
      else hear(sim, known, { reply, channel, before });
      return reply;
    },
    async readStored(channel, id) {
      const before = stored.get(id)?.isDeleted ?? false;
      const reply = await post({ endpoint: 'readRegistration', operation: 'GET', channel, id, key: null, body: '' });
      const known = stored.get(id);
      if (reply === null || !known) return reply;
      checkStored(sim, known, { reply, channel, before });
      return reply;
    },
  };
}

const DELETED = '100.150.202';

/** Which details an answer says are stored, or are no more. */
function hearOfStored(stored: Map<string, Stored>, order: Order, { body }: Reply): void {
  const { operation, channel, id } = order;
  const told = operation === 'RG' ? body.id : order.endpoint === 'pay' ? body.registrationId : undefined;
  if (typeof told === 'string' && !stored.has(told)) stored.set(told, { channel, order, isDeleted: false });
  const deleted = operation === 'DR' ? stored.get(id ?? '') : undefined;
  if (deleted) deleted.isDeleted = true;
}

/** Every channel of a merchant sees what he stored, and nobody else; what he was told is deleted shows as deleted for ever. */
function checkStored(
  sim: Sim,
  { channel: owner, order }: Stored,
  { reply, channel, before }: { readonly reply: Reply; readonly channel: Channel; readonly before: boolean },
): void {
  const { status, body } = reply;
  const isHis = owner.merchantId === channel.merchantId;
  if (holdsSecret(JSON.stringify(body))) breaks(sim, 'I12', `an answer for what ${order.merchantTransactionId} stored tells it`);
  if (!isHis && status !== 404) breaks(sim, 'I11', `${channel.name} could read what ${owner.name} stored`);
  if (isHis && status === 404) breaks(sim, 'I5', `what ${order.merchantTransactionId} stored is gone`);
  const { result } = body as { readonly result?: { readonly code: string } };
  if (isHis && before && result?.code !== DELETED) breaks(sim, 'S6', `what was deleted is ${result?.code} again`);
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
  const { redirect } = reply.body as { readonly redirect?: { readonly url: string } };
  if (redirect && (result.code !== PENDING || !redirect.url.endsWith(id)))
    breaks(sim, 'I5', `${id} is ${result.code} and sends the shopper to ${redirect.url}`);
  if (!known.has(id) || result.code !== PENDING) known.set(id, { code: result.code, amount, currency, channel });
  return { id };
}

function checkEcho(sim: Sim, order: Order, { body }: Reply): void {
  const asked = order.amount === null ? undefined : amountText(order.amount);
  if (asked !== undefined && body.amount !== undefined && body.amount !== asked) {
    breaks(sim, 'I5', `${order.operation} of ${asked} was answered with ${String(body.amount)}`);
  }
  // What is done to stored details has no name of the merchant's.
  if (order.operation === 'DR' || order.operation === 'TE') return;
  if (body.merchantTransactionId !== order.merchantTransactionId) {
    breaks(sim, 'I5', `${order.merchantTransactionId} was answered with ${String(body.merchantTransactionId)}`);
  }
}
