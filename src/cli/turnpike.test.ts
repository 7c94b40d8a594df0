import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileCache, programWords } from '../../test/programs.ts';
import { openSqliteStore } from '../store/sqlite/sqliteStore.ts';
import { localMaster, localMasters } from '../vault/masterKey.ts';
import { openVault } from '../vault/vault.ts';
import { readVersion } from '../version.ts';
import { commands } from './turnpike.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-cli-'));
after(() => rmSync(folder, { recursive: true }));
const [master, later] = [randomBytes(32), randomBytes(32)];
const MERCHANT = '5eed00000000000000000000000000f1';

type Env = Readonly<Record<string, string>>;
const env: Env = { DATA_DIR: folder, MASTER_KEY: master.toString('hex') };

/** The command line as an operator meets it: a process of its own. */
function run(words: readonly string[], given: Env = env, onText: (text: string, child: ChildProcess) => void = () => {}) {
  const child = spawn(process.execPath, [...programWords('src/cli/main.ts'), ...words], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...given },
  });
  const said = { out: '', err: '' };
  const listen = (name: 'out' | 'err') => (chunk: Buffer) => {
    said[name] += chunk.toString();
    onText(chunk.toString(), child);
  };
  child.stdout.on('data', listen('out'));
  child.stderr.on('data', listen('err'));
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...said })),
  );
}

const store = await openSqliteStore({ dataDir: folder });
const vault = await openVault({ masters: localMasters(master, []), store, now: Date.now });
await vault.ready(MERCHANT);
const record = { merchantId: MERCHANT, entityId: MERCHANT, recordId: MERCHANT, field: 'wallet' };
await store.storeSecret(MERCHANT, 'wallet', vault.seal(record, 'a private key'));
await store.close();

test('help lists every command, and each tells its options', async () => {
  for (const words of [['--help'], ['-h'], ['help']]) {
    const { code, out } = await run(words);
    assert.equal(code, 0);
    const risk = ['risk-rules', 'backtest', 'risk-list', 'risk-explain'];
    for (const name of ['start', 'keys', 'rotate-data', 'rotate-master', ...risk, 'listen', 'webhooks'])
      assert.match(out, new RegExp(`^  ${name} `, 'm'));
  }
  for (const word of ['--version', '-v']) assert.deepEqual(await run([word]), { code: 0, out: `${readVersion()}\n`, err: '' });
  const { code, out } = await run(['rotate-data', '--help']);
  assert.equal(code, 0);
  assert.match(out, /usage: turnpike rotate-data \[--merchant id\]/);
});

test('each command is loaded by its own name', async () => {
  for (const [name, load] of Object.entries(commands)) assert.equal((await load()).name, name);
});

const wrong: readonly (readonly [words: readonly string[], given: Env, code: number, says: RegExp])[] = [
  [['rotate'], env, 2, /^turnpike: there is no command "rotate"; turnpike --help lists them$/m],
  [['keys', '--all'], env, 2, /^Unknown option '--all'\nusage: turnpike keys/m],
  [['keys', 'all'], env, 2, /^Unexpected argument 'all'.*\nusage: turnpike keys/m],
  [['risk-list', 'clear'], env, 2, /^say what to do: add, remove or show\nusage: turnpike risk-list add\|remove\|show/m],
  [['risk-explain', '--payment', '1'], env, 1, /^--payment: there is no payment "1"$/m],
  [['risk-rules', '--entity', '1'], env, 1, /^--entity: there is no entity "1"$/m],
  [['rotate-data', '--merchant'], env, 2, /^Option '--merchant <value>' argument missing\nusage: turnpike rotate-data/m],
  [['rotate-data', '--merchant', 'nobody'], env, 1, /^--merchant: "nobody" owns no key$/m],
  [['rotate-master'], { ...env, MASTER_KEY: 'short' }, 1, /^MASTER_KEY: must be 32 bytes/m],
  [
    ['rotate-master'],
    { ...env, MASTER_KEY: later.toString('hex') },
    1,
    /^MASTER_KEY: the database holds keys of another master key/m,
  ],
];
for (const [words, given, code, says] of wrong) {
  test(`turnpike ${words.join(' ')} ends with ${code}: ${says.source.slice(0, 40)}`, async () => {
    const ended = await run(words, given);
    assert.match(ended.err, says);
    assert.equal(ended.code, code);
    assert.doesNotMatch(ended.err, /\n\s+at /, 'no trace');
  });
}

test('keys shows what there is and nothing of a key', async () => {
  const { code, out, err } = await run(['keys']);
  assert.equal(code, 0);
  assert.match(out, /^OWNER +PURPOSE +VERSION +STATE +MASTER KEY +AGE +USES$/m);
  assert.match(out, new RegExp(`^${MERCHANT} +data +1 +current +${localMaster(master).id} +\\d+ (?:s|min) +≤ \\d+$`, 'm'));
  assert.match(out, /^gateway +digest +1 +current/m);
  assert.match(err, /^3 keys; the current master key is /);
  assert.doesNotMatch(`${out}${err}`, new RegExp(master.toString('hex').slice(0, 16)));
  assert.equal((await run(['keys', '--owner', 'gateway'])).out.trim().split('\n').length, 2);
});

test('Ctrl-C ends a rotation cleanly, and it can be gone on with', async () => {
  const { code, err } = await run(['rotate-data'], env, (text, child) => {
    if (text.includes('waiting')) child.kill('SIGINT');
  });
  assert.equal(code, 130);
  assert.match(err, /Stopped\. Nothing is lost: run the same command again and it goes on\.\n$/);
  const { out } = await run(['keys', '--owner', MERCHANT]);
  assert.match(out, / data +1 +retiring/);
  assert.match(out, / data +2 +current/);
});

test('the master key is exchanged, and the former one is not needed any more', async () => {
  const both = { ...env, MASTER_KEY: later.toString('hex'), MASTER_KEY_PREVIOUS: master.toString('hex') };
  assert.match((await run(['keys'], both)).err, /4 of them need another master key: run turnpike rotate-master/);
  const { code, out } = await run(['rotate-master'], both);
  assert.equal(code, 0);
  assert.match(out, new RegExp(`^4 keys wrapped by master key ${localMaster(later).id}$`, 'm'));
  assert.match(out, /MASTER_KEY_PREVIOUS can be taken away/);
  const alone = await openSqliteStore({ dataDir: folder });
  try {
    const opened = await openVault({ masters: localMasters(later, []), store: alone, now: Date.now });
    const sealed = (await alone.secret(MERCHANT, 'wallet')) ?? assert.fail();
    assert.equal(await opened.open(record, sealed), 'a private key');
  } finally {
    await alone.close();
  }
  assert.equal((await run(['keys'], env)).code, 0, 'listing needs no right key');
});

test('a text that does not open is named, and the exit code tells', async () => {
  const broken = await openSqliteStore({ dataDir: folder });
  await broken.storeSecret('entity-7', 'wallet', Uint8Array.of(1, 2, 3));
  await broken.close();
  const { code, err } = await run(['rotate-master'], { ...env, MASTER_KEY: later.toString('hex') });
  assert.equal(code, 1);
  assert.match(err, /^1 did not open\./m);
  assert.match(err, /^ {2}secret entity-7$/m);
});
