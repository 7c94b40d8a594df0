import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leanOf } from '../lean.mjs';

/** The packages of others that a release consists of, from the lock file. */

const root = join(import.meta.dirname, '..', '..');
const jsonAt = <Content>(path: string): Content => JSON.parse(readFileSync(join(root, path), 'utf8'));

export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
};

type LockRow = {
  readonly version: string;
  readonly integrity?: string;
  readonly dev?: true;
  readonly optional?: true;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

export type Lock = { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, LockRow>> };

export const manifest = jsonAt<Manifest>('package.json');
export const lock = jsonAt<Lock>('package-lock.json');

/** `runtime`: the server loads it. `browser`: the built files for browsers contain it. */
export type ReleasedPackage = {
  readonly kind: 'runtime' | 'browser';
  readonly name: string;
  readonly version: string;
  /** Its folder below the checkout. */
  readonly place: string;
  readonly integrity: string | null;
  readonly isOptional: boolean;
  /** An SPDX expression. */
  readonly licence: string;
  /** Names of the packages that it needs. */
  readonly needs: readonly string[];
};

const nameAt = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
const isBundler = (name: string): boolean => name === 'esbuild' || name.startsWith('@esbuild/');

type PackageJson = { readonly license?: string; readonly licenses?: readonly { readonly type: string }[] };

/** Old packages list their licences, and one spells its expression in small letters. */
function licenceOf(place: string, { license }: LockRow): string {
  if (license !== undefined) return license.replace(/ or /g, ' OR ').replace(/^\((.*)\)$/, '$1');
  const { license: own, licenses = [] } = jsonAt<PackageJson>(`${place}/package.json`);
  return own ?? licenses.map(({ type }) => type).join(' OR ');
}

/** Runtime packages, and the packages that the files for browsers are built from, by name. */
export function releasedPackages(): readonly ReleasedPackage[] {
  const rows = Object.entries(leanOf(manifest, lock).lock.packages).filter(
    ([place]) => place !== '' && !isBundler(nameAt(place)),
  );
  return rows
    .map(
      ([place, row]): ReleasedPackage => ({
        kind: lock.packages[place]?.dev ? 'browser' : 'runtime',
        name: nameAt(place),
        version: row.version,
        place,
        integrity: row.integrity ?? null,
        isOptional: row.optional === true,
        licence: licenceOf(place, row),
        needs: Object.keys({ ...row.dependencies, ...row.optionalDependencies }),
      }),
    )
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
