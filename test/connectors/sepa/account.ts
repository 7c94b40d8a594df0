import { type Account, completeSettings, rowFaults } from '../../../src/connectors/kind.ts';
import type { AccountNeeds, ConnectorDocument, DeliveryFolder, KeptNotification } from '../../../src/connectors/ports.ts';
import { sepa } from '../../../src/connectors/sepa/sepa.ts';
import { type Settings, settingRows } from '../../../src/connectors/sepa/settings.ts';
import type { Payment } from '../../../src/payments/payment.ts';
import type { Attempt, Connector } from '../../../src/payments/ports.ts';
import { exampleAttempt } from '../../contract/connectorFixtures.ts';

export const settings = {
  creditorName: 'Shop GmbH',
  iban: 'DE89370400440532013000',
  creditorId: 'DE98ZZZ09999999999',
  noticeDays: 0,
  delivery: 'folder',
} as const;

/** Monday, 08:00 in Frankfurt: the batch of the day closes at 09:00. */
export const MONDAY = Date.parse('2026-11-16T07:00:00Z');
export const IBAN = 'DE02120300000000202051';

/** The records of an account in memory, with the rules of the stores. */
export function memoryDocuments() {
  const all = new Map<string, ConnectorDocument>();
  const documents: AccountNeeds['documents'] = {
    find: async (id) => all.get(id) ?? null,
    async list(group, { limit, before }) {
      const isBefore = ({ at, id }: ConnectorDocument): boolean =>
        before === undefined || at < before.at || (at === before.at && id < before.id);
      const found = [...all.values()].filter((one) => one.group === group && isBefore(one));
      return found.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1)).slice(0, limit);
    },
    async save(changed) {
      if (changed.some(({ id, revision }) => (all.get(id)?.revision ?? 0) !== revision - 1)) return false;
      for (const one of changed) all.set(one.id, structuredClone(one));
      return true;
    },
  };
  return { all, documents };
}

/** A connector without a gateway around it, whose bank is a folder in memory. */
export function openAccount(given: Partial<Settings> = {}) {
  const time = { now: MONDAY };
  const files = new Map<string, Buffer>();
  const sealed = new Map<string, string>();
  const notifications = new Map<string, KeptNotification[]>();
  const alarms: string[] = [];
  const { all, documents } = memoryDocuments();
  /** What fails from now on, by its name; true: after it was done. */
  const faults = new Map<string, boolean>();
  const faulty = async (name: string, work: () => void): Promise<void> => {
    const isAfter = faults.get(name);
    if (isAfter === false) throw new Error(`${name} failed`);
    work();
    if (isAfter) throw new Error(`${name} failed`);
  };
  const folder: DeliveryFolder = {
    size: async (name) => files.get(name)?.length ?? null,
    put: (name, chunks) => faulty('put', () => void files.set(name, Buffer.concat([...chunks]))),
    rename: (from, to) =>
      faulty('rename', () => {
        const file = files.get(from);
        if (!file) throw new Error('there is no such file');
        files.delete(from);
        files.set(to, file);
      }),
    remove: async (name) => void files.delete(name),
    close() {},
  };
  const needs: AccountNeeds = {
    environment: 'test',
    clockOf: () => ({ now: () => time.now }),
    sleep: async () => {},
    random: (bytes) => new Uint8Array(bytes),
    notify: async () => {},
    exchange: async () => ({ is: 'notSent', reason: 'no network' }),
    documents: {
      ...documents,
      save: async (changed) => (faults.has('save') ? Promise.reject(new Error('save')) : documents.save(changed)),
    },
    notificationsOf: async ({ id }) => notifications.get(id) ?? [],
    sealed: {
      put: (name, clear) => faulty('seal', () => void sealed.set(name, clear)),
      open: async (name) => sealed.get(name) ?? null,
      erase: async (name) => void sealed.delete(name),
      fingerprint: async (clear) => `hash of ${clear.length} ${clear.slice(-3)}`,
    },
    storedNumber: async () => (faults.has('erased') ? null : { iban: IBAN }),
    openFolder: async () => (faults.has('open') ? Promise.reject(new Error('open failed')) : folder),
    returnUrl: () => '',
    alarm: (message) => void alarms.push(message),
    log() {},
  };
  const complete = completeSettings(settingRows as never, { ...settings, ...given }) as Settings;
  const faulted = rowFaults(settingRows as never, { ...settings, ...given });
  if (faulted.length > 0) throw new Error(faulted.join());
  const account: Account<Settings> = { name: 'bank', ownerId: 'owner', settings: complete, secret: async () => null };
  const connector: Connector = sepa.create(needs, account as never);
  let made = 0;
  return {
    time,
    files,
    sealed,
    alarms,
    faults,
    documents: all,
    connector,
    async work() {
      await connector.upkeep?.(new AbortController().signal);
    },
    say(payment: Payment, status: string, reason?: string) {
      const before = notifications.get(payment.id) ?? [];
      const data = { status, ...(reason !== undefined && { reason }) };
      notifications.set(payment.id, [...before, { id: String(before.length), receivedAt: time.now, data }]);
    },
    attempt(changes: Partial<Payment> = {}, others: Partial<Omit<Attempt, 'payment'>> = {}): Attempt {
      made += 1;
      return exampleAttempt(
        {
          id: made.toString(16).padStart(32, '0'),
          paymentType: 'DB',
          method: 'DD',
          paymentBrand: 'DIRECTDEBIT_SEPA',
          currency: 'EUR',
          createdAt: time.now,
          instrument: {
            kind: 'bankAccount',
            holder: 'Ann Example',
            last4Digits: '2051',
            country: 'DE',
            bankCode: null,
            bic: null,
            bankName: null,
          },
          fields: { 'bankAccount.mandate.id': `M-${made}`, 'bankAccount.mandate.dateOfSignature': '2026-11-01' },
          ...changes,
        },
        { secrets: { iban: IBAN }, ...others },
      );
    },
  };
}
