/** Waits for the next turn of the event loop: other requests are handled first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Maps a list slice by slice, each in a turn of its own. */
export async function mapInTurns<One, Result>(
  list: readonly One[],
  size: number,
  map: (slice: readonly One[]) => readonly Result[] | Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < list.length; at += size) {
    if (at > 0) await nextTurn();
    results.push(...(await map(list.slice(at, at + size))));
  }
  return results;
}
