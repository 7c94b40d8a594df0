import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { report } from './failure.ts';
import { type FileResult, runUnit } from './process.ts';

const root = mkdtempSync(join(tmpdir(), 'turnpike-runner-'));
after(() => rmSync(root, { recursive: true, force: true }));
writeFileSync(join(root, 'package.json'), '{"type":"module"}');

const IMPORTS = `
  import assert from 'node:assert/strict';
  import { after, before, describe, test } from 'node:test';
`;
const GOOD = `test('good', () => {});`;
let made = 0;

/** Runs files of these texts in one unit. */
async function runTexts(
  texts: readonly string[],
  { isShared = true, silentMs = 120_000, gracefulCloseMs = 60_000 } = {},
): Promise<readonly FileResult[]> {
  const files = texts.map((text) => {
    made += 1;
    const file = `made${made}.test.ts`;
    writeFileSync(join(root, file), `${IMPORTS}${text}`);
    return file;
  });
  const ended: FileResult[] = [];
  const env = { TEST_LINGER_MS: String(gracefulCloseMs) };
  const ran = await runUnit({ files, isShared }, { root, silentMs, env, ended: (one) => ended.push(one) });
  assert.deepEqual(ran, ended, 'the results reported on the way are those returned at the end');
  assert.deepEqual(
    ran.map(({ file }) => file),
    files,
    'every file has one result, in order',
  );
  return ran;
}

const counts = (ran: readonly FileResult[]) => ran.map(({ passed, skipped, failures }) => [passed, skipped, failures.length]);
const onlyFailure = (ran: FileResult | undefined) => {
  assert.equal(ran?.failures.length, 1, JSON.stringify(ran?.failures));
  return ran?.failures[0] ?? { file: '', name: '', text: '' };
};

describe('files in one process', () => {
  test('every file has its own counts and failures; suites and the tests around a failure are not counted twice', async () => {
    const ran = await runTexts([
      `test('one', () => {}); test('two', { skip: 'later' }, () => {}); describe('three', () => { test('four', () => {}); });`,
      `describe('outer', () => { test('inner', async (t) => { await t.test('deep', () => assert.equal(1, 2)); }); }); ${GOOD}`,
      `test('one', () => {}); test.todo('thought of', () => { throw new Error('not yet'); });`,
    ]);
    assert.deepEqual(counts(ran), [
      [2, 1, 0],
      [1, 0, 1],
      [1, 0, 0],
    ]);
    assert.equal(onlyFailure(ran[1]).name, 'outer › inner › deep');
  });

  test('quick and slow files run one after the other to the last', async () => {
    const slow = `test('slow', async () => { await new Promise((resolve) => setTimeout(resolve, 20)); });`;
    assert.deepEqual(counts(await runTexts([GOOD, slow, GOOD, GOOD, slow, GOOD])), Array(6).fill([1, 0, 0]));
  });

  test('a name may contain any character', async () => {
    const [ran] = await runTexts([`test('a\\u2028b\\nc\\u0085"\\0', () => assert.fail('x'));`]);
    assert.equal(onlyFailure(ran).name, 'a\u2028b\nc\u0085"\0');
  });

  test('hooks at the top of a file are for that file alone', async () => {
    const hooked = `let calls = 0; before(() => { calls += 1; }); test('once', () => assert.equal(calls, 1));`;
    assert.deepEqual(counts(await runTexts([hooked, hooked, `before(() => { throw new Error('cold'); }); ${GOOD}`, GOOD])), [
      [1, 0, 0],
      [1, 0, 0],
      [0, 0, 1],
      [1, 0, 0],
    ]);
  });
});

describe('what a file leaves behind is reported by name', () => {
  const left: readonly (readonly [string, string])[] = [
    ['globalThis.leak', `test('x', () => { globalThis.leak = 1; });`],
    ['Date.now', `test('x', () => { Date.now = () => 0; });`],
    ['Array.prototype.last', `test('x', () => { Array.prototype.last = () => 0; });`],
    ['globalThis.fetch', `test('x', () => { globalThis.fetch = async () => {}; });`],
    ['process.env.LEFT', `test('x', () => { process.env.LEFT = 'yes'; });`],
    ['process.cwd()', `test('x', () => { process.chdir('/'); });`],
    ['process.on(exit)', `test('x', () => { process.on('exit', () => {}); });`],
  ];
  for (const [name, text] of left) {
    test(name, async () => {
      const [first, second] = await runTexts([text, GOOD]);
      assert.match(onlyFailure(first).text, /leaves changes behind for the files after it: /);
      assert.ok(onlyFailure(first).text.includes(name), onlyFailure(first).text);
      assert.deepEqual(second?.failures, []);
    });
  }

  test('a restored value is no change, and a file alone in its process may change anything', async () => {
    const back = `test('x', () => { const now = Date.now; Date.now = () => 0; Date.now = now; process.env.A = '1'; delete process.env.A; });`;
    assert.deepEqual(counts(await runTexts([back, GOOD])), [
      [1, 0, 0],
      [1, 0, 0],
    ]);
    assert.deepEqual(counts(await runTexts([`test('x', () => { globalThis.leak = 1; });`], { isShared: false })), [[1, 0, 0]]);
  });

  test('a file that keeps its process alive', async () => {
    const ran = await runTexts([`test('x', () => { setInterval(() => {}, 1000); });`, GOOD], { gracefulCloseMs: 500 });
    assert.match(onlyFailure(ran[0]).text, /keeps its process alive after its last test: .*Timeout/);
    assert.deepEqual(counts(ran)[1], [1, 0, 0], 'the next file has another process');
  });
});

describe('a process that ends early is a failure of its file, and the rest run all the same', () => {
  const ends: readonly (readonly [string, string, RegExp])[] = [
    [
      'exit without a result',
      `test('x', () => { console.error('last words'); process.exit(0); });`,
      /code 0[\s\S]*Running: x[\s\S]*last words/,
    ],
    ['a signal', `test('x', () => { process.kill(process.pid, 'SIGKILL'); });`, /ended by SIGKILL[\s\S]*Running: x/],
    ['an error after the last test', `test('x', () => { setTimeout(() => { throw new Error('too late'); }, 50); });`, /too late/],
    [
      'an error that nothing catches',
      `test('x', async () => { await null; setTimeout(() => { throw new Error('unseen'); }, 5); await new Promise((go) => setTimeout(go, 50)); });`,
      /unseen/,
    ],
    [
      'a rejection that nothing catches',
      `test('x', async () => { await null; void Promise.reject(new Error('unseen')); await new Promise((go) => setTimeout(go, 50)); });`,
      /unseen/,
    ],
    ['a module that throws', `throw new Error('at the top');`, /at the top/],
    ['a module that throws after its first test', `${GOOD} throw new Error('at the end');`, /at the end/],
    ['a syntax error', `test('x', () => {`, /SyntaxError/],
    ['no tests at all', '', /has no tests/],
    [
      'a promise that never settles',
      `test('x', () => new Promise(() => {}));`,
      /waits for a promise that nothing in its process can keep any more/,
    ],
  ];
  for (const [name, text, expected] of ends) {
    test(name, async () => {
      const ran = await runTexts([GOOD, text, GOOD]);
      assert.match(onlyFailure(ran[1]).text, expected);
      assert.deepEqual(
        [counts(ran)[0], counts(ran)[2]],
        [
          [1, 0, 0],
          [1, 0, 0],
        ],
      );
    });
  }

  test('a file without results is given up and reported with the test it was in', async () => {
    const ran = await runTexts([`${GOOD} test('for ever', () => new Promise(() => setInterval(() => {}, 100)));`, GOOD], {
      silentMs: 2_000,
    });
    assert.match(onlyFailure(ran[0]).text, /given up after 2 s without a result.* Running: for ever/);
    assert.deepEqual(counts(ran), [
      [1, 0, 1],
      [1, 0, 0],
    ]);
  });

  test('a file that blocks the event loop is given up too', async () => {
    const [ran] = await runTexts([`test('busy', () => { for (;;); });`], { silentMs: 2_000 });
    assert.match(onlyFailure(ran).text, /given up after 2 s .*Running: busy/);
  });

  test('a process that a test left behind ends with the worker', async () => {
    const text = `import { spawn } from 'node:child_process';
      test('x', () => { const child = spawn('sleep', ['600'], { stdio: 'ignore' }); child.unref(); assert.fail('pid ' + child.pid); });`;
    const [ran] = await runTexts([text], { isShared: false });
    const pid = Number(/pid (\d+)/.exec(onlyFailure(ran).text)?.[1]);
    assert.ok(pid > 0);
    // The group has been killed; its last process may take a moment to end.
    for (let tries = 0; tries < 500 && isAlive(pid); tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(isAlive(pid), false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the text of a failure', () => {
  test('expected and actual are printed even when the test has a message of its own', async () => {
    const [ran] = await runTexts([`test('x', () => assert.match('a'.repeat(3), /b/, 'the letters'));`]);
    assert.match(onlyFailure(ran).text, /^AssertionError: the letters\nexpected: \/b\/\nactual: {3}'aaa'\n +at /);
  });

  test('a cause is printed, frames of the runtime are not, and a long text is cut', async () => {
    const [ran] = await runTexts([
      `test('x', () => { throw new Error('outer', { cause: new TypeError('inner') }); }); test('y', () => { throw new Error('z'.repeat(20000)); });`,
    ]);
    const [first, second] = ran?.failures ?? [];
    assert.match(first?.text ?? '', /^outer\n[\s\S]*caused by TypeError: inner/);
    assert.doesNotMatch(first?.text ?? '', /node:internal/);
    assert.ok((second?.text.length ?? 0) < 9_000);
    assert.match(second?.text ?? '', /more characters$/);
  });

  test('what failed is printed once, with the line that repeats it', () => {
    const same = { file: 'src/a.test.ts', text: 'cold' };
    const text = report(
      [
        { ...same, name: 'one' },
        { ...same, name: 'two' },
        {
          file: 'src/b.test.ts',
          name: 'property',
          text: 'Property failed after 3 tests\n{ seed: -1819, path: "0:1", endOnFailure: true }',
        },
        { file: 'test/c.long.test.ts', name: 'long', text: 'slow' },
        { file: 'types of the widget', name: 'static check', text: 'TS2322' },
      ],
      false,
    );
    assert.equal(text.match(/cold/g)?.length, 1);
    assert.match(
      text,
      /✖ src\/a\.test\.ts: one\n✖ src\/a\.test\.ts: two\n {4}cold\n {4}Repeat it: npm test -- src\/a\.test\.ts$/m,
    );
    assert.match(text, /Repeat it: SEED=-1819 npm test -- src\/b\.test\.ts$/m);
    assert.match(text, /Repeat it: npm test -- --long test\/c\.long\.test\.ts$/m);
    assert.match(text, /Repeat it: npm run check -- 'types of the widget'$/m);
  });
});
