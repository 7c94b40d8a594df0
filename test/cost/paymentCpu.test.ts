import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { createPayer, type Payer } from '../../bench/micro.ts';
import { payBody } from '../../bench/request.ts';
import { overload } from '../faults/overload.ts';
import { threadCpuMs } from '../work.ts';

// As a gateway starts: see scripts/supervise.mjs.
setFlagsFromString('--no-allocation-site-pretenuring');

/**
 * The processor time of a payment from the bytes of its body to the cells of its row and the text of its reply, in units of a reference
 * that never changes. Sockets and the writer are not in it. A change that raises it must change the number in the same commit.
 */
const FIGURE = 5.3;
const SLACK = 1.15;
/** On an overloaded machine others crowd the caches, which a payment needs more than the reference: 6.5 references at a load of 20. */
const CROWDED = 1.25;

/** The clock of a thread moves in steps of up to 4 ms: a slice is long beside them. */
const SLICE_MS = 40;
const SLICES = 10;
/** Beside others a run may meet crowded caches from its beginning to its end, and takes twice as long then as on an idle machine. */
const RUNS_MAX = 9;
const WARM_UP = 600;

type Work = (n: number) => void | Promise<void>;

/** Work of the same kinds: text, maps, JSON, a hash. Never change it: every figure is a multiple of it. */
const refer: Work = (n) => {
  const pairs = payBody(n)
    .split('&')
    .map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]);
  const fields = Object.fromEntries(new Map(pairs));
  const again = JSON.parse(JSON.stringify({ n, fields, names: Object.keys(fields).sort() })) as { fields: typeof fields };
  createHash('sha256').update(JSON.stringify(again.fields)).digest('hex');
};

/** Milliseconds for one piece of work, over one slice. */
async function slice(work: Work, first: number): Promise<{ readonly ms: number; readonly next: number }> {
  const began = threadCpuMs();
  let n = first;
  let used = 0;
  while (used < SLICE_MS) {
    for (const end = n + 10; n < end; n += 1) await work(n);
    used = threadCpuMs() - began;
  }
  return { ms: used / (n - first), next: n };
}

const middle = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/**
 * Slices of both in turn, and the middle one of their ratios: a machine that gets slower or faster for a while meets both slices of a
 * pair, or spoils this one pair.
 */
async function ratio(work: Work, unit: Work): Promise<number> {
  const ratios: number[] = [];
  let [at, unitAt] = [WARM_UP, WARM_UP];
  for (let round = 0; round < SLICES; round += 1) {
    const one = await slice(work, at);
    const other = await slice(unit, unitAt);
    [at, unitAt] = [one.next, other.next];
    ratios.push(one.ms / other.ms);
  }
  return middle(ratios);
}

/** The least of some runs, because disturbances make a run dearer, never cheaper. One run within the limit is enough. */
async function figureOf(work: Work, allowed: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS_MAX && least > allowed; run += 1) least = Math.min(least, await ratio(work, refer));
  return least;
}

async function warmedPayer(): Promise<Payer> {
  const pay = await createPayer();
  for (let n = 0; n < WARM_UP; n += 1) {
    await pay(n);
    await refer(n);
  }
  return pay;
}

test('a payment takes no more processor time than its figure allows', async (context) => {
  const pay = await warmedPayer();
  const allowed = FIGURE * (overload() > 1.5 ? CROWDED : SLACK);
  const figure = await figureOf((n) => pay(n), allowed);
  context.diagnostic(`${figure.toFixed(2)} references; the figure is ${FIGURE}`);
  assert.ok(figure <= allowed, `${figure.toFixed(2)} references, ${allowed.toFixed(2)} allowed`);
});

/**
 * Two kinds of work feel the other work of a machine differently; a payment is compared with a payment, so that only the measuring is
 * tried.
 */
test('control: half a payment more is found', async (context) => {
  const pay = await warmedPayer();
  const dearer = async (n: number): Promise<void> => {
    await pay(n);
    if (n % 2 === 0) await pay(n);
  };
  const more = await ratio(dearer, (n) => pay(n));
  context.diagnostic(`${more.toFixed(2)} payments`);
  assert.ok(more > SLACK, `${more.toFixed(2)} payments, more than ${SLACK} expected`);
});
