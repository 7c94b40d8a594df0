import { seedIn } from './failure.ts';
import { isLong } from './plan.ts';
import type { Failure } from './process.ts';

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
