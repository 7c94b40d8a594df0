import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient, DEMO } from '../../../test/http/client.ts';
import { createWebhookReceiver } from '../../../test/http/clockFixture.ts';
import { startGateway, type TestGateway } from '../../../test/http/gateway.ts';
import { OperatorError } from '../../app/operatorError.ts';
import { sleep } from '../../app/system.ts';
import { type Context, UsageError } from '../command.ts';
import type { Progress } from '../output.ts';
import { clock } from './clock.ts';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ patienceMs: 150 });
});
after(() => gateway.close());

async function run(line: string) {
  const [output, bars]: [string[], Progress[]] = [[], []];
  const words = [...line.split(' ').filter(Boolean), '--url', gateway.url];
  const code = await clock(words, {
    print: (text) => output.push(text),
    progress: (at) => bars.push(at),
    readText: assert.fail,
    sleep,
  });
  assert.equal(code, 0);
  return { output, bars };
}

const INSTANT = '20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z';

test('a clock is read, frozen, moved and made real again', async () => {
  assert.match((await run('')).output[0] ?? '', new RegExp(`^${INSTANT}  real time$`));
  assert.match((await run('freeze')).output[0] ?? '', /frozen$/);
  const { output } = await run('to 2031-10-02T09:15:31Z');
  assert.deepEqual(output, [
    '2031-10-02T09:15:31.000Z  frozen',
    '0 runs of schedules, 0 attempts to deliver webhooks, 0 looks at open payments.',
  ]);
  assert.match((await run(`by P1M --entity ${DEMO.entityId}`)).output[0] ?? '', /^2031-11-02T09:15:31\.000Z {2}frozen$/);
  assert.match((await run('real')).output[0] ?? '', /real time$/);
  assert.match((await run('read')).output[0] ?? '', /real time$/);
});

test('a move that takes its time is watched', async () => {
  const receiver = await createWebhookReceiver(gateway);
  await run('freeze');
  receiver.manner = 'hang';
  await createClient(gateway.url).pay();
  const { output, bars } = await run('by 2h');
  assert.ok(bars.length > 0 && bars.every(({ phase, done, total }) => phase === 'moving' && done >= 0 && total === 7_200_000));
  assert.match(output[1] ?? '', /[1-9] attempts to deliver webhooks, /);
  await run('real');
});

const wrong: readonly (readonly [line: string, kind: typeof OperatorError | typeof UsageError, says: RegExp])[] = [
  ['back', UsageError, /^say what to do: read, freeze, real, to, by$/],
  ['to', UsageError, /^to: say when/],
  ['by --entity x', UsageError, /^by: say how much/],
  ['by soon', OperatorError, /^by must be a duration/],
  ['to 2020-01-01T00:00:00Z', OperatorError, /^to must lie ahead/],
  ['freeze now', UsageError, /Unexpected argument/],
  ['read --token guess', OperatorError, /^--token: the gateway does not take this token/],
];
for (const [line, kind, says] of wrong) {
  test(`clock ${line} is refused`, async () => {
    await assert.rejects(run(line), (error: Error) => {
      assert.match(error.message, says);
      return error instanceof kind;
    });
  });
}

test('without an address the gateway is at PORT', async () => {
  const printed: string[] = [];
  const config = () => ({ host: '0.0.0.0', port: gateway.port, tls: null }) as ReturnType<Context['config']>;
  const needs = { print: (text: string) => printed.push(text), progress: () => {}, readText: assert.fail, sleep, config };
  assert.equal(await clock(['read'], needs), 0);
  assert.ok(printed.length > 0);
});
