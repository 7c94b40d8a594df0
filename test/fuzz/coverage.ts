import { type Profiler, Session } from 'node:inspector';

/** What ran since the last look: how much of the sources for the first time, and how many blocks in all. */
export type Looked = { readonly isNew: boolean; readonly work: number };

export interface Coverage {
  look(): Looked;
  /** Forgets what has run: everything is new again. */
  forget(): void;
  /** Remembers what has run; the function returned goes back to it. */
  remember(): () => void;
  /** Characters of the sources that have run. */
  covered(): number;
}

/**
 * Counts blocks by the engine's own profiler. It must begin before the sources are loaded: code that was compiled earlier has no counters.
 */
export function startCoverage(isSource: (url: string) => boolean): Coverage {
  const session = new Session();
  session.connect();
  const post = (method: string, parameters: object = {}): unknown => {
    let found: unknown;
    session.post(method, parameters, (error, result) => {
      if (error) throw error;
      found = result;
    });
    return found;
  };
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const seen = new Map<string, Uint8Array>();
  return {
    look() {
      const { result } = post('Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType;
      let [isNew, work] = [false, 0];
      for (const { url, functions } of result) {
        if (!isSource(url)) continue;
        for (const { ranges } of functions) {
          for (const { count } of ranges) work += count;
          if (mark(seen, url, ranges)) isNew = true;
        }
      }
      return { isNew, work };
    },
    forget: () => seen.clear(),
    remember: () => {
      const then = [...seen].map(([url, ran]) => [url, ran.slice()] as const);
      return () => {
        seen.clear();
        for (const [url, ran] of then) seen.set(url, ran);
      };
    },
    covered: () => [...seen.values()].reduce((sum, ran) => sum + ran.reduce((count, one) => count + one, 0), 0),
  };
}

/** Notes which characters of a function have run; true when some had not before. An inner range says otherwise than the one around it. */
function mark(seen: Map<string, Uint8Array>, url: string, ranges: readonly Profiler.CoverageRange[]): boolean {
  const [whole, ...inner] = ranges;
  if (!whole || whole.count === 0) return false;
  const ran = new Uint8Array(whole.endOffset - whole.startOffset).fill(1);
  for (const { startOffset, endOffset, count } of inner)
    ran.fill(count > 0 ? 1 : 0, startOffset - whole.startOffset, endOffset - whole.startOffset);
  let known = seen.get(url) ?? new Uint8Array(0);
  if (known.length < whole.endOffset) {
    const longer = new Uint8Array(whole.endOffset * 2);
    longer.set(known);
    known = longer;
    seen.set(url, known);
  }
  let isNew = false;
  for (let at = 0; at < ran.length; at += 1) {
    if (ran[at] === 0 || known[whole.startOffset + at] === 1) continue;
    known[whole.startOffset + at] = 1;
    isNew = true;
  }
  return isNew;
}
