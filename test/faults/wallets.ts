import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeName } from './changes.ts';
import { call, codeOf, demoShop, type Fields, PENDING, pay, type Reply, read, SUCCESS } from './client.ts';
import { openRawDatabase, type RawDatabase } from './database.ts';
import { createGateway, type GatewayProcess, temporaryFolder } from './gatewayProcess.ts';
import { createMovedClock } from './movedClock.ts';
import { createChance } from './stories.ts';

/** Tokens of device wallets while nodes die: each pays once, acknowledged payments stay, and a token without a payment can be used again. */

export type WalletRun = {
  /** Null: one node on SQLite. */
  readonly databaseUrl: string | null;
  readonly nodes: number;
  readonly waves: number;
  /** Tokens in each wave. */
  readonly tokens: number;
  readonly seed: number;
  readonly planted?: ChangeName;
};

/** The outcome of all tokens. Each list names the offenders. */
export type WalletAccount = {
  readonly tokens: number;
  readonly approved: number;
  readonly kills: number;
  readonly broken: number;
  /** Tokens with more than one payment. */
  readonly doubled: readonly string[];
  /** Tokens without a payment, although it was tried again. */
  readonly stuck: readonly string[];
  /** Acknowledged payments that are missing or different now. */
  readonly lost: readonly string[];
  /** Idempotency keys with several payments. */
  readonly keys: readonly string[];
  /** Replies that are neither a payment nor a clean refusal. */
  readonly unclean: readonly string[];
};

const wallets = ['walletA', 'walletB', 'walletC'] as const;
const USED = '200.100.603';
const BROKEN = 'the connection broke';

type Token = { readonly label: string; readonly fields: Fields };
type TokenReply = { readonly label: string; readonly key: string | null; readonly reply: Reply };

export async function runWallets(run: WalletRun): Promise<WalletAccount> {
  const clock = createMovedClock();
  const env = { CLOCK_FILE: clock.file };
  const database = run.databaseUrl === null ? {} : { databaseUrl: run.databaseUrl };
  const options = { env, changes: run.planted ?? 'none', dataDir: temporaryFolder(), ...database };
  const nodes = await Promise.all(Array.from({ length: run.nodes }, () => createGateway(options)));
  try {
    for (const node of nodes) await node.start();
    const shop = createShop(run, nodes);
    for (let wave = 0; wave < run.waves; wave += 1) await shop.wave(wave);
    const raw = openRawDatabase(run.databaseUrl, options.dataDir);
    try {
      await untilDecided(raw, clock.leap);
      return await shop.account(raw);
    } finally {
      await raw.close();
    }
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
  }
}

async function issueToken(url: string, at: number): Promise<Token> {
  const wallet = wallets[at % wallets.length] ?? 'walletA';
  const order = { wallet, amount: '92.00', currency: 'EUR', number: '4200000000000000' };
  const { body, text } = await call(url, { method: 'POST', path: '/sandbox/wallets?format=json', fields: order });
  assert.equal(typeof body?.token, 'string', text);
  const money = { paymentType: 'DB', amount: '92.00', currency: 'EUR' };
  const label = `wallet-token-${at}`;
  // The acquirer is slow for some of them, so that a kill finds them open.
  const slow: Fields = Math.floor(at / wallets.length) % 3 === 0 ? { 'customParameters[SIMULATOR_latency]': '200' } : {};
  return { label, fields: { ...money, merchantTransactionId: label, [`${wallet}.paymentToken`]: String(body?.token), ...slow } };
}

function createShop(run: WalletRun, nodes: readonly GatewayProcess[]) {
  const chance = createChance(run.seed);
  const replies: TokenReply[] = [];
  const labels: string[] = [];
  let [broken, kills] = [0, 0];
  const [first] = nodes;
  assert.ok(first);

  const send = async ({ label, fields }: Token, { url }: GatewayProcess, key: string | null): Promise<Reply | null> => {
    try {
      const reply = await pay(url, { fields, key });
      replies.push({ label, key, reply });
      return reply;
    } catch {
      broken += 1;
      return null;
    }
  };
  /** Retries until the gateway answers with less than 500. */
  const insist = async (token: Token, node: GatewayProcess, key: string | null): Promise<void> => {
    for (let tries = 0; tries < 100; tries += 1) {
      const reply = await send(token, node, key);
      if (reply && reply.status < 500) return;
      await pause(100);
    }
  };
  const keyOf = ({ label }: Token): string => `key-of-${label}`;

  return {
    /** All tokens are used at once on all nodes; the last node is killed after the first reply; then all requests are sent again. */
    async wave(wave: number): Promise<void> {
      const tokens = await Promise.all(
        Array.from({ length: run.tokens }, (_, at) => issueToken(first.url, wave * run.tokens + at)),
      );
      labels.push(...tokens.map(({ label }) => label));
      const victim = nodes.at(-1) ?? first;
      const before = replies.length;
      const sending = tokens.flatMap((token) =>
        [...nodes, victim].flatMap((node) => [send(token, node, keyOf(token)), send(token, node, null)]),
      );
      for (let tries = 0; tries < 20_000 && replies.length === before; tries += 1) await pause(1);
      await pause(chance() * 60);
      await victim.kill();
      kills += 1;
      // These are sent to the killed node before it is back.
      const meanwhile = tokens.slice(0, 3).map((token) => send(token, victim, `${keyOf(token)}-again`));
      await Promise.all([victim.start(), ...sending, ...meanwhile]);
      for (const node of nodes) {
        await Promise.all(tokens.map((token) => insist(token, node, keyOf(token))));
        await Promise.all(tokens.map((token) => insist(token, node, null)));
      }
    },
    async account(raw: RawDatabase): Promise<WalletAccount> {
      const payments = (
        await raw.rows(
          "SELECT id, state, merchant_transaction_id AS label FROM payment WHERE merchant_transaction_id LIKE 'wallet-token-%'",
        )
      ).map((row) => ({ id: String(row.id), state: String(row.state), label: String(row.label) }));
      const paid = Map.groupBy(payments, ({ label }) => label);
      const acknowledged = replies.filter(({ reply }) => reply.body?.id !== undefined);
      const keyed = Map.groupBy(
        acknowledged.filter(({ key }) => key !== null),
        ({ key }) => key ?? '',
      );
      return {
        tokens: labels.length,
        kills,
        broken,
        approved: payments.filter(({ state }) => state === 'approved').length,
        doubled: [...paid]
          .filter(([, all]) => all.length > 1)
          .map(([label, all]) => `${label}: ${all.map(({ id }) => id).join(' ')}`),
        stuck: labels.filter((label) => !paid.has(label)),
        lost: (await Promise.all(acknowledged.map((one) => lossOf(nodes, one)))).filter((why) => why !== null),
        keys: [...keyed].filter(([, all]) => new Set(all.map(({ reply }) => reply.body?.id)).size > 1).map(([key]) => key),
        unclean: replies
          .filter(({ reply }) => !isClean(reply))
          .map(({ label, reply }) => `${label}: ${reply.status} ${reply.text.slice(0, 200)}`),
      };
    },
  };
}

function isClean(reply: Reply): boolean {
  const { status, body } = reply;
  if (body?.id !== undefined) return status === 200 || status === 400;
  return (status === 400 && codeOf(reply) === USED) || (status === 503 && codeOf(reply) !== '');
}

/** How a payment differs from its acknowledgement; null when it does not. */
async function lossOf(nodes: readonly GatewayProcess[], { label, reply }: TokenReply): Promise<string | null> {
  const id = reply.body?.id ?? '';
  for (const { url } of nodes) {
    const now = await read(url, id, demoShop).catch(() => null);
    const isSame = codeOf(reply) === PENDING || (now !== null && codeOf(now) === codeOf(reply));
    if (now?.body?.id !== id || !isSame) return `${label}: ${id} was ${codeOf(reply)}, is ${now?.text.slice(0, 200) ?? BROKEN}`;
  }
  return null;
}

/** Moves the clock until the sweeper has decided all payments. */
async function untilDecided(raw: RawDatabase, leap: (ms: number) => void): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const [row] = await raw.rows("SELECT count(*) AS open FROM payment WHERE state = 'open'");
    if (Number(row?.open) === 0) return;
    leap(10_000);
    await pause(500);
  }
}

export function assertPaidOnce(account: WalletAccount): void {
  const { doubled, stuck, lost, keys, unclean } = account;
  const wrong = Object.entries({ doubled, stuck, lost, keys, unclean })
    .filter(([, offenders]) => offenders.length > 0)
    .map(([what, offenders]) => `${offenders.length} ${what}, such as:\n${offenders.slice(0, 5).join('\n')}`);
  assert.equal(wrong.length, 0, wrong.join('\n'));
}

export const describeWallets = (name: string, { tokens, approved, kills, broken }: WalletAccount): string =>
  `${name}: ${tokens} tokens, ${approved} approved (${SUCCESS}), ${kills} kills, ${broken} connections broken`;
