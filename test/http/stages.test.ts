import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { number, payTemplate } from '../../bench/request.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Payments that arrive in one turn of the event loop go through their stages together (decisions/0086). */

const TOGETHER = 8;
const template = payTemplate('DB');

let gateway: TestGateway;
let sockets: readonly Socket[];
before(async () => {
  gateway = await startGateway({ isQuiet: true });
  sockets = await Promise.all(
    Array.from(
      { length: TOGETHER },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect({ port: gateway.port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
        }),
    ),
  );
  // The first requests load keys, and go through the HTTP server.
  await payTogether(0);
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway.close();
});

/** Sends one payment by each connection, all of them before the gateway reads any, and returns the bodies of the replies. */
function payTogether(firstOrder: number): Promise<readonly string[]> {
  return Promise.all(
    sockets.map((socket, at) => {
      number(template, firstOrder + at);
      const reply = new Promise<string>(
        (resolve) => void socket.once('data', (bytes: Buffer) => resolve(bytes.toString('utf8'))),
      );
      socket.write(Buffer.from(template.bytes));
      return reply;
    }),
  );
}

test('each stage runs for all payments of a turn before the next one begins', async (context) => {
  const done: string[] = [];
  const note = (stage: string, owner: object, method: string) => {
    const original = (owner as Record<string, (...given: unknown[]) => unknown>)[method];
    context.mock.method(owner as Record<string, () => unknown>, method, function (this: unknown, ...given: unknown[]) {
      done.push(stage);
      return original?.apply(this, given);
    });
  };
  const { vault, risk, store } = gateway.world;
  note('draft', vault, 'fingerprint');
  note('screen', risk, 'evaluate');
  note('seal', vault, 'seal');
  note('commit', store, 'commit');
  const replies = await payTogether(TOGETHER);
  assert.ok(replies.every((reply) => reply.includes('"code":"000.100.110"')));
  assert.deepEqual(
    done,
    ['draft', 'screen', 'seal', 'commit'].flatMap((stage) => Array<string>(TOGETHER).fill(stage)),
  );
});
