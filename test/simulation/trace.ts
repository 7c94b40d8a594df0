/** What happened, in order: a hash of everything and the text of the latest. */
export type Trace = {
  note(event: string): void;
  hash(): string;
  last(): readonly string[];
  count(): number;
};

/** Two runs of a seed are the same run when their hashes are. `keep`: how many texts are held for a report. */
export function createTrace(keep: number): Trace {
  const texts: string[] = [];
  let one = 0x811c9dc5;
  let other = 0x01000193;
  let count = 0;
  return {
    note(event) {
      for (let at = 0; at < event.length; at += 1) {
        const code = event.charCodeAt(at);
        one = Math.imul(one ^ code, 0x01000193);
        other = Math.imul(other + code, 0x85ebca6b) ^ (other >>> 13);
      }
      count += 1;
      texts.push(event);
      // Thrown away in blocks, so that a note costs the same whatever is kept.
      if (texts.length >= keep * 2) texts.splice(0, texts.length - keep);
    },
    hash: () => (one >>> 0).toString(16).padStart(8, '0') + (other >>> 0).toString(16).padStart(8, '0'),
    last: () => texts.slice(-keep),
    count: () => count,
  };
}
