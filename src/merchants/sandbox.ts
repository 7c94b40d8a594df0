import type { EntityKind, EntityRow, TokenRow } from './ports.ts';
import { tokenHash } from './tokens.ts';

const entityId = (end: string): string => `5eed${end.padStart(28, '0')}`;

/**
 * The merchants of the test environment. Their tokens are public on purpose, so that the first payment needs no account; for the
 * same reason the live environment does not start on a database that holds them.
 */
export const sandbox = {
  psp: entityId('d0'),
  division: entityId('d1'),
  demoShop: {
    merchantId: entityId('f1'),
    channelId: entityId('1'),
    lenientChannelId: entityId('2'),
    userId: entityId('a1'),
    token: 'NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTF8c2FuZGJveC1kZW1v',
  },
  otherShop: {
    merchantId: entityId('f2'),
    channelId: entityId('3'),
    userId: entityId('a2'),
    token: 'NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTJ8c2FuZGJveC1vdGhlcg==',
  },
} as const;

const { psp, division, demoShop, otherShop } = sandbox;

/** Far above what a machine can send: a developer never meets a limit that is not set. */
const unlimited = { requests: 100_000, perSeconds: 1 };

function node(
  kind: EntityKind,
  id: string,
  rest: Pick<EntityRow, 'parentId' | 'name'> & Partial<Pick<EntityRow, 'settings'>>,
): EntityRow {
  return { id, kind, settings: {}, ...rest };
}

const entities: readonly EntityRow[] = [
  node('psp', psp, {
    parentId: null,
    name: 'Sandbox',
    settings: {
      connectors: { default: 'simulator' },
      throttle: {
        pay: unlimited,
        refer: unlimited,
        read: unlimited,
        query: unlimited,
        queryOne: unlimited,
        findPayments: unlimited,
        queryRecords: unlimited,
        queryRecord: unlimited,
        createCheckout: unlimited,
        updateCheckout: unlimited,
        readCheckoutPayment: unlimited,
        readCheckoutRegistration: unlimited,
      },
      // Developers pay with one card again and again, so the risk checks only report.
      risk: { mode: 'report' },
    },
  }),
  node('division', division, { parentId: psp, name: 'Sandbox_Division' }),
  node('merchant', demoShop.merchantId, { parentId: division, name: 'Demo Shop', settings: { dispatch: true } }),
  node('channel', demoShop.channelId, { parentId: demoShop.merchantId, name: 'Demo_Shop', settings: { threeDSecure: true } }),
  node('channel', demoShop.lenientChannelId, {
    parentId: demoShop.merchantId,
    name: 'Demo_Lenient',
    settings: { isLenient: true, threeDSecure: true },
  }),
  node('merchant', otherShop.merchantId, { parentId: division, name: 'Other Shop' }),
  node('channel', otherShop.channelId, { parentId: otherShop.merchantId, name: 'Other_Shop' }),
];

/** The rows of the sandbox, inserted once in a test environment. */
export function sandboxRows(createdAt: number): {
  readonly entities: readonly EntityRow[];
  readonly tokens: readonly TokenRow[];
} {
  const token = ({ userId, token, merchantId }: typeof demoShop | typeof otherShop): TokenRow => ({
    userId,
    tokenHash: tokenHash(token),
    entityId: merchantId,
    createdAt,
  });
  return { entities, tokens: [token(demoShop), token(otherShop)] };
}

/** Where anything of the sandbox would be in a database. */
export const sandboxKeys = { entityIds: entities.map(({ id }) => id), userIds: [demoShop.userId, otherShop.userId] } as const;

/** Whether a database holds anything of the sandbox, by id or by token. */
export function holdsSandbox(rows: {
  readonly entities: readonly Pick<EntityRow, 'id'>[];
  readonly tokens: readonly Pick<TokenRow, 'tokenHash'>[];
}): boolean {
  const ids = new Set(entities.map(({ id }) => id));
  const hashes = new Set([demoShop, otherShop].map(({ token }) => tokenHash(token)));
  return rows.entities.some(({ id }) => ids.has(id)) || rows.tokens.some((row) => hashes.has(row.tokenHash));
}
