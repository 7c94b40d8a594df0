import { createHmac } from 'node:crypto';
import { jsonReply, listen } from '../acquirerHttp.ts';
import type { AcquirerServer, Booked, ConnectorUnderTest } from '../contract.ts';
import { example } from './example.ts';

type Transaction = {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly currency: string;
  readonly shop: string;
  readonly original?: string;
  readonly card?: { readonly number: string };
  status: 'approved' | 'declined' | 'cancelled';
  reason?: string;
};

const secrets = { apiKey: 'example-api-key', notificationKey: 'example-notification-key' };

/** The acquirer of the example. It books a transaction once by its id, and knows nothing that never arrived. */
export async function openExample(): Promise<AcquirerServer> {
  const transactions = new Map<string, Transaction>();
  const queue: { readonly headers: Readonly<Record<string, string>>; readonly body: string }[] = [];
  const faults: string[] = [];
  const members = (id: string) => [...transactions.values()].filter(({ original }) => original === id);
  const sum = (list: readonly Transaction[], type: string) =>
    list.filter((one) => one.type === type && one.status === 'approved').reduce((total, { amount }) => total + amount, 0);

  function refusal({ type, amount, original, card }: Transaction): string | undefined {
    if (original === undefined) return card?.number === '4000000000000002' ? 'insufficient_funds' : undefined;
    const first = transactions.get(original);
    if (first?.status !== 'approved') return 'no_such_transaction';
    const left = first.amount - sum(members(original), type);
    return amount > left ? 'amount_too_high' : undefined;
  }

  function notify({ id, status, reason, shop }: Transaction): void {
    const body = JSON.stringify({ event: `${id}-${status}`, reference: id, status, reason, shop });
    queue.push({ headers: { 'x-signature': createHmac('sha256', secrets.notificationKey).update(body).digest('hex') }, body });
  }

  function take(sent: Transaction): Transaction {
    const known = transactions.get(sent.id);
    if (known) return known;
    const reason = refusal(sent);
    const taken: Transaction = {
      ...sent,
      status: reason === undefined ? 'approved' : 'declined',
      ...(reason !== undefined && { reason }),
    };
    transactions.set(sent.id, taken);
    if (sent.type === 'RV' && taken.status === 'approved') {
      const first = transactions.get(sent.original ?? '');
      if (first) first.status = 'cancelled';
    }
    notify(taken);
    return taken;
  }

  function answer(method: string, path: string, text: string): { readonly status: number; readonly json: object } {
    const [, , id = '', act] = path.split('/');
    const known = transactions.get(id);
    if (method === 'GET') return known ? { status: 200, json: { ...shown(known) } } : { status: 404, json: { error: 'unknown' } };
    if (act === 'cancel') {
      if (!known) return { status: 404, json: { error: 'unknown' } };
      known.status = known.status === 'approved' ? 'cancelled' : known.status;
      return { status: 200, json: shown(known) };
    }
    const json = JSON.parse(text) as Transaction;
    if (!/^[0-9a-f]{32}(-[2-9])?$/.test(json.id) || !Number.isSafeInteger(json.amount)) {
      faults.push(`a request that does not fit: ${json.type}`);
      return { status: 400, json: { error: 'invalid' } };
    }
    return { status: 200, json: shown(take(json)) };
  }
  const shown = ({ id, status, reason }: Transaction) => ({ reference: id, status, reason });

  const { url, handle, close } = await listen(({ method, url: path, headers, body }) => {
    const isKnown = headers.authorization === `Bearer ${secrets.apiKey}`;
    const { status, json } = isKnown ? answer(method, path, body) : { status: 401, json: {} };
    return jsonReply(status, json);
  });

  return {
    url,
    handle,
    booked(payment): Booked {
      const id = payment.key ?? payment.id;
      const first = transactions.get(id);
      if (!first || first.status === 'declined')
        return { times: 0, authorised: 0n, captured: 0n, refunded: 0n, isCancelled: false };
      const amount = BigInt(first.amount);
      const isCancelled = first.status === 'cancelled';
      const captures = members(id).filter(({ type }) => type === 'CP');
      const refunds = [id, ...captures.map((one) => one.id)].flatMap(members);
      const captured = first.type === 'DB' ? amount : BigInt(sum(members(id), 'CP'));
      // Two payments never share so many digits: what does is one payment under two ids.
      const same = [...transactions.values()].filter((one) => one.id.startsWith(id.slice(0, 28)) && one.original === undefined);
      return {
        times: same.filter(({ status }) => status === 'approved').length || 1,
        authorised: amount,
        captured: isCancelled ? 0n : captured,
        refunded: isCancelled ? 0n : BigInt(sum(refunds, 'RF')),
        isCancelled,
      };
    },
    takeNotifications: () => queue.splice(0),
    faults,
    close,
  };
}

const card = { paymentBrand: 'VISA', 'card.holder': 'Ann Example', 'card.expiryMonth': '05', 'card.expiryYear': '2034' };

export const exampleUnderTest: ConnectorUnderTest = {
  kind: example,
  settings: (url) => ({ url }),
  secrets,
  open: () => openExample(),
  approved: { ...card, 'card.number': '4200000000000000' },
  declined: { ...card, 'card.number': '4000000000000002' },
  lateMs: 100_000,
};
