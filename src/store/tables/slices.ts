/** A long list as several of about the same length, at most `most` of them: each is read by a connection of its own. */
export function inSlices<Item>(items: readonly Item[], least: number, most = 4): readonly (readonly Item[])[] {
  const size = Math.max(least, Math.ceil(items.length / most));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
