import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Balancer } from '../balancer.ts';
import { skipWithout } from '../debian.ts';
import { startHaproxy } from '../faults/haproxy.ts';
import { ambiguousHeads, SMUGGLED } from './ambiguousHeads.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { say } from './raw.ts';

/** The refused heads through HAProxy (R40): the gateway carries out what the proxy has passed on, and nothing behind its back. */

const skip = await skipWithout('haproxy');
const SILENCE_MS = 1_500;
const MARK = /x-from-gateway: yes/gi;

let gateway: TestGateway;
let proxy: Balancer | null = null;

before(async () => {
  gateway = await startGateway();
  if (skip !== false) return;
  // Replies of the proxy itself have no such header.
  proxy = await startHaproxy([gateway.url], ['http-response set-header X-From-Gateway yes']);
  while ((await fetch(`${proxy.url}/health/live`).catch(() => null))?.status !== 200) await pause(50);
});
after(async () => {
  await proxy?.close();
  await gateway.close();
});

/** What the gateway has answered since; checks of the proxy are none of the client's. */
const answered = (from: number): number =>
  gateway.lines.slice(from).filter((line) => line.includes('"answered"') && !line.includes('/health/ready')).length;

/** How many requests the gateway answered, and how many of its replies came to the client. */
async function passThrough(port: number, bytes: string) {
  const from = gateway.lines.length;
  const { text, statuses } = await say(port, bytes, SILENCE_MS);
  return { answered: answered(from), heard: [...text.matchAll(MARK)].length, statuses, text };
}

for (const [what, bytes] of ambiguousHeads) {
  test(`${what}, through HAProxy: no request is carried out that the proxy does not know`, { skip }, async () => {
    const { answered: done, heard, text } = await passThrough(Number(new URL(proxy?.url ?? '').port), bytes);
    // What cannot be read as a request at all is refused and not counted.
    assert.ok(done <= heard, text);
  });
}

test('control: a proxy that passes bytes on and reads one reply hides a smuggled request, and that is found', async (t) => {
  const server = createServer((client) => {
    const far = connect(gateway.port, '127.0.0.1');
    client.on('error', () => {}).pipe(far.on('error', () => {}));
    far.once('data', (bytes: Buffer) => {
      const [first = ''] = bytes.toString('latin1').split(/(?<=.)HTTP\/1\.1 /);
      client.end(first.replace('\r\n', '\r\nX-From-Gateway: yes\r\n'), 'latin1');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { answered: done, heard } = await passThrough((server.address() as AddressInfo).port, SMUGGLED.repeat(2));
  assert.ok(done > heard);
});
