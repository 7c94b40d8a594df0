import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DEMO } from './client.ts';
import { feeFile } from './feeFile.ts';
import { startGateway } from './gateway.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The bytes that are really held at this moment. */
function held(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('60 MB arrive without being held', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'turnpike-upload-'));
  const gateway = await startGateway({ dataDir });
  t.after(async () => {
    await gateway.close();
    await rm(dataDir, { recursive: true });
  });
  const [head = '', ...lines] = feeFile(20, 8_000).split(/(?<=\n)/);
  const [before, most] = [held(), { held: 0 }];
  async function* file(): AsyncIterable<Uint8Array> {
    yield Buffer.from(head);
    for (let at = 0; at < 375; at += 1) {
      yield Buffer.from(lines.join(''));
      if (at % 25 === 24) most.held = Math.max(most.held, held());
    }
  }
  const path = `/admin/v1/settlements?entityId=${DEMO.merchantId}&name=long.csv`;
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO.token}` },
    duplex: 'half',
    body: file(),
  });
  const answer = (await response.json()) as { readonly is?: string; readonly lines?: number };
  assert.deepEqual([answer.is, answer.lines], ['kept', 7_500]);
  const more = (most.held - before) / 1_048_576;
  t.diagnostic(`${more.toFixed(1)} MiB more were held while it arrived`);
  assert.ok(most.held > 0 && more < 16);
  assert.deepEqual(await readdir(join(dataDir, 'incoming', 'test-1')), []);
});
