import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createUploadStore, type StreamUpload, UploadTooLarge } from './uploads.ts';

const folder = join(mkdtempSync(join(tmpdir(), 'turnpike-uploads-')), 'incoming');
after(() => rmSync(join(folder, '..'), { recursive: true }));
mkdirSync(folder);
writeFileSync(join(folder, 'left'), 'by a killed process');
const uploads = createUploadStore(folder);

const streamBody: StreamUpload = async (write) => {
  for (const word of ['one ', 'two ', 'three']) await write(Buffer.from(word));
};
const read = async (pieces: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(pieces)).toString();

test('an upload can be read several times, and is deleted afterwards', async () => {
  const twice = await uploads.withUpload(streamBody, 13, async ({ bytes, open }) => [
    bytes,
    await read(open()),
    await read(open()),
  ]);
  assert.deepEqual(twice, [13, 'one two three', 'one two three']);
  assert.deepEqual(readdirSync(folder), []);
});

test('an upload that is too long, breaks off or cannot be used leaves no file', async () => {
  const never = async () => assert.fail('it was used');
  await assert.rejects(uploads.withUpload(streamBody, 12, never), UploadTooLarge);
  const broken: StreamUpload = async (write) => {
    await write(Buffer.from('one'));
    throw new Error('the line is dead');
  };
  await assert.rejects(uploads.withUpload(broken, 99, never), /the line is dead/);
  await assert.rejects(
    uploads.withUpload(streamBody, 99, async () => Promise.reject(new Error('unusable'))),
    /unusable/,
  );
  assert.deepEqual(readdirSync(folder), []);
});
