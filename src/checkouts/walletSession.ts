import type { Faulty } from '../form/check.ts';
import type { Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import type { WalletIdentity } from '../merchants/walletSettings.ts';
import { HOUR_MS } from '../spec/time.ts';
import { VaultRefused } from '../vault/sealedText.ts';
import { ownerOf, walletSecretName, walletSecretRecord } from '../wallets/wallets.ts';
import type { Checkout } from './checkout.ts';
import type { CheckoutService } from './ports.ts';
import { sandboxMerchant, shopNameOf, walletChannel } from './session.ts';

/** The request of a page after the shopper pressed the button of a wallet. */
export type WalletSessionFields = {
  readonly validationUrl: string | undefined;
  readonly paymentBrand: string | undefined;
  /** The Origin header, which no script of a page can change. */
  readonly origin: string | undefined;
};

/** A valid request, with the channel of the wallet. */
export type WalletSessionRequest = {
  readonly is: 'request';
  readonly channel: Channel;
  readonly domain: string;
  readonly validationUrl: string;
};

/** The session as the wallet wants it, or in words for the shop's developers why there is none; `why` is for the log. */
export type WalletProof =
  | { readonly is: 'session'; readonly session: object }
  | { readonly is: 'refused'; readonly says: string; readonly why: string };

const URL_CHARACTERS_MAX = 1_024;
/** The gateways that Apple documents, for the world and for China, by the letter: with no other port, and with no name before them. */
const GATEWAY = /^https:\/\/(?:cn-)?apple-pay-gateway(?:-[a-z0-9]+)*\.apple\.com(?:\/[!-~]*)?$/;
/** Apple's sheet waits half a minute. */
const BOUNDS = { answerBytesMax: 65_536, withinMs: 10_000 } as const;

const isGateway = (url: string): boolean => url.length <= URL_CHARACTERS_MAX && GATEWAY.test(url) && URL.canParse(url);

/** The address of the page; null: no page that could open a wallet. */
function pageOf(origin: string | undefined): URL | null {
  const url = URL.canParse(origin ?? '') ? new URL(origin ?? '') : null;
  return url !== null && url.origin === origin && /^https?:$/.test(url.protocol) ? url : null;
}

const fault = (isWrong: boolean, name: string, message: string): readonly Fault[] =>
  isWrong ? [{ name, value: null, message }] : [];

/** Checks a request before the wallet is called: the request, or all faults. */
export function walletSessionRequest(
  service: CheckoutService,
  checkout: Checkout,
  fields: WalletSessionFields,
): WalletSessionRequest | Faulty {
  const { validationUrl = '', paymentBrand = '', origin } = fields;
  const channel = paymentBrand === 'APPLEPAY' ? walletChannel(service, checkout, paymentBrand) : null;
  const page = pageOf(origin);
  const faults = [
    ...fault(!isGateway(validationUrl), 'validationUrl', 'must be the https address of an Apple Pay gateway'),
    ...fault(channel === null, 'paymentBrand', 'must be APPLEPAY, and offered by this checkout'),
    ...fault(page === null, 'Origin', 'must be the address of the page, as browsers send it'),
    ...(channel && page ? originFaults(channel, page, checkout.link ? checkout.origin : null) : []),
  ];
  if (!channel || !page || faults.length > 0) return { is: 'faulty', faults };
  return { is: 'request', channel, domain: page.hostname, validationUrl };
}

/** `hosted`: the origin of the gateway, where it hosts the page of this checkout. */
function originFaults(
  { widgetOrigins, wallets: { walletA } }: Channel,
  { origin, hostname, protocol }: URL,
  hosted: string | null,
): readonly Fault[] {
  const identity = walletA === 'sandbox' ? null : walletA?.identity;
  const isOurs = !identity || (protocol === 'https:' && identity.domains.includes(hostname));
  const mayShow = widgetOrigins === null || origin === hosted || widgetOrigins.includes(origin);
  return [
    ...fault(!mayShow, 'Origin', 'may not show the widget of this channel'),
    ...fault(!isOurs, 'Origin', 'is not of a domain that this wallet is set up for'),
  ];
}

const refused = (says: string, why: string): WalletProof => ({ is: 'refused', says, why });

/** Proves a shop to the wallet: by the wallet's own servers, or in the sandbox without a check. */
export async function walletSessionOf(
  service: CheckoutService,
  checkout: Checkout,
  request: WalletSessionRequest,
): Promise<WalletProof> {
  const { walletA } = request.channel.wallets;
  if (walletA === 'sandbox') return { is: 'session', session: sandboxSession(service, checkout, request) };
  const identity = walletA?.identity;
  const key = identity ? await identityKey(service, request.channel, identity) : null;
  if (!walletA || !identity || key === null) return refused('Apple Pay is not set up completely', 'no key of the identity');
  const { merchantIdentifier } = walletA;
  const { certificate: cert, displayName } = identity;
  const asked = { merchantIdentifier, displayName, initiative: 'web', initiativeContext: request.domain };
  try {
    const { status, json } = await service.postAs({ cert, key })(request.validationUrl, asked, BOUNDS);
    if (status === 200 && typeof json === 'object' && json !== null && !Array.isArray(json))
      return { is: 'session', session: json };
    return refused('Apple Pay has not recognised this shop', `answered ${status}`);
  } catch (error) {
    return refused('Apple Pay could not be reached', (error as Error).message);
  }
}

/** The private key of an identity; null, with an alarm, when it cannot be had. */
async function identityKey(service: CheckoutService, channel: Channel, { id }: WalletIdentity): Promise<string | null> {
  const { world, secrets, entity } = service;
  const found = entity(channel.entityId);
  const ownerId = found ? ownerOf(found, 'walletA', entity) : channel.entityId;
  const name = walletSecretName('walletA', `identity/${id}`);
  const about = { entityId: ownerId, name };
  const sealed = await secrets.secret(ownerId, name);
  if (sealed === null) {
    world.alarm('the private key of a wallet is not there', about);
    return null;
  }
  try {
    return await world.vault.open(walletSecretRecord(ownerId, name), sealed);
  } catch (error) {
    // A store that is out of order says nothing about the secret.
    if (!(error instanceof VaultRefused)) throw error;
    world.alarm('the private key of a wallet does not open', { ...about, why: error.why });
    return null;
  }
}

/** A session as Apple returns it, without a valid signature. */
function sandboxSession(service: CheckoutService, checkout: Checkout, { channel, domain }: WalletSessionRequest): object {
  const { clock, ids } = service.world;
  const now = clock.now();
  return {
    epochTimestamp: now,
    expiresAt: now + HOUR_MS,
    merchantSessionIdentifier: `SSH${ids.random()}${ids.random()}`.toUpperCase(),
    nonce: ids.random().slice(0, 8),
    merchantIdentifier: sandboxMerchant(channel).merchantIdentifier,
    domainName: domain,
    displayName: shopNameOf(service, checkout),
    signature: Array.from({ length: 8 }, () => ids.random()).join(''),
  };
}
