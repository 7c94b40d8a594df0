import assert from 'node:assert/strict';
import { Agent, request as startRequest } from 'node:http';
import { after, test } from 'node:test';
import { clock, createIds } from '../../src/app/system.ts';
import { createGateway, createGatewayBudget } from '../../src/http/gateway.ts';
import { createReplies } from '../../src/http/replies.ts';
import type { Request } from '../../src/http/request.ts';
import type { Services } from '../../src/http/services.ts';
import { trustOf } from '../../src/http/transport/clientAddress.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

/** R25: the memory of a request is wiped when it is answered. Texts of the engine cannot be: see SECURITY.md. */

const replies = createReplies({ clock, ids: createIds(clock.now) }, 'x');
const requests: Request[] = [];
/** What the socket hands over: before it is read, as a text, and the same memory afterwards. */
const handed: { readonly text: string; readonly bytes: Buffer }[] = [];

const metrics = createMetrics();
const budget = createGatewayBudget({ metrics, trust: trustOf(false) });
const { admit } = budget;
budget.admit = (socket) => {
  socket.on('data', (bytes: Buffer) => void handed.push({ text: bytes.toString('latin1'), bytes }));
  return admit(socket);
};

const gateway = createGateway({
  replies,
  metrics,
  budget,
  log: createLog('error', { write: () => {} }, Date.now),
  tls: null,
  handle: async (_services, request) => {
    requests.push({ ...request, query: request.body.toString('latin1') });
    return replies.result('200.300.404', null, { status: 400 });
  },
});
const port = await gateway.listen(0, '127.0.0.1');
gateway.open({} as Services);
after(() => gateway.stop());

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
after(() => agent.destroy());

function post(pieces: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': pieces.join('').length };
    const call = startRequest({ port, host: '127.0.0.1', path: '/v1/payments', method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', resolve);
    });
    call.on('error', reject);
    for (const piece of pieces) call.write(piece);
    call.end();
  });
}

const FORM = 'card.number=4200000000000091&card.cvv=917';
const isWiped = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

test('when a request is answered, its body and what the socket read of it are wiped', async () => {
  await post([FORM]);
  await post([FORM]);
  await post([FORM.slice(0, 20), FORM.slice(20)]);
  assert.deepEqual(
    requests.map(({ query }) => query),
    [FORM, FORM, FORM],
    'the handler has read the whole body',
  );
  for (const { body } of requests) assert.ok(body.length === FORM.length && isWiped(body), body.toString('latin1'));
  assert.ok(
    handed
      .map(({ text }) => text)
      .join('')
      .includes(FORM),
    'control: the bytes were there',
  );
  for (const { bytes } of handed) assert.ok(isWiped(bytes), bytes.toString('latin1'));
});
