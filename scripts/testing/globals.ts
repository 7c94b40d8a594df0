/** State that one test file can leave behind for the next one in the same process. */
export type Traces = ReadonlyMap<string, unknown>;

/** Not compared: reading them prints a warning, or Node changes them. */
const UNREAD: ReadonlySet<string> = new Set(['localStorage', 'sessionStorage', 'navigator']);
/** Made by playwright-core when it is loaded, once for the process. */
const OF_THE_BROWSER = /^__zod_global/;
/** Set by Node's test runner, not by a test. */
const OF_THE_RUNNER: ReadonlySet<string> = new Set(['NODE_TEST_WORKER_ID', 'NODE_TEST_CONTEXT']);

/** Global values with their own properties, environment, working directory and listeners of the process. */
export function traces(): Traces {
  const found = new Map<string, unknown>();
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (UNREAD.has(name) || OF_THE_BROWSER.test(name)) continue;
    const value: unknown = Reflect.get(globalThis, name);
    found.set(`globalThis.${name}`, value);
    if (value === globalThis || name === 'process' || value === null || !['object', 'function'].includes(typeof value)) continue;
    properties(found, name, value as object);
    const prototype: unknown = typeof value === 'function' ? value.prototype : null;
    if (typeof prototype === 'object' && prototype !== null) properties(found, `${name}.prototype`, prototype);
  }
  for (const [name, value] of Object.entries(process.env)) if (!OF_THE_RUNNER.has(name)) found.set(`process.env.${name}`, value);
  found.set('process.cwd()', process.cwd());
  found.set('process.argv', process.argv.join(' '));
  for (const event of process.eventNames()) found.set(`process.on(${String(event)})`, process.listenerCount(event));
  return found;
}

function properties(found: Map<string, unknown>, name: string, value: object): void {
  for (const [key, { value: held, get }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    found.set(`${name}.${key}`, get ?? held);
  }
}

/** The names of what differs between two calls of `traces`. */
export function changed(before: Traces, after: Traces): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !Object.is(before.get(name), after.get(name)));
}
