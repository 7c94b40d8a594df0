import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { loadWidget, theOffice } from '../src/assets/assets.ts';
import { writeOffice, writeWidget } from '../src/assets/packaged.ts';
import { reachOf } from './reach.ts';

/**
 * Makes `dist/`, which `npm pack` puts into the package: the server as JavaScript, because Node strips types from no file below
 * node_modules, and the files for browsers built, so that nothing is built where the package is installed. Another folder may be named.
 */
const root = join(import.meta.dirname, '..');
const dist = resolve(process.argv[2] ?? join(root, 'dist'));

/** Types become blanks, so lines and columns stay; sources that are named, are named by what becomes of them. */
const javaScriptOf = (text: string): string =>
  stripTypeScriptTypes(text).replace(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, '$1$2.js$1');

function put(path: string, content: Uint8Array | string): void {
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(join(dist, path), content);
}

rmSync(dist, { recursive: true, force: true });
const { files } = reachOf();
for (const file of files) put(file.replace(/\.ts$/, '.js'), javaScriptOf(readFileSync(join(root, file), 'utf8')));
const statements = globSync('src/store/**/*.sql', { cwd: root });
for (const file of statements) put(file, readFileSync(join(root, file)));
const [widget, office] = await Promise.all([loadWidget(), theOffice()]);
await writeWidget(join(dist, 'assets'), widget);
await writeOffice(join(dist, 'assets'), office);
const built = widget.files.length + office.files.size;
// Standard output belongs to npm, which may be asked for JSON.
console.error(`dist: ${files.size} sources, ${statements.length} SQL files, ${built} files for browsers`);
