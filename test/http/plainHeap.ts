import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { getHeapSnapshot } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { createReadPlain } from '../../src/http/transport/plain.ts';

/** The strings in memory that hold the access token of a request after its parts were kept, and after a slice of it was kept; a part. */
export type Kept = { readonly kept: number; readonly value: string; readonly cut: number };

type Snapshot = {
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
};

/** Counts the strings with the marker to which something still refers. */
async function stringsWith(marker: string): Promise<number> {
  const { nodes, strings, snapshot } = (await json(getHeapSnapshot())) as Snapshot;
  const { node_fields: fields, node_types } = snapshot.meta;
  const [typeAt, nameAt] = [fields.indexOf('type'), fields.indexOf('name')];
  const type = node_types[0].indexOf('string');
  let count = 0;
  for (let node = 0; node < nodes.length; node += fields.length)
    if (nodes[node + typeAt] === type && (strings[nodes[node + nameAt] as number] ?? '').includes(marker)) count += 1;
  return count;
}

const marker = ['token', 'of', process.pid, 'and', 'this', 'test'].join('-');
const head = (): Buffer =>
  Buffer.from(
    `GET /v1/payments/of-a-path?entityId=1 HTTP/1.1\r\nHost: pay.example\r\nAuthorization: ${marker}\r\nX-A-Longer-Name: and a longer value\r\n\r\n`,
    'latin1',
  );
const readPlain = createReadPlain();
const before = await stringsWith(marker);
const parts = (() => {
  const { url, method, headers } = readPlain(head()) ?? {};
  // The engine keeps the string in which a regular expression was found last.
  assert.match('another text', /text/);
  return [url, method, headers?.host, headers?.['x-a-longer-name'], ...Object.keys(headers ?? {})];
})();
const kept = (await stringsWith(marker)) - before;
const slice = head().toString('latin1').slice(0, 40);
const cut = (await stringsWith(marker)) - before;
assert.equal(slice.length, 40);
const result: Kept = { kept, value: String(parts[3]), cut };
parentPort?.postMessage(result);
