import { type Client, PENDING } from './client.ts';
import { goOn } from './merchant.ts';
import { cardMeans, fulfil, isLost, type OrderRequest, type Telling, waitForEnd } from './orders.ts';
import type { SecureShoppers } from './secureShoppers.ts';
import { type SecureCard, secureCards, secureChannels } from './shops.ts';
import { brief, note, type Sim } from './sim.ts';

/** A shopper whose issuer wants to see him first, and the shop that waits for both. */

type Fields = Readonly<Record<string, string>>;

/** What an authentication must be told. */
export const SHOPPER: Fields = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'en',
  'customer.browser.screenHeight': '900',
  'customer.browser.screenWidth': '1440',
  'customer.browser.timezone': '60',
  'customer.browser.userAgent': 'Browser/1.0',
  'customer.browser.javaEnabled': 'false',
  'billing.street1': 'Main Street 1',
  'billing.city': 'Springfield',
  'billing.postcode': '12345',
  'billing.country': 'DE',
  shopperResultUrl: 'https://shop.example/result?order=17',
};

export async function tellSecure(sim: Sim, client: Client, shoppers: SecureShoppers): Promise<void> {
  const { chance, scheduler, weather } = sim;
  await scheduler.sleep(chance.below(weather.chaosMs * 0.6));
  const telling: Telling = { sim, client, channel: chance.pick(secureChannels), targets: [] };
  const card = chance.pick(secureCards);
  const wish = wishFor(telling, card);
  const reply = await fulfil(telling, wish);
  const id = reply?.body.id;
  if (typeof id !== 'string') return;
  const isSent = reply?.body.redirect !== undefined;
  const walking = isSent ? shoppers.send({ paymentId: id, merchantId: telling.channel.merchantId, number: card.number }) : null;
  if (chance.hits(0.7)) await walking;
  await waitForEnd(telling, id);
  if ((client.known.get(id)?.code ?? PENDING) === PENDING || isLost(client, id)) return;
  if (wish.operation === '3D') await payWithProof(telling, { id, card });
  else if (telling.targets.length > 0 && chance.hits(0.4)) await goOn(telling, 1);
}

const amountOf = ({ chance }: Sim) => BigInt(chance.between(300, 50_000));

function wishFor(telling: Telling, card: SecureCard): OrderRequest {
  const { sim, channel } = telling;
  const { chance } = sim;
  const { number, fields } = cardMeans(card);
  const said = { channel, id: null, currency: 'EUR', number, token: null, amount: amountOf(sim) } as const;
  const all = { ...fields, ...SHOPPER, ...play(sim) };
  const roll = chance.below(20);
  if (roll < 3) return { ...said, operation: '3D', endpoint: 'authenticate', fields: all };
  if (roll < 5) {
    const storing = { ...all, 'threeDSecure.npa': 'true' };
    return { ...said, operation: 'RG', endpoint: 'register', amount: null, fields: storing };
  }
  const operation = chance.pick(['DB', 'DB', 'PA'] as const);
  const storing: Fields = chance.hits(0.15) ? { createRegistration: 'true' } : {};
  return { ...said, operation, endpoint: 'pay', fields: { ...all, ...storing } };
}

/** How the issuer of the sandbox is to treat the request, where it is not left to the card. */
function play({ chance }: Sim): Fields {
  const status = (text: string): Fields => ({ 'customParameters[SIMULATOR_3dsStatus]': text });
  const decides = { 'customParameters[SIMULATOR_3dsDecides]': String(chance.pick([0, 10, 60, 600, 7_200])) };
  const roll = chance.below(20);
  if (roll < 2) return status(chance.pick(['N', 'R', 'U']));
  if (roll < 3) return status(chance.pick(['A', 'I']));
  if (roll < 5) return { 'threeDSecure.decoupled': 'true', 'customParameters[3DS2_flow]': 'challenge', ...decides };
  if (roll < 6) return { 'customParameters[SIMULATOR_3dsVersion]': '2.1.0' };
  return {};
}

/** The merchant takes the proof of an authentication he asked for and pays with it; now and then with somebody else's card. */
async function payWithProof(telling: Telling, { id, card }: { readonly id: string; readonly card: SecureCard }): Promise<void> {
  const { sim, client, channel } = telling;
  const reply = await client.read(channel, id);
  const { threeDSecure } = (reply?.body ?? {}) as { readonly threeDSecure?: Readonly<Record<string, string | undefined>> };
  const { eci, verificationId, dsTransactionId, version } = threeDSecure ?? {};
  if (!eci || !verificationId || !dsTransactionId || !version) return;
  note(sim, `${channel.name} pays with the proof of ${brief(id)}`);
  sim.tally.hit('secure: paid with a proof fetched before', 'secure');
  const { number, fields } = cardMeans(card);
  const proof = {
    'threeDSecure.eci': eci,
    'threeDSecure.verificationId': verificationId,
    'threeDSecure.dsTransactionId': dsTransactionId,
    'threeDSecure.version': version,
  };
  await fulfil(telling, {
    operation: 'DB',
    endpoint: 'pay',
    channel,
    id: null,
    amount: amountOf(sim),
    currency: 'EUR',
    number,
    token: null,
    fields: { ...fields, ...proof },
  });
}
