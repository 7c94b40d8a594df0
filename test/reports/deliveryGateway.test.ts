import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { saveDeliverySecret } from '../../src/reports/reconciliation/settings.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { bring } from '../contract/storeSettlementFixtures.ts';
import { startGateway } from '../http/gateway.ts';
import { SFTP_PASSWORD, SFTP_USER, startSftp } from '../remote/sftpServer.ts';

const server = await startSftp();
after(() => server.close());
const { merchantId } = sandbox.demoShop;
const DAY_MS = 86_400_000;

test('a gateway brings the file of yesterday to the server that its merchant has set up, and tells nobody the password', async (t) => {
  const store = createMemoryStore();
  const gateway = await startGateway({ store, patienceMs: 5_000 });
  t.after(() => gateway.close());
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const reconciliation = {
    kind: 'sftp',
    host: '127.0.0.1',
    port: server.port,
    user: SFTP_USER,
    hostKey: server.hostKey,
    since: yesterday,
    when: '0 * * * * ?',
    columns: ['MerchantId', 'Amount'],
  };
  await store.setSettings(merchantId, { dispatch: true, reconciliation });
  await gateway.directory.reload();
  await saveDeliverySecret({ secrets: store, vault: gateway.world.vault }, merchantId, {
    kind: 'password',
    password: SFTP_PASSWORD,
  });
  await bring(store, [{ merchantId, entityId: sandbox.demoShop.channelId, settledOn: yesterday }]);
  await gateway.work('schedule reconciliation files');
  await gateway.work('deliver reconciliation files');
  const isDone = async () => (await store.reconciliations(merchantId, yesterday))[0]?.state === 'done';
  for (let tries = 0; tries < 200 && !(await isDone()); tries += 1) await new Promise((done) => setTimeout(done, 20));
  const name = `reconciliation_${merchantId}_${yesterday}.csv`;
  assert.deepEqual(await readdir(server.folder), [name]);
  assert.equal(await readFile(join(server.folder, name), 'utf8'), `MerchantId;Amount\r\n${merchantId};92.00\r\n`);
  const kept = JSON.stringify([await store.reconciliations(merchantId, ''), await store.entities(), gateway.lines]);
  assert.ok(!kept.includes(SFTP_PASSWORD));
});
