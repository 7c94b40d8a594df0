import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../app/operatorError.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { type Context, UsageError } from '../command.ts';
import { approvals } from './approvals.ts';

const store = createMemoryStore();
await store.insertAccounts(sandboxRows(0));

async function run(line: string): Promise<readonly string[]> {
  const output: string[] = [];
  const context = {
    store: async () => store,
    print: (text: string) => output.push(text),
    printError: () => {},
  } as unknown as Context;
  assert.equal(await approvals(line.split(' ').filter(Boolean), context), 0);
  return output;
}

test('limits are set and removed on the machine, where nobody else may approve it', async () => {
  const entity = `--entity ${sandbox.psp}`;
  assert.deepEqual(await run(`show ${entity}`), []);
  assert.deepEqual(await run(`set ${entity} --currency EUR --amount 40.00`), ['EUR 40.00']);
  assert.deepEqual(await run(`set ${entity} --currency USD --amount 9.00`), ['EUR 40.00', 'USD 9.00']);
  const row = (await store.entities()).find(({ id }) => id === sandbox.psp);
  assert.deepEqual(row?.settings.approvals, { EUR: '40.00', USD: '9.00' });
  assert.deepEqual(await run(`off ${entity}`), []);
  assert.equal('approvals' in ((await store.entities()).find(({ id }) => id === sandbox.psp)?.settings ?? {}), false);
});

const wrong: readonly (readonly [line: string, error: typeof OperatorError | typeof UsageError])[] = [
  ['', UsageError],
  ['show', UsageError],
  ['show --entity nothing', OperatorError],
  [`off --entity ${sandbox.psp} --currency EUR`, UsageError],
  [`set --entity ${sandbox.psp} --currency EUR`, UsageError],
  [`set --entity ${sandbox.psp} --currency EURO --amount 1.00`, OperatorError],
  [`set --entity ${sandbox.psp} --currency EUR --amount many`, OperatorError],
];
for (const [line, error] of wrong) test(`approvals ${line} is refused`, () => assert.rejects(run(line), error));
