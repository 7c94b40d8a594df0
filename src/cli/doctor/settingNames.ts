import { configOf, type Machine } from '../../config.ts';

/** Runs nothing and reads nothing. */
const NO_MACHINE: Machine = { readText: () => '', printed: () => '', uid: null };

/** Beside the gateway's settings: the start script and the tools set these. */
const OTHERS = ['TURNPIKE_CALLED_FROM'];

/** The names that the configuration reads. Settings of the inspector are read only while it is on. */
export function settingNames(): ReadonlySet<string> {
  const names = new Set(OTHERS);
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        names.add(String(name));
        return name === 'INSPECT' ? 'on' : undefined;
      },
    },
  );
  configOf(env, NO_MACHINE);
  return names;
}

/** First words that other programs use too. */
const COMMON = new Set(['NODE', 'LOG', 'DATA', 'PUBLIC', 'ADMIN', 'HOST', 'PORT', 'DATABASE']);
/** A name of fewer letters is too near to too many others. */
const LENGTH_MIN = 7;

/** The setting that a name was meant to be; '' when it only begins as settings do; null when it is one, or has nothing to do with them. */
export function nearestName(name: string, known: ReadonlySet<string>): string | null {
  if (known.has(name) || !/^[A-Z][A-Z0-9_]*$/.test(name)) return null;
  const near = [...known].find(
    (one) => one.length >= LENGTH_MIN && (one.replaceAll('_', '') === name.replaceAll('_', '') || distance(one, name) <= 2),
  );
  if (near !== undefined) return near;
  const [first = ''] = name.split('_');
  const isFamily = name.includes('_') && !COMMON.has(first) && [...known].some((one) => one.startsWith(`${first}_`));
  return isFamily ? '' : null;
}

/** Letters to insert, delete or exchange. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const exchanged = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
