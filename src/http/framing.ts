import type { IncomingMessage } from 'node:http';

/** Headers that decide who is served with what. Of a second one a proxy in front of us may have read the other. */
const once: readonly string[] = ['host', 'authorization', 'content-type', 'idempotency-key'];
const lengths: ReadonlySet<number> = new Set(once.map((name) => name.length));

/**
 * Whether one of these headers was sent twice, or the host is missing that HTTP/1.1 asks for. Names and values alternate, as the
 * parser leaves them.
 */
export function isAmbiguous({ rawHeaders, httpVersion, headers }: IncomingMessage): boolean {
  if (headers.host === undefined && httpVersion === '1.1') return true;
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const index = lengths.has(name.length) ? once.indexOf(name.toLowerCase()) : -1;
    if (index < 0) continue;
    if ((seen & (1 << index)) !== 0) return true;
    seen |= 1 << index;
  }
  return false;
}
