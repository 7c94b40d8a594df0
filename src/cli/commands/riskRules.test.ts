import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../app/operatorError.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { defaultRiskSettings, type RiskSettings, riskSettingFaults } from '../../risk/settings.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { UsageError } from '../command.ts';
import { riskRules } from './riskRules.ts';

const { demoShop, psp } = sandbox;
const own = { id: 'own.large', says: 'Large.', when: 'amount > 500', gives: { verdict: 'review' }, mode: 'on' } as const;
const files: Readonly<Record<string, string>> = {
  'good.json': JSON.stringify({ velocity: 'off', rules: [own] }),
  'empty.json': '{}',
  'bad.json': JSON.stringify({
    velocity: 'maybe',
    rules: [
      { ...own, when: 'amount > > 5' },
      { ...own, id: 'b', mode: 'ON' },
    ],
  }),
  'list.json': '[]',
  'no.json': '{"mode": on}',
  'many.json': JSON.stringify({
    rules: [1, 2, 3].map((part) => ({
      ...own,
      id: `r${part}`,
      when: Array.from({ length: 66 }, (_, at) => `count(card, ${part * 70 + at}s) > 9`).join(' or '),
    })),
  }),
};

async function standing() {
  const store = createMemoryStore();
  await store.insertAccounts(sandboxRows(0));
  const [output, errors]: [string[], string[]] = [[], []];
  const readText = (path: string): string => files[path] ?? assert.fail(new Error(`no such file: ${path}`));
  const context = {
    store: async () => store,
    readText,
    print: (line: string) => output.push(line),
    printError: (line: string) => errors.push(line),
  };
  return { store, output, errors, run: (line: string) => riskRules(line.split(' ').filter(Boolean), context) };
}

const settingsOf = async (store: Awaited<ReturnType<typeof standing>>['store'], id: string) =>
  (await store.entities()).find((row) => row.id === id)?.settings;

test('what is printed is the setting in force, and can be set again without changing anything', async () => {
  const { store, output, errors, run } = await standing();
  assert.equal(await run(`--entity ${demoShop.channelId}`), 0);
  const printed = JSON.parse(output.join('\n')) as RiskSettings;
  assert.deepEqual(riskSettingFaults(printed), []);
  assert.equal(printed.mode, 'report');
  assert.deepEqual(printed.thresholds, defaultRiskSettings.thresholds);
  const ids = printed.rules.map(({ id }) => id);
  assert.ok(ids.includes('cardTesting.bin') && ids.includes('holder.mismatch'));
  assert.deepEqual(Object.keys(printed.rules[0] ?? {}), ['id', 'says', 'when', 'gives', 'mode']);
  assert.match(errors.join('\n'), /The mode is report: no payment is blocked\./);
  await store.setSettings(demoShop.channelId, { risk: printed });
  output.length = 0;
  await run(`--entity ${demoShop.channelId}`);
  assert.deepEqual(JSON.parse(output.join('\n')), printed);
});

test('a file is stored as the setting, beside the others, and the earlier setting is printed', async () => {
  const { store, output, errors, run } = await standing();
  assert.equal(await run(`--entity ${psp} --set good.json`), 0);
  const settings = await settingsOf(store, psp);
  assert.deepEqual(settings?.risk, JSON.parse(files['good.json'] ?? ''));
  assert.deepEqual(settings?.connectors, { default: 'simulator' });
  assert.match(errors.join('\n'), /The setting risk of Sandbox was:\n\{\n {2}"mode": "report"\n\}/);
  assert.match(errors.at(-1) ?? '', /To undo it, put what stands above into a file and --set that\./);
  assert.match(output.join('\n'), /changes: mode, velocity, rules\n {2}rule own\.large: added/);
  errors.length = 0;
  await run(`--entity ${demoShop.channelId} --set empty.json`);
  assert.match(errors.join('\n'), /has no setting risk of its own; it inherits\.\nTo undo it, put \{\} into a file/);
});

test('--show-only stores nothing', async () => {
  const { store, output, run } = await standing();
  assert.equal(await run(`--entity ${psp} --set good.json --show-only`), 0);
  assert.deepEqual((await settingsOf(store, psp))?.risk, { mode: 'report' });
  assert.match(output.at(-1) ?? '', /good\.json is in order\. Nothing was stored\./);
});

const wrong: readonly (readonly [line: string, kind: typeof OperatorError | typeof UsageError, says: RegExp])[] = [
  ['', UsageError, /^--entity: is missing$/],
  [`--entity ${psp} --show-only`, UsageError, /^--show-only: goes with --set$/],
  [`--entity ${psp} --all`, UsageError, /^Unknown option '--all'/],
  ['--entity nobody', OperatorError, /^--entity: there is no entity "nobody"$/],
  [`--entity ${psp} --set gone.json`, OperatorError, /^--set: gone\.json cannot be read: no such file/],
  [`--entity ${psp} --set no.json`, OperatorError, /^--set: no\.json is no JSON: /],
  [`--entity ${psp} --set list.json`, OperatorError, /the setting "risk" must be an object/],
  [
    `--entity ${psp} --set bad.json`,
    OperatorError,
    /^--set: bad\.json is not in order:\n.*"velocity" must be on, report or off\n.*rule "own\.large": "when", character \d+: /,
  ],
  [`--entity ${psp} --set bad.json`, OperatorError, /\n.*rule "b": "mode" must be one of/],
  [`--entity ${psp} --set many.json`, OperatorError, /at most 200 different windows/],
];
for (const [line, kind, says] of wrong) {
  test(`risk-rules ${line} is refused: ${says.source.slice(0, 50)}`, async () => {
    const { store, run } = await standing();
    const before = await store.entities();
    await assert.rejects(run(line), (error: Error) => error instanceof kind && says.test(error.message) && true);
    assert.deepEqual(await store.entities(), before);
  });
}
