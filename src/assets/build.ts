import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, stop } from 'esbuild';
import { badgeRules } from '../widget/images/badges.ts';
import type { Texts } from '../widget/texts.ts';
import { type Build, type Built, integrityOf } from './asset.ts';

const widget = join(import.meta.dirname, '..', 'widget');

const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ts: 'text/plain; charset=utf-8',
} as const;

/** The names of the scripts. Pages that remove the widget look for the first. */
const scripts = {
  'js/static.min.js': 'runtime/main.ts',
  'js/frame.min.js': 'frame/main.ts',
  'js/loader.js': 'loader/loader.ts',
} as const;

const TYPINGS = 'paymentWidgets.d.ts';

/** Browsers of the last three years. */
const TARGET = ['chrome111', 'firefox111', 'safari16.4'];

/** plain.css imports the positions of the badges. This plug-in computes that sheet, so no file has it. */
export const badgeSheet: Plugin = {
  name: 'badges',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\/badges\.css$/ }, ({ path }) => ({ path, namespace: 'badges' }));
    onLoad({ filter: /./, namespace: 'badges' }, () => ({ contents: badgeRules(), loader: 'css' }));
  },
};

async function bundle(entry: string, name: string, define: Readonly<Record<string, string>> = {}): Promise<Built> {
  const { outputFiles } = await build({
    entryPoints: [join(widget, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    charset: 'utf8',
    legalComments: 'none',
    define,
    plugins: [badgeSheet],
    // Pictures are served beside the sheets, under the same build.
    external: ['../img/*'],
    target: TARGET,
    logLevel: 'silent',
  });
  const [out] = outputFiles;
  if (!out) throw new Error(`${entry} gave nothing`);
  return { name, type: TYPES[entry.endsWith('.css') ? 'css' : 'js'], bytes: out.contents };
}

const namesIn = (folder: string, end: string): readonly string[] =>
  readdirSync(join(widget, folder))
    .filter((name) => name.endsWith(end) && !name.endsWith(`.test${end}`))
    .map((name) => name.slice(0, -end.length))
    .toSorted();

async function language(code: string): Promise<Built> {
  const texts = (await import(join(widget, 'labels', `${code}.ts`)))[code] as Texts;
  return { name: `labels/${code}.json`, type: TYPES.json, bytes: Buffer.from(JSON.stringify(texts)) };
}

/** Makes the widget from its sources, in a tenth of a second. */
export const buildWidget = (): Promise<Build> => withBundler(makeWidget);

async function makeWidget(): Promise<Build> {
  const wallets = await bundle('runtime/wallets/main.ts', 'js/wallets.min.js');
  const define = { WALLETS_INTEGRITY: JSON.stringify(integrityOf(wallets.bytes)) };
  const files = await Promise.all([
    wallets,
    ...Object.entries(scripts).map(([name, entry]) => bundle(entry, name, define)),
    ...namesIn('styles', '.css').map((name) => bundle(`styles/${name}.css`, `css/${name}.css`)),
    ...namesIn('labels', '.ts').map(language),
    ...(['svg', 'png'] as const).flatMap((end) => namesIn('images', `.${end}`).map((name) => image(name, end))),
    typings(),
  ]);
  const sum = hash('sha256', files.map(({ name, bytes }) => `${name} ${hash('sha256', bytes)}`).join('\n'));
  return { name: sum.slice(0, 16), files };
}

const image = (name: string, end: 'svg' | 'png'): Built => ({
  name: `img/${name}.${end}`,
  type: TYPES[end],
  bytes: readFileSync(join(widget, 'images', `${name}.${end}`)),
});

/** The typings that shops download: the public types of the widget in one file without imports. */
function typings(): Built {
  const options = readFileSync(join(widget, 'options.ts'), 'utf8').replace(/^import .*\n\n(?:\/\/ .*\n)+\n/, '');
  const spec = readFileSync(join(widget, '..', 'spec', 'widget.ts'), 'utf8');
  const [result] = spec.match(/\/\*\* [^\n]* \*\/\nexport type WidgetResult = \{[\s\S]*?\n\};\n/) ?? [];
  if (result === undefined || /\bimport\b/.test(options)) throw new Error('the types of the widget cannot be read');
  const text = `/**
 * Types of the Turnpike payment widget, for pages that are written in TypeScript. Save the file beside your sources, or let your build
 * fetch it from \`{gateway}/v1/static/${TYPINGS}\`. It declares \`wpwlOptions\`, \`wpwl\` and \`turnpike\` as globals and exports their types.
 */

${options}
${result}
declare global {
  var wpwlOptions: Options | undefined;
  var wpwl: Wpwl | undefined;
  var turnpike: Wpwl | undefined;
}
`;
  return { name: TYPINGS, type: TYPES.ts, bytes: Buffer.from(text) };
}

/** The bundler is a process of its own with some 30 MB. All builds of this process share it, and it ends with the last of them. */
function createBundler() {
  let builds = 0;
  return async <Made>(build: () => Promise<Made>): Promise<Made> => {
    builds += 1;
    try {
      return await build();
    } finally {
      builds -= 1;
      if (builds === 0) await stop();
    }
  };
}

/** Runs a build. */
export const withBundler = createBundler();
