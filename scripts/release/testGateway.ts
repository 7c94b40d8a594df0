import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { withBundler } from '../../src/assets/build.ts';
import { inAscii, placedIn, plainHttp } from './bundle.ts';

/**
 * The gateway of `turnpike/testing` in a few files instead of a thousand: most of its start was the loading of modules. Modules that are
 * imported on demand stay files of their own. Names stay: shorter ones would make the start slower, because every function is then given its name
 * back, one by one.
 */

/** A module finds its files beside its own place, wherever its code has gone. */
const placesKept = (home: string): Plugin => ({
  name: 'places',
  setup({ onLoad, onResolve }) {
    // Modules that only a checkout imports are not in the package.
    onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) =>
      kind === 'dynamic-import' && !existsSync(join(resolveDir, path)) ? { path, external: true } : null,
    );
    onLoad({ filter: /\.js$/ }, ({ path }) => ({ contents: placedIn(home, readFileSync(path, 'utf8'), path), loader: 'js' }));
  },
});

/** Bundles the modules of the package in `folder`, beside the first of them. */
export async function writeTestGateway(folder: string): Promise<void> {
  const home = join(folder, 'src', 'app', 'testing');
  const { outputFiles } = await withBundler(() =>
    build({
      write: false,
      absWorkingDir: home,
      entryPoints: { bundled: join(home, 'memoryGateway.js') },
      outdir: home,
      bundle: true,
      splitting: true,
      chunkNames: 'part-[hash]',
      format: 'esm',
      platform: 'node',
      packages: 'external',
      target: 'es2024',
      minifySyntax: true,
      minifyWhitespace: true,
      sourcemap: false,
      legalComments: 'none',
      logLevel: 'error',
      plugins: [plainHttp, placesKept(home)],
    }),
  );
  for (const { path, text } of outputFiles) writeFileSync(path, inAscii(text));
}
