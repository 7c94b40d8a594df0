/** What a channel is registered with at the networks and its acquirer. Parameters of a request come before it. */
export type Setup = {
  readonly requestorId: string;
  readonly requestorName: string;
  readonly requestorUrl: string;
  readonly acquirerBIN: string;
  readonly acquirerMerchantID: string;
  readonly mcc: string;
  readonly merchantName: string;
  /** ISO 3166-1, alpha-2, alpha-3 or numeric. */
  readonly merchantCountry: string;
  /** How long a cardholder may take where he is asked apart from the checkout. */
  readonly decoupledMinutes: number;
};

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

/** The setup of a channel of the test environment, whose schemes take everybody. */
export const sandboxSetup = (channelName: string, origin: string): Setup => ({
  requestorId: 'turnpike-sandbox',
  requestorName: channelName.slice(0, SETUP_NAME_MAX) || 'Turnpike',
  requestorUrl: origin,
  acquirerBIN: '400000',
  acquirerMerchantID: 'turnpike-sandbox',
  mcc: '5999',
  merchantName: channelName.slice(0, SETUP_NAME_MAX) || 'Turnpike',
  merchantCountry: 'DE',
  decoupledMinutes: 60,
});
