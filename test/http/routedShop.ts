import assert from 'node:assert/strict';
import { defineConnector } from '../../src/connectors/kind.ts';
import type { Capability } from '../../src/payments/ports.ts';
import type { RoutingRule } from '../../src/spec/routing.ts';
import { freshShops } from './freshShops.ts';

const card: Capability = {
  types: ['PA', 'DB', 'CP', 'RF'],
  partialCapture: false,
  multipleCaptures: false,
  redirects: false,
  reversal: null,
};

/** A connector that approves everything; an account with `answer` "no" declines everything. */
const plain = defineConnector<{ readonly answer: string }>({
  name: 'plain',
  title: 'Plain',
  modes: ['EXTERNAL'],
  supports: { CC: card },
  steps: {},
  accounts: {
    settings: { answer: { control: 'text', help: '', says: 'a text', fits: () => true, fallback: 'yes' } },
    secrets: {},
  },
  create: (_needs, { name, settings }) => ({
    name,
    modes: ['EXTERNAL'],
    supports: { CC: card },
    answerMsMax: 1_000,
    uncertainty: { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true },
    send: async () =>
      settings.answer === 'no' ? { is: 'declined', code: '800.100.152', details: {} } : { is: 'approved', details: {} },
    inquire: async () => ({ is: 'absent' }),
    cancel: async () => ({ is: 'cancelled' }),
  }),
});

export const routedKinds = new Map([['plain', plain]]);

const account = (given: object = {}) => ({ connector: 'plain', settings: {}, ...given });
const accounts = {
  base: account(),
  large: account(),
  strict: account({ settings: { answer: 'no' } }),
  closed: account({ state: 'off' }),
};

/** Merchants whose channels route by rules: base takes the rest, strict declines, closed is off. */
export function routedShops(count: number, rules: readonly RoutingRule[]) {
  return freshShops(count, { connectors: { default: 'base' }, accounts, routing: { rules } });
}

type Payer = { readonly url: string; readonly token: string; readonly entityId: string };
type Fields = Readonly<Record<string, string>>;

/** Pays, or continues a payment by its id. */
export async function payAt({ url, token, entityId }: Payer, fields: Fields, id = ''): Promise<{ readonly id: string }> {
  const instrument: Fields = {
    paymentType: 'DB',
    paymentBrand: 'VISA',
    'card.number': '4200000000000000',
    'card.holder': 'Ann Example',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
  };
  const reply = await fetch(`${url}/v1/payments${id === '' ? '' : `/${id}`}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ entityId, testMode: 'EXTERNAL', currency: 'EUR', ...(id === '' && instrument), ...fields }),
  });
  const body = (await reply.json()) as { readonly id: string };
  assert.ok(body.id, JSON.stringify(body));
  return body;
}
