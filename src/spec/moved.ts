import type { Row, Section } from './row.ts';

type Moved<Rows, From extends string, To extends string> = {
  readonly [Name in keyof Rows as Name extends `${From}.${infer Rest}` ? `${To}.${Rest}` : never]: Rows[Name];
};

/** The rows of one structure as another structure reuses them: other prefix, same formats, none of them required. */
export function moved<Rows extends Section['rows'], From extends string, To extends string>(
  rows: Rows,
  from: From,
  to: To,
): Moved<Rows, From, To> {
  const entries = Object.entries(rows)
    .filter(([name]) => name.startsWith(`${from}.`))
    .map(([name, row]): [string, Row<unknown>] => [to + name.slice(from.length), { ...row, need: 'O' }]);
  return Object.fromEntries(entries) as Moved<Rows, From, To>;
}

/** The rows but these. */
export function without<Rows extends Section['rows'], Name extends keyof Rows & string>(
  rows: Rows,
  names: readonly Name[],
): Omit<Rows, Name> {
  const left: ReadonlySet<string> = new Set(names);
  return Object.fromEntries(Object.entries(rows).filter(([name]) => !left.has(name))) as Omit<Rows, Name>;
}
