import { loadWidget } from '../../assets/assets.ts';
import { buildNumberOf } from '../../http/buildNumber.ts';
import { createGateway, createGatewayBudget } from '../../http/gateway.ts';
import { createReplies } from '../../http/replies.ts';
import { trustOf } from '../../http/transport/clientAddress.ts';
import { operatorHashOf } from '../../merchants/authenticate.ts';
import { sandboxRows } from '../../merchants/sandbox.ts';
import { createSandboxLookups } from '../../risk/lookups/lookups.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { createLog } from '../../telemetry/log.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { localMaster } from '../../vault/masterKey.ts';
import { systemRandom } from '../../vault/randomBytes.ts';
import { startLoop } from '../../workers/loop.ts';
import { createApp } from '../app.ts';
import { clock, createIds, sleep, timers } from '../system.ts';

const KEY_BYTES = 32;

function createKey(): Uint8Array {
  const key = new Uint8Array(KEY_BYTES);
  systemRandom(key);
  return key;
}

/**
 * A whole gateway of the test environment for the tests of a shop: in memory, on a free port of this machine, without a back office. It
 * prints its address and the token of its operator as one line of JSON. It ends when its standard input does: with the program that started
 * it, however that ends.
 */
export async function startMemoryGateway(): Promise<void> {
  const operatorToken = Buffer.from(createKey()).toString('hex');
  const log = createLog('error', { write: (line) => process.stderr.write(line) }, clock.now);
  const metrics = createMetrics();
  const trust = trustOf(false);
  // A digest of every source would take as long as all else here.
  const replies = createReplies({ clock, ids: createIds(clock.now) }, buildNumberOf(import.meta.dirname));
  const store = createMemoryStore();
  await store.insertAccounts(sandboxRows(clock.now()));
  const gateway = createGateway({ replies, metrics, log, budget: createGatewayBudget({ metrics, trust }), tls: null });
  const [port, widget] = await Promise.all([gateway.listen(0, '127.0.0.1'), loadWidget()]);
  const { services, jobs, records, begin } = await createApp({
    environment: 'test',
    store,
    masters: [localMaster(createKey())],
    operatorHash: operatorHashOf(operatorToken),
    clock,
    timers,
    log,
    replies,
    metrics,
    trust,
    gatewayPort: port,
    widget,
    nodeName: 'test',
    lookups: createSandboxLookups(),
    isAlone: true,
  });
  await begin();
  gateway.open(services);
  process.stdin.on('end', () => process.exit(0)).resume();
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, operatorToken })}\n`);
  startLoop(jobs, { sleep, timers, records, log });
}
