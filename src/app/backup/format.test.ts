import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localMaster } from '../../vault/masterKey.ts';
import { systemRandom } from '../../vault/randomBytes.ts';
import { type BackupKeys, openBackup, sealBackup } from './format.ts';

const key = localMaster(Buffer.alloc(32, 3));
const other = localMaster(Buffer.alloc(32, 4));
const about = { dialect: 'sqlite', migrations: [1, 2], createdAt: 1_900_000_000_000 } as const;

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const sealed = (content: Uint8Array): Promise<Buffer> =>
  all(sealBackup(pieces(content, 70_001), { key, random: systemRandom, about }));

async function opened(file: Uint8Array, keys: BackupKeys = [key]): Promise<Buffer> {
  const { content } = await openBackup(pieces(file, 9_999), keys);
  return all(content);
}

/** Random bytes are not compressed: their length is that of the file. */
const random = (bytes: number): Buffer => {
  const content = Buffer.alloc(bytes);
  systemRandom(content);
  return content;
};

for (const bytes of [0, 1, 262_144, 262_145, 1_000_000]) {
  test(`a backup of ${bytes} bytes opens as it was`, async () => {
    const content = random(bytes);
    const file = await sealed(content);
    assert.ok((await opened(file, [other, key])).equals(content));
    const { head } = await openBackup(pieces(file, 500), [key]);
    assert.deepEqual({ ...head, salt: '' }, { ...about, keyId: key.id, salt: '' });
  });
}

const DAMAGED = { name: 'OperatorError', message: /^The backup is damaged|^This is not a backup/ };

test('a backup that was cut anywhere is refused', async () => {
  const file = await sealed(random(600_000));
  const lengths = [0, 5, 18, 21, 60, 200, 1_000, 262_000, 262_600, 524_900, file.length - 20, file.length - 16, file.length - 1];
  // Between two chunks, where every chunk that is there is whole.
  const head = 18 + 4 + file.readUInt32BE(18);
  const first = head + 4 + file.readUInt32BE(head);
  for (const length of [...lengths, head, first, first + 4 + file.readUInt32BE(first)])
    await assert.rejects(opened(file.subarray(0, length)), DAMAGED, `${length} bytes`);
});

test('a backup with one bit altered, a chunk exchanged or anything behind its end is refused', async () => {
  const file = await sealed(random(600_000));
  for (const at of [0, 17, 18, 21, 25, 40, 150, 250, 300, 5_000, 262_300, 400_000, file.length - 1]) {
    const altered = Buffer.from(file);
    altered[at] = (altered[at] ?? 0) ^ 1;
    await assert.rejects(opened(altered), { name: 'OperatorError' }, `byte ${at}`);
  }
  const head = 18 + 4 + file.readUInt32BE(18);
  const first = head + 4 + file.readUInt32BE(head);
  const second = first + 4 + file.readUInt32BE(first);
  const exchanged = Buffer.concat([
    file.subarray(0, head),
    file.subarray(first, second),
    file.subarray(head, first),
    file.subarray(second),
  ]);
  await assert.rejects(opened(exchanged), DAMAGED);
  await assert.rejects(opened(Buffer.concat([file, Buffer.from([0])])), DAMAGED);
});

test('another key is named, and nothing of the content is in the file', async () => {
  const content = Buffer.from('4200000000000000 '.repeat(5_000));
  const file = await sealed(content);
  await assert.rejects(opened(file, [other]), { name: 'OperatorError', message: new RegExp(`whose id is ${key.id}`) });
  assert.ok(!file.includes('4200000000000000'));
  assert.ok(file.length < content.length / 10, 'compressed');
  assert.ok(!(await sealed(content)).subarray(-100).equals(file.subarray(-100)), 'never the same file twice');
});
