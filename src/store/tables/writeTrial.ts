/** Statements of the trial write, in the form of statements.ts. */
export const trialWrites = {
  tryWrite: 'INSERT INTO write_trial (id, body) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
} as const;

/** In fresh space: the server gives the table a new file, which must grow. Rows of this length are not compressed. */
export const postgresTrial = {
  empty: 'TRUNCATE write_trial',
  fill: `INSERT INTO write_trial (id, body) SELECT n, repeat('x', 1000) FROM generate_series(1, 256) AS n`,
} as const;

/** As long as what a large payment writes, in bytes. */
export const TRIAL_BYTES = 262_144;
