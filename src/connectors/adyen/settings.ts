import {
  choiceRow,
  flagRow,
  numberRow,
  optionalTextRow,
  type SecretRows,
  type SettingRows,
  secretRow,
  textRow,
  urlRow,
} from '../kind.ts';

/** The regions of live accounts, and the environments of Adyen Web in them, which are also part of the names of its servers. */
export const liveEnvironments = {
  eu: 'live',
  us: 'live-us',
  au: 'live-au',
  apse: 'live-apse',
  in: 'live-in',
  nea: 'live-nea',
} as const;
type Region = keyof typeof liveEnvironments;

export type AdyenSettings = {
  readonly merchantAccount: string;
  readonly url: string;
  readonly authentication: 'redirect' | 'native' | 'never';
  readonly clientKey: string;
  readonly componentRegion: Region;
  readonly componentUrl: string;
  readonly componentIntegrity: string;
  readonly componentStyleIntegrity: string;
  readonly multipleCaptures: boolean;
  readonly preAuthorises: boolean;
  readonly verificationCurrency: string;
  readonly shopperMinutes: number;
};

export const TEST_HOST = 'checkout-test.adyen.com';
const LIVE_HOST = /-checkout-live(?:-[a-z]+)?\.adyenpayments\.com$/;
const TEST_URL = `https://${TEST_HOST}/v72`;

const integrityRow = (file: string) =>
  optionalTextRow({
    help: `The hash of ${file}, as Adyen publishes it for the version; browsers take no other content. Empty: every content of it is accepted.`,
    says: 'a hash such as sha384-…, or empty',
    pattern: /^(?:sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2})?$/,
  });

export const settingRows: SettingRows<AdyenSettings> = {
  merchantAccount: textRow({
    help: 'The merchant account at Adyen that takes the payments.',
    says: 'the name of a merchant account, 1 to 80 letters, digits, _ and -',
    pattern: /^[A-Za-z0-9_-]{1,80}$/,
  }),
  url: urlRow(
    'The Checkout API of version 72. Live: https://PREFIX-checkout-live.adyenpayments.com/checkout/v72, with the prefix from the Customer Area.',
    TEST_URL,
  ),
  authentication: choiceRow(['redirect', 'native', 'never'], {
    help: 'Without a proof of 3D Secure, where the issuer asks for one: the shopper goes to Adyen, to a page of the gateway, or nowhere.',
    fallback: 'redirect',
  }),
  clientKey: optionalTextRow({
    help: "The public client key, for native authentication. The gateway's origin must be among its allowed origins.",
    says: 'test_ or live_ and 10 to 100 letters and digits, or empty',
    pattern: /^(?:(?:test|live)_[A-Za-z0-9]{10,100})?$/,
  }),
  componentRegion: choiceRow(Object.keys(liveEnvironments) as Region[], {
    help: 'The region of the live merchant account, for native authentication.',
    fallback: 'eu',
  }),
  componentUrl: optionalTextRow({
    help: "Where the page of native authentication loads Adyen Web from, with adyen.css beside it. Empty: Adyen's servers.",
    says: 'an address such as https://files.example.com/6.45.2/adyen.js, or empty',
    pattern: /^(?:(?:https:\/\/[a-z0-9.-]+(?::[0-9]+)?|http:\/\/127\.0\.0\.1:[0-9]+)\/(?:[A-Za-z0-9._-]+\/)*adyen\.js)?$/,
  }),
  componentIntegrity: integrityRow('adyen.js'),
  componentStyleIntegrity: integrityRow('adyen.css'),
  multipleCaptures: flagRow('The merchant account has "multiple partial captures" switched on.', false),
  preAuthorises: flagRow('Authorisations are pre-authorisations, so that their amount can be raised later.', false),
  verificationCurrency: optionalTextRow({
    help: 'The currency in which a card is verified with a zero amount when it is stored. Empty: Adyen is not asked.',
    says: 'a currency such as EUR, or empty',
    pattern: /^(?:[A-Z]{3})?$/,
  }),
  shopperMinutes: numberRow('How long a shopper may take to pay elsewhere before the payment is cancelled.', {
    least: 15,
    most: 10_080,
    fallback: 720,
  }),
};

/** Settings that fit by themselves and not together. */
export function settingFaults({ authentication, clientKey, url }: AdyenSettings): readonly string[] {
  const host = URL.parse(url)?.hostname ?? '';
  const faults: string[] = [];
  if (authentication === 'native' && clientKey === '')
    faults.push('"settings.clientKey" is missing; native authentication needs the public client key');
  if (clientKey.startsWith('live_') && host === TEST_HOST)
    faults.push('"settings.clientKey" is a live key, and "settings.url" is the test environment');
  if (clientKey.startsWith('test_') && LIVE_HOST.test(host))
    faults.push('"settings.clientKey" is a test key, and "settings.url" is the live environment');
  return faults;
}

const hmacKey = (help: string, isOptional: boolean) => ({
  help,
  says: '64 hexadecimal digits',
  fits: (text: string): boolean => /^[0-9A-Fa-f]{64}$/.test(text),
  ...(isOptional && { isOptional: true as const }),
});

export const secretRows: SecretRows = {
  apiKey: secretRow('The API key of the web service user, with the role for raw card data.', { min: 20, max: 1_024 }),
  hmacKey: hmacKey('The HMAC key of the standard webhook.', false),
  basicAuth: {
    ...secretRow('User and password of the webhook with a colon between them, where Basic authentication is set up on top.', {
      isOptional: true,
    }),
    says: 'a user, a colon and a password',
  },
  hmacKeyNext: hmacKey('A second HMAC key that also counts while keys are exchanged.', true),
};
