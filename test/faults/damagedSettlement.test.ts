import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { onEveryStore } from '../contract/everyStore.ts';
import { CARD, createClient, DEMO } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { onlyLong } from '../long.ts';
import { anyDamage, damaged, damages, type Line, writers } from './damagedFiles.ts';

/** A file that is damaged after its header is refused completely, or kept completely with exceptions. Nothing fails and nothing is left over. */

const sizes = [
  { runs: 60, skip: false, timeout: 280_000 },
  { runs: 2_000, skip: onlyLong, timeout: 1_800_000 },
] as const;
const LINES = 6;
/** The limit for a file of some kilobytes: longer is a hang. */
const HANG_MS = 20_000;

type Body = {
  readonly lines?: number;
  readonly result?: { readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[] };
};
type Answer = { readonly status: number; readonly body: Body };

async function bring({ url }: TestGateway, bytes: Buffer, name: string): Promise<Answer> {
  const response = await fetch(`${url}/admin/v1/settlements?entityId=${DEMO.merchantId}&name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO.token}` },
    body: new Uint8Array(bytes),
    signal: AbortSignal.timeout(HANG_MS),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

async function payments({ url }: TestGateway): Promise<readonly Line[]> {
  const shop = createClient(url);
  const made = Array.from({ length: LINES }, async (_, at) => {
    const amount = `${at + 10}.50`;
    const { id, body } = await shop.pay({ ...CARD, paymentType: 'DB', amount, currency: 'EUR' });
    assert.ok(id, JSON.stringify(body));
    return { paymentId: id, amount, fee: '0.10' };
  });
  return Promise.all(made);
}

const recordsIn = async (store: Store, fileId: string): Promise<number> => {
  const { MATCHED, NOT_MATCHED, MULTIPLE_MATCHES } = await store.countFile(fileId);
  return MATCHED + NOT_MATCHED + MULTIPLE_MATCHES;
};

/** Asserts what holds for every answer to any bytes. */
async function check(gateway: TestGateway, store: Store, bytes: Buffer, name: string): Promise<'kept' | 'refused'> {
  const { status, body } = await bring(gateway, bytes, name);
  const says = `${name}: ${status} ${JSON.stringify(body).slice(0, 500)}`;
  assert.ok(status === 200 || status === 400, says);
  assert.ok(!gateway.lines.some((line) => line.includes('the request failed')), says);
  const [newest] = await store.files([DEMO.merchantId], 1);
  if (status === 400) {
    const faults = body.result?.parameterErrors ?? [];
    assert.ok(faults.length > 0 && faults.length <= 1_000, says);
    for (const fault of faults) {
      assert.match(fault.name, /^line [0-9]+$/, says);
      assert.ok(fault.message.length > 5 && fault.message.length < 600, says);
    }
    assert.deepEqual([newest?.state, newest?.lines], ['refused', 0], says);
    assert.equal(await recordsIn(store, newest?.id ?? ''), 0, says);
    return 'refused';
  }
  assert.deepEqual([newest?.state, newest?.lines], ['kept', body.lines], says);
  assert.equal(await recordsIn(store, newest?.id ?? ''), body.lines, says);
  return 'kept';
}

onEveryStore(({ name: storeName, opened }) => {
  for (const { runs, ...how } of sizes) {
    test(`${storeName}: damage after the header, anywhere, in every format, ${runs} times`, how, (t) =>
      damageAll(t, opened().store, runs),
    );
  }
});

async function damageAll(t: TestContext, store: Store, runs: number): Promise<void> {
  const gateway = await startGateway({ store });
  t.after(() => gateway.close());
  const lines = await payments(gateway);
  const day = new Date(gateway.world.clock.now() + 86_400_000).toISOString().slice(0, 10);
  const came = { kept: 0, refused: 0 };
  let files = 0;
  const run = async (format: string, damage: string | null, where: { readonly place: number; readonly chance: number }) => {
    files += 1;
    // Time passes because uploads are rate limited.
    gateway.pass(2_000);
    const text = writers[format]?.(lines, day, `${damage === null ? 'good' : 'file'}${runs}-${files}`) ?? '';
    const bytes = damage === null ? Buffer.from(text) : damaged(text, damage, where);
    came[await check(gateway, store, bytes, `${format} ${damage} ${where.place} ${where.chance}`.replaceAll(' ', '-'))] += 1;
  };
  for (const format of Object.keys(writers)) await run(format, null, { place: 0, chance: 0 });
  assert.deepEqual(came, { kept: 3, refused: 0 }, 'good files are kept');
  // Each kind at least once, then any at random.
  for (const [at, damage] of Object.keys(damages).entries()) {
    for (const format of Object.keys(writers)) await run(format, damage, { place: ((at * 37) % 100) / 100, chance: at * 7_919 });
  }
  await fc.assert(
    fc.asyncProperty(anyDamage, ({ format, damage, ...where }) => run(format, damage, where)),
    { numRuns: runs, seed: 12, endOnFailure: true },
  );
  t.diagnostic(`${came.refused} files refused, ${came.kept} kept with exceptions`);
  assert.ok(came.refused > runs / 4 && came.kept > 3, JSON.stringify(came));
  assert.equal((await store.abandonedFiles(Number.MAX_SAFE_INTEGER, 10)).length, 0, 'nothing is left being read');
}

describe('uploads that are cut', () => {
  test('after the header, slowly or at once: nothing is left of them', { timeout: 120_000 }, async (t) => {
    const store = createMemoryStore();
    const gateway = await startGateway({ store });
    t.after(() => gateway.close());
    const lines = await payments(gateway);
    for (const [format, write] of Object.entries(writers)) {
      for (const part of [0.3, 0.6, 0.95, 1]) {
        const bytes = Buffer.from(write(lines, '2031-10-02', `${format}-${part}`));
        const socket = connect(gateway.port, '127.0.0.1').on('error', () => {});
        const head = [
          `POST /admin/v1/settlements?entityId=${DEMO.merchantId}&name=cut HTTP/1.1`,
          'Host: x',
          `Authorization: Bearer ${DEMO.token}`,
          `Content-Length: ${bytes.length + 1}`,
        ];
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        const until = Math.floor(bytes.length * part);
        for (let at = 0; at < until; at += 400) {
          socket.write(bytes.subarray(at, Math.min(until, at + 400)));
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
        await new Promise<void>((resolve) => {
          socket.once('close', () => resolve()).destroy();
        });
      }
    }
    assert.deepEqual(await store.files([DEMO.merchantId], 10), []);
    assert.deepEqual(await store.abandonedFiles(Number.MAX_SAFE_INTEGER, 10), []);
    assert.ok(!gateway.lines.some((line) => line.includes('the request failed')));
  });
});

test('the control: a file that is kept although lines of it are missing is found', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const lines = await payments(gateway);
  const { store } = gateway.services.settlement;
  const half = {
    ...(store as Store),
    countFile: async () => ({ MATCHED: LINES - 1, NOT_MATCHED: 0, MULTIPLE_MATCHES: 0, open: 0 }),
  };
  const bytes = Buffer.from(writers['turnpike-csv']?.(lines, '2031-10-02', 'control') ?? '');
  await assert.rejects(check(gateway, half, bytes, 'control'), /control: 200/);
});
