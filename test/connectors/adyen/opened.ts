import { randomBytes } from 'node:crypto';
import { adyen } from '../../../src/connectors/adyen/adyen.ts';
import type { AdyenSettings } from '../../../src/connectors/adyen/settings.ts';
import type { Account, AccountKind } from '../../../src/connectors/kind.ts';
import type { AccountNeeds, ConnectorDocument, Exchange, KeptNotification } from '../../../src/connectors/ports.ts';
import { examplePayment } from '../../../src/payments/examples.ts';
import type { Payment } from '../../../src/payments/payment.ts';
import type { AcquirerAnswer, AcquirerNotification, Attempt, Connector } from '../../../src/payments/ports.ts';
import { exampleAttempt, START } from '../../contract/connectorFixtures.ts';
import { withoutFiles } from '../withoutFiles.ts';
import { API_KEY, HMAC_KEY, MERCHANT_ACCOUNT, type Notification, openAdyenServer } from './server.ts';

export const settings: AdyenSettings = {
  merchantAccount: MERCHANT_ACCOUNT,
  url: 'https://checkout-test.adyen.com/v72',
  authentication: 'redirect',
  clientKey: '',
  componentRegion: 'eu',
  componentUrl: '',
  componentIntegrity: '',
  componentStyleIntegrity: '',
  multipleCaptures: true,
  preAuthorises: true,
  verificationCurrency: 'EUR',
  shopperMinutes: 60,
};

/** A network that loses the next answers, so many of them. */
const networkWith =
  (network: { lost: number }): Exchange =>
  async ({ url, method, headers = {}, body }) => {
    const reply = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    const text = await reply.text();
    if (network.lost > 0) {
      network.lost -= 1;
      return { is: 'unanswered', reason: 'lost' };
    }
    return { is: 'replied', status: reply.status, headers: Object.fromEntries(reply.headers), body: text };
  };

/** A card of the example, in a payment that the connector is given. */
export const numberOf = { approved: '4111111111111111', declined: '4000000000000002' };

export function cardAttempt(payment: Partial<Payment> = {}, others: Partial<Omit<Attempt, 'payment'>> = {}): Attempt {
  return exampleAttempt(
    { connector: 'tested', mode: 'EXTERNAL', ...payment },
    { secrets: { number: numberOf.approved, cvv: '123' }, ...others },
  );
}

/** A card whose holder tells the server what to do. */
export const directed = (holder: string): Partial<Payment> => {
  const { instrument } = examplePayment();
  return instrument?.kind === 'card' ? { instrument: { ...instrument, holder } } : {};
};

/** The connector with its server, its clock, and what the gateway would keep. */
export async function openAdyen(given: Partial<AdyenSettings> = {}, secrets: Readonly<Record<string, string>> = {}) {
  const server = await openAdyenServer();
  const time = { now: START };
  const network = { lost: 0 };
  const documents = new Map<string, ConnectorDocument>();
  const kept: { readonly about: string; readonly one: KeptNotification }[] = [];
  const alarms: string[] = [];
  const needs: AccountNeeds = {
    ...withoutFiles,
    clockOf: () => ({ now: () => time.now }),
    sleep: async () => {},
    random: (bytes) => randomBytes(bytes),
    notify: async () => {},
    environment: 'test',
    exchange: networkWith(network),
    documents: {
      find: async (id) => documents.get(id) ?? null,
      list: async (group, { limit, before }) =>
        [...documents.values()]
          .filter((one) => one.group === group && (!before || one.at < before.at || (one.at === before.at && one.id < before.id)))
          .toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
          .slice(0, limit),
      async save(saved) {
        if (saved.some(({ id, revision }) => revision !== (documents.get(id)?.revision ?? 0) + 1)) return false;
        for (const one of saved) documents.set(one.id, one);
        return true;
      },
    },
    notificationsOf: async ({ id }) => kept.filter(({ about }) => about === id).map(({ one }) => one),
    returnUrl: ({ merchantId, id }) => `https://pay.example.com/v1/return/${merchantId}.${id}`,
    alarm: (message) => void alarms.push(message),
    log: () => {},
  };
  const known: Readonly<Record<string, string>> = { apiKey: API_KEY, hmacKey: HMAC_KEY, ...secrets };
  const account: Account<AdyenSettings> = {
    name: 'tested',
    ownerId: 'owner',
    settings: { ...settings, url: server.url, ...given },
    secret: async (name) => known[name] ?? null,
  };
  const connector = (adyen as unknown as AccountKind<AdyenSettings>).create(needs, account);

  /** Keeps a notification as the gateway does, and returns what it does. */
  async function receive({ headers, body }: Notification): Promise<readonly AcquirerNotification[]> {
    const reading = await connector.readNotification?.({ headers, body: Buffer.from(body), receivedAt: time.now });
    if (reading?.is !== 'read') throw new Error(`refused: ${reading?.is === 'refused' ? reading.reason : ''}`);
    for (const { id, about, data } of reading.notifications) {
      if (about) kept.push({ about: about.paymentId, one: { id, receivedAt: time.now, data } });
    }
    return reading.notifications;
  }

  /** Everything that is due at the server arrives. */
  async function receiveAll(): Promise<readonly AcquirerNotification[]> {
    const received: AcquirerNotification[] = [];
    for (const one of await server.takeNotifications()) received.push(...(await receive(one)));
    return received;
  }

  return { server, time, network, documents, alarms, connector, receive, receiveAll };
}

/** A payment after an answer. */
export function after(payment: Payment, answer: AcquirerAnswer): Payment {
  const reference = 'reference' in answer ? answer.reference : undefined;
  const details = answer.is === 'approved' || answer.is === 'declined' ? answer.details : {};
  return { ...payment, details, ...(reference !== undefined && { reference }) };
}

/** Sends a modification, lets its notification arrive, and inquires. */
export async function modify(
  { connector, receiveAll }: { readonly connector: Connector; receiveAll(): Promise<unknown> },
  attempt: Attempt,
): Promise<AcquirerAnswer> {
  const first = await connector.send(attempt);
  if (first.is !== 'waiting') return first;
  await receiveAll();
  return connector.inquire({ payment: after(attempt.payment, first), referenced: attempt.referenced });
}
