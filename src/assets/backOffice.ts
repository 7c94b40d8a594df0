import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import { isAdmin } from '../spec/admin/admin.ts';
import { adminAccess, type Endpoint, type EndpointName, endpoints } from '../spec/endpoints.ts';
import type { Office, OfficeFile } from './asset.ts';
import { withBundler } from './build.ts';
import { findGroups, importedBy, importGroups } from './officeChunks.ts';

const root = join(import.meta.dirname, '..', '..');
const sources = join(root, 'src', 'backoffice');
const TARGET = ['chrome111', 'firefox111', 'safari16.4'];
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;

const common = {
  absWorkingDir: root,
  outdir: join(root, 'assets'),
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  platform: 'browser',
  charset: 'utf8',
  legalComments: 'none',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  target: TARGET,
  logLevel: 'silent',
} as const;

const bundleScripts = (plugins: readonly Plugin[]) =>
  build({
    ...common,
    entryPoints: [join(sources, 'main.tsx')],
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [...plugins],
  });

/** Builds twice, because only the first build shows which sources each page uses. */
async function buildScripts() {
  const change = createDirectImports(join(root, 'node_modules'));
  const plugins = [slimEndpoints, directImports(change)];
  const { outputs } = (await bundleScripts(plugins)).metafile;
  const groups = findGroups(outputs, madeOf(outputs, 'main.tsx'), madeOf(outputs, 'layout/Layout.tsx'));
  return bundleScripts([importGroups(root, groups, change), ...plugins]);
}

/** The script of a source that is an entry point. */
function madeOf(outputs: Metafile['outputs'], source: string): string {
  const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === `src/backoffice/${source}`);
  if (found === undefined) throw new Error(`nothing was made of ${source}`);
  return found;
}

/** The sheets of the components that the scripts use, in the order of the package. */
function sheetsOf({ outputs }: Metafile): readonly string[] {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const names = new Set(used.flatMap((path) => /@mantine\/core\/.*\/(\w+)\.mjs$/.exec(path)?.[1] ?? []));
  const folder = join(root, 'node_modules', '@mantine', 'core');
  const whole = readFileSync(join(folder, 'styles.css'), 'utf8');
  const own = globSync('styles/*.css', { cwd: folder })
    .filter((path) => names.has(/(\w+)\.css$/.exec(path)?.[1] ?? ''))
    .map((path) => ({ path: `@mantine/core/${path}`, at: whole.indexOf(readFileSync(join(folder, path), 'utf8').slice(0, 120)) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ path }) => path);
  const ground = ['baseline', 'default-css-variables', 'global'].map((name) => `@mantine/core/styles/${name}.css`);
  return [...ground, ...own, '@mantine/notifications/styles.css', '@mantine/spotlight/styles.css'];
}

const buildSheet = (name: string, sheets: readonly string[]) => {
  const contents = sheets.map((path) => `@import '${path}';`).join('\n');
  const entryNames = `${name}-[hash]`;
  return build({ ...common, entryNames, stdin: { contents, resolveDir: sources, loader: 'css', sourcefile: `${name}.css` } });
};

const ownSheets = (): readonly string[] =>
  globSync('styles/*.css', { cwd: sources })
    .toSorted()
    .map((path) => `./${path}`);

const packGzip = promisify(gzip);
const packBrotli = promisify(brotliCompress);

async function packed(type: string, bytes: Uint8Array): Promise<OfficeFile> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [gzipped, brotli] = await Promise.all([packGzip(bytes, { level: 9 }), packBrotli(bytes, { params })]);
  return { type, bytes, gzip: gzipped, brotli };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const cache = join(root, 'node_modules', '.cache', 'turnpike', 'office');

/** Everything that the built pages depend on. */
const SOURCES = ['src/{backoffice,spec,money,assets}/**/*.{ts,tsx,css,json}', 'package-lock.json'];

async function nameOfSources(): Promise<string> {
  const paths = (await Array.fromAsync(glob(SOURCES, { cwd: root }))).toSorted();
  const sums = await Promise.all(paths.map(async (path) => `${path} ${hash('sha256', await readFile(join(root, path)))}`));
  return `${hash('sha256', sums.join('\n')).slice(0, 32)}.bin`;
}

/** Writes the build by a rename, so that no reader sees half of it, and deletes older builds. */
async function keep(name: string, made: unknown): Promise<void> {
  await mkdir(cache, { recursive: true });
  const draft = join(cache, `${name}.${process.pid}`);
  await writeFile(draft, serialize(made));
  await rename(draft, join(cache, name));
  const others = (await readdir(cache)).filter((other) => other.endsWith('.bin') && other !== name);
  await Promise.all(others.map((other) => rm(join(cache, other), { force: true })));
}

/** The pages from their sources, or from the cache where no source has changed. A cache that cannot be written does no harm. */
export async function buildOffice(): Promise<Office> {
  const name = await nameOfSources();
  const found = await readFile(join(cache, name)).catch(() => null);
  if (found) return deserialize(found) as Office;
  const made = await withBundler(makeOffice);
  await keep(name, made).catch(() => {});
  return made;
}

/** Bundles, minifies and compresses, in a second or two. */
async function makeOffice(): Promise<Office> {
  const scripts = await buildScripts();
  const [styles, calendar] = await Promise.all([
    buildSheet('office', [...sheetsOf(scripts.metafile), ...ownSheets()]),
    buildSheet('calendar', ['@mantine/dates/styles.css']),
  ]);
  const made = [...scripts.outputFiles, ...styles.outputFiles, ...calendar.outputFiles];
  const files = await Promise.all(
    made.map(async ({ path, contents }): Promise<[string, OfficeFile]> => {
      const type = TYPES[path.endsWith('.css') ? 'css' : 'js'];
      return [nameOf(path), await packed(type, contents)];
    }),
  );
  const { outputs } = scripts.metafile;
  const [entry, layout] = [madeOf(outputs, 'main.tsx'), madeOf(outputs, 'layout/Layout.tsx')];
  const first = importedBy(outputs, entry);
  return {
    files: new Map(files),
    script: nameOf(entry),
    style: nameOf(styles.outputFiles[0]?.path ?? ''),
    calendar: nameOf(calendar.outputFiles[0]?.path ?? ''),
    preloads: [...first].filter((path) => path !== entry).map(nameOf),
    frame: [...importedBy(outputs, layout)].filter((path) => !first.has(path)).map(nameOf),
  };
}

/** Plug-ins that keep the first page of the back office small. */

/** Pages need path, method and step-up of an endpoint. The descriptions stay out of the bundle. */
export const slimEndpoints: Plugin = {
  name: 'endpoints without words',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/]spec[\\/]endpoints\.ts$/ }, () => {
      const rows = (Object.keys(endpoints) as EndpointName[]).filter(isAdmin).map((name) => {
        const { method, path, access, stepUp }: Endpoint = endpoints[name];
        return [name, { method, path, access, stepUp }] as const;
      });
      const tables = { endpoints: Object.fromEntries(rows), adminAccess };
      const contents = Object.entries(tables).map(([name, table]) => `export const ${name} = ${JSON.stringify(table)};`);
      return { contents: contents.join('\n'), loader: 'ts' };
    });
  },
};

/** The file of each export of a package, read from its index. */
function homesIn(folder: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(folder, 'index.mjs'), 'utf8');
  const imports = [...text.matchAll(/import \{([^}]+)\} from "([^"]+)"/g)];
  return new Map(
    imports.flatMap(([, names = '', path = '']) => {
      const home = path.startsWith('.') ? join(folder, path) : path;
      return names.split(',').map((name) => [name.trim(), home] as const);
    }),
  );
}

const PACKAGES = ['core', 'hooks', 'dates', 'notifications', 'spotlight'];
const GATHERED = /import\s*\{([^}]*)\}\s*from\s*['"](@mantine\/\w+)['"];?/g;

/**
 * Imports from a whole package become imports from the component's own file. Otherwise the first page would carry every component that any
 * page uses, because the index of the package imports them all.
 */
export function createDirectImports(modules: string): (text: string) => string {
  const homes: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
    PACKAGES.map((name) => [`@mantine/${name}`, homesIn(join(modules, '@mantine', name, 'esm'))] as const),
  );
  const direct = (name: string, from: string): string => {
    const home = homes.get(from)?.get(name.replace(/ as .*$/, ''));
    return `import { ${name} } from ${JSON.stringify(home ?? from)};`;
  };
  return (text) =>
    text.replace(GATHERED, (_, names: string, from: string) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => direct(name, from))
        .join(' '),
    );
}

export const directImports = (change: (text: string) => string): Plugin => ({
  name: 'components from their own files',
  setup: ({ onLoad }) => {
    onLoad(
      {
        filter: /[\\/]src[\\/]backoffice[\\/].*\.tsx?$|[\\/]@mantine[\\/](?:dates|notifications|spotlight)[\\/]esm[\\/].*\.mjs$/,
      },
      async ({ path }) => {
        const contents = change(await readFile(path, 'utf8'));
        return { contents, loader: path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js' };
      },
    );
  },
});
