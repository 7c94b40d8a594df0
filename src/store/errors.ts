const troubles: readonly (readonly [words: RegExp, problem: string])[] = [
  [/\b53100\b|disk is full|no space left|disk full/i, 'the database cannot be written: its disk is full'],
  [/\b25006\b|read-?only/i, 'the database can be read only: it is a standby, or was set so'],
  [/malformed|not a database|damaged/i, 'the database is damaged'],
  [/did not answer|no answer|timeout|LATE/, 'the database does not answer in time'],
];

/** What is wrong with the store, for a reader without privileges: without names, addresses or data. */
export function troubleIn(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return troubles.find(([words]) => words.test(text))?.[1] ?? 'the database is out of order';
}
