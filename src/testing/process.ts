import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findRuntime } from '../../scripts/runtime.mjs';
import { createClient } from '../client/client.ts';
import { demoShop } from '../client/generated/sandbox.ts';

/**
 * The gateway is a process of its own: it needs a newer Node than a shop's tests may run on, it stays out of the globals that Jest and
 * others replace, and instances do not share a thread.
 */

const root = join(import.meta.dirname, '..', '..');
const START_MS_MAX = 30_000;

/**
 * A start allocates many short-lived objects. A small young generation would be collected many times, by several threads that wait for each
 * other on a machine that runs many tests.
 */
const FLAGS: readonly string[] = ['--min-semi-space-size=16', '--no-parallel-scavenge'];

/** How tests reach a gateway. The operator's token adds merchants to it. */
type GatewayAddress = { readonly url: string; readonly operatorToken: string };

type GatewayProcess = GatewayAddress & {
  close(): Promise<void>;
};

/** A checkout has sources, a package JavaScript. */
function programOf(): { readonly runtime: string; readonly program: string } {
  const source = join(root, 'src', 'app', 'testing', 'main.ts');
  if (existsSync(source)) return { runtime: process.execPath, program: source };
  const { path, missing } = findRuntime(root);
  if (path === '') throw new Error(missing);
  return { runtime: path, program: source.replace(/\.ts$/, '.js') };
}

/** The gateway does not keep the process of a test alive. */
function release(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref?(): void } | null)?.unref?.();
}

async function addressOf(child: ChildProcess): Promise<GatewayAddress> {
  let [out, problem] = ['', ''];
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the gateway did not start: ${why}${problem === '' ? '' : `\n${problem}`}`));
    const timer = setTimeout(() => fail('no answer in 30 seconds'), START_MS_MAX);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`it ended with ${code}`));
    child.stderr?.on('data', (data) => {
      problem += data;
    });
    child.stdout?.on('data', (data) => {
      out += data;
      if (!out.includes('\n')) return;
      clearTimeout(timer);
      child.removeAllListeners();
      child.stderr?.removeAllListeners('data').on('data', (line) => process.stderr.write(line));
      resolve(JSON.parse(out) as GatewayAddress);
    });
  });
}

export async function startProcess(): Promise<GatewayProcess> {
  const { runtime, program } = programOf();
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(runtime, [...FLAGS, program], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  try {
    const address = await addressOf(child);
    release(child);
    return {
      ...address,
      close: () =>
        new Promise((resolve) => {
          if (child.exitCode !== null || child.signalCode !== null) return resolve();
          child.ref();
          child.once('exit', () => resolve());
          child.stdin?.end();
        }),
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/**
 * One gateway for all files of a test run. The runner starts it before the files; each `startTurnpike()` is then a merchant of its own
 * there, with its own clock, webhooks and scenarios, instead of a process. Runners pass their environment on to the processes that run
 * the files.
 */

const NAME = 'TURNPIKE_TEST_GATEWAY';

/** The credentials and addresses of a test that acts as a merchant. */
type Shop = { readonly entityId: string; readonly merchantId: string; readonly token: string };

/** The gateway of this run; null: each `startTurnpike()` starts its own. */
export function sharedGateway(): GatewayAddress | null {
  const text = process.env[NAME] ?? '';
  return text === '' ? null : (JSON.parse(text) as GatewayAddress);
}

/** Starts the gateway of this run. A runner that watches files calls it again: the gateway that is there stays. */
export async function shareGateway(): Promise<() => Promise<void>> {
  if (sharedGateway() !== null) return async () => {};
  const { close, ...address } = await startProcess();
  process.env[NAME] = JSON.stringify(address);
  return async () => {
    delete process.env[NAME];
    await close();
  };
}

/** A merchant like the demo shop of the sandbox, beside it: the settings of the sandbox are inherited. */
export async function addShop({ url, operatorToken }: GatewayAddress): Promise<Shop> {
  const { admin } = createClient({ url, token: operatorToken, entityId: demoShop.merchantId });
  const { parentId } = await admin.readEntity(demoShop.merchantId);
  const merchant = await admin.addEntity({ entityId: parentId ?? '', name: 'Test Shop' });
  const channel = await admin.addChannel({ entityId: merchant.id, name: 'Test_Shop' });
  await admin.changeEntity(merchant.id, { revision: merchant.revision, set: { dispatch: true } });
  await admin.changeEntity(channel.id, { revision: channel.revision, set: { threeDSecure: true } });
  const { token } = await admin.issueToken({ entityId: merchant.id, name: 'Tests' });
  return { entityId: channel.id, merchantId: merchant.id, token };
}
