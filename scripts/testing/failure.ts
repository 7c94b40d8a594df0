import { inspect } from 'node:util';
import { isLong } from './plan.ts';
import type { Failure } from './process.ts';

const TEXT_MAX = 8_000;
const VALUE_MAX = 2_000;
const CAUSES_MAX = 3;

/** Describes an error: its message, expected and actual values where the message omits them, and the stack in our files. */
export function describeError(thrown: unknown, root: string): string {
  const error = wrapped(thrown);
  if (!(error instanceof Error)) return cut(inspect(error, { depth: 5 }), TEXT_MAX);
  const parts: string[] = [];
  for (let [at, depth]: [unknown, number] = [error, 0]; at instanceof Error && depth < CAUSES_MAX; at = at.cause, depth += 1) {
    parts.push(`${depth > 0 ? 'caused by ' : ''}${describeOne(at, root)}`);
  }
  return cut(parts.join('\n'), TEXT_MAX);
}

/** The test runner's wrapper says less than the error it wraps. */
function wrapped(thrown: unknown): unknown {
  const isWrapper = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_TEST_FAILURE';
  return isWrapper ? (thrown.cause ?? thrown) : thrown;
}

function describeOne(error: Error, root: string): string {
  const stack = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/node:internal|node:async_hooks/.test(line));
  const frames = stack.map((line) => line.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, ''));
  const head = `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}`;
  return [head, ...comparison(error), ...frames].join('\n');
}

/** `assert` omits both values when the test passes a message of its own. */
function comparison(error: Error): readonly string[] {
  const { expected, actual, generatedMessage, operator } = error as Error & Record<string, unknown>;
  if (!('expected' in error && 'actual' in error) || generatedMessage === true || operator === '==') return [];
  if (error.message.includes('actual - expected')) return [];
  const show = (value: unknown) => cut(inspect(value, { depth: 6, breakLength: 120 }), VALUE_MAX);
  return [`expected: ${show(expected)}`, `actual:   ${show(actual)}`];
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}\n… ${text.length - max} more characters`;
}

/** The seed that a property test names when it fails. */
function seedIn(text: string): string | null {
  return /\bseed:? (-?\d+)/.exec(text)?.[1] ?? null;
}

/** Lists every failure once: test, file, cause and the command that repeats it. Tests of one file with the same cause share an entry. */
export function report(failures: readonly Failure[], isEverything: boolean): string {
  const groups = Map.groupBy(failures, ({ file, text }) => `${file}\n${text}`);
  return [...groups.values()].map((same) => oneReport(same, isEverything)).join('\n\n');
}

function oneReport(same: readonly Failure[], isEverything: boolean): string {
  const [{ file, text }] = same as readonly [Failure];
  const heads = same.map(({ name }) => `✖ ${file}: ${name}`);
  return [...heads, text.replace(/^/gm, '    '), `    Repeat it: ${repeatLine(file, text, isEverything)}`].join('\n');
}

/** A static check is named by its word, a test file by its path, with the seed of a property that failed. */
function repeatLine(file: string, text: string, isEverything: boolean): string {
  if (!file.endsWith('.test.ts')) return `npm run check -- ${file.includes(' ') ? `'${file}'` : file}`;
  const seed = seedIn(text);
  return `${seed === null ? '' : `SEED=${seed} `}npm test -- ${isLong(file) || isEverything ? '--long ' : ''}${file}`;
}
