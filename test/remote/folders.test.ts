import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { timers } from '../../src/app/system.ts';
import { createFolders } from '../../src/outbound/folders.ts';
import type { FolderAddress } from '../../src/spec/remoteFolder.ts';
import { SFTP_PASSWORD, SFTP_USER, startSftp } from './sftpServer.ts';

const server = await startSftp();
after(() => server.close());

/** For all but those who are late on purpose. */
const bounds = { openMs: 60_000, idleMs: 60_000 };
const secret = { kind: 'password', password: SFTP_PASSWORD } as const;
const address: FolderAddress = {
  kind: 'sftp',
  host: '127.0.0.1',
  port: server.port,
  user: SFTP_USER,
  directory: '',
  hostKey: server.hostKey,
  ca: null,
};
const open = createFolders({ timers, reach: 'loopback' });
const bytes = Buffer.alloc(1_000_003, 'Turnpike ');

test('a file goes over, gets its name, is listed and comes back as it was', async () => {
  const folder = await open(address, secret, bounds);
  await folder.put('.a.part', [bytes.subarray(0, 10), bytes.subarray(10)]);
  assert.equal(await folder.size('.a.part'), bytes.length);
  assert.equal(await folder.size('a.csv'), null);
  await folder.rename('.a.part', 'a.csv');
  assert.deepEqual(await readFile(join(server.folder, 'a.csv')), bytes);
  const [listed, ...others] = await folder.list(10);
  assert.deepEqual([listed?.name, listed?.bytes, others], ['a.csv', bytes.length, []]);
  assert.match(listed?.mark ?? '', /^[0-9]{10}$/);
  const pieces: Uint8Array[] = [];
  await folder.fetch('a.csv', bytes.length, async (piece) => void pieces.push(piece));
  assert.deepEqual(Buffer.concat(pieces), bytes);
  await assert.rejects(
    folder.fetch('a.csv', 1_000, async () => {}),
    /longer than 1000 bytes/,
  );
  await folder.remove('a.csv');
  assert.deepEqual(await folder.list(10), []);
  folder.close();
});

test('a rename goes over what is there, and what is not there is told', async () => {
  await writeFile(join(server.folder, 'b.csv'), 'old');
  const folder = await open(address, secret, bounds);
  await folder.put('.b.part', [Buffer.from('new')]);
  await folder.rename('.b.part', 'b.csv');
  assert.equal(await readFile(join(server.folder, 'b.csv'), 'utf8'), 'new');
  await assert.rejects(folder.rename('.b.part', 'b.csv'), /No such file/);
  assert.equal(await readFile(join(server.folder, 'b.csv'), 'utf8'), 'new');
  await assert.rejects(folder.list(0), /more than 0 files/);
  await folder.remove('b.csv');
  folder.close();
});

test('a folder stays a folder: names are no paths', async () => {
  const folder = await open(address, secret, bounds);
  for (const name of ['../x', 'a/b', 'a\\b', '..', '.', '', 'a\r\nDELE b', 'a\0b'])
    await assert.rejects(async () => folder.size(name), /no name of a file/, JSON.stringify(name));
  folder.close();
});

const strangers: readonly (readonly [says: string, other: Partial<FolderAddress>, password: string, why: RegExp])[] = [
  ['a host with another key', { hostKey: 'SHA256:AAAA' }, SFTP_PASSWORD, /Host denied|verification failed/i],
  ['a host whose key nobody wrote down', { hostKey: null }, SFTP_PASSWORD, /Host denied|verification failed/i],
  ['a password that is wrong', {}, 'wrong', /authentication methods failed/],
];
for (const [says, other, password, why] of strangers) {
  test(`${says} is refused, and the reason names no secret`, async () => {
    const refused = open({ ...address, ...other }, { kind: 'password', password }, bounds);
    await assert.rejects(refused, (error: Error) => {
      assert.match(error.message, why);
      assert.ok(!error.message.includes(password));
      return true;
    });
  });
}

test('nobody inside is reached (reliability R39)', async () => {
  const before = server.counts.connections;
  const closed = createFolders({ timers });
  const hosts = ['127.0.0.1', '::1', 'localhost', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', '0.0.0.0'];
  for (const host of hosts) await assert.rejects(closed({ ...address, host }, secret, bounds), host);
  const rebinding = createFolders({
    timers,
    resolve: async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  });
  await assert.rejects(rebinding({ ...address, host: 'two.example' }, secret, bounds), /not a public one/);
  assert.equal(server.counts.connections, before);
});

for (const kind of ['sftp', 'ftps', 'ftp'] as const) {
  test(`a ${kind} server that says nothing is not waited for`, async () => {
    const silent = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((done) => void silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as { port: number };
    const opening = open({ ...address, kind, port }, secret, { openMs: 300, idleMs: 300 });
    await assert.rejects(opening, /late|[Tt]imeout|Timed out|too long/);
    silent.close();
  });
}

test('a connection that breaks in the middle ends the work with a reason', async () => {
  server.trouble.cutsWrite = (_, position) => position > 300_000;
  const folder = await open(address, secret, bounds);
  await assert.rejects(folder.put('c.csv', [bytes]), /SFTP|No response|closed/);
  delete server.trouble.cutsWrite;
});
