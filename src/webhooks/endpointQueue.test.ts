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
const fill = (lanes: EndpointQueues, id: string, count: number, isFailing = false) => {
  for (let at = 0; at < count; at += 1) lanes.add(id, claimed(), isFailing);
};
function started(lanes: EndpointQueues): EndpointQueue[] {
  const found: EndpointQueue[] = [];
  for (let place = lanes.next(); place; place = lanes.next()) found.push(place.lane);
  return found;
}

test('a webhook begins with one call and earns more by answering, up to its share', () => {
  const lanes = createEndpointQueues();
  fill(lanes, 'a', 200);
  let open = started(lanes);
  assert.equal(open.length, 1);
  for (const width of [2, 4, 8, 16, 16]) {
    lanes.recordSuccess(open[0] as EndpointQueue, 0);
    for (const lane of open) lanes.done(lane);
    open = started(lanes);
    assert.equal(open.length, width);
  }
  assert.equal(QUEUE_OPEN_MAX, 16);
});

test('a failure begins it anew, and one that fails has one call however much waits', () => {
  const lanes = createEndpointQueues();
  fill(lanes, 'a', 20);
  const [lane] = started(lanes) as [EndpointQueue];
  for (let times = 0; times < 5; times += 1) lanes.recordSuccess(lane, 0);
  lanes.recordFailure(lane, 5, 0);
  lanes.done(lane);
  assert.deepEqual([started(lanes).length, lane.failingSince, lanes.healthyOpen()], [1, 5, 0]);
  assert.deepEqual(lanes.blocked(10), ['a']);
  lanes.recordSuccess(lane, 20);
  assert.equal(lane.failingSince, null);
  assert.equal(started(lanes).length, 1);
});

test('those that fail have few places together, and everybody else finds one', () => {
  const lanes = createEndpointQueues();
  for (let at = 0; at < 100; at += 1) fill(lanes, `bad${at}`, 3, true);
  assert.equal(started(lanes).length, FAILING_OPEN_MAX);
  fill(lanes, 'good', 1);
  assert.deepEqual(
    started(lanes).map(({ webhookId }) => webhookId),
    ['good'],
  );
});

test('when places get scarce everybody has fewer', () => {
  const lanes = createEndpointQueues();
  const hanging: EndpointQueue[] = [];
  for (let at = 0; at < 100; at += 1) {
    fill(lanes, `w${at}`, 1);
    const [lane] = started(lanes) as [EndpointQueue];
    for (let times = 0; times < 5; times += 1) lanes.recordSuccess(lane, 0);
    fill(lanes, `w${at}`, 50);
    hanging.push(lane, ...started(lanes));
  }
  assert.ok(hanging.length < OPEN_MAX, `${hanging.length} places are taken by 100 webhooks that hang`);
  fill(lanes, 'new', 1);
  assert.equal(started(lanes).length, 1);
});

test('served in turn; who asked for a rest is not fetched for', () => {
  const lanes = createEndpointQueues();
  for (const id of ['a', 'b', 'c']) fill(lanes, id, 2);
  const first = started(lanes);
  assert.deepEqual(
    first.map(({ webhookId }) => webhookId),
    ['a', 'b', 'c'],
  );
  const [a] = first as [EndpointQueue];
  lanes.recordFailure(a, 100, 5_000);
  lanes.done(a);
  assert.ok(lanes.blocked(5_099).includes('a'));
  const [again] = started(lanes) as [EndpointQueue];
  lanes.done(again);
  assert.ok(!lanes.blocked(5_100).includes('a'));
});

test('who failed without asking for a rest has none, also when the clock is put back afterwards', () => {
  const lanes = createEndpointQueues();
  fill(lanes, 'a', 1);
  const [lane] = started(lanes) as [EndpointQueue];
  lanes.recordFailure(lane, 3_600_000, 0);
  lanes.done(lane);
  assert.deepEqual(lanes.blocked(1_800_000), []);
  lanes.recordFailure(lane, 1_800_000, 60_000);
  assert.deepEqual([lanes.blocked(1_859_999), lanes.blocked(1_860_000)], [['a'], []]);
});
