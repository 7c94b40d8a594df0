import { type AccountSetting, createConnectorPool } from '../connectors/accounts.ts';
import { createBreaker } from '../connectors/breaker.ts';
import type { AccountNeeds, ConnectorDocument, ConnectorDocuments, ConnectorNeeds } from '../connectors/ports.ts';
import { connectorKinds } from '../connectors/registry.ts';
import { accountSecretName } from '../merchants/accounts.ts';
import { createOutbound } from '../outbound/client.ts';
import { paymentRefText } from '../payments/paymentRef.ts';
import { endpoints } from '../spec/endpoints.ts';
import type { DocumentStore, StoredDocument } from '../users/documents.ts';
import { VaultRefused } from '../vault/sealedText.ts';
import { NOTIFICATIONS, notificationDocument } from './acquirerNotifications.ts';
import type { Foundation } from './foundation.ts';
import { type AppOptions, outboundReach } from './options.ts';

const PORT_DEFAULT = 8080;
/** Far more than an acquirer sends about one payment. */
const NOTIFICATIONS_MAX = 200;

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
    metrics,
    publicUrl,
    gatewayPort,
    connectorHosts = [],
    connectorKinds: kinds = connectorKinds,
  } = options;
  const { exchange } = createOutbound({ timers, reach: outboundReach(options), privateHosts: connectorHosts });
  const origin = publicUrl ?? `http://127.0.0.1:${gatewayPort ?? PORT_DEFAULT}`;

  const needsOf: Parameters<typeof createConnectorPool>[0]['needsOf'] = ({ ownerId, name }): AccountNeeds => ({
    ...plain,
    environment,
    exchange: createBreaker(exchange, {
      now: clock.now,
      onChange(state, failures) {
        metrics.acquirerReachable(name, state === 'closed');
        const about = { account: name, failures: String(failures) };
        if (state === 'open') alarm('the acquirer of an account does not answer; nothing is sent to it', about);
        if (state === 'closed') log.info(about, 'the acquirer of an account answers again');
      },
    }),
    documents: documentsOf(store, `connector/${ownerId}/${name}`),
    async notificationsOf(payment) {
      const asked = { collection: NOTIFICATIONS, ownerId: paymentRefText(payment), limit: NOTIFICATIONS_MAX };
      return (await store.documents(asked)).map(notificationDocument.read).toReversed();
    },
    returnUrl: (payment) => `${origin}${endpoints.shopperReturn.path.replace('{id}', paymentRefText(payment))}`,
    alarm: (message, about) => alarm(message, { account: name, ...about }),
    log: (message, about = {}) => log.info({ account: name, ...about }, message),
  });

  return createConnectorPool({
    kinds,
    plain,
    needsOf,
    account(entityId, name) {
      const entity = directory.entity(entityId);
      const setting = accountIn(entity?.settings.accounts, name);
      if (!entity || !setting) return null;
      // The topmost entity with the same setting: those below it inherit it.
      const owner = entity.path.findLast((above) => accountIn(directory.entity(above)?.settings.accounts, name) === setting);
      return { ownerId: owner ?? entity.id, setting };
    },
    async secret({ ownerId, name: account }, secret) {
      const name = accountSecretName(account, secret);
      const sealed = await store.secret(ownerId, name);
      if (sealed === null) return null;
      try {
        return await vault.open({ merchantId: ownerId, entityId: ownerId, recordId: ownerId, field: name }, sealed);
      } catch (error) {
        if (!(error instanceof VaultRefused)) throw error;
        alarm('a secret of an account does not open', { entityId: ownerId, name, why: error.why });
        return null;
      }
    },
  });
}

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
