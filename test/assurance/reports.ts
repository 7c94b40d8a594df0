import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CALL = /\breportFigure\('(R\d+)', '([^']+)'/g;

/** A call of `reportFigure` in the sources: its file, the requirement and the name of the figure. */
type Report = { readonly file: string; readonly id: string; readonly name: string };

export function findReports(root: string): readonly Report[] {
  const files = globSync(['test/**/*.ts', 'src/**/*.test.ts'], { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  return files.sort().flatMap((file) => {
    const calls = readFileSync(join(root, file), 'utf8').matchAll(CALL);
    return [...calls].map(([, id = '', name = '']) => ({ file, id, name }));
  });
}
