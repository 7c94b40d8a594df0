import { Agent, request } from 'node:http';
import { accountSecretName } from '../../src/merchants/accounts.ts';
import type { Store } from '../../src/store/store.ts';
import { localMaster } from '../../src/vault/masterKey.ts';
import { openVault } from '../../src/vault/vault.ts';
import type { freshShops } from '../http/freshShops.ts';
import { MASTER_KEY, type TestGateway } from '../http/gateway.ts';
import type { ConnectorUnderTest } from './contract.ts';

export const ACCOUNT = 'tested';
export const SECOND = 'second';

/** The shop of a trial: its channel, and the merchant that owns the accounts. */
export type Shop = { readonly entityId: string; readonly token: string; readonly ownerId: string; readonly isLive?: true };

type Addresses = { readonly url: string; readonly secondUrl: string | undefined };

/** What the merchant is set up with. The account that the channel names comes after those of a rule. */
export function settingsFor({ kind, settings }: ConnectorUnderTest, { url, secondUrl }: Addresses) {
  const account = (at: string) => ({ connector: kind.name, settings: settings(at) });
  if (secondUrl === undefined) return { connectors: { default: ACCOUNT }, accounts: { [ACCOUNT]: account(url) } };
  const accounts = { [ACCOUNT]: account(url), [SECOND]: account(secondUrl) };
  return { connectors: { default: SECOND }, accounts, routing: { rules: [{ to: [ACCOUNT] }] } };
}

export function shopOf(fresh: ReturnType<typeof freshShops>['shops'][number] | undefined): Shop {
  const channel = fresh?.channels[0];
  if (!fresh || !channel) throw new Error('there is no shop');
  return { ...channel, ownerId: fresh.merchant.entityId };
}

export async function sealSecrets(
  store: Store,
  { ownerId, account }: { readonly ownerId: string; readonly account: string },
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  const vault = await openVault({ masters: [localMaster(MASTER_KEY)], store, now: Date.now });
  await vault.ready(ownerId);
  for (const [name, clear] of Object.entries(secrets)) {
    const field = accountSecretName(account, name);
    const sealed = vault.seal({ merchantId: ownerId, entityId: ownerId, recordId: ownerId, field }, clear);
    await store.storeSecret(ownerId, field, sealed);
  }
}

/** `id`: of the payment that is continued. `registrationId`: the stored details that are charged. */
type Sent = { readonly fields: Readonly<Record<string, string>>; readonly id?: string; readonly registrationId?: string };
type Answered = {
  readonly id?: string;
  readonly registrationId?: string;
  readonly result: { readonly code: string };
  readonly redirect?: { readonly url: string };
};

export const kept = new Agent({ keepAlive: true });

export function send(
  { port }: TestGateway,
  { entityId, token, isLive }: Shop,
  { fields, id, registrationId }: Sent,
): Promise<Answered> {
  const body = new URLSearchParams({ entityId, ...(!isLive && { testMode: 'EXTERNAL' }), ...fields }).toString();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  const path =
    registrationId === undefined
      ? `/v1/payments${id === undefined ? '' : `/${id}`}`
      : `/v1/registrations/${registrationId}/payments`;
  return new Promise((done, fail) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent: kept, headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      reply.once('end', () => done(JSON.parse(text) as Answered));
    });
    sent.once('error', fail).end(body);
  });
}
