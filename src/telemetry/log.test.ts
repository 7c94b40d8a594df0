import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';

const at = Date.UTC(2026, 10, 15, 3, 16);

function logged(level: Parameters<typeof createLog>[0] = 'info') {
  const lines: string[] = [];
  return { log: createLog(level, { write: (line) => lines.push(line) }, () => at), lines };
}

test('a line is one JSON object with level, time, what it is about, and a message', () => {
  const { log, lines } = logged();
  log.info({ status: 200, why: undefined, code: null, sum: 92n }, 'two\nlines');
  assert.deepEqual(lines, [
    '{"level":30,"time":"2026-11-15T03:16:00.000Z","status":200,"code":null,"sum":"92","message":"two\\nlines"}\n',
  ]);
});

test('only what is at least as grave as the level is written', () => {
  const levels = { trace: 4, info: 4, warn: 3, error: 2, fatal: 1, silent: 0 } as const;
  for (const [level, count] of Object.entries(levels)) {
    const { log, lines } = logged(level as keyof typeof levels);
    for (const own of ['info', 'warn', 'error', 'fatal'] as const) log[own]({}, own);
    assert.equal(lines.length, count, level);
  }
});

test('an error is told with its trace, its own fields and its cause', () => {
  const { log, lines } = logged();
  const cause = new TypeError('the disk is full');
  log.error({ err: Object.assign(new Error('not kept', { cause }), { code: 'ENOSPC' }) }, 'failed');
  const { err, message } = JSON.parse(lines[0] ?? '');
  assert.deepEqual([err.type, err.message, err.code, message], ['Error', 'not kept', 'ENOSPC', 'failed']);
  assert.deepEqual([err.cause.type, err.cause.message], ['TypeError', 'the disk is full']);
  assert.match(err.stack, /log\.test\.ts/);
});

test('nothing that is logged can throw', () => {
  const { log, lines } = logged();
  const loop: Record<string, unknown> = { name: 'loop' };
  loop.again = loop;
  const strange = {
    toJSON: () => {
      throw new Error('no');
    },
  };
  log.warn(loop, 'a loop');
  log.warn({ strange }, 'strange');
  const [first, second] = lines.map((line) => JSON.parse(line));
  assert.deepEqual([first.message, second.message], ['a loop', 'strange']);
  assert.match(first.about, /loop/);
});

test('no line of the log carries a card number, in whatever place and form it was put', () => {
  const { log, lines } = logged();
  log.info({ path: '/v1/payments/4200000000000000', deep: { number: '4200000000000000' } }, 'about 4200 0000 0000 0000');
  log.info({ path: '/v1/payments/4200%200000%200000%200000', memo: '4200.0000.0000.0000', more: '4200\n0000\n0000\n0000' }, 'x');
  log.error({ err: new Error('cannot read 4200000000000000') }, 'failed');
  assert.equal(lines.length, 3);
  for (const line of lines) {
    assert.doesNotMatch(line, /4200(?:[ .]|%20|\\n)?0000(?:[ .]|%20|\\n)?0000(?:[ .]|%20|\\n)?0000/);
    assert.ok(JSON.parse(line));
  }
});
