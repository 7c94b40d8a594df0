import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { getHeapSnapshot } from 'node:v8';
import { exchange, parseAnswer } from '../../bench/answer.ts';
import { captureRequest, checkoutRequest, number, payTemplate, readRequest, refundRequest } from '../../bench/request.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';

/**
 * JSON.stringify leaves its quick way for an object that has a text in parts in it: a sum of texts, or a long slice of one (`oneText` of
 * src/runtime/json.ts). The engine shows in a snapshot of its heap which texts are of that kind.
 */

/** Values that were made JSON. The snapshot finds them by this name. */
class WrittenAsJson {
  readonly values: unknown[] = [];
}

type Snapshot = {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[]];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
};

const IN_PARTS = ['concatenated string', 'sliced string'];

/** The texts in parts below the objects of a class, each by the path to it. */
function textsInParts({ snapshot, nodes, edges, strings }: Snapshot, owner: string): readonly string[] {
  const { node_fields, node_types, edge_fields, edge_types } = snapshot.meta;
  const place = (fields: readonly string[], name: string) => fields.indexOf(name);
  const [width, typeAt, nameAt, countAt] = [
    node_fields.length,
    place(node_fields, 'type'),
    place(node_fields, 'name'),
    place(node_fields, 'edge_count'),
  ];
  const [edgeWidth, kindAt, labelAt, toAt] = [
    edge_fields.length,
    place(edge_fields, 'type'),
    place(edge_fields, 'name_or_index'),
    place(edge_fields, 'to_node'),
  ];
  const numberAt = (list: readonly number[], at: number): number => list[at] as number;
  const firstEdge = new Map<number, number>();
  const owners: number[] = [];
  for (let node = 0, edge = 0; node < nodes.length; node += width) {
    firstEdge.set(node, edge);
    edge += numberAt(nodes, node + countAt) * edgeWidth;
    const isObject = node_types[0][numberAt(nodes, node + typeAt)] === 'object';
    if (isObject && strings[numberAt(nodes, node + nameAt)] === owner) owners.push(node);
  }
  const found: string[] = [];
  const seen = new Set<number>();
  const walk = (node: number, path: string): void => {
    if (seen.has(node)) return;
    seen.add(node);
    const type = node_types[0][numberAt(nodes, node + typeAt)] as string;
    if (IN_PARTS.includes(type)) found.push(`${path}: ${type}`);
    if (!['object', 'array'].includes(type)) return;
    const from = firstEdge.get(node) ?? 0;
    for (let at = from; at < from + numberAt(nodes, node + countAt) * edgeWidth; at += edgeWidth) {
      const kind = edge_types[0][numberAt(edges, at + kindAt)];
      const label = numberAt(edges, at + labelAt);
      const name = kind === 'element' ? String(label) : strings[label];
      if ((kind !== 'property' && kind !== 'element') || name === '__proto__') continue;
      walk(numberAt(edges, at + toAt), `${path}.${name}`);
    }
  };
  for (const node of owners) walk(node, '');
  return found;
}

const folder = mkdtempSync(join(tmpdir(), 'turnpike-texts-'));
const stringify = JSON.stringify;
let gateway: TestGateway;

before(async () => {
  gateway = await startGateway({ store: await openSqliteStore({ dataDir: folder }) });
});
after(async () => {
  JSON.stringify = stringify;
  await gateway.close();
  rmSync(folder, { recursive: true });
});

/** Everything that becomes JSON while the work goes on. */
async function writtenDuring(work: () => Promise<unknown>): Promise<WrittenAsJson> {
  const written = new WrittenAsJson();
  JSON.stringify = ((value: unknown, ...rest: []) => {
    if (typeof value === 'object') written.values.push(value);
    return stringify(value, ...rest);
  }) as typeof JSON.stringify;
  try {
    await work();
  } finally {
    JSON.stringify = stringify;
  }
  return written;
}

let orders = 0;

async function send(request: string): Promise<string> {
  const { body } = parseAnswer(await exchange(gateway.port, request));
  const { id, result } = JSON.parse(body) as { readonly id: string; readonly result: { readonly code: string } };
  assert.match(result.code, /^000\.(100\.110|200\.100)$/, body);
  return id;
}

const pay = (paymentType: 'DB' | 'PA'): Promise<string> => {
  const template = payTemplate(paymentType);
  orders += 1;
  number(template, orders);
  return send(template.bytes.toString('latin1'));
};

/** Made while the test runs: a constant sum would be one text. */
class Control {
  readonly sum: string;
  readonly slice: string;
  readonly whole: string;

  constructor(text: string) {
    this.sum = `${text}-${text}`;
    this.slice = `${text}${text}`.slice(5, 40);
    this.whole = [text, text].join('-');
  }
}

/** A snapshot of the heap takes seconds: one for the test and its control. */
let held: Snapshot;

test('what a request writes as JSON has no text in parts', async () => {
  await pay('DB');
  const written = await writtenDuring(async () => {
    await send(readRequest(await pay('DB')));
    await send(captureRequest(await pay('PA')));
    await send(refundRequest(await pay('DB')));
    await send(checkoutRequest());
  });
  assert.ok(written.values.length > 10, `${written.values.length} values`);
  const control = new Control(`made at ${new Date().toISOString()}`);
  held = (await json(getHeapSnapshot())) as Snapshot;
  assert.ok(control.whole.length > 0);
  assert.deepEqual(textsInParts(held, WrittenAsJson.name), []);
});

test('control: a sum of texts and a slice of one are found', () => {
  assert.deepEqual(textsInParts(held, Control.name).toSorted(), ['.slice: sliced string', '.sum: concatenated string']);
});
