import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/**
 * Fewer, larger scripts. The bundler makes a script for each set of pages that use the same sources: some eighty for one page, and each
 * costs the browser and the gateway a request. Sources that a page may as well load together are made one group: every page
 * that uses one of a group imports all of it, which makes their sets of pages the same.
 */
export type Groups = {
  /** The sources of each group. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** The groups that the sources of each entry use. */
  readonly usedBy: ReadonlyMap<string, readonly string[]>;
};

/** A source that at least this many pages use is loaded with every page. */
const COMMON_PAGES_MIN = 8;
/** A script smaller than this costs more as a request than it saves. */
const SMALL_BYTES = 2_000;

type Outputs = Metafile['outputs'];

/** A script and all its static imports, direct and indirect. */
export function importedBy(outputs: Outputs, path: string, seen = new Set([path])): ReadonlySet<string> {
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || seen.has(next)) continue;
    seen.add(next);
    importedBy(outputs, next, seen);
  }
  return seen;
}

/** Finds the groups in what the bundler makes without them: the first script, the frame around pages, and what many pages use. */
export function findGroups(outputs: Outputs, main: string, layout: string): Groups {
  const entries = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [{ path, entryPoint }],
  );
  const reached = new Map(entries.map(({ path }) => [path, importedBy(outputs, path)]));
  const uses = (script: string): number => [...reached.values()].filter((scripts) => scripts.has(script)).length;
  const core = importedBy(outputs, main);
  const frame = [...importedBy(outputs, layout)].filter((script) => !core.has(script));
  const known = new Set([...core, ...frame, ...reached.keys()]);
  const isWanted = (script: string): boolean =>
    known.has(script) || uses(script) >= COMMON_PAGES_MIN || (outputs[script]?.bytes ?? 0) < SMALL_BYTES;
  // Includes imports, because a group would load an imported script with every page.
  const common = Object.keys(outputs).filter(
    (script) => !known.has(script) && [...importedBy(outputs, script)].every((one) => isWanted(one)),
  );
  const scripts = new Map(Object.entries({ core: [...core], frame, common }));
  const sourcesOf = (script: string): readonly string[] =>
    Object.entries(outputs[script]?.inputs ?? {}).flatMap(([source, { bytesInOutput }]) => (bytesInOutput > 0 ? [source] : []));
  const groupsUsedBy = (path: string): readonly string[] =>
    [...scripts].flatMap(([name, all]) => (all.some((script) => reached.get(path)?.has(script)) ? [name] : []));
  return {
    members: new Map([...scripts].map(([name, all]) => [name, all.flatMap(sourcesOf)])),
    usedBy: new Map(entries.map(({ path, entryPoint }) => [entryPoint, groupsUsedBy(path)])),
  };
}

const GROUP = /^group:/;

/** Makes every entry import its groups; `change` is what other plug-ins do to the same sources. */
export const importGroups = (root: string, { members, usedBy }: Groups, change: (text: string) => string): Plugin => ({
  name: 'groups of sources',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: GROUP }, ({ path }) => ({ path: path.replace(GROUP, ''), namespace: 'group' }));
    onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
      contents: (members.get(path) ?? []).map((source) => `import ${JSON.stringify(join(root, source))};`).join('\n'),
      resolveDir: root,
    }));
    const entries = new Map([...usedBy].map(([entry, groups]) => [join(root, entry), groups]));
    onLoad({ filter: /\.(?:[cm]?js|tsx?)$/, namespace: 'file' }, async ({ path }) => {
      const groups = entries.get(path);
      if (groups === undefined) return null;
      const imports = groups.map((name) => `import 'group:${name}';`).join('\n');
      const loader = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js';
      return { contents: `${change(await readFile(path, 'utf8'))}\n${imports}\n`, loader };
    });
  },
});
