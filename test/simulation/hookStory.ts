import type { Street } from './bankEvents.ts';
import type { Client } from './client.ts';
import type { Endpoints, Receiver } from './endpoints.ts';
import { cardMeans, fulfil } from './orders.ts';
import { reach } from './secureShoppers.ts';
import { cards, channels } from './shops.ts';
import { breaks, brief, note, type Sim, START } from './sim.ts';

/** Those who look after webhooks: they exchange keys, ask for everything again, and switch on what was paused. */
export type Owners = Street & { readonly endpoints: Endpoints };

const MINUTE_MS = 60_000;
/** Far longer than clocks are apart. */
const BOTH_GOOD_MS = 180 * MINUTE_MS;

export async function tellHooks(owners: Owners): Promise<void> {
  const { sim, endpoints } = owners;
  const { chance, scheduler, weather } = sim;
  await scheduler.sleep(chance.below(weather.chaosMs * 0.8));
  const receiver = chance.pick(endpoints.receivers);
  if (chance.hits(0.6)) await rotate(owners, receiver);
  if (chance.hits(0.4)) await sendAgain(owners, receiver);
}

/** Whoever hears that it is done lets his server know a while later; whoever does not, lets it know at once. */
async function rotate(owners: Owners, { webhookId, keys }: Receiver): Promise<void> {
  const { chance, scheduler, tally } = owners.sim;
  const hex = chance.hex(64);
  const answer = await reach(owners, 'webhook', async ({ clock }, _entryPoints, _service, { dispatcher }) => {
    const webhook = (await dispatcher?.store.webhooks())?.find(({ id }) => id === webhookId);
    return webhook ? dispatcher?.keys.rotate(webhook, { now: clock.now(), untilMs: BOTH_GOOD_MS, hex }) : null;
  });
  if (answer?.done) {
    tally.hit('webhook: its key is exchanged', 'webhook');
    await scheduler.sleep(chance.below(5 * MINUTE_MS));
  }
  keys.push(Buffer.from(hex, 'hex'));
}

async function sendAgain(owners: Owners, { webhookId }: Receiver, state?: 'dead'): Promise<boolean> {
  const answer = await reach(owners, 'webhook', async ({ clock }, _entryPoints, _service, { dispatcher }) =>
    dispatcher?.store.redeliver({ webhookId, ...(state && { state }) }, clock.now()),
  );
  if (answer?.done)
    owners.sim.tally.hit(state ? 'webhook: what was given up is sent again' : 'webhook: everything is sent again', 'webhook');
  return answer !== null;
}

const TRIES_MAX = 20;

/** What was paused is switched on when it is well again, and what was given up is sent again. */
export async function putRight(owners: Owners): Promise<void> {
  const { sim, endpoints } = owners;
  for (const receiver of endpoints.receivers.filter(({ manner }) => manner !== 'gone')) {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const answer = await reach(owners, 'webhook', async (_world, _entryPoints, _service, { dispatcher }) => {
        const webhook = (await dispatcher?.store.webhooks())?.find(({ id }) => id === receiver.webhookId);
        return webhook && webhook.state !== 'active' ? ((await dispatcher?.activate(webhook))?.webhook?.state ?? null) : 'active';
      });
      if (answer?.done === 'active') break;
      note(sim, `webhook ${brief(receiver.webhookId)} is not switched on: ${answer?.done}`);
      await sim.scheduler.sleep(MINUTE_MS);
    }
    await sendAgain(owners, receiver, 'dead');
  }
}

const CALM_MS = 100_000;

/** Somebody pays when everything works again, while some of those who are told of it do not. */
export async function payInCalm(sim: Sim, client: Client): Promise<void> {
  const { chance, scheduler, weather } = sim;
  await scheduler.sleep(weather.chaosMs + CALM_MS);
  for (const channel of channels) {
    const { number, fields } = cardMeans(chance.pick(cards));
    const paying = { operation: 'DB', endpoint: 'pay', id: null, amount: 4_200n, currency: 'EUR', token: null } as const;
    await fulfil({ sim, client, channel, targets: [] }, { ...paying, channel, number, fields });
    await scheduler.sleep(chance.below(30_000));
  }
}

const DAY_MS = 86_400_000;
/** After the trouble, and after the longest that one is dead: what is tried once a day has its turn. */
const LATER_MS = { hour: 2 * DAY_MS, day: 3 * DAY_MS, week: 7 * DAY_MS, month: 33 * DAY_MS } as const;

/** Time goes on until everybody was told everything who can be, and those are put right who cannot. */
export async function comeToRest(owners: Owners, isTold: () => boolean): Promise<void> {
  const { scheduler, weather } = owners.sim;
  if (weather.webhooks === null) return;
  await scheduler.run(START + weather.chaosMs + LATER_MS[weather.webhooks], isTold);
  await checkDead(owners);
  if (isTold()) return;
  let isDone = false;
  void putRight(owners).then(() => {
    isDone = true;
  });
  await scheduler.run(scheduler.now() + 3 * DAY_MS, () => isDone && isTold());
}

/** W5: whoever cannot be reached is known, and somebody was told so. */
async function checkDead({ sim, endpoints }: Owners): Promise<void> {
  const webhooks = await endpoints.webhooks();
  for (const { webhookId, until, calledAt } of endpoints.receivers) {
    const isLong = until !== Infinity && calledAt !== null && until - calledAt > 5.5 * DAY_MS;
    if (isLong) sim.tally.hit('webhook: dead for days', 'webhook');
    if (isLong && webhooks.find(({ id }) => id === webhookId)?.state === 'active')
      breaks(sim, 'W5', `${brief(webhookId)} was dead for days and is not paused`);
    if (isLong && !endpoints.notices.some((one) => one.webhookId === webhookId && one.state === 'paused'))
      breaks(sim, 'W5', `${brief(webhookId)} was dead for days and nobody was told`);
  }
}
