import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { leastCpuMs } from '../../../test/work.ts';
import { exampleFacts } from '../examples.ts';
import { compile, conditionContext, noRequiredFacts } from './compile.ts';
import { globOf } from './glob.ts';
import { parse } from './parse.ts';

const MS_MAX = 5;

const full = (piece: string): string => piece.repeat(Math.floor(2_000 / piece.length));
const conditions: [what: string, text: string][] = [
  ['brackets', full('(')],
  ['denials', full('not ')],
  ['quotes', full("'")],
  ['a text that never ends', `currency = '${'a'.repeat(1_980)}`],
  ['a text of escapes that never ends', `currency = '${'\\\\'.repeat(990)}`],
  ['backslashes', full('\\')],
  ['digits', full('1')],
  ['digits and dots', full('1.')],
  ['a name of dots', full('a.')],
  ['an endless bracket', `risk.parameters[${'a'.repeat(1_980)}`],
  ['comparisons', full('amount>1 or ')],
  ['blanks', `${' '.repeat(1_999)}x`],
  ['signs', full('<=')],
  ['a list', `amount in (${full('1,')}`],
  ['emoji', full('😀')],
  ['far too much', 'amount > 1 or '.repeat(100_000)],
];
for (const [what, text] of conditions) {
  test(`${what}: read or refused in ${MS_MAX} ms`, () => {
    const ms = leastCpuMs(() => parse(text));
    assert.ok(ms <= MS_MAX, `${ms} ms`);
  });
}

const globs = (pattern: string): string => {
  const one = `risk.parameters[note] matches '${pattern}'`;
  const count = Math.floor(1_990 / (one.length + 4));
  return Array.from({ length: count }, () => one).join(' or ');
};
const runs: [what: string, text: string, note: string][] = [
  ['stars', globs(`${'*a'.repeat(29)}b`), 'a'.repeat(2_048)],
  ['a long piece', globs(`*${'a'.repeat(29)}b*`), 'a'.repeat(2_048)],
  ['question marks', globs(`*${'?'.repeat(29)}b*c`), 'a'.repeat(2_048)],
  ['a long text to find', `risk.parameters[note] contains '${'a'.repeat(950)}b${'a'.repeat(950)}'`, 'a'.repeat(2_048)],
  ['many texts to find', Array.from({ length: 40 }, () => `risk.parameters[n] contains 'aab'`).join(' or '), 'a'.repeat(2_048)],
];
for (const [what, text, note] of runs) {
  test(`${what}: evaluated in ${MS_MAX} ms`, () => {
    const parsed = parse(text);
    assert.ok(parsed.is === 'valid', parsed.is === 'invalid' ? parsed.fault.says : '');
    const asked = noRequiredFacts();
    const test = compile(parsed.condition, asked);
    const facts = exampleFacts({ 'risk.parameters[note]': note, 'risk.parameters[n]': note });
    const ms = leastCpuMs(() => test(conditionContext(facts, asked.facts, { windows: [], listed: [] })));
    assert.ok(ms <= MS_MAX, `${ms} ms`);
  });
}

const fits: [pattern: string, text: string, fits: boolean][] = [
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['*', 'abc', true],
  ['a*', 'abc', true],
  ['*c', 'abc', true],
  ['a*c', 'ac', true],
  ['ab*bc', 'abc', false],
  ['a*b*c', 'axxbyyc', true],
  ['a*b*c', 'axxcyyb', false],
  ['?', '', false],
  ['?', 'a', true],
  ['a?c', 'abc', true],
  ['*b?d*', 'aabcbxdd', true],
  ['*.example', 'shop.example', true],
  ['*.example', 'shop.example.com', false],
  ['a**b', 'ab', true],
];
for (const [pattern, text, truth] of fits) {
  test(`"${text}" ${truth ? 'fits' : 'does not fit'} ${pattern}`, () => assert.equal(globOf(pattern)(text), truth));
}

test('patterns mean what the same regular expression means', () => {
  const few = (characters: string) => fc.array(fc.constantFrom(...characters), { maxLength: 10 }).map((all) => all.join(''));
  fc.assert(
    fc.property(few('ab*?'), few('ab'), (pattern, text) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
      assert.equal(globOf(pattern)(text), expression.test(text));
    }),
    { numRuns: 5_000 },
  );
});
