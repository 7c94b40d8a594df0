import { after, before, describe } from 'node:test';
import { deliveryClaimContract, deliveryContract } from './storeDeliveries.ts';
import { deliveryNodesContract } from './storeDeliveryNodes.ts';
import type { Open, Opened } from './storeFixtures.ts';
import { openMemory, openPostgres, openSqlite } from './storeOpen.ts';
import { webhookRawContract } from './storeWebhookRaw.ts';
import { newsContract, webhookContract } from './storeWebhooks.ts';

/** What every store promises of webhooks, news and deliveries. */
function webhooksOf(name: string, open: Open, isDatabase: boolean): void {
  let shared: Opened | null = null;
  const opened = (): Opened => {
    if (!shared) throw new Error('the store is not open');
    return shared;
  };
  before(async () => {
    shared = await open();
  });
  after(() => shared?.end());

  webhookContract(name, opened);
  newsContract(name, open);
  deliveryClaimContract(name, open);
  deliveryContract(name, opened);
  if (!isDatabase) return;
  webhookRawContract(name, opened);
  deliveryNodesContract(name, open);
}

describe('memory', () => webhooksOf('memory', openMemory, false));
describe('sqlite', () => webhooksOf('sqlite', openSqlite, true));
describe('postgres', () => webhooksOf('postgres', openPostgres, true));
