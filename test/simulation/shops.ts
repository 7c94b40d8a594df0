import type { Channel } from '../../src/merchants/channel.ts';

export type Card = { readonly brand: string; readonly number: string; readonly cvv: string };

/** The cards of the simulated shoppers: well formed, accepted by the brand, and nobody's. Nothing is asked of them. */
export const cards: readonly Card[] = [
  { brand: 'VISA', number: '4200000000000000', cvv: '867' },
  { brand: 'VISA', number: '4111111111111111', cvv: '737' },
  { brand: 'MASTER', number: '5454545454545454', cvv: '583' },
];

export type SecureCard = Card & {
  /** Its issuer wants to be asked before it is charged. */
  readonly isEnrolled: boolean;
};

const enrolled = (brand: string, number: string, cvv: string): SecureCard => ({ brand, number, cvv, isEnrolled: true });

/** Cards of issuers that take part in 3D Secure, each with what it plays in the sandbox. Most are challenged. */
export const secureCards: readonly SecureCard[] = [
  enrolled('VISA', '4200000000000042', '941'),
  enrolled('VISA', '4200000000000018', '952'),
  enrolled('VISA', '4200000000000018', '952'),
  enrolled('MASTER', '5200000000000015', '963'),
  enrolled('MASTER', '5200000000000064', '974'),
  enrolled('MASTER', '5200000000000064', '974'),
  enrolled('VISA', '4200000000000091', '985'),
  enrolled('VISA', '4200000000000026', '996'),
  enrolled('VISA', '4200000000000059', '917'),
  enrolled('VISA', '4012001037461114', '928'),
  enrolled('VISA', '4012001037141112', '939'),
  { brand: 'VISA', number: '4532497088771651', cvv: '946', isEnrolled: false },
];

/** Their bank accounts. */
export const accounts = [
  { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', country: 'DE' },
  { iban: 'NL91ABNA0417164300', bic: 'ABNANL2AXXX', country: 'NL' },
] as const;

/** What their devices call their cards. */
export const deviceNumbers = ['4917610000000000', '4012888888881881'] as const;

const secrets: readonly string[] = [
  // Not as a part of a sealed text or a keyed hash.
  '(?<![A-Za-z0-9+/=_-])cvv(?![A-Za-z0-9+/=_-])',
  ...[...cards, ...secureCards].map(({ number }) => number),
  ...accounts.map(({ iban }) => iban),
  ...deviceNumbers,
];

const anySecret = new RegExp([...new Set(secrets)].join('|'));

/** Whether a text holds what must never be written down in clear. */
export const holdsSecret = (text: string): boolean => anySecret.test(text);

const codes = new Set([...cards, ...secureCards].map(({ cvv }) => cvv));
/** A code that stands alone: three digits within an id, a proof or a sealed text are none. */
const securityCode = new RegExp(`(?<![\\w+/=.-])(?:${[...codes].join('|')})(?![\\w+/=.-])`);

/** Whether a text holds the security code of one of the cards. */
export const securityCodeIn = (text: string): boolean => securityCode.test(text);

/** Low enough to be met. */
const strict: Channel['risk'] = {
  mode: 'on',
  cardTesting: 'off',
  velocity: 'off',
  countryMismatch: 'off',
  limits: { EUR: { amountMax: '470.00' } },
  unchallenged: 'review',
  rules: [
    {
      id: 'simulation.busy',
      says: 'One card is used again and again.',
      when: 'not isMerchantInitiated and count(card, 10m) >= 5',
      gives: { verdict: 'decline', code: '800.120.101' },
      mode: 'on',
    },
    {
      id: 'simulation.large',
      says: 'A large amount is worth a question.',
      when: 'amount > 430.00',
      gives: { verdict: 'challenge' },
      mode: 'on',
    },
  ],
};

const channel = (merchant: string, number: number, own: Partial<Channel> = {}): Channel => ({
  entityId: `5eed${merchant}${String(number).padStart(27, '0')}`,
  merchantId: `5eed${merchant}${'f'.padStart(27, '0')}`,
  name: `Shop_${merchant}${number}`,
  isLenient: false,
  threeDSecure: false,
  connectors: { default: 'double' },
  // Most runs have no second account.
  routing: { rules: [{ to: ['double', 'second'] }] },
  brands: null,
  currencies: null,
  state: 'active',
  throttle: {},
  timeZone: 'UTC',
  shopperResultHosts: null,
  widgetOrigins: null,
  priority: 100,
  wallets: { walletA: null, walletB: null, walletC: null },
  risk: { mode: 'report' },
  threeDS: {},
  schedules: { triesMax: 3, waitHoursDefault: 1 },
  ...own,
});

/** Two merchants, the first with two channels: enough to be seen by somebody who must not see. */
export const channels: readonly Channel[] = [
  channel('a', 1, { risk: strict }),
  channel('a', 2, { threeDSecure: true, risk: { mode: 'off' } }),
  channel('b', 1, { threeDSecure: true, risk: strict }),
];

/** Where cardholders are authenticated. */
export const secureChannels = channels.filter(({ threeDSecure }) => threeDSecure);

export const channelOf = (entityId: string): Channel | null => channels.find((one) => one.entityId === entityId) ?? null;
