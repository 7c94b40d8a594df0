import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sepa } from '../../../src/connectors/sepa/sepa.ts';
import { fileFaults } from '../../../src/connectors/sepa/validate.ts';
import { accountSecretName } from '../../../src/merchants/accounts.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../../src/store/store.ts';
import { localMaster } from '../../../src/vault/masterKey.ts';
import { openVault } from '../../../src/vault/vault.ts';
import { freshShops } from '../../http/freshShops.ts';
import { MASTER_KEY, startGateway } from '../../http/gateway.ts';
import { SFTP_PASSWORD, SFTP_USER, startSftp } from '../../remote/sftpServer.ts';
import { send, shopOf } from '../contract.ts';
import { settings } from './account.ts';

const IBAN = 'DE02120300000000202051';
const HOUR_MS = 3_600_000;
const JOB = 'work of accounts';

const server = await startSftp();
after(() => server.close());

async function sealPassword(store: Store, ownerId: string): Promise<void> {
  const vault = await openVault({ masters: [localMaster(MASTER_KEY)], store, now: Date.now });
  await vault.ready(ownerId);
  const field = accountSecretName('bank', 'password');
  await store.storeSecret(
    ownerId,
    field,
    vault.seal({ merchantId: ownerId, entityId: ownerId, recordId: ownerId, field }, SFTP_PASSWORD),
  );
}

/** A gateway on a database of its own, with an account at a bank. */
async function openShop(given: Readonly<Record<string, unknown>>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'turnpike-sepa-'));
  const account = { connector: 'sepa', settings: { ...settings, ...given } };
  const { shops, rows } = freshShops(1, { connectors: { DD: 'bank' }, accounts: { bank: account } });
  const shop = shopOf(shops[0]);
  const store = await openSqliteStore({ dataDir });
  await sealPassword(store, shop.ownerId);
  const deliveryDir = join(dataDir, 'out');
  const gateway = await startGateway({ store, rows, deliveryDir, isClockHeld: true, connectorKinds: new Map([['sepa', sepa]]) });
  return {
    gateway,
    dataDir,
    outgoing: join(deliveryDir, `${shop.ownerId}.bank`),
    pay: (id: string) =>
      send(gateway, shop, {
        fields: {
          paymentBrand: 'DIRECTDEBIT_SEPA',
          paymentType: 'DB',
          amount: '12.34',
          currency: 'EUR',
          'bankAccount.holder': 'Ann Payerson',
          'bankAccount.iban': IBAN,
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

const filesIn = async (folder: string): Promise<readonly string[]> => (await readdir(folder).catch(() => [])).toSorted();

/** Everything that the database has on disk. */
async function bytesOn(dataDir: string): Promise<string> {
  const names = (await readdir(dataDir, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);
  return (await Promise.all(names.map((name) => readFile(join(dataDir, name), 'latin1')))).join('');
}

test('files reach a server by SFTP, after cut uploads too, and no account number lies on disk in clear', async () => {
  const remote = { delivery: 'sftp', host: '127.0.0.1', port: server.port, user: SFTP_USER, hostKey: server.hostKey };
  const { gateway, dataDir, pay, close } = await openShop(remote);
  try {
    for (const id of ['Mandate-a', 'Mandate-b']) assert.equal((await pay(id)).result.code, '000.200.000');
    assert.doesNotMatch(await bytesOn(dataDir), new RegExp(IBAN));
    server.trouble.cutsWrite = () => true;
    gateway.pass(5 * 24 * HOUR_MS);
    await gateway.work(JOB);
    assert.deepEqual(
      (await filesIn(server.folder)).filter((name) => name.endsWith('.xml')),
      [],
    );
    server.trouble.cutsWrite = () => false;
    server.trouble.cutsRename = () => 'after';
    gateway.pass(HOUR_MS);
    await gateway.work(JOB);
    server.trouble.cutsRename = () => null;
    gateway.pass(HOUR_MS);
    await gateway.work(JOB);
    const [name = '', ...others] = (await filesIn(server.folder)).filter((one) => one.endsWith('.xml'));
    assert.deepEqual(others, []);
    const text = await readFile(join(server.folder, name), 'utf8');
    assert.deepEqual(fileFaults(text, 'pain.008.001.08'), []);
    assert.equal(text.split(`<IBAN>${IBAN}<`).length, 3);
    assert.doesNotMatch(await bytesOn(dataDir), new RegExp(IBAN));
    assert.doesNotMatch(gateway.lines.join('\n'), new RegExp(`${IBAN}|${SFTP_PASSWORD}`));
  } finally {
    await close();
  }
});

test('files appear in the folder of the account, whole and once', async () => {
  const { gateway, outgoing, pay, close } = await openShop({ delivery: 'folder' });
  try {
    await pay('Mandate-a');
    gateway.pass(5 * 24 * HOUR_MS);
    await Promise.all([gateway.work(JOB), gateway.work(JOB)]);
    await gateway.work(JOB);
    const [name = '', ...others] = await filesIn(outgoing);
    assert.deepEqual(others, []);
    assert.match(name, /^pain\.008-D\d{8}-[0-9a-f]{8}-001\.xml$/);
    assert.deepEqual(fileFaults(await readFile(join(outgoing, name), 'utf8'), 'pain.008.001.08'), []);
  } finally {
    await close();
  }
});

test('a server with another key gets nothing', async () => {
  const hostKey = `SHA256:${'A'.repeat(43)}`;
  const { gateway, pay, close } = await openShop({
    delivery: 'sftp',
    host: '127.0.0.1',
    port: server.port,
    user: SFTP_USER,
    hostKey,
  });
  try {
    const before = await filesIn(server.folder);
    await pay('Mandate-a');
    gateway.pass(5 * 24 * HOUR_MS);
    await gateway.work(JOB);
    assert.deepEqual(await filesIn(server.folder), before);
    assert.match(gateway.lines.join('\n'), /could not be delivered/);
  } finally {
    await close();
  }
});
