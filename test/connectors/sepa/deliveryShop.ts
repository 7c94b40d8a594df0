import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sepa } from '../../../src/connectors/sepa/sepa.ts';
import { accountSecretName } from '../../../src/merchants/accounts.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../../src/store/store.ts';
import { localMaster } from '../../../src/vault/masterKey.ts';
import { openVault } from '../../../src/vault/vault.ts';
import { freshShops } from '../../http/freshShops.ts';
import { MASTER_KEY, startGateway } from '../../http/gateway.ts';
import { send, shopOf } from '../trialShop.ts';
import { settings } from './account.ts';

export const PAYER_IBAN = 'DE02120300000000202051';

async function sealPassword(store: Store, ownerId: string, password: string): Promise<void> {
  const vault = await openVault({ masters: [localMaster(MASTER_KEY)], store, now: Date.now });
  await vault.ready(ownerId);
  const field = accountSecretName('bank', 'password');
  await store.storeSecret(
    ownerId,
    field,
    vault.seal({ merchantId: ownerId, entityId: ownerId, recordId: ownerId, field }, password),
  );
}

/** A gateway on a database of its own, with an account at a bank. */
export async function openShop(given: Readonly<Record<string, unknown>>, password: string, beginsAt?: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'turnpike-sepa-'));
  const account = { connector: 'sepa', settings: { ...settings, ...given } };
  const { shops, rows } = freshShops(1, { connectors: { DD: 'bank' }, accounts: { bank: account } });
  const shop = shopOf(shops[0]);
  const store = await openSqliteStore({ dataDir });
  await sealPassword(store, shop.ownerId, password);
  const deliveryDir = join(dataDir, 'out');
  const gateway = await startGateway({
    store,
    rows,
    deliveryDir,
    isClockHeld: true,
    connectorKinds: new Map([['sepa', sepa]]),
    ...(beginsAt !== undefined && { beginsAt }),
  });
  return {
    gateway,
    dataDir,
    merchantId: shop.ownerId,
    token: shops[0]?.merchant.token ?? '',
    reverse: (id: string, fields: Readonly<Record<string, string>> = {}) =>
      send(gateway, shop, { fields: { paymentType: 'RV', ...fields }, id }),
    outgoing: join(deliveryDir, `${shop.ownerId}.bank`),
    pay: (id: string) =>
      send(gateway, shop, {
        fields: {
          paymentBrand: 'DIRECTDEBIT_SEPA',
          paymentType: 'DB',
          amount: '12.34',
          currency: 'EUR',
          'bankAccount.holder': 'Ann Payerson',
          'bankAccount.iban': PAYER_IBAN,
          'bankAccount.bic': 'BYLADEM1001',
          'bankAccount.country': 'DE',
          'bankAccount.mandate.id': id,
          'bankAccount.mandate.dateOfSignature': '2026-01-05',
        },
      }),
    async close() {
      await gateway.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

export const filesIn = async (folder: string): Promise<readonly string[]> => (await readdir(folder).catch(() => [])).toSorted();

/** Everything that the database has on disk. */
export async function bytesOn(dataDir: string): Promise<string> {
  const names = (await readdir(dataDir, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);
  return (await Promise.all(names.map((name) => readFile(join(dataDir, name), 'latin1')))).join('');
}
