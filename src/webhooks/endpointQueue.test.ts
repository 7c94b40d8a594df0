import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createEndpointQueues,
  type EndpointQueue,
  type EndpointQueues,
  FAILING_OPEN_MAX,
  OPEN_MAX,
  QUEUE_OPEN_MAX,
} from './endpointQueue.ts';
import { exampleDelivery } from './examples.ts';

const clock = { now: () => 0 };
const claimed = () => ({ delivery: exampleDelivery(), clock, until: 60_000 });
const fill = (queues: EndpointQueues, id: string, count: number, isFailing = false) => {
  for (let at = 0; at < count; at += 1) queues.add(id, claimed(), isFailing);
};
function started(queues: EndpointQueues): EndpointQueue[] {
  const found: EndpointQueue[] = [];
  for (let next = queues.next(); next; next = queues.next()) found.push(next.queue);
  return found;
}

test('a webhook begins with one call and earns more by answering, up to its share', () => {
  const queues = createEndpointQueues();
  fill(queues, 'a', 200);
  let open = started(queues);
  assert.equal(open.length, 1);
  for (const width of [2, 4, 8, 16, 16]) {
    queues.recordSuccess(open[0] as EndpointQueue, 0);
    for (const queue of open) queues.done(queue);
    open = started(queues);
    assert.equal(open.length, width);
  }
  assert.equal(QUEUE_OPEN_MAX, 16);
});

test('a failure begins it anew, and one that fails has one call however much waits', () => {
  const queues = createEndpointQueues();
  fill(queues, 'a', 20);
  const [queue] = started(queues) as [EndpointQueue];
  for (let times = 0; times < 5; times += 1) queues.recordSuccess(queue, 0);
  queues.recordFailure(queue, 5, 0);
  queues.done(queue);
  assert.deepEqual([started(queues).length, queue.failingSince, queues.healthyOpen()], [1, 5, 0]);
  assert.deepEqual(queues.blocked(10), ['a']);
  queues.recordSuccess(queue, 20);
  assert.equal(queue.failingSince, null);
  assert.equal(started(queues).length, 1);
});

test('failing webhooks share a few calls, and a healthy one gets a call', () => {
  const queues = createEndpointQueues();
  for (let at = 0; at < 100; at += 1) fill(queues, `bad${at}`, 3, true);
  assert.equal(started(queues).length, FAILING_OPEN_MAX);
  fill(queues, 'good', 1);
  assert.deepEqual(
    started(queues).map(({ webhookId }) => webhookId),
    ['good'],
  );
});

test('when calls get scarce every webhook has fewer', () => {
  const queues = createEndpointQueues();
  const hanging: EndpointQueue[] = [];
  for (let at = 0; at < 100; at += 1) {
    fill(queues, `w${at}`, 1);
    const [queue] = started(queues) as [EndpointQueue];
    for (let times = 0; times < 5; times += 1) queues.recordSuccess(queue, 0);
    fill(queues, `w${at}`, 50);
    hanging.push(queue, ...started(queues));
  }
  assert.ok(hanging.length < OPEN_MAX, `${hanging.length} places are taken by 100 webhooks that hang`);
  fill(queues, 'new', 1);
  assert.equal(started(queues).length, 1);
});

test('served in turn; who asked for a rest is not fetched for', () => {
  const queues = createEndpointQueues();
  for (const id of ['a', 'b', 'c']) fill(queues, id, 2);
  const first = started(queues);
  assert.deepEqual(
    first.map(({ webhookId }) => webhookId),
    ['a', 'b', 'c'],
  );
  const [a] = first as [EndpointQueue];
  queues.recordFailure(a, 100, 5_000);
  queues.done(a);
  assert.ok(queues.blocked(5_099).includes('a'));
  const [again] = started(queues) as [EndpointQueue];
  queues.done(again);
  assert.ok(!queues.blocked(5_100).includes('a'));
});

test('who failed without asking for a rest has none, also when the clock is put back afterwards', () => {
  const queues = createEndpointQueues();
  fill(queues, 'a', 1);
  const [queue] = started(queues) as [EndpointQueue];
  queues.recordFailure(queue, 3_600_000, 0);
  queues.done(queue);
  assert.deepEqual(queues.blocked(1_800_000), []);
  queues.recordFailure(queue, 1_800_000, 60_000);
  assert.deepEqual([queues.blocked(1_859_999), queues.blocked(1_860_000)], [['a'], []]);
});
