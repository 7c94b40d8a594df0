import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sized } from '../long.ts';
import { card, isApproved, pay } from './client.ts';
import { createGateway } from './gatewayProcess.ts';
import { searchMemory } from './processMemory.ts';

/** R25: what a process still has of card numbers and security codes when their payments are over. */

const PAYMENTS = sized({ quick: 50, assure: 300, reliability: 2_000 });
const QUIET_MS = sized({ quick: 1_000, assure: 60_000, reliability: 60_000 });
const BEGINNING = '49291274';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-memory-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A number with its check digit. */
function numberOf(at: number): string {
  const digits = `${BEGINNING}${String(at).padStart(7, '0')}`;
  const sum = [...digits].toReversed().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
const numbers = Array.from({ length: PAYMENTS }, (_, at) => numberOf(at * 7_919));

/** The live objects of the main thread, after a collection. Resolves when the file is whole. */
async function snapshot(pid: number): Promise<string> {
  process.kill(pid, 'SIGUSR2');
  for (let tries = 0; tries < 600; tries += 1) {
    await pause(500);
    const [name] = readdirSync(folder).filter((file) => file.endsWith('.heapsnapshot'));
    if (name === undefined || statSync(join(folder, name)).size === 0) continue;
    const text = readFileSync(join(folder, name), 'latin1');
    if (text.trimEnd().endsWith(']}')) return text;
  }
  throw new Error('no snapshot was written');
}

const heldIn = (text: string): readonly string[] => [...numbers, 'card.cvv=917'].filter((needle) => text.includes(needle));
const env = { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}` };

test('a minute after its payments the heap holds no card number and no security code', async () => {
  const gateway = await createGateway({ env, threads: [1] });
  await gateway.start();
  try {
    for (const number of numbers) {
      const fields = { ...card, amount: '1.00', currency: 'EUR', paymentType: 'DB', 'card.number': number, 'card.cvv': '917' };
      assert.ok(isApproved(await pay(gateway.url, { fields })));
    }
    await pause(QUIET_MS);
    const heap = await snapshot(gateway.pid());
    assert.ok(heap.includes('card.number'), 'the snapshot is one of the gateway');
    assert.deepEqual(heldIn(heap), []);
    // Freed memory keeps its bytes until something covers them: how many copies of a number is written down, not promised.
    const copies = [...searchMemory(gateway.pid(), BEGINNING, 16)].filter(([number]) => numbers.includes(number));
    console.log(
      `${copies.length} of ${PAYMENTS} numbers in freed memory, ${copies.reduce((sum, [, count]) => sum + count, 0)} copies`,
    );
  } finally {
    await gateway.kill();
  }
});

test('control: a process that keeps its texts is found, in its objects and in its memory', async () => {
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  const program = `globalThis.kept = process.argv.slice(1).map((text) => JSON.parse(text)); setInterval(() => {}, 1000); console.log('ready')`;
  const words = numbers.slice(0, 20).map((number) => JSON.stringify({ number }));
  const child = spawn(process.execPath, ['-e', program, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    assert.equal(heldIn(await snapshot(child.pid as number)).length, 20);
    assert.ok(searchMemory(child.pid as number, BEGINNING, 16).size >= 20);
  } finally {
    child.kill('SIGKILL');
  }
});
