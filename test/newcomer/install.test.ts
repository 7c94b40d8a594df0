import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { onlyLong } from '../long.ts';
import { type Checkout, makeCheckout, type Ran } from './checkout.ts';

/** The order of commands of a newcomer, and what may go wrong between them: a second terminal, Ctrl-C, a kill, a registry that is away. */

const linux = { timeout: 240_000, ...(process.platform === 'linux' ? {} : { skip: 'finds processes in /proc' }) };

async function inCheckout(run: (checkout: Checkout) => Promise<void>): Promise<void> {
  const checkout = makeCheckout();
  try {
    await run(checkout);
  } finally {
    await checkout.remove();
  }
}

const count = (checkout: Checkout, name: string): number => checkout.log().filter((line) => line.startsWith(name)).length;

async function startAndEnd(checkout: Checkout, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const started = checkout.run('start', env);
  await checkout.waitFor(/ready/, { ...started, said: () => started.said() });
  started.child.kill('SIGTERM');
  await started.ended;
  await checkout.gone();
  return started.said();
}

test('npm start, npm start again, npm test, npm start: in one clone, in a path with a blank and an umlaut', linux, () =>
  inCheckout(async (checkout) => {
    assert.match(await startAndEnd(checkout), /Installing[\s\S]*Building[\s\S]*ready/);
    assert.equal(existsSync(join(checkout.folder, 'node_modules/typescript')), false, 'a start installs no tools');
    // From here on the runtime of node_modules runs the commands, and not the Node of the machine.
    assert.doesNotMatch(await startAndEnd(checkout), /Installing|Building/);
    const tested = checkout.run('test');
    assert.deepEqual(await tested.ended, { code: 0, signal: null }, tested.said());
    assert.match(tested.said(), /Installing[\s\S]*1 passed, 0 failed\n$/);
    assert.ok(existsSync(join(checkout.folder, 'node_modules/typescript')));
    assert.doesNotMatch(await startAndEnd(checkout), /Installing|Building/);
    assert.deepEqual([count(checkout, 'npm ci'), count(checkout, 'build')], [2, 1]);
    assert.deepEqual(checkout.leftovers(), []);
  }),
);

test('a gateway that runs keeps its runtime and its files while the tools are installed', linux, () =>
  inCheckout(async (checkout) => {
    const started = checkout.run('start');
    await checkout.waitFor(/ready/, started);
    const tested = checkout.run('test');
    assert.equal((await tested.ended).code, 0, tested.said());
    const [gateway = ''] = checkout.log().flatMap((line) => line.match(/(?<=^gateway )\d+$/) ?? []);
    const [, program = ''] = readFileSync(`/proc/${gateway}/cmdline`, 'utf8')
      .split('\0')
      .filter((word) => !word.startsWith('--'));
    assert.ok(existsSync(program), `${program} is gone`);
    // A crash: it is started again from the same place.
    process.kill(Number(gateway), 'SIGKILL');
    await checkout.waitFor(/gateway \d+[\s\S]*gateway \d+/);
    started.child.kill('SIGTERM');
    await checkout.gone();
  }),
);

test('two starts at the same time install once; both run, and nothing is left behind', linux, () =>
  inCheckout(async (checkout) => {
    const starts: readonly Ran[] = [1, 2, 3].map(() => checkout.run('start', { NPM_MS: '300' }));
    for (const started of starts) await checkout.waitFor(/ready/, { ...started, said: started.said });
    assert.equal(count(checkout, 'npm ci'), 1, checkout.log().join('\n'));
    assert.equal(starts.filter((started) => /this one waits/.test(started.said())).length, 2);
    assert.deepEqual(checkout.leftovers(), []);
    for (const started of starts) started.child.kill('SIGTERM');
    await checkout.gone();
  }),
);

test('an installer that was killed: the next command installs, also one that waits for it, and clears its leftovers', linux, () =>
  inCheckout(async (checkout) => {
    const first = checkout.run('start', { NPM_MS: '2000' });
    await checkout.waitFor(/npm ci/);
    const waiting = checkout.run('start');
    await checkout.waitFor(/this one waits/, waiting);
    first.child.kill('SIGKILL');
    await checkout.waitFor(/ready/, waiting);
    waiting.child.kill('SIGTERM');
    // The npm of the killed one ends by itself; its folder is cleared by the next command at the latest.
    await checkout.gone();
    assert.doesNotMatch(await startAndEnd(checkout), /Installing/);
    assert.deepEqual(checkout.leftovers(), []);
  }),
);

const [installing, building] = [{ NPM_MS: '20000' }, { BUILD_MS: '20000' }];
/** The others take the same way; every run has each signal and each moment once. */
const moments = [
  ['SIGINT', 130, 'installation', installing, true],
  ['SIGTERM', 143, 'build', building, true],
  ['SIGHUP', 129, 'installation', installing, false],
  ['SIGTERM', 143, 'installation', installing, false],
  ['SIGINT', 130, 'build', building, false],
  ['SIGHUP', 129, 'build', building, false],
] as const;
for (const [signal, code, moment, env, isQuick] of moments)
  test(
    `${signal} during the ${moment} ends everything without a word of advice`,
    { ...linux, ...(!isQuick && onlyLong && { skip: onlyLong }) },
    () =>
      inCheckout(async (checkout) => {
        const started = checkout.run('start', env);
        await checkout.waitFor(moment === 'build' ? /^build/m : /^npm ci/m);
        started.child.kill(signal);
        assert.deepEqual(await started.ended, { code, signal: null }, started.said());
        assert.doesNotMatch(started.said(), /registry|could not|Error|ready/);
        await checkout.gone();
        assert.deepEqual([checkout.leftovers(), count(checkout, 'gateway')], [[], 0]);
      }),
  );

test('a waiting command ends by a signal, and leaves the installer alone', linux, () =>
  inCheckout(async (checkout) => {
    const first = checkout.run('start', { NPM_MS: '1000' });
    await checkout.waitFor(/npm ci/);
    const waiting = checkout.run('start');
    await checkout.waitFor(/this one waits/, waiting);
    waiting.child.kill('SIGINT');
    assert.equal((await waiting.ended).code, 130, waiting.said());
    await checkout.waitFor(/ready/, first);
    first.child.kill('SIGTERM');
    await checkout.gone();
  }),
);

test('an installation that fails says where to look, and the next one works', linux, () =>
  inCheckout(async (checkout) => {
    const failed = checkout.run('start', { NPM_FAILS: 'yes' });
    assert.equal((await failed.ended).code, 1);
    assert.match(failed.said(), /could not be installed: see the lines above\. Check the connection to the npm registry/);
    assert.deepEqual(checkout.leftovers(), []);
    await startAndEnd(checkout);
  }),
);
