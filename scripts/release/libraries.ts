import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { withBundler } from '../../src/assets/build.ts';

/**
 * The parts of the package that programs of others import. Each is one file without imports for ESM and one for CommonJS, with declarations
 * beside it: a declaration file belongs to the module system of its folder.
 */

const root = join(import.meta.dirname, '..', '..');

export type Library = {
  /** The folder in the package, and the name behind `turnpike/`. */
  readonly name: 'client' | 'testing';
  /** `web`: the file may use nothing of Node. */
  readonly runs: 'web' | 'node';
};

export const LIBRARIES: readonly Library[] = [
  { name: 'client', runs: 'web' },
  { name: 'testing', runs: 'node' },
];

/** The modules of a library that others import: by the file in its folder of the package, the source. `index` has no name of its own. */
const MODULES: Readonly<Record<Library['name'], Readonly<Record<string, string>>>> = {
  client: { index: 'main' },
  testing: { index: 'main', setup: 'setup' },
};

/** The entries of `exports` in package.json. */
export const exportsOf = ({ name }: Library) =>
  Object.entries(MODULES[name]).map(([file, source]) => {
    const place = (format: string) => ({
      types: `./${name}/${format}/${name}/${source}.d.ts`,
      default: `./${name}/${format}/${file}.js`,
    });
    return [file === 'index' ? `./${name}` : `./${name}/${file}`, { import: place('esm'), require: place('cjs') }] as const;
  });

/** Writes the declarations of the sources that a library consists of. */
function writeDeclarations(folder: string): void {
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--rootDir', 'src', '--outDir', folder];
  const files = LIBRARIES.flatMap(({ name }) => Object.values(MODULES[name]).map((source) => `src/${name}/${source}.ts`));
  const config = join(folder, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), files: files.map((file) => join(root, file)), include: [] }),
  );
  execFileSync(process.execPath, [compiler, '-p', config, ...options], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(config);
}

/** Declarations name the files of the package: `./client.ts` is `./client.js` there. */
const declared = (text: string): string => text.replace(/(from |import\()(['"])(\.{1,2}\/[^'"\n]+)\.ts\2/g, '$1$2$3.js$2');

export async function writeLibraries(folder: string): Promise<void> {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const declarations = mkdtempSync(join(root, '.cache', 'declarations-'));
  try {
    writeDeclarations(declarations);
    for (const library of LIBRARIES) await writeLibrary(folder, declarations, library);
  } finally {
    rmSync(declarations, { recursive: true });
  }
}

async function writeLibrary(folder: string, declarations: string, { name, runs }: Library): Promise<void> {
  for (const format of ['esm', 'cjs'] as const) {
    const target = join(folder, name, format);
    mkdirSync(target, { recursive: true });
    await withBundler(() =>
      build({
        entryPoints: Object.fromEntries(
          Object.entries(MODULES[name]).map(([file, source]) => [file, join(root, 'src', name, `${source}.ts`)]),
        ),
        outdir: target,
        bundle: true,
        format,
        platform: runs === 'node' ? 'node' : 'neutral',
        target: ['es2022', 'node20'],
        sourcemap: 'linked',
        legalComments: 'none',
        logLevel: 'error',
        define: { 'import.meta.dirname': format === 'cjs' ? '__dirname' : 'import.meta.dirname' },
      }),
    );
    if (format === 'cjs') writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n');
    // `turnpike/testing` names the types of `turnpike/client`, which are in its folder.
    for (const file of globSync(`${name}/**/*.d.ts`, { cwd: declarations })) {
      mkdirSync(dirname(join(target, file)), { recursive: true });
      const text = declared(readFileSync(join(declarations, file), 'utf8'));
      writeFileSync(
        join(target, file),
        name === 'client' ? text : text.replaceAll("'../client/", `'../../../client/${format}/client/`),
      );
    }
  }
}
