import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { isPublished } from '../scripts/release/publication.ts';
import { buildNumberOf } from '../src/http/buildNumber.ts';
import { TARBALL } from './packageFixture.ts';
import { compileCache, programWords } from './programs.ts';

/** Every command of the README and of the pages about the sandbox and the settings, run by a shell as it stands there, against the gateway that `npm start` starts on a free port. */
const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const buildNumber = buildNumberOf(join(root, 'src'));
const folder = mkdtempSync(join(tmpdir(), 'turnpike-readme-'));

/**
 * As much of curl as the README uses, so that the test needs none. The path of a runtime may have a blank, which a first line cannot have: the
 * second one is a command for the shell and a text for the runtime.
 */
const CURL = `#!/bin/sh
':' //; exec "${process.execPath}" "$0" "$@"
const [headers, form, words] = [{}, [], process.argv.slice(2)];
let [url, method] = ['', undefined];
while (words.length > 0) {
  const word = words.shift();
  if (word === '-H') { const [name, ...rest] = words.shift().split(':'); headers[name] = rest.join(':').trim(); }
  else if (word === '-d') form.push(words.shift());
  else if (word === '-X') method = words.shift();
  else url = word;
}
const sent = { headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body: form.join('&') };
const response = await fetch(url, method === undefined ? { method: 'POST', ...sent } : { method, headers });
process.stdout.write(await response.text());
`;

/** The programs behind the npm commands, by the table of scripts/run.mjs. Only the installation is left out. */
const programs: ReadonlyMap<string, string> = new Map(
  [...readFileSync(join(root, 'scripts', 'run.mjs'), 'utf8').matchAll(/^ {2}(\w+): \{ needs: '\w+', run: \['([^']+)'/gm)].map(
    ([, name = '', program = '']) => [name, program],
  ),
);
function starting(name: string): string {
  const program = programs.get(name) ?? '';
  const isBuilt = program === 'src/main.ts' || program === 'src/cli/main.ts';
  const words = isBuilt ? programWords(program) : [join(root, program)];
  return `exec '${[process.execPath, ...words].join("' '")}' "$@"`;
}
const NPX = `#!/bin/sh\nshift\n${starting('turnpike')}\n`;
const NPM = `#!/bin/sh
[ "$1" = run ] && shift
name=$1; shift
[ "$1" = -- ] && shift
case $name in
${[...programs.keys()].map((name) => `${name}) ${starting(name)} ;;`).join('\n')}
*) echo "no script $name" >&2; exit 1 ;;
esac
`;
for (const [name, text] of Object.entries({ curl: CURL, npx: NPX, npm: NPM })) {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
}
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');

const base = {
  PATH: `${folder}:${process.env.PATH ?? ''}`,
  NODE_COMPILE_CACHE: compileCache,
  DATA_DIR: join(folder, 'data'),
  BACKOFFICE_PORT: '0',
};
const readme = ['README.md', 'docs/sandbox.md', 'docs/settings.md']
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');
const ofBlocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
  .map((line) => line.replace(/\s+#.*$/, '').trim())
  .filter(Boolean);
const ofText = [...readme.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`((?:[A-Z]+=\w+ )?(?:npm|npx) [^`]+)`/g)].map(
  ([, text = '']) => text,
);
const isAssignment = (line: string): boolean => /^[A-Z]=/.test(line);
const commands = [...new Set([...ofBlocks, ...ofText])].filter((line) => !isAssignment(line));
const assignments = ofBlocks.filter(isAssignment).join('; ');

/** What a test cannot run, and why. */
const notRun: Readonly<Record<string, string>> = {
  'npm test': 'this test is a part of it',
  'npm run pack': 'test/package.test.ts packs, unpacks and starts the package',
  'npx turnpike': 'test/package.test.ts starts the package',
  ...(!isPublished && {
    [`npm install ../turnpike/dist/${TARBALL}`]: 'test/package.long.test.ts and test/examples install the package',
  }),
  'npx turnpike doctor': 'src/cli/commands/doctor/doctor.test.ts plants faults; its exit code depends on the machine',
};

/** The gateway of `npm start`, with the address that it prints. */
const started = spawn('/bin/sh', ['-c', 'exec npm start'], {
  cwd: folder,
  env: { ...base, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
after(async () => {
  const isOver = once(started, 'exit');
  started.kill('SIGTERM');
  await isOver;
  rmSync(folder, { recursive: true });
});
const printed: string[] = [];
for await (const line of createInterface({ input: started.stdout })) {
  printed.push(line);
  if (line.startsWith('Ctrl-C')) break;
}
const url = /ready at (http:\/\/\S+)/.exec(printed.join('\n'))?.[1] ?? assert.fail(printed.join('\n'));
const env = { ...base, PORT: new URL(url).port };
const shell = async (text: string): Promise<string> => (await run('/bin/sh', ['-c', text], { cwd: folder, env })).stdout;

const paste = printed.find((line) => line.trim().startsWith('curl ')) ?? '';
let [id, stored] = ['', ''];

/** A request of the README; `<id>` is what the one before it answered. */
async function request(line: string): Promise<void> {
  const named = line.includes('/v1/registrations/<id>') ? stored : id;
  const text = line.replaceAll('http://127.0.0.1:8080', url).replaceAll('<id>', named);
  const reply = JSON.parse(await shell(`${assignments}; ${text}`));
  assert.match(reply.result.code, /^000\./, `${line}: ${JSON.stringify(reply.result)}`);
  assert.equal(reply.buildNumber, buildNumber, 'the number of the build covers all sources');
  id = reply.id;
  if (line.includes('/v1/registrations ')) stored = id;
}

/** A payment is made while the command runs, and its event reaches the program on this machine. */
async function listen(line: string): Promise<void> {
  const { promise: received, resolve } = Promise.withResolvers<string | undefined>();
  const program = createServer((sent, reply) => {
    resolve(sent.url);
    reply.end();
  }).listen(0, '127.0.0.1');
  await once(program, 'listening');
  const there = `http://127.0.0.1:${(program.address() as AddressInfo).port}`;
  const listener = spawn('/bin/sh', ['-c', `exec ${line.replace('http://localhost:3000', there)}`], { cwd: folder, env });
  const isOver = once(listener, 'exit');
  try {
    await once(listener.stdout, 'data');
    await request(paste);
    assert.equal(await received, '/hook');
  } finally {
    listener.kill('SIGINT');
    await isOver;
    program.close();
  }
}

const says =
  (expected: RegExp) =>
  async (line: string): Promise<void> =>
    assert.match(await shell(line), expected);

/** Every other command and what it must show. */
const shows: Readonly<Record<string, (line: string) => Promise<void>>> = {
  'npm start': async () =>
    assert.ok(['Entity', 'Access token', 'curl ', 'Back office'].every((word) => printed.join('\n').includes(word))),
  'npx turnpike verify': says(/books are in order[\s\S]*audit log is in order/),
  'npx turnpike --help': says(/usage: turnpike/),
  'npx turnpike risk-rules --entity 5eed0000000000000000000000000001 > rules.json': async (line) => {
    await shell(line);
    assert.equal(typeof JSON.parse(readFileSync(join(folder, 'rules.json'), 'utf8')), 'object');
  },
  'npx turnpike backtest --entity 5eed0000000000000000000000000001 --rules rules.json': says(/payments/),
  'npx turnpike listen --forward http://localhost:3000/hook': listen,
  'npx turnpike docs build --to folder': async (line) => {
    await shell(line);
    assert.match(readFileSync(join(folder, 'folder/index.html'), 'utf8'), /Turnpike documentation/);
  },
  'npx turnpike scenarios': says(/booked-but-silent/),
  'npx turnpike clock by 30d': says(/\d{4}-\d\d-\d\d/),
};

for (const line of commands.filter((one) => !Object.hasOwn(notRun, one))) {
  test(`the README's command: ${line.slice(0, 90)}`, () =>
    line.startsWith('curl ') ? request(line) : (shows[line] ?? assert.fail(`no test runs "${line}"`))(line));
}

test('the command that the start prints, and one seed of the simulation', async () => {
  await request(paste);
  assert.match(await shell('npm run simulate -- --seed 42'), /No invariant was broken/);
});

test('no command is listed that the pages do not have', () => {
  assert.deepEqual(
    [...Object.keys(notRun), ...Object.keys(shows)].filter((line) => !commands.includes(line)),
    [],
  );
  assert.equal(ofBlocks.length, new Set(ofBlocks).size);
});
