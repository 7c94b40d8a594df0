import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Balancer, startBalancer } from '../balancer.ts';
import { findProgram, skipWithout } from '../debian.ts';
import { freePort, temporaryFolder } from './gatewayProcess.ts';
import { overload } from './overload.ts';
import { rollNodes } from './rollingRestart.ts';

const skip = await skipWithout('haproxy');

/** As docs/scale.md recommends; without its retries, so that none can hide a failure. */
async function startHaproxy(nodes: readonly string[]): Promise<Balancer> {
  const port = await freePort();
  const path = join(temporaryFolder(), 'haproxy.cfg');
  const servers = nodes.map((url, at) => `  server node${at + 1} ${new URL(url).host}`);
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 65s',
    '  timeout server 65s',
    // Without it a check of a busy node may take no longer than the interval.
    '  timeout check 10s',
    '  retries 0',
    'listen turnpike',
    `  bind 127.0.0.1:${port}`,
    '  balance roundrobin',
    '  option httpchk GET /health/ready',
    '  default-server check inter 200ms fall 1 rise 1',
    ...servers,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  const child = spawn(findProgram('haproxy') ?? '', ['-db', '-f', path], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const roll = { nodes: 4, rounds: 2, perSecond: 15 };

test('four nodes behind HAProxy are restarted in turn, twice, and no request fails', { timeout: 900_000, skip }, async (t) => {
  assert.deepEqual(await rollNodes(t, { ...roll, drainSeconds: Math.ceil(3 * overload()), balance: startHaproxy }), []);
});

test('without a pause before the end requests fail: the tests above can see it', { timeout: 900_000 }, async (t) => {
  const failed = await rollNodes(t, { ...roll, drainSeconds: 0, balance: startBalancer });
  assert.notDeepEqual(failed, []);
});
