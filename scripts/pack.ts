import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { loadWidget, theOffice, theSite } from '../src/assets/assets.ts';
import { writeOffice, writeSite, writeWidget } from '../src/assets/packaged.ts';
import { reachOf } from './reach.ts';
import { bundleProgram } from './release/bundle.ts';
import { writeLibraries } from './release/libraries.ts';
import { packageManifest } from './release/packageManifest.ts';
import { createSbom } from './release/sbom.ts';
import { writeTestGateway } from './release/testGateway.ts';

/**
 * Makes a release in `dist/`, or in the folder named: the npm package as a folder (`package/`) and as a file, the bill of materials, and
 * checksums of both. The server is JavaScript, because Node strips types from no file below node_modules, and the files for browsers are
 * built, so that nothing is built where the package is installed.
 */
const root = join(import.meta.dirname, '..');
const dist = resolve(process.argv[2] ?? join(root, 'dist'));
const folder = join(dist, 'package');

/** Files that a package has as they are here. */
const COPIED = [
  'scripts/{turnpike,run,runtime,supervise,health}.mjs',
  'src/store/**/*.sql',
  'docs/**/*.{md,json}',
  '{README,CHANGELOG,SECURITY}.md',
  '{LICENSE,NOTICE}',
];

/**
 * Types become blanks, so lines and columns stay, and a stack trace needs no map. Sources that are named, are named by the files that are
 * made of them.
 */
const javaScriptOf = (text: string): string =>
  stripTypeScriptTypes(text).replace(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, '$1$2.js$1');

function put(path: string, content: Uint8Array | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

rmSync(dist, { recursive: true, force: true });
const { files } = reachOf();
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  put(join(folder, file.replace(/\.ts$/, '.js')), javaScriptOf(text));
}
for (const file of globSync(COPIED, { cwd: root })) cpSync(join(root, file), join(folder, file));
const [widget, office, site] = await Promise.all([loadWidget(), theOffice(), theSite()]);
await writeWidget(join(folder, 'assets'), widget);
await writeOffice(join(folder, 'assets'), office);
await writeSite(join(folder, 'assets'), site);
await writeLibraries(folder);
await writeTestGateway(folder);
await bundleProgram({ root: folder, program: 'src/main.js', folder: join(folder, 'server') });

const manifest = packageManifest();
const sbom = jsonText(createSbom());
put(join(folder, 'package.json'), jsonText(manifest));
put(join(folder, 'sbom.cdx.json'), sbom);

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
execFileSync(npm, ['pack', '--silent', '--ignore-scripts', '--pack-destination', dist], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const name = `${manifest.name}-${manifest.version}`;
put(join(dist, `${name}.cdx.json`), sbom);
const sums = [`${name}.tgz`, `${name}.cdx.json`].map((file) => `${hash('sha256', readFileSync(join(dist, file)))}  ${file}\n`);
put(join(dist, 'SHA256SUMS'), sums.join(''));
console.log(
  `${join(dist, `${name}.tgz`)}: ${files.size} sources, ${widget.files.length + office.files.size + site.size} files for browsers`,
);
