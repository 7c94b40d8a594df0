import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createSlots } from '../../src/runtime/slots.ts';
import { ROOMY } from '../programs.ts';
import { collect, promotedDuring } from './promoted.ts';

/**
 * The bytes of a payment that outlive the young generation. A payment is over within milliseconds, so hardly anything of it should: what
 * does is collected with the old objects, at many times the cost (decisions/0083). Measured: 500; 870 with a Set of the calls under way,
 * and 2,600 with recorded calls as objects.
 */
const PROMOTED_MAX = 700;
test('hardly anything of a payment outlives the young objects', async (context) => {
  const program = join(import.meta.dirname, 'promotionProgram.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [ROOMY, program]);
  const { bytes, collections } = JSON.parse(stdout) as { readonly bytes: number; readonly collections: number };
  context.diagnostic(`${bytes} bytes of a payment, ${collections} collections`);
  assert.ok(collections > 5, `only ${collections} collections`);
  assert.ok(bytes < PROMOTED_MAX, `${bytes} bytes of a payment`);
});

const THINGS = 200_000;

/** Each is under way while 64 others come. Returns the bytes of each that outlive the young generation. */
async function promotedOf(begin: (thing: object) => () => void): Promise<number> {
  const under: (() => void)[] = Array.from({ length: 64 }, () => begin([]));
  collect();
  const { bytes } = await promotedDuring(() => {
    for (let n = 0; n < THINGS; n += 1) {
      under[n % under.length]?.();
      under[n % under.length] = begin(Array.from({ length: 16 }, () => n));
    }
  });
  return Math.round(bytes / THINGS);
}

test('things in slots do not outlive the young objects, and those in a Set do', async (context) => {
  const set = new Set<object>();
  const slots = createSlots<object>();
  const inSet = await promotedOf((thing) => {
    set.add(thing);
    return () => set.delete(thing);
  });
  const inSlots = await promotedOf((thing) => {
    const at = slots.add(thing);
    return () => slots.take(at);
  });
  context.diagnostic(`${inSet} bytes in a Set, ${inSlots} in slots`);
  assert.ok(inSlots < 20, `${inSlots} bytes`);
  assert.ok(inSet > 100, `${inSet} bytes: a Set no longer keeps what was in it, and slots are not needed any more`);
});
