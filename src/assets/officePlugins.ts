import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { isAdmin } from '../spec/admin/admin.ts';
import { type Endpoint, type EndpointName, endpoints } from '../spec/endpoints.ts';

/** Plug-ins that keep the first page of the back office small. */

/** Of the table of endpoints the pages need where each is and whether it needs a step-up, and none of its words. */
export const slimEndpoints: Plugin = {
  name: 'endpoints without words',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/]spec[\\/]endpoints\.ts$/ }, () => {
      const rows = (Object.keys(endpoints) as EndpointName[]).filter(isAdmin).map((name) => {
        const { method, path, access, stepUp }: Endpoint = endpoints[name];
        return [name, { method, path, access, stepUp }] as const;
      });
      return { contents: `export const endpoints = ${JSON.stringify(Object.fromEntries(rows))};`, loader: 'ts' };
    });
  },
};

/** Where each thing of a package is, by the one file that gathers them all. */
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
 * page uses, because all of them can be reached through the file that gathers them.
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
