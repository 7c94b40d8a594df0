import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { theOffice, theSite } from '../../src/assets/assets.ts';
import { buildWidget } from '../../src/assets/build.ts';
import { withBundler } from '../../src/assets/bundler.ts';
import { writeOffice, writeSite, writeWidget } from '../../src/assets/packaged.ts';
import { buildNumberOf } from '../../src/http/server/buildNumber.ts';
import { changeNames, createChanges, type SourceChanges } from '../../test/faults/changes.ts';
import { changedFolder, commandsFolder, type Program } from '../../test/programs.ts';

/** Sources that start threads, with the files of these threads: they are found by the place of the source. */
const THREADS: Readonly<Record<string, readonly string[]>> = {
  'src/store/sqlite/threads.ts': ['writer', 'checkpoint'],
  'src/app/inspector/callPacker.ts': ['packerThread'],
  'src/app/backtest/backtestInThreads.ts': ['readWorker'],
  'src/app/backtest/backtestInBackground.ts': ['backgroundWorker'],
  'src/app/threads/startThreads.ts': ['requestThread'],
};
const FINDS_ASSETS = 'src/assets/assets.ts';
/** Reads all sources for the number of the build. */
const NUMBERS_BUILD = 'src/http/server/buildNumber.ts';

/**
 * Writes the programs as a few files each, with the files for browsers built beside them as a package has them, and one more gateway for
 * each set of changes that the fault tests make. A process starts from them with half the work: most of a start is the loading of some
 * hundred sources. Returns the folder; it goes with this process.
 */
export async function buildPrograms(root: string): Promise<string> {
  // Below node_modules, where packages are found.
  const folder = join(root, 'node_modules', '.cache', 'turnpike', `programs-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const places = { root, assets: folder, placed: findPlaced(root) };
  await Promise.all([
    // One bundle each: what only some commands load is cut into many small files, which a gateway would all read.
    bundle({ ...places, folder }, 'src/main.ts', null),
    bundle({ ...places, folder: commandsFolder(folder) }, 'src/cli/main.ts', null),
    ...changeNames.map((name) => bundle({ ...places, folder: changedFolder(folder, name) }, 'src/main.ts', createChanges(name))),
    buildWidget().then((widget) => writeWidget(join(folder, 'assets'), widget)),
    theOffice().then((office) => writeOffice(join(folder, 'assets'), office)),
    theSite().then((site) => writeSite(join(folder, 'assets'), site)),
  ]);
  return folder;
}

/** The project's root, the folder of a bundle, the one with the files for browsers, and the sources that say where they are. */
type Places = { readonly root: string; readonly folder: string; readonly assets: string; readonly placed: readonly string[] };

/** The sources whose text changes as they are bundled. The bundler reads the others itself, which is less work. */
function findPlaced(root: string): readonly string[] {
  const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  return sources.filter((file) => file === NUMBERS_BUILD || readFileSync(join(root, file), 'utf8').includes('import.meta.'));
}

const threadFiles = Object.entries(THREADS).flatMap(([file, names]) => names.map((name) => join(dirname(file), `${name}.ts`)));

async function bundle(places: Places, program: Program, changes: SourceChanges | null): Promise<void> {
  const { root, folder } = places;
  await withBundler(() =>
    build({
      entryPoints: [program, ...threadFiles].map((file) => join(root, file)),
      outdir: folder,
      outbase: root,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: `node${process.versions.node}`,
      packages: 'external',
      logLevel: 'error',
      plugins: [keepPlaces(places, changes)],
    }),
  );
  changes?.assertAllMade();
}

/** `node:http` without the exports that are computed: an import reads them all, and loads a client of web sockets with them. */
const PLAIN_HTTP = (() => {
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule('node:http')));
  const names = descriptors.filter(([, { get }]) => get === undefined).map(([name]) => name);
  return `export const { ${names.join(', ')} } = process.getBuiltinModule('node:http');`;
})();

/** Each source keeps its own place: migrations and the number of the build are found by it. Threads and built files are in the folder. */
const keepPlaces = (places: Places, changes: SourceChanges | null): Plugin => ({
  name: 'places',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:http$/ }, ({ path }) => ({ path, namespace: 'plain' }));
    onLoad({ filter: /^node:http$/, namespace: 'plain' }, () => ({ contents: PLAIN_HTTP }));
    onResolve({ filter: /\/(?:build|officeCache|backOffice)\.ts$/ }, ({ path, resolveDir, kind }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), external: true } : null,
    );
    const changing = [...places.placed.map((file) => `/${file}`), ...(changes?.files ?? [])];
    onLoad({ filter: new RegExp(`(?:${changing.map(RegExp.escape).join('|')})$`) }, ({ path }) => {
      const read = readFileSync(path, 'utf8');
      const source = relative(places.root, path) === NUMBERS_BUILD ? withNumber(read, places) : read;
      const text = changes?.make(path, source) ?? source;
      if (text === read && !text.includes('import.meta.')) return null;
      return { contents: withPlaces(text, path, places), loader: 'ts' };
    });
  },
});

/** The number of the sources is computed here, once, and not by every process from some thousand files. */
function withNumber(source: string, { root }: Places): string {
  const sources = join(root, 'src');
  const head = /export function buildNumberOf\(folder: string\): string \{\n/;
  const known = `if (folder === ${JSON.stringify(sources)}) return ${JSON.stringify(buildNumberOf(sources))};\n`;
  const numbered = source.replace(head, (found) => `${found}${known}`);
  if (numbered === source) throw new Error(`${NUMBERS_BUILD} has changed: scripts/testing/programs.ts must follow`);
  return numbered;
}

function withPlaces(text: string, path: string, { root, folder, assets }: Places): string {
  const file = relative(root, path);
  const threads = THREADS[file] ?? [];
  const builtPlace = threads.length > 0 ? folder : file === FINDS_ASSETS ? assets : null;
  const place = builtPlace === null ? path : join(builtPlace, file);
  const placed = text
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(place)))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href));
  if (threads.length === 0) return placed;
  const started = placed.replaceAll(/new URL\((['`])(\.\/[^'`]+)\.ts\1/g, 'new URL($1$2.mjs$1');
  if (started === placed) throw new Error(`${file} starts its threads in another way: scripts/testing/programs.ts must follow`);
  return started;
}
