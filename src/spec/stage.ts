/**
 * The end of a stage: `await nextStage` lets the other requests of this turn of the event loop come as far, before any of them goes on. So
 * each stage runs for all of them one right after the other, and its code is in the processor's caches for every one but the first
 * (decisions/0086). What must happen in one piece, such as a check and what depends on it, has no end of a stage in between.
 */
export const nextStage: Promise<void> = Promise.resolve();
