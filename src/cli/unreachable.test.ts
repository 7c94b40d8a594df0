import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileCache, programWords } from '../../test/programs.ts';
import { backupName } from '../app/backup/places.ts';
import type { Context } from './command.ts';
import { createContext } from './context.ts';
import { commands, turnpike } from './turnpike.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-unreachable-'));
after(() => rmSync(folder, { recursive: true }));

/** A place with a backup: the database is asked before it is read. */
const backups = join(folder, 'backups');
mkdirSync(backups);
writeFileSync(join(backups, backupName(Date.now())), '');

/** A port where nothing listens: it was given by the system, and closed. */
const port = await new Promise<number>((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port: given } = server.address() as { readonly port: number };
    server.close(() => resolve(given));
  });
});

const env = {
  DATABASE_URL: `postgres://someone:hush-hush@127.0.0.1:${port}/payments`,
  DATA_DIR: folder,
  MASTER_KEY: randomBytes(32).toString('hex'),
};

/** The command line in this process, with a database that does not answer. */
async function run(words: readonly string[], given: Readonly<Record<string, string>> = env) {
  const { context, close } = createContext({ ...given });
  const lines: string[] = [];
  const take = (text: string) => void lines.push(text);
  const own: Partial<Context> = {
    print: take,
    printError: take,
    progress: () => {},
    signal: () => new AbortController().signal,
    readText: () => '{}',
  };
  try {
    const code = await turnpike(words, { ...context, ...own });
    return { code, text: lines.join('\n') };
  } finally {
    await close();
  }
}

const ENTITY = '5eed00000000000000000000000000f1';

/** The words with which each command comes to the database; null: it opens none. */
const rows: Readonly<Record<string, string | null>> = {
  // These two take the environment of their process: see below.
  start: null,
  doctor: null,
  backup: `--to ${folder}`,
  restore: `--from ${backups}`,
  // It reads the backup first, and reaches a server as `restore` does.
  prove: null,
  keys: '',
  'rotate-data': '',
  'rotate-master': '',
  'wallet-token': '--wallet walletA',
  'wallet-setup': `--entity ${ENTITY} --wallet walletA --remove`,
  account: '',
  'risk-rules': `--entity ${ENTITY}`,
  backtest: `--entity ${ENTITY} --rules rules.json`,
  'risk-list': `show --entity ${ENTITY}`,
  'risk-explain': '--payment 5eed00000000000000000000000000f2',
  // These three speak with a gateway.
  listen: null,
  webhooks: null,
  clock: null,
  settlement: `exceptions --entity ${ENTITY}`,
  scenarios: null,
  balances: `--entity ${ENTITY}`,
  users: 'list',
  approvals: `show --entity ${ENTITY}`,
  verify: '',
  audit: '',
  reconciliation: `--entity ${ENTITY} --from 2031-01-01 --to 2031-01-02`,
  'reconciliation-setup': `--entity ${ENTITY} --remove`,
  plan: null,
  docs: null,
};

test('every command has a row', () => {
  assert.deepEqual(Object.keys(rows).toSorted(), Object.keys(commands).toSorted());
});

const SENTENCE = new RegExp(
  `PostgreSQL does not answer at 127\\.0\\.0\\.1:${port} \\(ECONNREFUSED\\): start the server, or correct the address in DATABASE_URL`,
);

/** The output has the operator's sentence, and nothing that only a programmer reads. */
function assertSentence({ code, text }: Awaited<ReturnType<typeof run>>): void {
  assert.equal(code, 1, text);
  assert.match(text, SENTENCE);
  assert.doesNotMatch(text, /\n\s+at |errno|NeverCommitted|hush-hush/);
}

for (const [name, words] of Object.entries(rows)) {
  if (words === null) continue;
  test(`${name}: a database that does not answer is a sentence with its host and port`, async () => {
    assertSentence(await run([name, ...words.split(' ').filter(Boolean)]));
  });
}

for (const words of [['src/main.ts'], ['src/cli/main.ts', 'doctor']] as const) {
  test(`${words.join(' ')}, as a process: the same sentence`, () => {
    const [program, ...rest] = words;
    const own = { ...env, PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, PORT: '0', BACKOFFICE_PORT: 'off' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [...programWords(program), ...rest], { env: own });
    assertSentence({ code: status, text: `${stdout}${stderr}` });
  });
}

test('an address with more than one host names all of them', async () => {
  const DATABASE_URL = `postgres://someone:hush-hush@127.0.0.1:${port},[::1]:${port}/payments`;
  for (const words of [['keys'], ['verify'], ['backup', '--to', folder]])
    assert.match((await run(words, { ...env, DATABASE_URL })).text, new RegExp(`127\\.0\\.0\\.1:${port}, ::1:${port} \\(`));
});

test('the control: a trace is noticed', () => {
  const trace = `NeverCommitted: connect ECONNREFUSED 127.0.0.1:${port}\n    at Object.connect`;
  assert.throws(() => assertSentence({ code: 1, text: trace }));
});
