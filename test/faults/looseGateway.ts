import { registerHooks } from 'node:module';

/**
 * The control of the kill tests: src/main.ts itself, but on stores that acknowledge before they are durable. No setting of the gateway
 * does this, so the two functions that open a store are replaced wherever they are imported.
 */
const openers = [
  ['/src/store/sqlite/sqliteStore.ts', 'openSqliteStore'],
  ['/src/store/postgres/postgresStore.ts', 'openPostgresStore'],
] as const;
const LOOSE = '?loose';
const exchanged = new Set<string>();

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isOpener = openers.some(([path]) => found.url.endsWith(path)) && !context.parentURL?.endsWith(LOOSE);
    return isOpener ? { ...found, url: `${found.url}${LOOSE}`, format: 'module', shortCircuit: true } : found;
  },
  load(url, context, next) {
    if (!url.endsWith(LOOSE)) return next(url, context);
    const real = url.slice(0, -LOOSE.length);
    const opener = openers.find(([path]) => real.endsWith(path))?.[1] ?? '';
    exchanged.add(opener);
    const source = `import { ${opener} as open } from '${real}';
      export const ${opener} = (options) => open({ ...options, durability: 'off' });`;
    return { format: 'module', source, shortCircuit: true };
  },
});

await import('../../src/main.ts');
if (exchanged.size !== openers.length) throw new Error('the gateway opened its store by another way: this is no control');
