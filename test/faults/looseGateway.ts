import { registerHooks } from 'node:module';

/**
 * The control of the kill tests: src/main.ts itself, but on stores that acknowledge before they are durable. No setting of the gateway
 * leads there, so the two functions that open a store are exchanged on their way into main.ts.
 */
const openers: Readonly<Record<string, string>> = {
  './store/sqlite.ts': 'openSqliteStore',
  './store/postgres.ts': 'openPostgresStore',
};
const LOOSE = '?loose';

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isForMain = context.parentURL?.endsWith('/src/main.ts') && openers[specifier] !== undefined;
    return isForMain ? { ...found, url: `${found.url}${LOOSE}`, format: 'module', shortCircuit: true } : found;
  },
  load(url, context, next) {
    if (!url.endsWith(LOOSE)) return next(url, context);
    const real = url.slice(0, -LOOSE.length);
    const opener = Object.entries(openers).find(([path]) => real.endsWith(path.slice(1)))?.[1];
    const source = `import { ${opener} as open } from '${real}';
      export const ${opener} = (options) => open({ ...options, durability: 'off' });`;
    return { format: 'module', source, shortCircuit: true };
  },
});

await import('../../src/main.ts');
