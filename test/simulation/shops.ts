import type { Channel } from '../../src/merchants/channel.ts';

/** The cards of the simulated shoppers: well formed, accepted by the brand, and nobody's. */
export const cards = [
  { brand: 'VISA', number: '4200000000000000', cvv: '123' },
  { brand: 'VISA', number: '4111111111111111', cvv: '737' },
  { brand: 'MASTER', number: '5454545454545454', cvv: '501' },
] as const;

/** Their bank accounts. */
export const accounts = [
  { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', country: 'DE' },
  { iban: 'NL91ABNA0417164300', bic: 'ABNANL2AXXX', country: 'NL' },
] as const;

/** What their devices call their cards. */
export const deviceNumbers = ['4917610000000000', '4012888888881881'] as const;

const secrets: readonly string[] = [
  'cvv',
  ...cards.map(({ number }) => number),
  ...accounts.map(({ iban }) => iban),
  ...deviceNumbers,
];

/** Whether a text holds what must never be written down in clear. */
export const holdsSecret = (text: string): boolean => secrets.some((secret) => text.includes(secret));

const channel = (merchant: string, number: number): Channel => ({
  entityId: `5eed${merchant}${String(number).padStart(27, '0')}`,
  merchantId: `5eed${merchant}${'f'.padStart(27, '0')}`,
  name: `Shop_${merchant}${number}`,
  isLenient: false,
  threeDSecure: false,
  connectors: { default: 'double' },
  brands: null,
  currencies: null,
  state: 'active',
  throttle: {},
  timeZone: 'UTC',
  shopperResultHosts: null,
  priority: 100,
  wallets: { walletA: null, walletB: null, walletC: null },
});

/** Two merchants, the first with two channels: enough to be seen by somebody who must not see. */
export const channels: readonly Channel[] = [channel('a', 1), channel('a', 2), channel('b', 1)];
