import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { heavyRequests } from './longestTurn.ts';

/** The most processor time that one request may take of the event loop at a time, in milliseconds. */
const TURN_MS_MAX = 20;
/**
 * The least of some tries: the collection of garbage of others falls into one of them, two threads that share a core each take up to twice
 * the time, and the first ones run code that is not compiled yet.
 */
const TRIES = 8;

/** The endpoint with the longest bodies, one that ignores some parameters, and one that needs no token; or all of them. */
const few: readonly EndpointName[] = ['pay', 'register', 'payCheckout'];
const all = Object.keys(endpoints) as EndpointName[];

let worker: Worker;
let url = '';

const say = async (word: 'begin' | 'end'): Promise<number> => {
  const answer = once(worker, 'message');
  worker.postMessage(word);
  const [value] = (await answer) as [number];
  return value;
};

before(async () => {
  worker = new Worker(new URL('./longestTurnThread.ts', import.meta.url));
  const [said] = (await once(worker, 'message')) as [string];
  url = said;
});
after(() => worker.terminate());

for (const name of sized({ quick: few, assure: all, reliability: all })) {
  test(`${name}: no request keeps the event loop for long`, async () => {
    const long: string[] = [];
    for (const { title, method, path, headers, body } of heavyRequests(name)) {
      let least = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < TRIES && least > TURN_MS_MAX; tries += 1) {
        await say('begin');
        const reply = await fetch(url + path, { method, headers, body });
        await reply.arrayBuffer();
        least = Math.min(least, await say('end'));
        assert.ok(reply.status < 500, `${title}: ${reply.status}`);
      }
      if (least > TURN_MS_MAX) long.push(`${title}: ${least} ms`);
    }
    assert.deepEqual(long, []);
    reportFigure('R36', 'heavy requests', heavyRequests(name).length);
  });
}
