import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

/** The commands of docs/goingLive.md, run by a shell as they stand there, on other ports. */
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'turnpike-live-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Live does not run as root; another user can read the sources, and not what a test run has built. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
if (isRoot) chownSync(folder, NOBODY, NOBODY);

writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(root, 'src/cli/main.ts')}' "$@"\n`);
chmodSync(join(folder, 'npx'), 0o755);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Ends what the script has started in the background, whatever happens. */
const PRELUDE = `set -e\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n`;
const EPILOGUE = `\necho\necho "far: $(curl -s "http://127.0.0.1:9080/v1/query?entityId=5eed0000000000000000000000000001&merchantTransactionId=$CAPTURED" -H "Authorization: Bearer NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTF8c2FuZGJveC1kZW1v")"\n`;

test('the guide leads from nothing to a captured and refunded payment in live', async () => {
  const guide = readFileSync(join(root, 'docs/goingLive.md'), 'utf8');
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  assert.ok(blocks.length >= 7);
  const [platform, live] = [await freePort(), await freePort()];
  const text = `${PRELUDE}${blocks.join('\n')}${EPILOGUE}`;
  const script = text.replaceAll('9080', String(platform)).replaceAll('8443', String(live));
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH ?? ''}`, HOME: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece) => {
      said += piece;
    });
  }
  const code = await new Promise((done) => child.on('close', done));
  const logs = () => ['gateway.log', 'platform.log'].map((name) => tail(join(folder, 'live', name))).join('\n');
  assert.equal(code, 0, `${said}\n${logs()}`);
  assert.match(said, /"paymentType":"RF"[^\n]*"code":"000\.000\.000"/, `${said}\n${logs()}`);
  assert.match(said, /far: .*"paymentType":"CP".*"code":"000\.100\.110"/);
  assert.match(said, /platform\s+upstream\s+on\s+complete/);
});

function tail(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(-3_000);
  } catch {
    return `${path} is not there`;
  }
}
