import assert from 'node:assert/strict';
import { appendFile, chmod, readdir, unlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { clock } from '../../src/app/system.ts';
import { sandbox, sandboxRows } from '../../src/merchants/sandbox.ts';
import { savePullSecret } from '../../src/settlement/in/pull.ts';
import { pullFaults } from '../../src/settlement/settings.ts';
import type { FolderAddress } from '../../src/spec/remoteFolder.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { localMaster } from '../../src/vault/masterKey.ts';
import { openVault } from '../../src/vault/vault.ts';
import { feeFile } from '../http/feeFile.ts';
import { MASTER_KEY, startGateway } from '../http/gateway.ts';
import { createPullStage, settingOf } from './pullStage.ts';
import { ensureServers, type RealServer, startOpenSsh, startVsftpd } from './realServers.ts';

/** Settlement files are fetched from the servers that acquirers run: OpenSSH and vsftpd. */

const missing = await ensureServers();
const skip = missing ?? false;

const addressOf = (kind: FolderAddress['kind'], { port, user, directory, hostKey, ca }: RealServer): FolderAddress => ({
  kind,
  host: kind === 'sftp' ? '127.0.0.1' : 'localhost',
  port,
  user,
  directory,
  hostKey,
  ca,
});
const lay = async ({ folder }: RealServer, name: string, text: string) => {
  await writeFile(join(folder, name), text);
  await chmod(join(folder, name), 0o666);
};
const NAME = 'Umsätze Österreich 2. Oktober.csv';

const servers: readonly (readonly [kind: FolderAddress['kind'], start: () => Promise<RealServer>])[] = [
  ['sftp', startOpenSsh],
  ['ftps', () => startVsftpd(true)],
  ['ftp', () => startVsftpd(false)],
];

for (const [kind, start] of servers) {
  test(`${kind}: a file with blanks and umlauts is fetched once, and then left, renamed or removed`, { skip }, async (t) => {
    const server = await start();
    t.after(() => server.stop());
    const place = { ...settingOf(addressOf(kind, server)), ...(kind === 'ftp' && { insecure: true }) };
    assert.deepEqual(pullFaults(place), []);
    for (const [afterwards, left] of [
      ['leave', [NAME]],
      ['rename', [`${NAME}.taken`]],
      ['remove', []],
    ] as const) {
      const stage = await createPullStage(server.secret);
      await lay(server, NAME, feeFile(3));
      for (let round = 0; round < 2; round += 1) await stage.round({ ...place, afterwards });
      await stage.round({ ...place, afterwards }, { handled: new Map() });
      assert.deepEqual(stage.alarms, []);
      assert.deepEqual(await stage.files(), [`${NAME} kept 3`]);
      assert.deepEqual(await readdir(server.folder), left);
      for (const name of await readdir(server.folder)) await unlink(join(server.folder, name));
    }
  });

  test(`${kind}: a file that is still being written is left`, { skip }, async (t) => {
    const server = await start();
    t.after(() => server.stop());
    const stage = await createPullStage(server.secret);
    const [text, place] = [feeFile(6), settingOf(addressOf(kind, server))];
    await lay(server, 'day.csv', text.slice(0, 400));
    await stage.round(place, { rest: () => appendFile(join(server.folder, 'day.csv'), text.slice(400)) });
    assert.deepEqual(await stage.files(), []);
    await stage.round(place);
    assert.deepEqual(await stage.files(), ['day.csv kept 6']);
    assert.deepEqual(stage.alarms, []);
  });

  test(`${kind}: a wrong secret ends it with a reason that does not name it`, { skip }, async (t) => {
    const server = await start();
    t.after(() => server.stop());
    const stage = await createPullStage({ kind: 'password', password: 'not the password' });
    await stage.round(settingOf(addressOf(kind, server)));
    assert.equal(stage.alarms.length, 1);
    assert.match(stage.alarms.join(), kind === 'sftp' ? /authentication methods failed/ : /530/);
    assert.doesNotMatch(stage.alarms.join(), /not the password/);
  });

  test(`${kind}: 20 MB are taken in little memory, also by a second try after the connection died`, { skip }, async (t) => {
    const server = await start();
    t.after(() => server.stop());
    await lay(server, 'long.csv', feeFile(2_500, 8_000));
    const stage = await createPullStage(server.secret);
    const address = addressOf(kind, server);
    const cutting = { isCut: true };
    const [most, before] = [{ held: 0 }, held()];
    const openFolder: typeof stage.needs.openFolder = async (target, secret) => {
      const wire = cutting.isCut ? await startWire(target.port) : null;
      const folder = await stage.needs.openFolder({ ...target, port: wire?.port ?? target.port }, secret);
      let [bytes, looked] = [0, 0];
      return {
        ...folder,
        fetch: (name, bytesMax, take) =>
          folder.fetch(name, bytesMax, async (piece) => {
            bytes += piece.length;
            if (bytes - looked > 1_000_000) {
              most.held = Math.max(most.held, held());
              looked = bytes;
            }
            if (bytes > 5_000_000) wire?.cut();
            await take(piece);
          }),
      };
    };
    await stage.round(settingOf(address), { openFolder });
    assert.deepEqual(await stage.files(), []);
    assert.match(stage.alarms.join(), /could not be fetched/);
    cutting.isCut = false;
    await stage.round(settingOf(address), { openFolder });
    assert.deepEqual(await stage.files(), ['long.csv kept 2500']);
    assert.equal(stage.alarms.length, 1);
    const more = (most.held - before) / 1_048_576;
    t.diagnostic(`${more.toFixed(1)} MiB more were held while it was fetched`);
    assert.ok(most.held > 0 && more < 12);
  });
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The bytes that are really held at this moment, without what only waits to be cleared away. */
function held(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A wire to a port of this machine that can be cut. */
async function startWire(port: number): Promise<{ readonly port: number; cut(): void }> {
  const ends: { destroy(): void }[] = [];
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const end of [near, far]) end.on('error', () => {});
    near.pipe(far).pipe(near);
    ends.push(near, far);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const cut = () => {
    for (const end of ends) end.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, cut };
}

test('a host with another key, a certificate of nobody, and plain FTP that nobody insisted on', { skip }, async (t) => {
  const [ssh, ftps] = [await startOpenSsh(), await startVsftpd(true)];
  t.after(() => Promise.all([ssh.stop(), ftps.stop()]));
  const strange = await createPullStage(ssh.secret);
  await strange.round({ ...settingOf(addressOf('sftp', ssh)), hostKey: `SHA256:${'A'.repeat(43)}` });
  assert.match(strange.alarms.join(), /Host denied|verification failed/i);
  const unsigned = await createPullStage(ftps.secret);
  await unsigned.round(settingOf({ ...addressOf('ftps', ftps), ca: null }));
  assert.match(unsigned.alarms.join(), /self.signed|certificate/);
  assert.match(pullFaults(settingOf(addressOf('ftp', { ...ftps, ca: null }))).join(), /"settlement.pull.insecure": true/);
});

test('servers of the own network are not called where only the public may be', { skip }, async (t) => {
  const server = await startOpenSsh();
  t.after(() => server.stop());
  const stage = await createPullStage(server.secret, 'public');
  await lay(server, 'day.csv', feeFile(1));
  await stage.round(settingOf(addressOf('sftp', server)));
  assert.match(stage.alarms.join(), /not a public one/);
  assert.deepEqual(await stage.files(), []);
});

test('the job of a whole gateway fetches with the secret that was sealed, and not from the own network where that is forbidden', {
  skip,
}, async (t) => {
  const server = await startOpenSsh();
  t.after(() => server.stop());
  await lay(server, 'day.csv', feeFile(4));
  const { merchantId } = sandbox.demoShop;
  for (const webhookReach of ['public', 'loopback'] as const) {
    const store = createMemoryStore();
    await store.insertAccounts(sandboxRows(0));
    await store.setSettings(merchantId, { settlement: { pull: settingOf(addressOf('sftp', server)) } });
    const vault = await openVault({ masters: [localMaster(MASTER_KEY)], store, now: clock.now });
    await savePullSecret({ store, vault }, merchantId, server.secret);
    const gateway = await startGateway({ store, webhookReach, patienceMs: 8_000 });
    await gateway.work('fetch settlement files');
    const names = (await store.files([merchantId], 9)).map(({ name, state }) => `${name} ${state}`);
    assert.deepEqual(names, webhookReach === 'public' ? [] : ['day.csv kept']);
    assert.equal(gateway.lines.filter((line) => line.includes('not a public one')).length, webhookReach === 'public' ? 1 : 0);
    await gateway.close();
  }
});
