import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The gateway of longestTurnThread.ts with a fault: long work does not let other requests in between. For controls. */

const changes: Readonly<Record<string, readonly [find: string, put: string]>> = {
  '/src/runtime/ticks.ts': ['waiting.push(resolve);', 'resolve();'],
};

registerHooks({
  load(url, context, next) {
    const change = Object.entries(changes).find(([file]) => url.endsWith(file))?.[1];
    if (change === undefined) return next(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    if (!source.includes(change[0])) throw new Error(`${url} has changed: ${change[0]}`);
    return { format: 'module-typescript', source: source.replace(change[0], () => change[1]), shortCircuit: true };
  },
});
await import('./longestTurnThread.ts');
