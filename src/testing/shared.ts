import { createClient } from '../client/client.ts';
import { demoShop } from '../client/generated/sandbox.ts';
import { type GatewayAddress, startProcess } from './process.ts';

/**
 * One gateway for all files of a test run. The runner starts it before the files; each `startTurnpike()` is then a merchant of its own
 * there, with its own clock, webhooks and scenarios, instead of a process. Runners pass their environment on to whatever runs the files.
 */

const NAME = 'TURNPIKE_TEST_GATEWAY';

/** The credentials and addresses of a test that acts as a merchant. */
export type Shop = { readonly entityId: string; readonly merchantId: string; readonly token: string };

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
