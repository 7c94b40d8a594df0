import assert from 'node:assert/strict';
import { appendFile, readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { feeFile } from '../http/feeFile.ts';
import { createPullStage, settingOf } from './pullStage.ts';
import { SFTP_PASSWORD, SFTP_USER, startSftp } from './sftpServer.ts';

/** Settlement files are fetched from a server that speaks SFTP, with all that can go wrong on the way. */

const server = await startSftp();
after(() => server.close());
afterEach(async () => {
  for (const name of await readdir(server.folder)) await unlink(join(server.folder, name));
});

const secret = { kind: 'password', password: SFTP_PASSWORD } as const;
const place = settingOf({
  kind: 'sftp',
  host: '127.0.0.1',
  port: server.port,
  user: SFTP_USER,
  directory: '',
  hostKey: server.hostKey,
  ca: null,
});
const lay = (name: string, text: string) => writeFile(join(server.folder, name), text);

for (const [afterwards, left] of [
  ['leave', ['Umsätze Österreich 2. Oktober.csv']],
  ['rename', ['Umsätze Österreich 2. Oktober.csv.taken']],
  ['remove', []],
] as const) {
  test(`a file is fetched once, whatever it is called; then: ${afterwards}`, async () => {
    const stage = await createPullStage(secret);
    await lay('Umsätze Österreich 2. Oktober.csv', feeFile(3));
    for (let round = 0; round < 2; round += 1) await stage.round({ ...place, afterwards });
    // After a start nothing is remembered but what the store has.
    await stage.round({ ...place, afterwards }, { handled: new Map() });
    assert.deepEqual(await stage.files(), ['Umsätze Österreich 2. Oktober.csv kept 3']);
    assert.deepEqual(await readdir(server.folder), left);
    assert.deepEqual(stage.alarms, []);
  });
}

test('a name that is used again for another file is fetched again', async () => {
  const stage = await createPullStage(secret);
  await lay('settlement.csv', feeFile(3));
  await stage.round(place);
  await lay('settlement.csv', feeFile(4, 0, 'next'));
  await stage.round(place);
  assert.deepEqual(await stage.files(), ['settlement.csv kept 3', 'settlement.csv kept 4']);
});

test('a file that is still being written is left, also when that shows only after it was fetched', async () => {
  const stage = await createPullStage(secret);
  const [text, path] = [feeFile(6), join(server.folder, 'day.csv')];
  await lay('day.csv', text.slice(0, 300));
  await stage.round(place, { rest: () => appendFile(path, text.slice(300, 400)) });
  const listing = { isGrown: false };
  await stage.round(place, {
    openFolder: async (...where) => {
      const folder = await stage.needs.openFolder(...where);
      const fetch: typeof folder.fetch = async (...what) => {
        if (!listing.isGrown) await appendFile(path, text.slice(400, 500));
        listing.isGrown = true;
        return folder.fetch(...what);
      };
      return { ...folder, fetch };
    },
  });
  assert.equal(listing.isGrown, true);
  assert.deepEqual(await stage.files(), []);
  await appendFile(path, text.slice(500));
  await stage.round(place);
  assert.deepEqual(await stage.files(), ['day.csv kept 6']);
  assert.deepEqual(stage.alarms, []);
});

test('a connection that dies in the middle brings nothing, and the next round the whole file', async () => {
  const stage = await createPullStage(secret);
  await lay('day.csv', feeFile(2_000, 100));
  server.trouble.cutsRead = (_, position) => position > 100_000;
  await stage.round(place);
  assert.deepEqual(await stage.files(), []);
  assert.match(stage.alarms.join(), /could not be fetched.*(?:closed|No response|ECONNRESET)/);
  delete server.trouble.cutsRead;
  await stage.round(place);
  assert.deepEqual(await stage.files(), ['day.csv kept 2000']);
});

test('what is refused is complained of once, stays, and is taken when it was mended; the others do not wait for it', async () => {
  const stage = await createPullStage(secret);
  const pull = { ...place, afterwards: 'remove' };
  await lay('a.csv', 'nonsense');
  await lay('b.csv', feeFile(1));
  for (let round = 0; round < 3; round += 1) await stage.round(pull);
  assert.deepEqual(await stage.files(), ['a.csv refused 0', 'b.csv kept 1']);
  assert.deepEqual(await readdir(server.folder), ['a.csv']);
  assert.equal(stage.alarms.length, 1);
  await lay('a.csv', feeFile(2));
  await stage.round(pull);
  assert.ok((await stage.files()).includes('a.csv kept 2'));
  assert.deepEqual(await readdir(server.folder), []);
});

test('a file that cannot be had keeps the others from nothing', async () => {
  const stage = await createPullStage(secret);
  await lay('a.csv', feeFile(1));
  await lay('b.csv', feeFile(2));
  await stage.round(place, {
    openFolder: async (...where) => {
      const folder = await stage.needs.openFolder(...where);
      const fetch: typeof folder.fetch = async (name, ...what) => {
        if (name === 'a.csv') await unlink(join(server.folder, name));
        return folder.fetch(name, ...what);
      };
      return { ...folder, fetch };
    },
  });
  assert.deepEqual(await stage.files(), ['b.csv kept 2']);
  assert.match(stage.alarms.join(), /could not be taken.*a\.csv.*No such file/);
});

const strangers: readonly (readonly [says: string, pull: object, password: string, why: RegExp])[] = [
  ['a host with another key', { hostKey: `SHA256:${'A'.repeat(43)}` }, SFTP_PASSWORD, /Host denied|verification failed/i],
  ['a wrong password', {}, 'not the password', /authentication methods failed/],
];
for (const [says, other, password, why] of strangers) {
  test(`${says} ends it with a reason that names no secret`, async () => {
    const stage = await createPullStage({ kind: 'password', password });
    await lay('day.csv', feeFile(1));
    await stage.round({ ...place, ...other });
    assert.equal(stage.alarms.length, 1);
    assert.match(stage.alarms.join(), why);
    assert.ok(!stage.alarms.join().includes(password));
    assert.deepEqual(await stage.files(), []);
  });
}

test('nobody inside is reached where only the public may be', async () => {
  const stage = await createPullStage(secret, 'public');
  const before = server.counts.connections;
  for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1'])
    await stage.round({ ...place, host });
  assert.equal(stage.alarms.length, 5);
  assert.equal(server.counts.connections, before);
});
