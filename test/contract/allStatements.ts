import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../../src/store/migrate.ts';

/** Every statement of the store, for the tests that judge all of them. */

const STORE = join(import.meta.dirname, '../../src/store');
const STATEMENT = /^[\s(]*(?:WITH|SELECT|INSERT|UPDATE|DELETE|REPLACE)\b/;
const isStatement = (value: unknown): value is string => typeof value === 'string' && STATEMENT.test(value);

type Named = readonly [name: string, text: string];

function collect(name: string, value: unknown, dialect: Dialect): readonly Named[] {
  if (isStatement(value)) return [[name, value]];
  if (value === null || typeof value !== 'object') return [];
  // A text for each database: the text has the name of the statement.
  if ('sqlite' in value && 'postgres' in value) {
    const text = value[dialect as keyof typeof value];
    return isStatement(text) ? [[name, text]] : [];
  }
  return Object.entries(value).flatMap(([key, inner]) => collect(`${name}.${key}`, inner, dialect));
}

/** The statements that a database is sent, each text once by the first name it has: those of the areas and of its own driver. */
export async function allStatements(dialect: Dialect): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const other = dialect === 'sqlite' ? 'postgres' : 'sqlite';
  // Threads begin to work when they are loaded.
  const files = globSync(`{areas,${dialect}}/*.ts`, { cwd: STORE })
    .sort()
    .filter((file) => !/\.test\.ts$|\/(?:writer|checkpoint)\.ts$/.test(file));
  for (const file of files) {
    const exported = (await import(join(STORE, file))) as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(exported).filter(([one]) => !one.startsWith(other)))
      for (const [own, text] of collect(name, value, dialect)) if (!names.has(text)) names.set(text, own);
  }
  return new Map([...names].map(([text, name]) => [name, text]));
}
