import { seedIn } from './failure.ts';
import { isLong } from './plan.ts';
import type { Failure } from './process.ts';

/** Everything that failed, each once: what, where, why, and the line that repeats it. Tests of one file that say the same share it. */
export function report(failures: readonly Failure[], isEverything: boolean): string {
  const groups = Map.groupBy(failures, ({ file, text }) => `${file}\n${text}`);
  return [...groups.values()].map((same) => oneReport(same, isEverything)).join('\n\n');
}

function oneReport(same: readonly Failure[], isEverything: boolean): string {
  const [{ file, text }] = same as readonly [Failure];
  const heads = same.map(({ name }) => `✖ ${file}: ${name}`);
  return [...heads, text.replace(/^/gm, '    '), `    Repeat it: ${repeatLine(file, text, isEverything)}`].join('\n');
}

/** A check has its word; a test file is named whole, with the seed of a property that failed. */
function repeatLine(file: string, text: string, isEverything: boolean): string {
  if (!file.endsWith('.test.ts')) return `npm run check -- ${file.includes(' ') ? `'${file}'` : file}`;
  const seed = seedIn(text);
  return `${seed === null ? '' : `SEED=${seed} `}npm test -- ${isLong(file) || isEverything ? '--long ' : ''}${file}`;
}
