/** The commit may have been kept or not: the connection or the writer was lost before it could say. Only reading again can tell. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** The store cannot work now, and what was asked of it was not done. */
export class StoreOutOfOrder extends Error {
  override readonly name = 'StoreOutOfOrder';
}

/** A commit that contradicts itself or what is stored (a bug of the caller, not a race). Nothing was written. */
export class BrokenCommit extends Error {
  override readonly name = 'BrokenCommit';
}

const troubles: readonly (readonly [words: RegExp, problem: string])[] = [
  [/\b53100\b|disk is full|no space left|disk full/i, 'the database cannot be written: its disk is full'],
  [/\b25006\b|read-?only/i, 'the database can be read only: it is a standby, or was set so'],
  [/malformed|not a database|damaged/i, 'the database is damaged'],
  [/did not answer|no answer|timeout|LATE/, 'the database does not answer in time'],
];

/** What is wrong with the store, in words for anybody: without names, addresses or anything that was to be written. */
export function troubleIn(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return troubles.find(([words]) => words.test(text))?.[1] ?? 'the database is out of order';
}
