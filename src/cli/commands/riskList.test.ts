import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../app/operatorError.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { exampleCommit, examplePayment } from '../../payments/examples.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { UsageError } from '../command.ts';
import { riskList } from './riskList.ts';

const NOW = 1_790_000_000_000;
const DAY = 24 * 3_600_000;
const { merchantId, channelId } = sandbox.demoShop;
const NUMBER = '4200000000000000';

async function standing() {
  const store = createMemoryStore();
  await store.insertAccounts(sandboxRows(0));
  const payment = examplePayment({
    fingerprint: 'fingerprint-of-a-card',
    fields: { 'customer.email': 'Ann@Shop.example', 'customer.ip': '203.0.113.7' },
  });
  const bare = examplePayment({ id: '1'.repeat(32), instrument: null });
  const event = { id: 'm'.repeat(32), type: 'PAYMENT', action: null, code: '000.100.110' } as const;
  for (const [at, one] of [payment, bare].entries()) {
    await store.commit(exampleCommit(one, { event: { ...event, id: String(at).repeat(32) } }));
  }
  const [output, errors]: [string[], string[]] = [[], []];
  const context = {
    store: async () => store,
    clock: { now: () => NOW },
    print: (line: string) => output.push(line),
    printError: (line: string) => errors.push(line),
  };
  const run = (line: string) => riskList(line.split(' ').filter(Boolean), context);
  return { store, output, errors, run, entries: () => store.listEntries(NOW, null) };
}

const PAYMENT = examplePayment().id;
const added: readonly (readonly [line: string, kind: string, value: string, expiresAt: number | null])[] = [
  ['--kind email --value Bob@Shop.EXAMPLE', 'email', 'bob@shop.example', null],
  ['--kind emailDomain --value @Shop.example', 'emailDomain', 'shop.example', null],
  ['--kind ip --value 10.1.2.3/16 --days 30', 'ip', '10.1.0.0/16', NOW + 30 * DAY],
  ['--kind country --value de', 'country', 'DE', null],
  ['--kind bin --value 420000', 'bin', '420000', null],
  ['--kind customer --value c-7 --days 1', 'customer', 'c-7', NOW + DAY],
  [`--kind card --payment ${PAYMENT}`, 'card', 'fingerprint-of-a-card', null],
  [`--kind email --payment ${PAYMENT}`, 'email', 'ann@shop.example', null],
  [`--kind emailDomain --payment ${PAYMENT}`, 'emailDomain', 'shop.example', null],
  [`--kind bin --payment ${PAYMENT}`, 'bin', '420000', null],
  [`--kind ip --payment ${PAYMENT}`, 'ip', '203.0.113.7', null],
];
for (const [line, kind, value, expiresAt] of added) {
  test(`risk-list add ${line} lists ${value}, and remove takes it off`, async () => {
    const { run, entries, output, errors } = await standing();
    assert.equal(await run(`add --entity ${channelId} --list block ${line}`), 0);
    assert.deepEqual(await entries(), [{ merchantId, list: 'block', kind, value, expiresAt }]);
    assert.match(output.join('\n'), /is on the block list of Demo Shop, (?:for ever|30 days more|24 hours more)\.$/);
    await run(`add --entity ${channelId} --list block ${line}`);
    assert.equal((await entries()).length, 1);
    assert.match(errors.join('\n'), /It stood there before/);
    const rest = line.replace(/ --days \d+/, '');
    assert.equal(await run(`remove --entity ${merchantId} --list block ${rest}`), 0);
    assert.deepEqual(await entries(), []);
    await assert.rejects(run(`remove --entity ${merchantId} --list block ${rest}`), /is not on the block list of Demo Shop/);
  });
}

test('show lists what stands there, with what is left of its time', async () => {
  const { run, output, errors } = await standing();
  await run(`show --entity ${merchantId}`);
  assert.deepEqual([output, errors], [[], ['Nothing of that is on the lists of Demo Shop.']]);
  await run(`add --entity ${merchantId} --list block --kind ip --value 10.0.0.0/8 --days 3`);
  await run(`add --entity ${merchantId} --list allow --kind card --payment ${PAYMENT}`);
  output.length = 0;
  await run(`show --entity ${channelId}`);
  assert.deepEqual(output, [
    'LIST   KIND  VALUE                  STAYS',
    'allow  card  fingerprint-of-a-card  for ever',
    'block  ip    10.0.0.0/8             3 days more',
  ]);
  output.length = 0;
  await run(`show --entity ${channelId} --list block --kind ip`);
  assert.equal(output.length, 2);
  // A card that stands there can be taken off by what is shown of it.
  await run(`remove --entity ${merchantId} --list allow --kind card --value fingerprint-of-a-card`);
  await run(`show --entity ${sandbox.otherShop.merchantId}`);
  assert.match(errors.at(-1) ?? '', /Other Shop/);
});

const add = `add --entity ${merchantId} --list block`;
const wrong: readonly (readonly [line: string, kind: typeof OperatorError | typeof UsageError, says: RegExp])[] = [
  ['', UsageError, /^say what to do: add, remove or show$/],
  ['clear', UsageError, /^say what to do/],
  ['show', UsageError, /^--entity: is missing$/],
  ['show --entity nobody', OperatorError, /^--entity: there is no entity "nobody"$/],
  [`show --entity ${sandbox.division}`, OperatorError, /is a division; name a merchant or one of its channels$/],
  [`show --entity ${merchantId} --days 3`, UsageError, /^--days: goes with add and remove$/],
  [`show --entity ${merchantId} --list grey`, UsageError, /^--list: choose one of block, allow$/],
  [`add --entity ${merchantId} --kind ip --value 1.2.3.4`, UsageError, /^--list: is missing$/],
  [`${add} --value 1.2.3.4`, UsageError, /^--kind: is missing$/],
  [`${add} --kind name --value x`, UsageError, /^--kind: choose one of card, bin/],
  [`${add} --kind ip`, UsageError, /^give either --value or --payment$/],
  [`${add} --kind ip --value 1.2.3.4 --payment x`, UsageError, /^give either --value or --payment$/],
  [`${add} --kind ip --value 1.2.3`, OperatorError, /^--value: "1\.2\.3" is no ip$/],
  [`${add} --kind ip --value 1.2.3.4 --days 0`, UsageError, /^--days: a whole number from 1 to 3650$/],
  [`${add} --kind ip --payment nothing`, OperatorError, /^--payment: this merchant has no payment "nothing"$/],
  [`${add} --kind card --payment ${'1'.repeat(32)}`, OperatorError, /^--payment: it has no card$/],
  [`${add} --kind country --payment ${PAYMENT}`, OperatorError, /give it with --value$/],
  [`${add} --kind card --value fingerprint`, UsageError, /^--value: a card is not typed; name a payment that the card paid/],
  [`${add} --kind card --value ${NUMBER}`, OperatorError, /looks like a card number.*--payment\.$/],
  [`${add} --kind customer --value 4200-0000-0000-0000`, OperatorError, /looks like a card number/],
  [`remove --entity ${merchantId} --list block --kind card --value ${NUMBER}`, OperatorError, /looks like a card number/],
  [`remove --entity ${merchantId} --list block --kind ip --value 1.2.3.4 --days 3`, UsageError, /^--days: goes with add$/],
];
for (const [line, kind, says] of wrong) {
  test(`risk-list ${line} is refused`, async () => {
    const { run, entries, output } = await standing();
    await assert.rejects(run(line), (error: Error) => {
      assert.match(error.message, says);
      assert.doesNotMatch(error.message.replace(/[\s-]/g, ''), new RegExp(NUMBER), 'a number is never repeated');
      return error instanceof kind;
    });
    assert.deepEqual([await entries(), output], [[], []]);
  });
}
