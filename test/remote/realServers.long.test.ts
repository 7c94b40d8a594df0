import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { timers } from '../../src/app/system.ts';
import { createFolders } from '../../src/outbound/folders.ts';
import type { FolderAddress } from '../../src/spec/remoteFolder.ts';
import { ensureServers, type RealServer, startOpenSsh, startVsftpd } from './realServers.ts';

/** Files over SFTP, FTPS and FTP to the servers that are in common use. */

const missing = await ensureServers();
const skip = missing ?? false;
const bounds = { openMs: 60_000, idleMs: 60_000 };
const open = createFolders({ timers, reach: 'loopback' });
const bytes = Buffer.alloc(12_345_678, 'Umsatz;-2,00;€\r\n');

const addressOf = (kind: FolderAddress['kind'], { port, user, directory, hostKey, ca }: RealServer): FolderAddress => ({
  kind,
  host: kind === 'sftp' ? '127.0.0.1' : 'localhost',
  port,
  user,
  directory,
  hostKey,
  ca,
});

const servers: readonly (readonly [kind: FolderAddress['kind'], start: () => Promise<RealServer>])[] = [
  ['sftp', startOpenSsh],
  ['ftps', () => startVsftpd(true)],
  ['ftp', () => startVsftpd(false)],
];
for (const [kind, start] of servers) {
  test(`a file goes over by ${kind}, gets its name and comes back as it was`, { skip }, async (t) => {
    const server = await start();
    t.after(() => server.stop());
    const folder = await open(addressOf(kind, server), server.secret, bounds);
    t.after(() => folder.close());
    assert.equal(await folder.size('day.csv'), null);
    await folder.put('.day.part', [bytes.subarray(0, 99), bytes.subarray(99)]);
    assert.equal(await folder.size('.day.part'), bytes.length);
    await folder.rename('.day.part', 'day.csv');
    assert.ok((await readFile(join(server.folder, 'day.csv'))).equals(bytes));
    const [listed, ...others] = await folder.list(8);
    assert.deepEqual([listed?.name, listed?.bytes, others], ['day.csv', bytes.length, []]);
    assert.match(listed?.mark ?? '', /[0-9]/);
    await folder.put('.day.part', [Buffer.from('again')]);
    await folder.rename('.day.part', 'day.csv');
    const pieces: Uint8Array[] = [];
    await folder.fetch('day.csv', 1_000, async (piece) => void pieces.push(piece));
    assert.equal(Buffer.concat(pieces).toString(), 'again');
    await folder.remove('day.csv');
    assert.deepEqual(await readdir(server.folder), []);
  });
}

test('a certificate that nobody signed whom we believe is refused before the password is told', { skip }, async (t) => {
  const server = await startVsftpd(true);
  t.after(() => server.stop());
  await assert.rejects(open({ ...addressOf('ftps', server), ca: null }, server.secret, bounds), /self.signed|certificate/);
});

test('a server that has no TLS is not told the password by ftps', { skip }, async (t) => {
  const server = await startVsftpd(false);
  t.after(() => server.stop());
  await assert.rejects(open(addressOf('ftps', server), server.secret, bounds), /5\d\d/);
});
