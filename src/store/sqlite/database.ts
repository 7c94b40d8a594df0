import {
  type BulkStatement,
  type Cell,
  type Database,
  type ReadDatabase,
  type Statement,
  type Step,
  textFor,
} from '../database.ts';
import type { WriteStep } from './jobs.ts';
import type { Reads } from './reads.ts';
import type { Writer } from './threads.ts';

/** A statement that only PostgreSQL has is never read here. */
function textOf(statement: Statement | BulkStatement): string {
  const text = textFor('sqlite', statement);
  if (text === null) throw new Error('SQLite does without this statement');
  return text;
}

/** The steps that SQLite has, as the writer takes them. */
export function writeSteps(steps: readonly Step[]): readonly WriteStep[] {
  return steps.flatMap((step): WriteStep[] => {
    if ('bulk' in step) {
      const { bulk, rows, shared } = step;
      if (bulk.sqlite === null || rows.length === 0) return [];
      return [[bulk.sqlite, false, shared.length === 0 ? rows : rows.map((row) => [...row, ...shared])]];
    }
    const text = textFor('sqlite', step.statement);
    return text === null ? [] : [[text, step.isNeeded, [step.cells]]];
  });
}

/** The areas' view of a file for reads alone. */
export const sqliteReads = (read: Reads): ReadDatabase => ({
  dialect: 'sqlite',
  read: async (statement, ...cells) => read.all(textOf(statement), cells),
  readEach: async <Found extends object>(
    statement: BulkStatement,
    rows: readonly (readonly Cell[])[],
    ...shared: readonly Cell[]
  ) => rows.flatMap((row) => read.all<Found>(textOf(statement), [...row, ...shared])),
  walk: async (statement, cells, convert) => read.walk(textOf(statement), cells, convert),
  inSnapshot: (work) => read.inSnapshot((all) => work((statement, ...cells) => all(textOf(statement), cells))),
});

/** The areas' view of a file: this thread reads it, the writer's thread changes it. */
export function sqliteDatabase(read: Reads, writer: Writer): Database {
  const write = (...steps: readonly Step[]): Promise<number> => writer.ask({ do: 'write', steps: writeSteps(steps) });
  return {
    ...sqliteReads(read),
    find: async <Found extends object>(statement: BulkStatement, merchantId: string, id: string) =>
      read.all<Found>(textOf(statement), [merchantId, id])[0] ?? null,
    write,
    writeLong: write,
    writeApart: async (...steps) => void (await write(...steps)),
    returning: async (statement, ...cells) => writer.rows(textOf(statement), cells),
  };
}
