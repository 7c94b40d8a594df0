import { cardTestingRules } from './cardTesting.ts';
import type { Rule, RuleMode } from './rules.ts';
import type { RiskSettings, Switch } from './settings.ts';

const modeOf = (turned: Switch): RuleMode => (turned === 'report' ? 'shadow' : turned);

/** The built-in rules for these settings, in the order in which a decline's code is chosen. */
export function builtInRules(settings: RiskSettings): readonly Rule[] {
  return [
    ...listRules(modeOf(settings.lists)),
    ...repeatRules(settings),
    ...cardTestingRules(modeOf(settings.cardTesting)),
    ...velocityRules(modeOf(settings.velocity)),
    ...limitRules(settings),
    ...countryRules(modeOf(settings.countryMismatch)),
    {
      id: 'holder.mismatch',
      says: 'The name on the card is not that of the customer.',
      when: 'not isHolderCustomer',
      gives: { verdict: 'decline', code: '800.150.100' },
      mode: modeOf(settings.holderMismatch),
    },
  ];
}

const listed = [
  ['card', '800.200.160', 'The card'],
  ['customer', '800.300.101', 'The customer'],
  ['country', '800.300.102', 'A country of card, address or line'],
  ['email', '800.300.200', 'The e-mail address or its domain'],
  ['ip', '800.300.301', 'The network address'],
  ['bin', '800.300.401', 'The BIN of the card'],
] as const;

const listRules = (mode: RuleMode): readonly Rule[] =>
  listed.map(([subject, code, what]) => ({
    id: `blocked.${subject}`,
    says: `${what} is on the block list.`,
    when: `listed(block, ${subject})`,
    gives: { verdict: 'decline', code, score: -1000 },
    mode,
  }));

const repeatRules = ({ duplicateSeconds, uniqueTransactionIds }: RiskSettings): readonly Rule[] => [
  {
    id: 'repeat.duplicate',
    says: 'The same card paid the same amount for the same order a moment ago.',
    when: `count(order, ${Math.max(1, duplicateSeconds)}s, standing) > 0`,
    gives: { verdict: 'decline', code: '800.110.100' },
    mode: duplicateSeconds === 0 ? 'off' : 'on',
  },
  {
    id: 'repeat.transactionId',
    says: 'A payment with this merchantTransactionId exists already.',
    when: 'count(transaction, 31d, standing) > 0',
    gives: { verdict: 'decline', code: '800.130.100' },
    mode: modeOf(uniqueTransactionIds),
  },
];

/** Generous on purpose, because only the merchant knows the usual volume. */
const velocityRules = (mode: RuleMode): readonly Rule[] => [
  {
    id: 'velocity.card',
    says: 'One card was tried twenty times in an hour.',
    when: 'not isMerchantInitiated and count(card, 1h) >= 20',
    gives: { verdict: 'decline', code: '800.120.101', score: -200 },
    mode,
  },
  {
    id: 'velocity.email',
    says: 'One e-mail address was used thirty times in an hour.',
    when: 'not isMerchantInitiated and count(email, 1h) >= 30',
    gives: { verdict: 'decline', code: '800.120.103', score: -200 },
    mode,
  },
  {
    id: 'velocity.ip',
    says: 'Sixty attempts from one address in ten minutes. Some shops send the address of their own server: on trial only.',
    when: 'not isMerchantInitiated and count(ip, 10m) >= 60',
    gives: { verdict: 'decline', code: '800.120.102', score: -200 },
    mode: mode === 'off' ? 'off' : 'shadow',
  },
  {
    id: 'velocity.cardsPerEmail',
    says: 'Eight different cards under one e-mail address in a day.',
    when: 'not isMerchantInitiated and distinct(card per email, 24h) >= 8',
    gives: { verdict: 'decline', code: '800.140.113', score: -200 },
    mode,
  },
  {
    id: 'velocity.emailsPerCard',
    says: 'One card under eight different e-mail addresses in a day.',
    when: 'not isMerchantInitiated and distinct(email per card, 24h) >= 8',
    gives: { verdict: 'decline', code: '800.140.112', score: -200 },
    mode,
  },
  {
    id: 'velocity.cardsPerMobile',
    says: 'Eight different cards with one mobile number in a day.',
    when: 'not isMerchantInitiated and distinct(card per mobile, 24h) >= 8',
    gives: { verdict: 'decline', code: '800.140.111', score: -200 },
    mode,
  },
  {
    id: 'velocity.mobilesPerCard',
    says: 'One card with eight different mobile numbers in a day.',
    when: 'not isMerchantInitiated and distinct(mobile per card, 24h) >= 8',
    gives: { verdict: 'decline', code: '800.140.110', score: -200 },
    mode,
  },
];

const limitRules = ({ limits }: RiskSettings): readonly Rule[] =>
  Object.entries(limits).flatMap(([currency, { amountMax, cardDayMax }]) => [
    ...(amountMax === undefined ? [] : [limitRule('amount', currency, amountMax)]),
    ...(cardDayMax === undefined ? [] : [limitRule('cardDay', currency, cardDayMax)]),
  ]);

const limitRule = (of: 'amount' | 'cardDay', currency: string, max: string): Rule => ({
  id: `limit.${of}.${currency}`,
  says: of === 'amount' ? `A payment is of at most ${max} ${currency}.` : `A card pays at most ${max} ${currency} in 24 hours.`,
  when: `currency = '${currency}' and ${of === 'amount' ? 'amount' : 'total(card, 24h, standing)'} > ${max}`,
  gives: { verdict: 'decline', code: of === 'amount' ? '800.120.200' : '800.120.201' },
  mode: 'on',
});

/** One mismatch alone is a traveller or a gift; only all of them together reach the default threshold, which requires 3D Secure. */
const countryRules = (mode: RuleMode): readonly Rule[] => [
  {
    id: 'country.billing',
    says: 'The card was not issued in the country of the billing address.',
    when: 'billing.country != card.country',
    gives: { verdict: 'accept', score: -100 },
    mode,
  },
  {
    id: 'country.line',
    says: 'The card was not issued in the country of the network address.',
    when: 'not isMerchantInitiated and customer.ipCountry != card.country',
    gives: { verdict: 'accept', score: -100 },
    mode,
  },
  {
    id: 'country.shipping',
    says: 'The goods go to another country than that of the billing address.',
    when: 'shipping.country != billing.country',
    gives: { verdict: 'accept', score: -50 },
    mode,
  },
];
