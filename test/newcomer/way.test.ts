import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isLongRun } from '../long.ts';
import { machineNode, processesOf } from './checkout.ts';

/**
 * `.ci/run` does what a newcomer does. Here npm and npx are stand-ins that write down their words: each step with each of its faults, and a
 * signal during each of them. The real commands are what `.ci/run` itself runs.
 */

const root = join(import.meta.dirname, '..', '..');
const linux = { timeout: 300_000, ...(process.platform === 'linux' ? {} : { skip: 'finds processes in /proc' }) };

/** The commands in their order; a gateway is one that runs until it is ended. */
const steps = [
  { words: 'npm start', isGateway: true },
  { words: 'npm start', isGateway: true },
  { words: 'npm run pack', isGateway: false },
  { words: 'npm init -y', isGateway: false },
  { words: 'npm install BOX/turnpike fräsch/dist/turnpike-1.0.0.tgz', isGateway: false },
  { words: 'npx turnpike', isGateway: true },
  { words: 'npm test', isGateway: false },
] as const;
const TEST = steps.length - 1;

const gatewayFaults = {
  fails: /exit 3/,
  declines: /the payment that it prints was not made: 800\.100\.100/,
  closes: /the payment that it prints was not made: fetch failed/,
  silent: /the start took longer/,
  deaf: /its end took longer/,
  orphan: /its end took longer/,
} as const;
const faults = { fails: /exit 3/, hangs: /it took longer/ } as const;
const WAITS_OUT: ReadonlySet<string> = new Set(['silent', 'deaf', 'orphan', 'hangs']);

/** Writes its words down, and behaves as FAULT says at the step that FAULTY_STEP numbers. */
const STAND_IN = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { basename } = require('node:path');
const { spawn } = require('node:child_process');
const before = readFileSync(process.env.LOG, 'utf8').split('\\n').length - 1;
const words = [basename(process.argv[1]), ...process.argv.slice(2)];
appendFileSync(process.env.LOG, words.join(' ') + '\\n');
const fault = Number(process.env.FAULTY_STEP) === before ? process.env.FAULT : '';
if (fault === 'fails') { console.error('what went wrong'); process.exit(3); }
const wait = () => setInterval(() => {}, 1e6);
const isGateway = words[1] === 'start' || words[0] === 'npx';
if (fault === 'hangs') { console.log('hangs'); wait(); }
else if (!isGateway) {
  if (words[2] === 'pack') { mkdirSync('dist'); writeFileSync('dist/turnpike-1.0.0.tgz', ''); }
  if (words[1] === 'test') console.log('1 passed, 0 failed');
} else {
  const code = fault === 'declines' ? '800.100.100' : '000.100.110';
  const server = require('node:http').createServer((request, reply) => {
    if (fault === 'closes') request.socket.destroy();
    else reply.end(JSON.stringify({ result: { code } }));
  }).listen(Number(process.env.PORT), '127.0.0.1', () => {
    if (fault === 'silent') return;
    if (fault === 'builds') console.log('Building the gateway');
    const url = 'http://127.0.0.1:' + server.address().port;
    console.log("  curl " + url + "/v1/payments -H 'Authorization: Bearer token' -d 'amount=92.00'\\nCtrl-C ends it.");
  });
  if (fault === 'orphan') spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  process.on('SIGTERM', () => fault === 'deaf' || process.exit(143));
}
`;

const home = mkdtempSync(join(tmpdir(), 'turnpike-way-'));
after(() => rmSync(home, { recursive: true, force: true }));
const programs = join(home, 'programs');
const checkout = join(home, 'turnpike');
for (const folder of [programs, join(checkout, 'scripts'), join(checkout, '.ci'), join(checkout, 'node_modules')])
  mkdirSync(folder, { recursive: true });
for (const file of ['scripts/newcomer.mjs', '.ci/run']) copyFileSync(join(root, file), join(checkout, file));
for (const name of ['npm', 'npx']) {
  // The path of a runtime may have a blank, which a first line cannot have. The second one is a command for the shell and a text for the runtime.
  writeFileSync(join(programs, name), `#!/bin/sh\n':' //; exec "${process.execPath}" "$0" "$@"${STAND_IN}`);
  chmodSync(join(programs, name), 0o755);
}

type Way = { readonly words?: readonly string[]; readonly during?: (pid: number) => void };

let count = 0;
/** Runs the way with a fault at one step. `during` is called when that step has begun. */
async function way(step: number, fault: string, { words = [], during }: Way = {}) {
  count += 1;
  const own = join(home, String(count));
  mkdirSync(join(own, 'tmp'), { recursive: true });
  writeFileSync(join(own, 'log'), '');
  const env = {
    PATH: [programs, dirname(machineNode()), '/usr/bin', '/bin'].join(':'),
    TMPDIR: join(own, 'tmp'),
    LOG: join(own, 'log'),
    FAULTY_STEP: String(step),
    FAULT: fault,
    TURNPIKE_NEWCOMER: own,
    ...(WAITS_OUT.has(fault) && !during && { NEWCOMER_MS_MAX: '4000' }),
  };
  const child = spawn(join(checkout, '.ci', 'run'), words, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = once(child, 'close');
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
  });
  const log = () => readFileSync(join(own, 'log'), 'utf8').split('\n').slice(0, -1);
  if (during) {
    while (log().length <= step && !hasEnded) await pause(20);
    assert.ok(!hasEnded, `it ended before step ${step + 1}: ${said}`);
    during(child.pid ?? 0);
  }
  const [code] = (await ended) as [number | null];
  const box = new RegExp(`${own}/tmp/turnpike-newcomer-\\w+`, 'g');
  const commands = log().map((line) => line.replace(box, 'BOX'));
  return { code, said, commands, left: [...processesOf(own), ...readdirSync(join(own, 'tmp'))] };
}

const all = steps.map(({ words }) => words);

test(
  'start, start again, pack, the package in an empty folder, tests: the closing line of the tests is the last',
  linux,
  async () => {
    const { code, said, commands, left } = await way(-1, '');
    assert.equal(code, 0, said);
    assert.deepEqual(commands, all);
    assert.match(said, /^npm start, and a payment: \d+ s\n(?:.* s\n){5}1 passed, 0 failed\n$/);
    assert.deepEqual(left, []);
  },
);

const cases = steps
  .slice(0, TEST)
  .flatMap(({ isGateway }, step) =>
    Object.entries(isGateway ? gatewayFaults : faults).map(([fault, message]) => ({ step, fault, message })),
  );
/** A quick run has each fault once, and each step. */
const isQuick = ({ step, fault }: (typeof cases)[number]): boolean =>
  steps[step]?.isGateway
    ? Object.keys(gatewayFaults).indexOf(fault) % 3 === [0, 1, 5].indexOf(step)
    : step === 3 || fault === 'fails';
for (const one of cases.filter((it) => isLongRun() || isQuick(it)))
  test(
    `step ${one.step + 1}, ${all[one.step]}, ${one.fault}: it says so, nothing follows, and nothing is left`,
    linux,
    async () => {
      const { code, said, commands, left } = await way(one.step, one.fault);
      assert.equal(code, 1, said);
      assert.match(said, one.message);
      if (one.fault === 'fails') assert.match(said, /what went wrong/);
      assert.deepEqual(commands, all.slice(0, one.step + 1));
      assert.deepEqual(left, []);
    },
  );

test('a second start that builds again', linux, async () => {
  assert.equal((await way(0, 'builds')).code, 0);
  const { code, said, commands } = await way(1, 'builds');
  assert.equal(code, 1);
  assert.match(said, /npm start again, and a payment: it installs or builds again: Building/);
  assert.equal(commands.length, 2);
});

test('tests that fail: their exit code. Words go to the tests', linux, async () => {
  const { code, said, commands, left } = await way(TEST, 'fails', { words: ['money'] });
  assert.equal(code, 3);
  assert.equal(commands.at(-1), 'npm test -- money');
  assert.match(said, /what went wrong\n$/);
  assert.deepEqual(left, []);
});

for (const [step, { isGateway }] of [...steps.entries()].filter(([step]) => isLongRun() || [1, 2, TEST].includes(step)))
  test(`SIGTERM during step ${step + 1}, ${all[step]}: everything ends`, linux, async () => {
    const during = (pid: number) => process.kill(pid, 'SIGTERM');
    const { code, commands, left } = await way(step, isGateway ? 'silent' : 'hangs', { during });
    assert.equal(code, 143);
    assert.deepEqual([commands.length, left], [step + 1, []]);
  });
