import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { timers } from '../../src/app/system.ts';
import { createFolders } from '../../src/outbound/folders.ts';
import { type DeliverNeeds, deliverRun } from '../../src/reports/reconciliation/deliver.ts';
import { scheduleRuns } from '../../src/reports/reconciliation/deliveryService.ts';
import type { ReconciliationRun } from '../../src/reports/reconciliation/ports.ts';
import {
  type DeliverySettings,
  deliverySettings,
  reconciliationSettingFaults,
} from '../../src/reports/reconciliation/settings.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { bring } from '../contract/storeSettlementFixtures.ts';
import { ensureServers, type RealServer, startOpenSsh, startVsftpd } from '../remote/realServers.ts';

/** Reconciliation files by every way that is offered, to the servers that are in common use; the connection breaks once on the way. */

const skip = (await ensureServers()) ?? false;
const MERCHANT = '5eed00000000000000000000000000f1';
const now = Date.UTC(2031, 9, 3, 6);
const openFolder = createFolders({ timers, reach: 'loopback' });

const ways: readonly (readonly [kind: string, start: () => Promise<RealServer>])[] = [
  ['sftp', startOpenSsh],
  ['ftps', () => startVsftpd(true)],
  ['ftp', () => startVsftpd(false)],
];
for (const [kind, start] of ways) {
  test(`a file of 20,000 records is delivered by ${kind}, after a try that broke off in the middle`, { skip }, async (t) => {
    const server = await start();
    t.after(() => server.stop());
    const setting = {
      kind,
      host: kind === 'sftp' ? '127.0.0.1' : 'localhost',
      port: server.port,
      user: server.user,
      directory: server.directory,
      since: '2031-10-01',
      pattern: '{date}.csv',
      ...(server.hostKey !== null && { hostKey: server.hostKey }),
      ...(server.ca !== null && { ca: server.ca.join('\n') }),
      ...(kind === 'ftp' && { insecure: true }),
    };
    assert.deepEqual(reconciliationSettingFaults(setting), []);
    const delivery = deliverySettings(setting) as DeliverySettings;
    const store = createMemoryStore();
    await bring(
      store,
      Array.from({ length: 20_000 }, (_, at) => ({ merchantId: MERCHANT, merchantTransactionId: `order-${at}` })),
    );
    await scheduleRuns({ store }, MERCHANT, { delivery, zone: 'UTC', now });
    let pieces = 0;
    const needs: DeliverNeeds = {
      store,
      timers,
      entity: () => null,
      delivery: () => delivery,
      now: () => now,
      alarm: () => {},
      secret: async () => server.secret,
      open: async (target, secret) => {
        const folder = await openFolder(target, secret, { openMs: 8_000, idleMs: 8_000 });
        const put: typeof folder.put = (name, source) => folder.put(name, pieces < 10 ? breaking(source) : source);
        return { ...folder, put };
      },
    };
    async function* breaking(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of source) {
        pieces += 1;
        if (pieces === 10) throw new Error('the line is dead');
        yield piece;
      }
    }
    const [due] = await store.reconciliations(MERCHANT, '');
    const broken = await deliverRun(needs, due as ReconciliationRun);
    assert.equal(broken?.state, 'due');
    assert.ok(broken?.why);
    const done = await deliverRun(needs, broken as ReconciliationRun);
    assert.equal(done?.state, 'done', done?.why ?? '');
    assert.deepEqual(await readdir(server.folder), ['2031-10-02.csv'], 'and nothing is left of the first try');
    const text = await readFile(join(server.folder, '2031-10-02.csv'), 'utf8');
    assert.equal(text.split('\r\n').length, 20_002);
    assert.equal(Buffer.byteLength(text), done?.bytes);
  });
}
