/** Connections of one node to PostgreSQL, and statements of commits under way at once. */
const CONNECTIONS = 8;
const QUEUES = 2;
/** One for commits and one for everything else. */
const CONNECTIONS_MIN = 2;

/** The threads of a process that divide its bounds. Beside several request threads there is the main one, which they ask. */
export const sharersOf = (requestThreads: number): number => (requestThreads === 1 ? 1 : requestThreads + 1);

/** What each of them may open of it. */
export const poolShare = (requestThreads: number): { readonly poolMax: number; readonly queues: number } => ({
  poolMax: Math.max(CONNECTIONS_MIN, Math.floor(CONNECTIONS / sharersOf(requestThreads))),
  queues: Math.max(1, Math.floor(QUEUES / sharersOf(requestThreads))),
});
