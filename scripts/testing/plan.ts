import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** Files that one process runs, one after the other. A file that needs a process of its own is alone in its unit. */
export type Unit = { readonly files: readonly string[]; readonly isShared: boolean };

export const TEST_FILES = ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'];
/** Takes too long for every run: runs with `--long`, and by `npm run assure`. */
export const isLong = (file: string): boolean => file.endsWith('.long.test.ts');

/** Modules that open sockets, databases, browsers, threads or processes. A test file that reaches one gets a process of its own. */
const OWN_PROCESS: ReadonlySet<string> = new Set([
  ...['node:child_process', 'node:cluster', 'node:worker_threads', 'node:inspector', 'node:repl'],
  ...['node:http', 'node:https', 'node:http2', 'node:net', 'node:tls', 'node:dgram', 'node:sqlite'],
  ...['playwright-core', 'postgres', 'pg', 'ssh2', 'basic-ftp', 'esbuild'],
  // Puts some sixty functions into the global object and into `Reflect`.
  '@simplewebauthn/server',
]);
/** The exports of `node:net` that only parse addresses and open nothing. */
const HARMLESS: ReadonlySet<string> = new Set(['isIP', 'isIPv4', 'isIPv6', 'BlockList', 'SocketAddress']);
/** Computes for half a minute or more: alone in a process, so that no unit has two of them. */
const LENGTHY = /^test\/(?:simulation\/|negatives|decoder\.fuzz|contract\/(?:store|signInAttempts|webhooks)\.)/;
/** Their limits are times of a machine that does nothing else: in a long run they come last, one after the other. */
export const measuring: ReadonlySet<string> = new Set([
  ...['slowClients', 'soak'].map((name) => `test/faults/${name}.test.ts`),
  ...['chaos', 'patroni', 'replica', 'handover'].map((name) => `test/faults/${name}.long.test.ts`),
  ...['http/flood', 'http/largeBodies', 'linearizability/families', 'webhooks/r42', 'manyMerchants', 'millionBackup'].map(
    (name) => `test/${name}.long.test.ts`,
  ),
]);
/** Compares two kinds of work that feel the caches of a busy machine differently: in every whole run it comes last, alone. */
export const comparing: ReadonlySet<string> = new Set(['test/cost/paymentCpu.test.ts']);
/** Enough files to be worth a process, few enough for the units to end together. */
const SHARED_MAX = 50;
/** Modules with which a test changes more than it can undo: other processes, threads, the global object. */
const APART: ReadonlySet<string> = new Set([
  ...['node:child_process', 'node:cluster', 'node:worker_threads', 'node:inspector', 'node:repl'],
  ...['esbuild', '@simplewebauthn/server'],
]);
/** Fixtures that start servers or browsers and end them with the test file. */
const FIXTURES: ReadonlySet<string> = new Set([
  'test/http/gateway.ts',
  'test/contract/everyStore.ts',
  'test/postgres.ts',
  'test/browser/browser.ts',
  'test/browser/office.ts',
]);
/** To load a gateway or a store costs as much as most of the tests that use it. Files with a browser take several times as long. */
const [CLOSING_SHARED_MAX, BROWSER_SHARED_MAX] = [32, 8];

export type Plan = { readonly root: string; importsOf(file: string): readonly string[] };

const IMPORT =
  /(?:^|[\s;])(?:import|export)\s+(?!type[\s{])(?:([^'"`;]*?)\s*from\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|new URL\(\s*['"](\.[^'"]+)['"]\s*,\s*import\.meta\.url/g;

const SOURCE = /\.(?:ts|tsx|mjs|js)$/;

/** Reads the imports that load at run time; imports of types do not. */
export function readPlan(root: string): Plan {
  const known = new Map<string, readonly string[]>();
  return {
    root,
    importsOf(file) {
      const before = known.get(file);
      if (before) return before;
      if (!SOURCE.test(file) || file.startsWith('node_modules/') || !existsSync(join(root, file))) return [];
      const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
      const found = [...text.matchAll(IMPORT)].flatMap(([, names = '', plain, called, url]) => {
        const target = (plain ?? called ?? url) as string;
        if (target === 'node:net' && namesOf(names).every((name) => HARMLESS.has(name))) return [];
        return [target.startsWith('.') ? posix.join(dirname(file), target) : target];
      });
      known.set(file, found);
      return found;
    },
  };
}

/** The names in braces; a default or star import counts as one that is not harmless. */
function namesOf(clause: string): readonly string[] {
  const inBraces = /^\{([^}]*)\}$/.exec(clause.trim())?.[1];
  if (inBraces === undefined) return ['*'];
  const names = inBraces.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '' && !name.startsWith('type ')).map((name) => name.split(/\s+as\s+/)[0] as string);
}

/** The chain of imports from a file to the first module that `isHit`; null when there is none. */
export function importChain(plan: Plan, file: string, isHit: (target: string) => boolean): readonly string[] | null {
  const cameFrom = new Map<string, string | null>([[file, null]]);
  const open = [file];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (isHit(at)) return chain(cameFrom, at);
    for (const target of plan.importsOf(at)) {
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, at);
      open.push(target);
    }
  }
  return null;
}

function chain(cameFrom: ReadonlyMap<string, string | null>, end: string): readonly string[] {
  const steps: string[] = [];
  for (let at: string | null | undefined = end; at; at = cameFrom.get(at)) steps.unshift(at);
  return steps;
}

/** The chain of imports because of which a file needs a process of its own; null when it may share one. */
export function whyAlone(plan: Plan, file: string): readonly string[] | null {
  return importChain(plan, file, (target) => OWN_PROCESS.has(target) || OWN_PROCESS.has(`node:${target}`));
}

/**
 * Whether a file opens sockets, stores, servers or browsers that close with it: then it shares a process with other such files. A file that
 * starts processes or threads itself does not.
 */
export function closesAll(plan: Plan, file: string): boolean {
  if (whyAlone(plan, file) === null) return false;
  const isOfTests = (target: string) => /^(?:test|bench|scripts)\/|\.test\.ts$/.test(target);
  const tests: Plan = { ...plan, importsOf: (at) => (isOfTests(at) && !FIXTURES.has(at) ? plan.importsOf(at) : []) };
  return importChain(tests, file, (target) => APART.has(target) || APART.has(`node:${target}`)) === null;
}

export const needsPostgres = (plan: Plan, file: string): boolean =>
  importChain(plan, file, (target) => target === 'test/postgres.ts') !== null;
/** Whether a file starts the gateway or the command line in processes of their own. */
export const startsPrograms = (plan: Plan, file: string): boolean =>
  importChain(plan, file, (target) => target === 'test/programs.ts') !== null;
/** Whether a file needs the package as `npm run pack` makes it. */
export const needsRelease = (plan: Plan, file: string): boolean =>
  importChain(plan, file, (target) => target === 'test/packageFixture.ts') !== null;
export const needsBrowser = (plan: Plan, file: string): boolean =>
  importChain(plan, file, (target) => target === 'playwright-core') !== null;

export function findTestFiles(root: string): readonly string[] {
  return globSync(TEST_FILES, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

/** Divides files into units. Their order is decided when they run. */
export function divideIntoUnits(plan: Plan, files: readonly string[]): readonly Unit[] {
  const alone = files.filter((file) => LENGTHY.test(file) || whyAlone(plan, file) !== null);
  const closing = alone.filter((file) => !LENGTHY.test(file) && closesAll(plan, file));
  const together = files.filter((file) => !alone.includes(file));
  return [
    ...alone.filter((file) => !closing.includes(file)).map((file) => ({ files: [file], isShared: false })),
    ...shared(
      closing.filter((file) => !needsBrowser(plan, file)),
      CLOSING_SHARED_MAX,
    ),
    ...shared(
      closing.filter((file) => needsBrowser(plan, file)),
      BROWSER_SHARED_MAX,
    ),
    ...shared(together, SHARED_MAX),
  ];
}

/** Divides files into units of about the same size. */
function shared(files: readonly string[], max: number): readonly Unit[] {
  const count = Math.ceil(files.length / max);
  const begin = (at: number) => Math.floor((at * files.length) / count);
  return Array.from({ length: count }, (_, at) => ({ files: files.slice(begin(at), begin(at + 1)), isShared: true }));
}
