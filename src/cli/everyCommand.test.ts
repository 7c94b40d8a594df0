import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from './command.ts';
import { commands, turnpike } from './turnpike.ts';

/** The command line in this process. Whatever a command needs beside its words is not there. */
async function run(...words: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const given: Partial<Context> = { print: (text) => void out.push(text), printError: (text) => void err.push(text) };
  const context = new Proxy(given, {
    get: (had, name: keyof Context) =>
      had[name] ??
      (() => {
        throw new Error(`${name} was asked for`);
      }),
  }) as Context;
  return { code: await turnpike(words, context), out: out.join('\n'), err: err.join('\n') };
}

const names = Object.keys(commands);

test('help lists every command with its summary', async () => {
  const { code, out } = await run('--help');
  assert.equal(code, 0);
  assert.deepEqual(
    out.split('\n').flatMap((line) => /^ {2}(\S+) +\S/.exec(line)?.[1] ?? []),
    names,
  );
});

for (const name of names) {
  test(`${name}: its help says how it is used, and a word that it does not know is refused before anything is opened`, async () => {
    const help = await run(name, '--help');
    assert.equal(help.code, 0);
    assert.match(help.out, new RegExp(`^\\S.*\\nusage: turnpike (?:\\[?${name}\\b)`));
    const refused = await run(name, '--no-such-option');
    assert.equal(refused.code, 2, refused.err);
    assert.ok(refused.err.includes(`usage: turnpike ${help.out.split('usage: turnpike ')[1]}`), refused.err);
  });
}

test('the control: a command that opens the store first is noticed', async () => {
  await assert.rejects(run('keys'), /was asked for/);
});
