import type { Rule, RuleMode } from './rules.ts';

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
export const cardTestingRules = (mode: RuleMode): readonly Rule[] => [
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
