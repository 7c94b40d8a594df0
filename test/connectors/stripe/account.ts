import { type AccountKind, completeSettings } from '../../../src/connectors/kind.ts';
import type { AccountNeeds, ConnectorDocument, Exchange } from '../../../src/connectors/ports.ts';
import type { Payment } from '../../../src/payments/payment.ts';
import type { AcquirerAnswer, Attempt, Connector } from '../../../src/payments/ports.ts';
import { exampleAttempt, START } from '../../contract/connectorFixtures.ts';
import { withoutFiles } from '../withoutFiles.ts';
import { openStripe, type StripeServer, stripeUnderTest } from './server.ts';

const exchange: Exchange = async ({ method, url, headers, body }) => {
  const reply = await fetch(url, { method, ...(headers && { headers }), ...(body !== undefined && { body }) });
  return { is: 'replied', status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() };
};

export type TriedAccount = {
  readonly connector: Connector;
  readonly server: StripeServer;
  readonly time: { now: number };
  readonly alarms: string[];
  /** Answers of the acquirer that do not arrive any more, from the next one that matches on. */
  lose: RegExp | null;
  attempt(changes?: Partial<Payment>, others?: Partial<Omit<Attempt, 'payment'>>): Attempt;
  /** The payment as it is after an answer. */
  after(attempt: Attempt, answer: AcquirerAnswer): Payment;
  close(): Promise<void>;
};

/** A connector at a server, without a gateway around it. */
export async function openAccount(
  settings: Readonly<Record<string, unknown>> = {},
  secrets: Readonly<Record<string, string>> = stripeUnderTest.secrets,
): Promise<TriedAccount> {
  const time = { now: START };
  const server = await openStripe({ now: () => time.now });
  const kind = stripeUnderTest.kind as AccountKind<never>;
  const documents = new Map<string, ConnectorDocument>();
  const alarms: string[] = [];
  let made = 0;
  const needs: AccountNeeds = {
    ...withoutFiles,
    environment: 'test',
    clockOf: () => ({ now: () => time.now }),
    sleep: async () => {},
    random: (bytes) => new Uint8Array(bytes),
    notify: async () => {},
    exchange: async (request) => {
      const result = await exchange(request);
      return account.lose?.test(request.url) ? { is: 'unanswered', reason: 'lost' } : result;
    },
    documents: {
      find: async (id) => documents.get(id) ?? null,
      list: async () => [],
      async save(changed) {
        if (changed.some(({ id, revision }) => (documents.get(id)?.revision ?? 0) !== revision - 1)) return false;
        for (const one of changed) documents.set(one.id, one);
        return true;
      },
    },
    notificationsOf: async () => [],
    returnUrl: ({ id }) => `https://gateway.example/return/${id}`,
    alarm: (message) => void alarms.push(message),
    log() {},
  };
  const complete = completeSettings(kind.accounts.settings as never, { url: server.url, ...settings });
  const account: TriedAccount = {
    server,
    time,
    alarms,
    lose: null,
    connector: kind.create(needs, {
      name: 'tried',
      ownerId: '5eed00000000000000000000000000f1',
      settings: complete as never,
      secret: async (name) => secrets[name] ?? null,
    }),
    attempt(changes = {}, others = {}) {
      made += 1;
      const id = made.toString(16).padStart(32, '0');
      const phase = { at: 'acquirer', dueAt: time.now + 50_000 } as const;
      const own = {
        id,
        familyId: id,
        mode: 'EXTERNAL',
        connector: 'tried',
        createdAt: time.now,
        movedAt: time.now,
        phase,
      } as const;
      return exampleAttempt({ ...own, ...changes }, { secrets: { number: '4242424242424242', cvv: '123' }, ...others });
    },
    after({ payment }, answer) {
      const reference = 'reference' in answer ? answer.reference : undefined;
      return { ...payment, ...(reference !== undefined && { reference }) };
    },
    close: () => server.close(),
  };
  return account;
}
