import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { theOffice } from '../../src/assets/assets.ts';
import { buildWidget } from '../../src/assets/build.ts';
import { writeOffice, writeWidget } from '../../src/assets/packaged.ts';

/**
 * Writes the program as one file, with the files for browsers built beside it as a package has them. A gateway in a process of its own starts
 * from it with half the work: most of a start is the loading of some hundred sources. The file goes with this process.
 */
export async function buildGateway(root: string): Promise<string> {
  // Below node_modules, where its packages are found.
  const folder = join(root, 'node_modules', '.cache', 'turnpike', `gateway-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'main.mjs');
  const bundling = build({
    entryPoints: [join(root, 'src', 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    packages: 'external',
    logLevel: 'error',
    plugins: [keepPlaces(root, folder)],
  });
  await Promise.all([
    bundling,
    buildWidget().then((widget) => writeWidget(join(folder, 'assets'), widget)),
    theOffice().then((office) => writeOffice(join(folder, 'assets'), office)),
  ]);
  return outfile;
}

/** Each source keeps its own place: threads, migrations and the number of the build are found by it. Only the built files are beside the bundle. */
const keepPlaces = (root: string, folder: string): Plugin => ({
  name: 'places',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\/(?:build|officeCache|backOffice)\.ts$/ }, ({ path, resolveDir, kind }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), external: true } : null,
    );
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.')) return null;
      const place = path.endsWith('/src/assets/assets.ts') ? join(folder, relative(root, path)) : path;
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(place)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href));
      return { contents, loader: 'ts' };
    });
  },
});
