import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient, DEMO } from '../../../test/http/client.ts';
import { startGateway, type TestGateway } from '../../../test/http/gateway.ts';
import { type Receiver, startReceiver } from '../../../test/webhooks/receiver.ts';
import { OperatorError } from '../../app/operatorError.ts';
import { UsageError } from '../command.ts';
import { webhooks } from './webhooks.ts';

let gateway: TestGateway;
let receiver: Receiver;
before(async () => {
  gateway = await startGateway();
  receiver = await startReceiver(gateway.world.clock.now);
});
after(async () => {
  receiver.close();
  await gateway.close();
});

const KEY = 'ef'.repeat(32);
const files: Readonly<Record<string, string>> = { key: `${KEY}\n`, token: `${DEMO.token}\n` };

async function run(line: string) {
  const [output, errors]: [string[], string[]] = [[], []];
  const words = [...line.split(' ').filter(Boolean), '--url', gateway.url];
  const code = await webhooks(words, {
    print: (text) => output.push(text),
    printError: (text) => errors.push(text),
    readText: (path) => files[path] ?? assert.fail(path),
  });
  assert.equal(code, 0);
  return { output, errors };
}

test('a webhook is added, tested, listed, redelivered, disabled and removed', async () => {
  assert.deepEqual((await run('list')).errors, [`${DEMO.merchantId} has no webhook.`]);
  const added = await run(`add --name Orders --address ${receiver.url} --types PAYMENT,RISK --token-file token`);
  const [, id] = /^id {3}([0-9a-f]{32})$/.exec(added.output[0] ?? '') ?? assert.fail();
  const [, key] = /^key {2}([0-9a-f]{64})$/.exec(added.output[1] ?? '') ?? assert.fail();
  assert.match(added.errors.join(), /The key is not shown again/);
  receiver.keys = [Buffer.from(key ?? '', 'hex')];
  assert.match((await run(`test --id ${id}`)).output.join(), /took the test delivery in [0-9]+ ms; it is active\.$/);
  const listed = (await run('list')).output;
  assert.match(listed[1] ?? '', new RegExp(`^${id} {2}Orders {2}active {2}PAYMENT,RISK {2}${receiver.url}$`));
  const { id: paid } = await createClient(gateway.url).pay();
  gateway.pass(1_001);
  await gateway.work('fan out events');
  await gateway.work('dispatch deliveries');
  const { output, errors } = await run(`deliveries --id ${id} --state delivered --limit 5`);
  assert.match(output[1] ?? '', new RegExp(`PAYMENT +000\\.100\\.110 +${paid} +delivered +1$`));
  assert.deepEqual(errors, ['1 delivery']);
  const [delivery] = output[1]?.split(' ') ?? [];
  assert.deepEqual((await run(`resend --id ${id} --deliveries ${delivery}`)).output, ['1 on their way again.']);
  assert.deepEqual((await run(`resend --id ${id} --failed`)).output, ['1 on their way again.']);
  const rotated = await run(`rotate --id ${id} --key-file key --until-hours 0`);
  assert.deepEqual(rotated.output, [], 'who brings a key knows it');
  assert.match((await run(`rotate --id ${id}`)).output[0] ?? '', /^key {2}[0-9a-f]{64}$/);
  assert.match((await run(`off --id ${id}`)).output.join(), /^Orders is off/);
  receiver.manner = 'error';
  await assert.rejects(run(`test --id ${id}`), /did not take the test delivery: answered 500; it is off$/);
  assert.match((await run(`remove --id ${id}`)).output.join(), /^It is removed/);
  await assert.rejects(run(`remove --id ${id}`), /there is no such webhook$/);
});

const wrong: readonly (readonly [line: string, kind: typeof OperatorError | typeof UsageError, says: RegExp])[] = [
  ['', UsageError, /^say what to do: list, add, test/],
  ['forget', UsageError, /^say what to do/],
  ['test', UsageError, /^--id: is missing$/],
  ['list --id 5', UsageError, /^--id: does not go with list$/],
  ['off --id 5 --failed', UsageError, /^--failed: goes with resend$/],
  ['add --name x', UsageError, /^--address: is missing$/],
  ['add --name x --address shop', OperatorError, /^url must be an address such as/],
  ['add --name x --address https://shop.example/ --types ALL', OperatorError, /^types must be a list of PAYMENT/],
  ['rotate --id 5 --until-hours soon', UsageError, /^--until-hours: a whole number$/],
  ['test --id 5', OperatorError, /there is no such webhook$/],
  ['list --token guess', OperatorError, /^--token: the gateway does not take this token/],
  ['list --url nowhere', UsageError, /^--url: give an address/],
];
for (const [line, kind, says] of wrong) {
  test(`webhooks ${line} is refused`, async () => {
    const words = line.split(' ').filter(Boolean);
    const context = { print: assert.fail, printError: () => {}, readText: () => assert.fail() };
    const all = line.includes('--url') ? words : [...words, '--url', gateway.url];
    await assert.rejects(webhooks(all, context), (error: Error) => {
      assert.match(error.message, says);
      return error instanceof kind;
    });
  });
}
