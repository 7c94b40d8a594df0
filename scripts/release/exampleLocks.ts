import { packageManifest } from './packageManifest.ts';
import { lock } from './packages.ts';
import { dependencyOfExample } from './publication.ts';
import { RUNTIME_PACKAGES, RUNTIME_VERSION } from './runtimePackages.ts';

/**
 * package.json and package-lock.json of the examples, as far as they follow from this program: the entry of `turnpike` and the packages that it needs.
 * An example is locked although its `turnpike` is a file that every `npm run pack` makes anew: that one row has no checksum.
 */

export const EXAMPLES: readonly string[] = ['first-payment', 'shop-tests', 'medusa-payment'];

type Needs = Readonly<Record<string, string>>;
type Row = {
  readonly version?: string;
  readonly dependencies?: Needs;
  readonly devDependencies?: Needs;
  readonly optionalDependencies?: Needs;
  readonly peerDependencies?: Needs;
};
type ExampleManifest = Row & { readonly name: string };
type Rows = Readonly<Record<string, Row>>;
type ExampleLock = { readonly packages: Rows };

const NAME = 'turnpike';
const placeOf = (name: string): string => `node_modules/${name}`;
const needsOf = ({ dependencies, devDependencies, optionalDependencies, peerDependencies }: Row): readonly string[] =>
  Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies });

/** Everything that a package needs, also through others: places in a lock file. */
function reachedFrom(name: string, rows: Rows): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [placeOf(name)];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const row = rows[place];
    if (row === undefined || reached.has(place)) continue;
    reached.add(place);
    open.push(...needsOf(row).map(placeOf));
  }
  return reached;
}

function runtimeRows(): Rows {
  const rows = RUNTIME_PACKAGES.map(({ name, os, cpu, integrity }) => {
    const bin = { node: os === 'win32' ? 'bin/node.exe' : 'bin/node' };
    return [placeOf(name), { version: RUNTIME_VERSION, integrity, cpu, license: 'MIT', optional: true, os, bin }] as const;
  });
  return Object.fromEntries(rows);
}

/** The rows of this program and of all that it needs, with the versions and checksums of the checkout. */
function ownRows(published: boolean): Rows {
  const { version, license, dependencies, bin, engines, optionalDependencies } = packageManifest();
  const resolved = published ? {} : { resolved: dependencyOfExample(false) };
  const own = { version, ...resolved, license, dependencies, bin, engines, optionalDependencies };
  const all: Rows = { ...lock.packages, ...runtimeRows(), [placeOf(NAME)]: own };
  return Object.fromEntries([...reachedFrom(NAME, all)].map((place) => [place, all[place] ?? {}]));
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => one.localeCompare(other, 'en');
const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

function manifestText(text: string, published: boolean): string {
  const spec = dependencyOfExample(published);
  return text.replace(/("turnpike": )"[^"]*"/, (_, head: string) => `${head}"${spec}"`);
}

/** All other packages of the example stay as npm has resolved them. */
function lockText(manifest: ExampleManifest, before: ExampleLock | null, published: boolean): string {
  const isTool = manifest.dependencies?.[NAME] === undefined;
  const old = before?.packages ?? {};
  const stale = reachedFrom(NAME, old);
  const others = Object.entries(old).filter(([place]) => place !== '' && !stale.has(place));
  const shared = new Set(others.flatMap(([, row]) => needsOf(row).map(placeOf)));
  const kept = Object.fromEntries([...others, ...Object.entries(old).filter(([place]) => stale.has(place) && shared.has(place))]);
  const own = ownRows(published);
  for (const [place, { version }] of Object.entries(own))
    if (kept[place] !== undefined && kept[place].version !== version)
      throw new Error(`${manifest.name} needs ${place} in another version than ${NAME}: let npm write its lock file`);
  const flag = isTool ? { dev: true } : {};
  const rows = { ...kept, ...Object.fromEntries(Object.entries(own).map(([place, row]) => [place, { ...row, ...flag }])) };
  const { name, ...rest } = manifest;
  const { version, license, dependencies, devDependencies, peerDependencies, engines } = rest as Record<string, unknown>;
  const head = { name, version, license, dependencies, devDependencies, engines, peerDependencies };
  const packages = { '': head, ...Object.fromEntries(Object.entries(rows).sort(byName)) };
  return jsonText({ name, version, lockfileVersion: 3, requires: true, packages });
}

/** The documents of every example. `read` answers null for a file that is not there yet. */
export function exampleDocuments(
  read: (path: string) => string | null,
  published: boolean,
): readonly { readonly path: string; readonly text: string }[] {
  return EXAMPLES.flatMap((name) => {
    const paths = ['package.json', 'package-lock.json'].map((file) => `examples/${name}/${file}`) as [string, string];
    const text = manifestText(read(paths[0]) ?? '', published);
    const before = read(paths[1]);
    const parsed = before === null ? null : (JSON.parse(before) as ExampleLock);
    return [
      { path: paths[0], text },
      { path: paths[1], text: lockText(JSON.parse(text) as ExampleManifest, parsed, published) },
    ];
  });
}
