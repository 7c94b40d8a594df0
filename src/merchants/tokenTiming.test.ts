import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyCaller } from './authenticate.ts';
import { createDirectory, fixedRows } from './directory.ts';
import { sandbox, sandboxRows } from './sandbox.ts';
import { tokenOf } from './tokens.ts';

/** R27: how long a refusal takes says nothing about how much of a token was right. */

const SAMPLES = 10_000;
/**
 * Samples of one kind are up to 4 apart. A few nanoseconds more in the table of users are 6; an unknown user that was spared the comparison
 * was 61, and the control is more than 50.
 */
const FAR = 15;

const { userId, token } = sandbox.demoShop;
const [PASSWORD, NOBODY] = ['sandbox-demo', 'f'.repeat(32)];

/** A text of its own, in one piece, as it comes from a socket. */
const received = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
const header = (password: string, user: string = userId): string => received(`Bearer ${tokenOf(user, password)}`);

const wrong = {
  'a wrong first byte': header(`X${PASSWORD.slice(1)}`),
  'a wrong last byte': header(`${PASSWORD.slice(0, -1)}X`),
  'an unknown user': header(PASSWORD, NOBODY),
} as const;
type Kind = keyof typeof wrong;
const kinds = Object.keys(wrong) as Kind[];

/** Nanoseconds for each kind, the kinds in random order. */
function measure(refuse: (sent: string) => void): Readonly<Record<Kind, number[]>> {
  const taken: Record<Kind, number[]> = { 'a wrong first byte': [], 'a wrong last byte': [], 'an unknown user': [] };
  const once = (kind: Kind): number => {
    // Each request brings a text of its own: where one lies in memory is no difference between kinds.
    const sent = received(wrong[kind]);
    const began = process.hrtime.bigint();
    refuse(sent);
    return Number(process.hrtime.bigint() - began);
  };
  for (let warm = 0; warm < SAMPLES / 5; warm += 1) kinds.forEach(once);
  for (let round = 0; round < SAMPLES; round += 1) {
    const order = kinds.map((kind) => ({ kind, at: Math.random() })).sort((one, other) => one.at - other.at);
    for (const { kind } of order) taken[kind].push(once(kind));
  }
  return taken;
}

/** How far two samples are apart, in standard deviations of their rank sum (Mann and Whitney). */
function distance(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))];
  all.sort((a, b) => a.value - b.value);
  let [sum, ties] = [0, 0];
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let at = from; at < to; at += 1) if (all[at]?.isOne) sum += rank;
    ties += (to - from) ** 3 - (to - from);
    from = to;
  }
  const [n, m] = [one.length, other.length];
  const count = n + m;
  const mean = (n * (count + 1)) / 2;
  const variance = ((n * m) / 12) * (count + 1 - ties / (count * (count - 1)));
  return Math.abs(sum - mean) / Math.sqrt(variance);
}

const pairs = kinds.flatMap((one, at) => kinds.slice(at + 1).map((other) => [one, other] as const));
const distances = (taken: Readonly<Record<Kind, number[]>>): readonly string[] =>
  pairs.flatMap(([one, other]) => {
    const far = distance(taken[one], taken[other]);
    return far > FAR ? [`${one} and ${other}: ${far.toFixed(1)} deviations apart`] : [];
  });

test(`a refusal takes as long for a wrong first byte, a wrong last byte and an unknown user, in ${SAMPLES} samples each`, async () => {
  const seed = sandboxRows(0);
  const directory = await createDirectory(
    fixedRows(async () => seed),
    { now: () => 0 },
  );
  const [fields, address] = [new Map<string, string>(), '192.0.2.1'];
  const credentials = (sent: string) => ({ header: sent, fields, address });
  assert.equal(identifyCaller(directory, credentials(received(`Bearer ${token}`))).is, 'known');
  assert.deepEqual(distances(measure((sent) => void identifyCaller(directory, credentials(sent)))), []);
});

test('control: a comparison that ends at the first difference is found', () => {
  const right = Buffer.from(`Bearer ${token}`);
  const compare = (sent: string): boolean => {
    const given = Buffer.from(sent);
    return right.every((byte, at) => given[at] === byte);
  };
  assert.notDeepEqual(distances(measure(compare)), []);
});
