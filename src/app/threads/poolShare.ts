/** Connections of one node to PostgreSQL, and statements of commits under way at once. */
const CONNECTIONS = 8;
const QUEUES = 2;
/** One for commits and one for everything else. */
const CONNECTIONS_MIN = 2;

/** What each of several threads may open of it. */
export const poolShare = (threads: number): { readonly poolMax: number; readonly queues: number } => ({
  poolMax: Math.max(CONNECTIONS_MIN, Math.floor(CONNECTIONS / threads)),
  queues: Math.max(1, Math.floor(QUEUES / threads)),
});
