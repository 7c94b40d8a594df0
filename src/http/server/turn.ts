/** Waits for the next turn of the event loop: other requests are handled first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
