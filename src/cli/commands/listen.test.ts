import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createAdministrator } from '../../../test/http/administrator.ts';
import { createClient, DEMO, OTHER } from '../../../test/http/client.ts';
import { startGateway, type TestGateway } from '../../../test/http/gateway.ts';
import { OperatorError } from '../../app/operatorError.ts';
import { decryptPayload, type Signed, verify } from '../../webhooks/wireFormat.ts';
import { UsageError } from '../command.ts';
import { listen } from './listen.ts';

let gateway: TestGateway;
let shop: ReturnType<typeof createClient>;
let admin: ReturnType<typeof createAdministrator>;
before(async () => {
  gateway = await startGateway();
  shop = createClient(gateway.url);
  admin = createAdministrator(gateway.url);
});
after(() => gateway.close());

/** Waits for something that a moment brings about. */
async function until(isThere: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 500 && !(await isThere()); round += 1) await pause(10);
  assert.ok(await isThere());
}

async function deliver(): Promise<void> {
  gateway.pass(1_001);
  await gateway.work('fan out events');
  await gateway.work('dispatch deliveries');
}

/** The command, and what it has said so far. */
function begin(line: string) {
  const ending = new AbortController();
  const [output, errors]: [string[], string[]] = [[], []];
  const words = [...line.split(' ').filter(Boolean), '--url', gateway.url];
  const ended = listen(words, {
    signal: () => ending.signal,
    clock: gateway.world.clock,
    readText: () => assert.fail('nothing is read'),
    print: (text) => output.push(text),
    printError: (text) => errors.push(text),
  });
  // A later caller gets the rejection then.
  ended.catch(() => {});
  const isListening = () => errors.some((text) => text.startsWith('Listening'));
  return { output, errors, ended, isListening, end: () => ending.abort() };
}

const own = async () => (await admin.list(DEMO.merchantId)).body.webhooks;

/** A developer's own program: it answers with `status` and keeps what it got. */
async function program() {
  const got: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(its.status).end('as you like');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const its = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    status: 200,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return its;
}

test('events are shown as they happen, and Ctrl-C leaves nothing behind', async () => {
  const { output, errors, ended, isListening, end } = begin('');
  await until(isListening);
  assert.match(errors.join('\n'), /^The key, for your program: [0-9a-f]{64}$/m);
  const [webhook] = await own();
  assert.deepEqual([webhook.name, webhook.state], ['turnpike listen', 'active']);
  const { id } = await shop.pay();
  await deliver();
  await until(() => output.length === 2);
  assert.match(output[0] ?? '', /^[0-9:]{8} {2}test delivery$/);
  assert.match(output[1] ?? '', new RegExp(`^[0-9:]{8} {2}PAYMENT {7}000\\.100\\.110 {2}${id} {2}92\\.00 EUR$`));
  end();
  assert.equal(await ended, 0);
  assert.deepEqual(await own(), []);
});

test('the request goes on as it came, and the answer comes back', async () => {
  const target = await program();
  const key = 'ab'.repeat(32);
  const { output, errors, ended, isListening, end } = begin(`--forward ${target.url} --key ${key} --json`);
  try {
    await until(isListening);
    assert.doesNotMatch(errors.join('\n'), new RegExp(key), 'the key is known');
    const { id } = await shop.pay();
    await deliver();
    await until(() => target.got.length === 2 && output.length === 2);
    const { headers, body } = target.got[1] as (typeof target.got)[number];
    const received = { body, iv: String(headers['x-initialization-vector']), tag: String(headers['x-authentication-tag']) };
    const bytes = Buffer.from(key, 'hex');
    const text = decryptPayload(received, bytes);
    assert.equal(text, output[1], 'what is shown is what was sent');
    assert.equal(JSON.parse(text ?? '').payload.id, id);
    const now = gateway.world.clock.now();
    assert.equal(verify(headers as unknown as Signed, { body, keys: [bytes], now }), 'good');
    assert.deepEqual([headers['content-type'], headers.host], ['text/plain', new URL(target.url).host]);
    assert.match(errors.join('\n'), new RegExp(`${id} {2}92\\.00 EUR {2}→ 200 \\([0-9]+ ms\\)$`, 'm'));
    target.status = 503;
    await shop.pay();
    await deliver();
    const [webhook] = await own();
    const [latest] = (await admin.deliveries(webhook.id)).body.deliveries;
    await until(async () => (await admin.delivery(webhook.id, latest.id)).body.tries[0]?.status === 503);
  } finally {
    end();
    target.close();
    assert.equal(await ended, 0);
  }
});

test('a target that is down is reported, and the gateway tries again', async () => {
  const target = await program();
  target.close();
  const { output, errors, ended, isListening, end } = begin(`--forward ${target.url}`);
  await until(isListening);
  await shop.pay();
  await deliver();
  await until(() => errors.some((text) => /did not answer; the gateway tries [0-9a-f]{32} again after a minute/.test(text)));
  assert.match(output.at(-1) ?? '', /→ no answer \(ECONNREFUSED\)$/);
  const [webhook] = await own();
  await until(async () => (await admin.deliveries(webhook.id)).body.deliveries[0]?.tries[0]?.status === 502);
  end();
  assert.equal(await ended, 0);
});

test('what one that was killed has left behind is removed; one that still listens stays', async () => {
  const dead = await program();
  dead.close();
  await admin.create({ name: 'turnpike listen', url: dead.url });
  const other = begin('');
  await until(other.isListening);
  const [first] = await own();
  assert.equal((await own()).length, 1);
  const second = begin('');
  await until(second.isListening);
  assert.deepEqual([(await own()).length, (await own())[0].id], [2, first.id]);
  for (const { end, ended } of [other, second]) {
    end();
    await ended;
  }
});

const wrong: readonly (readonly [line: string, kind: typeof OperatorError | typeof UsageError, says: RegExp])[] = [
  ['--forward shop', UsageError, /^--forward: give an address such as/],
  ['--key abc', UsageError, /^--key: must be 64 hexadecimal digits/],
  ['--token a --token-file b', UsageError, /^give either --token or --token-file$/],
  ['--token guess', OperatorError, /^--token: the gateway does not take this token/],
  [`--token ${OTHER.token}`, OperatorError, /^the gateway says: .*there is no such entity$/],
  ['--entity 5', OperatorError, /^entityId must be 32 characters of a-f and 0-9$/],
];
for (const [line, kind, says] of wrong) {
  test(`listen ${line} is refused`, async () => {
    await assert.rejects(begin(line).ended, (error: Error) => {
      assert.match(error.message, says);
      return error instanceof kind;
    });
    assert.deepEqual(await own(), []);
  });
}

const nobody = { print: () => {}, printError: () => {}, readText: () => '', signal: () => new AbortController().signal };

test('a gateway that does not answer is reported', async () => {
  const closed = await program();
  closed.close();
  const words = ['--url', new URL(closed.url).origin];
  await assert.rejects(
    listen(words, { ...nobody, clock: gateway.world.clock }),
    /^OperatorError: --url: no server answers at .*ECONNREFUSED/,
  );
});

test('a gateway that may not call this machine is reported', async () => {
  const strict = await startGateway({ webhookReach: 'public' });
  try {
    const words = ['--url', strict.url];
    await assert.rejects(
      listen(words, { ...nobody, clock: gateway.world.clock }),
      /^OperatorError: url must begin with https:\/\//,
    );
  } finally {
    await strict.close();
  }
});
