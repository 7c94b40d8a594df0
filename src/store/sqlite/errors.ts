import { BrokenCommit } from '../../payments/storeErrors.ts';
import { isOfFamily } from '../errors.ts';

const CONSTRAINT = 19;
const BUSY = 5;
const LOCKED = 6;

/** The request is at fault, not the database. */
export const isConstraint = (error: unknown): error is Error => error instanceof BrokenCommit || isOfFamily(error, CONSTRAINT);

export const isBusy = (error: unknown): boolean => isOfFamily(error, BUSY, LOCKED);

/** SQLite names the refusing trigger or CHECK only in the message: `name: text`, or `CHECK constraint failed: name`. */
const REFUSED_BY = /^(?:CHECK constraint failed: )?(\w+)(?:$|: )/;

/** The constraint or trigger that refused; empty when none did. */
export const constraintIn = (error: Error): string =>
  error instanceof BrokenCommit ? error.constraint : (REFUSED_BY.exec(error.message)?.[1] ?? '');
