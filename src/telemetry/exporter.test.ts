import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExporter } from './exporter.ts';
import type { SpanRecord } from './tracer.ts';

const span = (at: number): SpanRecord => ({
  row: 'commit',
  name: 'commit',
  context: { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: at.toString(16).padStart(16, 'a'), isSampled: true, state: '' },
  parentId: null,
  startedAt: 1_790_000_000_000.5,
  endedAt: 1_790_000_000_001,
  attributes: {},
  isError: false,
});

/** An exporter whose pauses end when the test says so. `answers`: what the collector says, in turn; the last one stays. */
function start(answers: (number | Error)[], queueMax = 10, batchMax = 4) {
  const sent: number[] = [];
  const counts = { exported: 0, queue: 0, collector: 0, problems: [] as string[] };
  let wake = () => {};
  const pauses: number[] = [];
  const exporter = createExporter(
    { url: 'http://collector', headers: {}, resource: {}, timeoutMs: 1, delayMs: 100, queueMax, batchMax },
    {
      version: '1',
      async post(_url, body) {
        sent.push(JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.length);
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        if (typeof answer !== 'number') throw answer;
        return answer;
      },
      sleep: (ms, signal) => {
        pauses.push(ms);
        return new Promise((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve());
        });
      },
      onExported: (spans) => {
        counts.exported += spans;
      },
      onDropped: (spans, reason) => {
        counts[reason] += spans;
      },
      onProblem: (why) => counts.problems.push(why),
    },
  );
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    exporter,
    sent,
    counts,
    pauses,
    add: (count: number) => Array.from({ length: count }, (_, at) => exporter.add(span(at))),
    async turn() {
      wake();
      await settled();
    },
    settled,
  };
}

test('spans leave in batches, a full batch at once', async () => {
  const { exporter, sent, counts, add, settled, turn } = start([200]);
  add(3);
  await settled();
  assert.deepEqual(sent, []);
  add(1);
  await settled();
  assert.deepEqual(sent, [4]);
  add(2);
  await turn();
  assert.deepEqual(sent, [4, 2]);
  await exporter.stop();
  assert.deepEqual(counts, { exported: 6, queue: 0, collector: 0, problems: [] });
});

test('more spans than the queue holds are dropped and counted', async () => {
  const { exporter, counts, add } = start([200], 3, 100);
  add(10);
  await exporter.stop();
  assert.deepEqual(counts, { exported: 3, queue: 7, collector: 0, problems: [] });
});

test('a collector that is away gets the same spans later, with growing pauses, and one line of the log', async () => {
  const { exporter, counts, add, turn, pauses } = start([new Error('ECONNREFUSED'), 503, 200]);
  add(2);
  await turn();
  await turn();
  assert.deepEqual(counts.exported, 0);
  await turn();
  assert.deepEqual(counts, { exported: 2, queue: 0, collector: 0, problems: ['ECONNREFUSED'] });
  assert.deepEqual(pauses.slice(0, 4), [100, 200, 400, 100]);
  await exporter.stop();
});

test('a collector that refuses spans does not get them again', async () => {
  const { exporter, counts, add, turn } = start([400]);
  add(2);
  await turn();
  await exporter.stop();
  assert.deepEqual(counts, { exported: 0, queue: 0, collector: 2, problems: ['answered 400'] });
});

test('at the end spans that cannot be sent are dropped, and the end does not wait', async () => {
  const { exporter, counts, add } = start([new Error('late')]);
  add(3);
  await exporter.stop();
  assert.deepEqual([counts.exported, counts.collector], [0, 3]);
});
