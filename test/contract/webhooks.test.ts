import { after, before, describe } from 'node:test';
import { deliveryClaimContract, deliveryContract } from './storeDeliveries.ts';
import { deliveryNodesContract } from './storeDeliveryNodes.ts';
import type { Open, Opened } from './storeFixtures.ts';
import { openMemory, openPostgres, openSqlite } from './storeOpen.ts';
import { webhookRawContract } from './storeWebhookRaw.ts';
import { newsContract, webhookContract } from './storeWebhooks.ts';

/** One store for several tests. */
function shared(open: Open): () => Opened {
  let held: Opened | null = null;
  before(async () => {
    held = await open();
  });
  after(() => held?.end());
  return () => {
    if (!held) throw new Error('the store is not open');
    return held;
  };
}

/** What every store promises of webhooks, news and deliveries. */
function webhooksOf(name: string, open: Open, isDatabase: boolean): void {
  const [opened, calm] = [shared(open), shared(open)];
  webhookContract(name, opened);
  newsContract(name, open);
  deliveryClaimContract(name, calm);
  deliveryContract(name, opened);
  if (!isDatabase) return;
  webhookRawContract(name, opened);
  deliveryNodesContract(name, open);
}

describe('memory', () => webhooksOf('memory', openMemory, false));
describe('sqlite', () => webhooksOf('sqlite', openSqlite, true));
describe('postgres', () => webhooksOf('postgres', openPostgres, true));
