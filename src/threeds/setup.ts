import type { NetworkName } from './networks.ts';

/** A channel's registration with one network: requestor and acquirer. */
export type NetworkRegistration = {
  readonly requestorId: string;
  readonly requestorName: string;
  readonly acquirerBIN: string;
  readonly acquirerMerchantID: string;
};

/** A channel's registration with the networks and its acquirer. Parameters of a request take precedence. */
export type Setup = NetworkRegistration & {
  readonly requestorUrl: string;
  readonly mcc: string;
  readonly merchantName: string;
  /** ISO 3166-1, alpha-2, alpha-3 or numeric. */
  readonly merchantCountry: string;
  /** How long a cardholder has in a decoupled authentication. */
  readonly decoupledMinutes: number;
  /** Values that differ by network. */
  readonly networks: Readonly<Partial<Record<NetworkName, Partial<NetworkRegistration>>>>;
};

/** The registration with one network. */
export function registrationAt(setup: Setup, network: NetworkName): NetworkRegistration {
  const { requestorId, requestorName, acquirerBIN, acquirerMerchantID, networks } = setup;
  return { requestorId, requestorName, acquirerBIN, acquirerMerchantID, ...networks[network] };
}

/** Our addresses for callbacks. */
export type Addresses = {
  /** For results of the directory server. */
  readonly results: string;
  /** For the shopper's return from the issuer. */
  readonly notification: string;
  /** For the notification of the 3DS method. */
  readonly methodNotification: string;
};

/** The reference number of this 3DS server. */
export const SERVER_REFERENCE = 'TURNPIKE_3DS_SERVER_0001';

const SETUP_NAME_MAX = 40;

/** The setup of a channel without registration: empty values must be set before a scheme can be used. */
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

/** The setup of a channel of the test environment, whose schemes accept every channel. */
export const sandboxSetup = (channelName: string, origin: string): Setup => ({
  ...unregisteredSetup(channelName, origin),
  requestorId: 'turnpike-sandbox',
  acquirerBIN: '400000',
  acquirerMerchantID: 'turnpike-sandbox',
  mcc: '5999',
  merchantCountry: 'DE',
});
