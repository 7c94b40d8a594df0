import type { Rule, RuleMode } from './rules.ts';
import type { RiskSettings, Switch } from './settings.ts';

/**
 * Neither this card nor this e-mail address has an approved payment. Known customers pass while their BIN or IP address is under
 * suspicion. A missing e-mail address does not count as known, and neither does one under which half of the attempts fail. The condition
 * comes last in each rule, because what precedes it is rarely true.
 */
const UNKNOWN_CUSTOMER =
  'not isMerchantInitiated and count(card, 31d, approved) = 0 ' +
  'and not (known(customer.email) and count(email, 31d, approved) > 0 and share(email, 31d, failed) < 50)';

/**
 * Rules against card testing. `failed` includes attempts that the rules blocked, so that a rule keeps firing while the attack lasts. Open
 * attempts count where no honest shopper has several. decisions/0014 gives the reasons for each figure.
 */
const cardTestingRules = (mode: RuleMode): readonly Rule[] => [
  {
    id: 'cardTesting.bin',
    says: 'Numbers of one BIN are being tried out: many failures, and a large part of all attempts.',
    when:
      '(count(bin, 1m, failed) >= 8 and share(bin, 1m, failed) >= 50 ' +
      `or count(bin, 10m, failed) >= 12 and share(bin, 10m, failed) >= 30) and ${UNKNOWN_CUSTOMER}`,
    gives: { verdict: 'decline', code: '800.120.401', score: -1000 },
    mode,
  },
  {
    id: 'cardTesting.binAtOnce',
    says: 'Many numbers of one BIN at the same moment, of which no answer is known yet.',
    when: `count(bin, 10m, open) >= 16 and count(bin, 1h, approved) < 16 and ${UNKNOWN_CUSTOMER}`,
    gives: { verdict: 'decline', code: '800.120.401', score: -1000 },
    mode,
  },
  {
    id: 'cardTesting.checkout',
    says: 'One checkout has had ten attempts that were not approved.',
    when: 'count(checkout, 24h, unapproved) >= 10',
    gives: { verdict: 'decline', code: '800.120.101', score: -1000 },
    mode,
  },
  {
    id: 'cardTesting.cardAndAddress',
    says: 'One card has failed three times from one address in an hour.',
    when: 'not isMerchantInitiated and count(card+ip, 1h, failed) >= 3',
    gives: { verdict: 'decline', code: '800.120.101', score: -500 },
    mode,
  },
  {
    id: 'cardTesting.card',
    says: 'One card has failed six times in an hour, wherever from.',
    when: 'not isMerchantInitiated and count(card, 1h, failed) >= 6',
    gives: { verdict: 'decline', code: '800.120.101', score: -500 },
    mode,
  },
  {
    id: 'cardTesting.address',
    says: 'Six cards from one address in an hour, and half of the attempts failed.',
    when: `distinct(card per ip, 1h) >= 6 and share(ip, 1h, failed) >= 50 and ${UNKNOWN_CUSTOMER}`,
    gives: { verdict: 'decline', code: '800.120.102', score: -1000 },
    mode,
  },
  {
    id: 'cardTesting.email',
    says: 'Four cards under one e-mail address in an hour, and three of four attempts failed.',
    when: `distinct(card per email, 1h) >= 4 and share(email, 1h, failed) >= 75 and ${UNKNOWN_CUSTOMER}`,
    gives: { verdict: 'decline', code: '800.140.113', score: -1000 },
    mode,
  },
  {
    id: 'cardTesting.alarm',
    says: 'Most attempts on the whole channel fail: strangers are asked who they are.',
    when: `count(entity, 10m, failed) >= 50 and share(entity, 10m, failed) >= 60 and ${UNKNOWN_CUSTOMER}`,
    gives: { verdict: 'challenge', score: -100 },
    mode,
  },
];

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
