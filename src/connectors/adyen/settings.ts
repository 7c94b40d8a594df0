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
} from '../rows.ts';

export type AdyenSettings = {
  readonly merchantAccount: string;
  readonly url: string;
  readonly authentication: 'redirect' | 'never';
  readonly multipleCaptures: boolean;
  readonly preAuthorises: boolean;
  readonly verificationCurrency: string;
  readonly shopperMinutes: number;
};

export const TEST_HOST = 'checkout-test.adyen.com';
const TEST_URL = `https://${TEST_HOST}/v72`;

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
  authentication: choiceRow(['redirect', 'never'], {
    help: 'What happens without a proof of 3D Secure: the shopper is sent to the issuer where the issuer asks for it, or nothing.',
    fallback: 'redirect',
  }),
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
