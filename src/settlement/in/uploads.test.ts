import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createUploadStore, UploadTooLarge, type WriteUpload } from './uploads.ts';

const folder = join(mkdtempSync(join(tmpdir(), 'turnpike-uploads-')), 'incoming');
after(() => rmSync(join(folder, '..'), { recursive: true }));
mkdirSync(folder);
writeFileSync(join(folder, 'left'), 'by one that was killed');
const uploads = createUploadStore(folder);

const streamBody: WriteUpload = async (take) => {
  for (const word of ['one ', 'two ', 'three']) await take(Buffer.from(word));
};
const read = async (pieces: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(pieces)).toString();

test('a file is read as often as one likes, and is gone afterwards', async () => {
  const twice = await uploads.lay(streamBody, 13, async ({ bytes, open }) => [bytes, await read(open()), await read(open())]);
  assert.deepEqual(twice, [13, 'one two three', 'one two three']);
  assert.deepEqual(readdirSync(folder), []);
});

test('nothing stays of what is too long, breaks off or cannot be used', async () => {
  const never = async () => assert.fail('it was used');
  await assert.rejects(uploads.lay(streamBody, 12, never), UploadTooLarge);
  const broken: WriteUpload = async (take) => {
    await take(Buffer.from('one'));
    throw new Error('the line is dead');
  };
  await assert.rejects(uploads.lay(broken, 99, never), /the line is dead/);
  await assert.rejects(
    uploads.lay(streamBody, 99, async () => Promise.reject(new Error('nobody can read this'))),
    /nobody can read this/,
  );
  assert.deepEqual(readdirSync(folder), []);
});
