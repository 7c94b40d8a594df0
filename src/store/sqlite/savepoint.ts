import type { DatabaseSync } from 'node:sqlite';
import { isConstraint } from './errors.ts';

/** Runs a step of a transaction. When a constraint refuses it, the step is undone and `refuse` gives its result; other steps stay. */
export type InSavepoint = <T>(step: () => T, refuse: (error: Error) => T) => T;

export function createSavepoint(db: DatabaseSync): InSavepoint {
  const [set, release, undo] = [db.prepare('SAVEPOINT one'), db.prepare('RELEASE one'), db.prepare('ROLLBACK TO one')];
  return (step, refuse) => {
    set.run();
    try {
      const result = step();
      release.run();
      return result;
    } catch (error) {
      if (!isConstraint(error)) throw error;
      undo.run();
      release.run();
      return refuse(error);
    }
  };
}
