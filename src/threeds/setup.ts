import type { NetworkName } from './networks.ts';

/** By what one network knows a channel: who asks, and who acquires. */
export type Registered = {
  readonly requestorId: string;
  readonly requestorName: string;
  readonly acquirerBIN: string;
  readonly acquirerMerchantID: string;
};

/** What a channel is registered with at the networks and its acquirer. Parameters of a request come before it. */
export type Setup = Registered & {
  readonly requestorUrl: string;
  readonly mcc: string;
  readonly merchantName: string;
  /** ISO 3166-1, alpha-2, alpha-3 or numeric. */
  readonly merchantCountry: string;
  /** How long a cardholder may take where he is asked apart from the checkout. */
  readonly decoupledMinutes: number;
  /** What is another one at a network of its own. */
  readonly networks: Readonly<Partial<Record<NetworkName, Partial<Registered>>>>;
};

/** What one network knows the channel by. */
export function registeredAt(setup: Setup, network: NetworkName): Registered {
  const { requestorId, requestorName, acquirerBIN, acquirerMerchantID, networks } = setup;
  return { requestorId, requestorName, acquirerBIN, acquirerMerchantID, ...networks[network] };
}

/** Where the outside world finds us. */
export type Addresses = {
  /** The directory server sends results there. */
  readonly results: string;
  /** The issuer's page sends the shopper back there. */
  readonly notification: string;
  /** The hidden frame ends there. */
  readonly methodNotification: string;
};

/** By what the directory servers know this 3DS server. */
export const SERVER_REFERENCE = 'TURNPIKE_3DS_SERVER_0001';

const SETUP_NAME_MAX = 40;

/** The setup of a channel that nobody has registered anywhere: what is empty must be set before a scheme can be asked. */
export const unregisteredSetup = (channelName: string, origin: string): Setup => ({
  requestorId: '',
  requestorName: channelName.slice(0, SETUP_NAME_MAX) || 'Turnpike',
  requestorUrl: origin,
  acquirerBIN: '',
  acquirerMerchantID: '',
  mcc: '',
  merchantName: channelName.slice(0, SETUP_NAME_MAX) || 'Turnpike',
  merchantCountry: '',
  decoupledMinutes: 60,
  networks: {},
});

/** The setup of a channel of the test environment, whose schemes take everybody. */
export const sandboxSetup = (channelName: string, origin: string): Setup => ({
  ...unregisteredSetup(channelName, origin),
  requestorId: 'turnpike-sandbox',
  acquirerBIN: '400000',
  acquirerMerchantID: 'turnpike-sandbox',
  mcc: '5999',
  merchantCountry: 'DE',
});
