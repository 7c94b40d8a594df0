import { join } from 'node:path';
import { type AccountSetting, accountProbe, type ConnectorPool, createConnectorPool } from '../../connectors/accounts.ts';
import { type Breaker, type BreakerNeeds, type BreakerState, createBreaker } from '../../connectors/breaker.ts';
import type {
  AccountNeeds,
  ConnectorDocument,
  ConnectorDocuments,
  ConnectorNeeds,
  DeliveryFolder,
  ExchangeRequest,
  FolderTarget,
  SealedTexts,
} from '../../connectors/ports.ts';
import { connectorKinds } from '../../connectors/registry.ts';
import { accountSecretName } from '../../merchants/accounts.ts';
import { createOutbound } from '../../outbound/client.ts';
import { openLocalFolder } from '../../outbound/folder.ts';
import { createFolders } from '../../outbound/folders.ts';
import { type Payment, paymentRefText } from '../../payments/payment.ts';
import type { World } from '../../payments/ports.ts';
import type { NamedBook } from '../../registrations/mandate.ts';
import { parseSecrets, sealedRecordOf } from '../../registrations/registration.ts';
import { isRecord } from '../../runtime/json.ts';
import { endpoints } from '../../spec/endpoints.ts';
import type { FolderSecret } from '../../spec/remoteFolder.ts';
import type { DocumentStore, StoredDocument } from '../../users/documents.ts';
import { type SealedRecord, sealedFields } from '../../vault/ports.ts';
import { VaultRefused } from '../../vault/sealedText.ts';
import type { Foundation } from '../foundation.ts';
import { type AppOptions, outboundReach } from '../options.ts';
import { traceExchange } from '../process/telemetry.ts';
import { NOTIFICATIONS, NOTIFICATIONS_MAX, notificationDocument } from './acquirerNotifications.ts';

/** The time-out of a probe: no payment waits for it. */
const PROBE_MS = 5_000;
const PORT_DEFAULT = 8080;
const FOLDER_TIMEOUTS = { openMs: 20_000, idleMs: 60_000 };

/** The connectors of all accounts. */
export function createConnectorModule(
  options: AppOptions,
  { vault, directory, alarm }: Pick<Foundation, 'vault' | 'directory' | 'alarm'>,
  plain: ConnectorNeeds,
) {
  const {
    environment,
    store,
    clock,
    timers,
    log,
    publicUrl,
    gatewayPort,
    connectorHosts = [],
    connectorKinds: kinds = connectorKinds,
  } = options;
  const outbound = createOutbound({ timers, reach: outboundReach(options), privateHosts: connectorHosts });
  const exchange = options.tracer ? traceExchange(outbound.exchange, options.tracer) : outbound.exchange;
  const reachability = createReachability(options, alarm);
  const openFolder = createFolderOpener(options);
  const { secret: openSecret, sealedTexts, storedNumber } = createAccountSecrets({ store, vault, alarm });
  const origin = publicUrl ?? `http://127.0.0.1:${gatewayPort ?? PORT_DEFAULT}`;

  const needsOf = ({ ownerId, name }: AccountRef, { exchange: guarded }: Breaker): AccountNeeds => ({
    ...plain,
    // The clock of a channel is that of its merchant.
    clockOf: (entityId) => plain.clockOf(directory.entity(entityId)?.merchantId ?? entityId),
    environment,
    exchange: guarded,
    documents: documentsOf(store, `connector/${ownerId}/${name}`),
    notificationsOf: (payment) => notificationsOf(store, { ownerId, name }, payment),
    sealed: sealedTexts(ownerId, name),
    storedNumber,
    openFolder: (target, secret) => openFolder(`${ownerId}.${name}`, target, secret),
    returnUrl: (payment) => `${origin}${endpoints.shopperReturn.path.replace('{id}', paymentRefText(payment))}`,
    alarm: (message, about) => alarm(message, { account: name, entityId: ownerId, ...about }),
    log: (message, about = {}) => log.info({ account: name, entityId: ownerId, ...about }, message),
  });

  const pool = createConnectorPool({
    kinds,
    plain,
    needsOf({ ownerId, name }) {
      const setting = accountIn(directory.entity(ownerId)?.settings.accounts, name);
      const probe = createProbe(setting && accountProbe(setting, kinds), (secret) =>
        openSecret(ownerId, accountSecretName(name, secret)),
      );
      const watch = reachability.watch({ ownerId, name });
      const breaker = createBreaker(exchange, { now: clock.now, within: timers.within, probe, ...watch });
      return { needs: needsOf({ ownerId, name }, breaker), isAway: breaker.isAway };
    },
    account(entityId, name) {
      const entity = directory.entity(entityId);
      const setting = accountIn(entity?.settings.accounts, name);
      if (!entity || !setting) return null;
      // The topmost entity with the same setting; entities below it inherit it.
      const owner = entity.path.findLast((above) => accountIn(directory.entity(above)?.settings.accounts, name) === setting);
      return { ownerId: owner ?? entity.id, setting };
    },
    secret: ({ ownerId, name }, secret) => openSecret(ownerId, accountSecretName(name, secret)),
  });

  const upkeep = async (signal: AbortSignal): Promise<void> =>
    runUpkeep(pool, alarm, { owners: directory.ownersOf('accounts').flatMap((id) => directory.entity(id) ?? []), signal });
  /** That of the accounts of a merchant and its channels, whose clock is the merchant's. */
  const upkeepOf = (merchantId: string, signal: AbortSignal): Promise<void> =>
    runUpkeep(pool, alarm, { owners: directory.below(merchantId), signal });
  return { ...pool, reachability, upkeep, upkeepOf };
}

/** A request that shows whether the acquirer of an account answers again; null: its connector has none. */
function createProbe(
  probe: ReturnType<typeof accountProbe>,
  openSecret: (name: string) => Promise<string | null>,
): (() => Promise<ExchangeRequest | null>) | null {
  if (probe === null) return null;
  return async () => {
    const secret = await openSecret(probe.secret);
    return secret === null ? null : { ...probe.request(secret), books: false, withinMs: PROBE_MS };
  };
}

/** The verified notifications of the account about a payment, the oldest first. */
async function notificationsOf(
  store: DocumentStore,
  account: AccountRef,
  payment: Parameters<AccountNeeds['notificationsOf']>[0],
): ReturnType<AccountNeeds['notificationsOf']> {
  const asked = { collection: NOTIFICATIONS, ownerId: paymentRefText(payment), limit: NOTIFICATIONS_MAX };
  const documents = await store.documents(asked);
  return documents
    .filter((one) => notificationDocument.isOf(one, account))
    .map(notificationDocument.read)
    .toReversed();
}

/** Folders of banks and acquirers, and the operator's own folder for files that leave, by account. */
function createFolderOpener(options: AppOptions) {
  const { timers, connectorHosts = [], deliveryDir = null } = options;
  const open = createFolders({ timers, reach: outboundReach(options), privateHosts: connectorHosts });
  return async (accountId: string, target: FolderTarget, secret: FolderSecret | null): Promise<DeliveryFolder> => {
    if (target.kind !== 'folder') {
      if (secret === null) throw new Error('there is no password or key');
      return open(target, secret, FOLDER_TIMEOUTS);
    }
    if (deliveryDir === null) throw new Error('DELIVERY_DIR is not set');
    return openLocalFolder(join(deliveryDir, accountId));
  };
}

type Upkeep = {
  readonly owners: readonly { readonly id: string; readonly settings: { readonly accounts?: unknown } }[];
  readonly signal: AbortSignal;
};

/** The work of connectors that is not about one payment, account by account. A failure is reported and does not stop the others. */
async function runUpkeep(pool: ConnectorPool, alarm: Foundation['alarm'], { owners, signal }: Upkeep): Promise<void> {
  for (const { id, settings } of owners) {
    for (const [name, account] of isRecord(settings.accounts) ? Object.entries(settings.accounts) : []) {
      const kind = isRecord(account) ? String(account.connector) : '';
      const connector = signal.aborted ? null : pool.ofOwner(kind, id, name);
      await connector?.upkeep?.(signal).catch((error: unknown) => {
        alarm('the work of an account failed and will be repeated', { account: name, entityId: id, why: whyOf(error) });
      });
    }
  }
}

/** A message may be long and have several lines. */
const whyOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 200);

const accountIn = (accounts: Readonly<Record<string, unknown>> | undefined, name: string): AccountSetting | null =>
  accounts && Object.hasOwn(accounts, name) ? (accounts[name] as AccountSetting) : null;

/** The records of one account, in a collection of their own. */
function documentsOf(store: DocumentStore, collection: string): ConnectorDocuments {
  const read = ({ id, ownerId, at, revision, body }: StoredDocument): ConnectorDocument => ({
    id,
    group: ownerId,
    at,
    revision,
    body,
  });
  return {
    async find(id) {
      const document = await store.document(collection, id);
      return document && read(document);
    },
    list: async (group, page) => (await store.documents({ collection, ownerId: group, ...page })).map(read),
    save: (documents) => store.saveDocuments(documents.map(({ group, ...one }) => ({ ...one, collection, ownerId: group }))),
  };
}

type Needs = Pick<AppOptions, 'store'> & Pick<Foundation, 'vault' | 'alarm'>;

/** Secrets and sealed strings of accounts, and the numbers of payments that accounts need later. */
function createAccountSecrets({ store, vault, alarm }: Needs) {
  /** Null, and an alarm, when it does not open. */
  async function openSealed(record: SealedRecord, sealed: Uint8Array): Promise<string | null> {
    try {
      return await vault.open(record, sealed);
    } catch (error) {
      if (!(error instanceof VaultRefused)) throw error;
      alarm('a secret of an account does not open', { entityId: record.entityId, name: record.field, why: error.why });
      return null;
    }
  }

  const recordOf = (ownerId: string, name: string): SealedRecord => ({
    merchantId: ownerId,
    entityId: ownerId,
    recordId: ownerId,
    field: name,
  });

  async function secret(ownerId: string, name: string): Promise<string | null> {
    const sealed = await store.secret(ownerId, name);
    return sealed === null ? null : openSealed(recordOf(ownerId, name), sealed);
  }

  /** Among the secrets of the owner, so that an exchange of keys seals them anew. */
  const sealedTexts = (ownerId: string, account: string): SealedTexts => {
    const nameOf = (name: string): string => `connectors/${account}/${name}`;
    return {
      async put(name, clear) {
        await vault.ready(ownerId);
        await store.storeSecret(ownerId, nameOf(name), vault.seal(recordOf(ownerId, nameOf(name)), clear));
      },
      open: (name) => secret(ownerId, nameOf(name)),
      erase: (name) => store.storeSecret(ownerId, nameOf(name), null),
      async fingerprint(clear) {
        await vault.ready(ownerId);
        return vault.fingerprint(ownerId, clear);
      },
    };
  };

  const storedNumber: AccountNeeds['storedNumber'] = async ({ merchantId, entityId, id, registrationId }: Payment) => {
    const own = await store.sealed(merchantId, id);
    if (own) return parsed(await openSealed({ merchantId, entityId, recordId: id, field: sealedFields.payment }, own));
    const stored = registrationId === null ? null : await store.registration(merchantId, registrationId);
    return stored?.sealed ? parsed(await openSealed(sealedRecordOf(stored.registration), stored.sealed)) : null;
  };

  return { secret, sealedTexts, storedNumber };
}

const parsed = (text: string | null) => (text === null ? null : parseSecrets(text));

type MandateNeeds = Pick<Foundation, 'directory'> & { readonly connectors: Pick<ConnectorPool, 'connector'> };

/** The mandates of the accounts that a merchant and its channels may use, each account once. */
export function createMandateBooks({ directory, connectors }: MandateNeeds): (merchantId: string) => readonly NamedBook[] {
  return (merchantId) => {
    const books = new Map<string, NamedBook>();
    for (const { id, settings } of directory.below(merchantId))
      for (const account of Object.keys(settings.accounts ?? {})) {
        const book = connectors.connector(account, id)?.mandates;
        if (book) books.set(account, { account, book });
      }
    return [...books.values()].toSorted((one, other) => (one.account < other.account ? -1 : 1));
  };
}

type AccountRef = { readonly ownerId: string; readonly name: string };

/** An account whose acquirer does not answer. */
type UnreachableAccount = AccountRef & { readonly since: number };

export interface Reachability {
  /** The callbacks of the breaker of an account. */
  watch(account: AccountRef): Pick<BreakerNeeds, 'onChange' | 'onFirstFailure'>;
  /** Whether requests to the account are sent, as far as this node has seen. */
  stateOf(account: AccountRef): BreakerState;
  unreachable(): readonly UnreachableAccount[];
}

/** Whether this node reaches each acquirer, for the log, the alarm, the metric, readiness and the back office. */
function createReachability(
  { log, metrics, clock }: Pick<AppOptions, 'log' | 'metrics' | 'clock'>,
  alarm: World['alarm'],
): Reachability {
  const broken = new Map<string, UnreachableAccount & { readonly state: BreakerState }>();
  const keyOf = ({ ownerId, name }: AccountRef): string => `${ownerId}.${name}`;
  const watchBreaker = (account: AccountRef): ReturnType<Reachability['watch']> => ({
    // The first request without an answer is logged immediately, because an account with few payments takes long to open its breaker.
    onFirstFailure: (reason) => log.warn({ ...named(account), reason }, 'a request to the acquirer of an account had no answer'),
    onChange(state, failures) {
      metrics.acquirerReachable(account, state === 'closed');
      const about = { ...named(account), failures: String(failures) };
      const key = keyOf(account);
      if (state === 'closed') {
        broken.delete(key);
        log.info(about, 'the acquirer of an account answers again');
        return;
      }
      const since = broken.get(key)?.since ?? clock.now();
      broken.set(key, { ...account, since, state });
      if (state === 'open') alarm('the acquirer of an account does not answer; nothing is sent to it', about);
    },
  });
  return {
    watch(account) {
      // An account is on the page from its first use on, not only after a failure.
      metrics.acquirerReachable(account, !broken.has(keyOf(account)));
      return watchBreaker(account);
    },
    stateOf: (account) => broken.get(keyOf(account))?.state ?? 'closed',
    unreachable: () => [...broken.values()].map(({ ownerId, name, since }) => ({ ownerId, name, since })),
  };
}

const named = ({ ownerId, name }: AccountRef) => ({ entityId: ownerId, account: name });
