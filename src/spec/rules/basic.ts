import { digitsOf } from '../currencies.ts';
import { hexId } from '../parameters/authentication.ts';
import type { Finding, Rule, Sent } from './rule.ts';

const PRACTICE = 'standingInstruction.industryPractice';
const NOT_ALLOWED = 'is not an allowed parameter';

/** The currencies that stand beside an amount. What is a part of the amount (tax, shipping, a cart item) follows the amount. */
const currencies = ['currency', 'forex.currency', 'threeDSecure.currency'];

function uncoinable(sent: Sent): readonly Finding[] {
  const named = currencies.map((name) => ({ name, text: sent.text(name) ?? '' }));
  const coinless = [...named, ...sent.all('cart.payments[n].currency')].filter(({ text }) => digitsOf(text) === 0);
  return coinless.flatMap(({ name, text }) => {
    const amount = name.replace(/currency$/, 'amount');
    return /^[0-9]*(?:\.00)?$/.test(sent.text(amount) ?? '') ? [] : [{ name: amount, message: `must end in .00 for ${text}` }];
  });
}

/** Payment types, amounts, references: document 2, basic payment and forex; document 3, tokenization and custom parameters. */
export const basic: readonly Rule[] = [
  {
    title: 'A payment begins with PA, DB or CD.',
    when: ['paymentType'],
    on: ['pay', 'payRegistered', 'schedule', 'reschedule'],
    allows: { paymentType: ['PA', 'DB', 'CD'] },
  },
  {
    title: 'An earlier payment is captured, reversed or refunded, or what became of it is recorded.',
    when: ['paymentType'],
    on: ['refer'],
    allows: { paymentType: ['CP', 'RV', 'RF', 'CB', 'CR', 'RB', 'RC'] },
    decision: '0025-chargebacks.md',
  },
  {
    title: 'Whatever follows a payment names its amount, but for a reversal.',
    when: ['paymentType'],
    on: ['refer'],
    is: { paymentType: ['CP', 'RF', 'CB', 'CR', 'RB', 'RC'] },
    needs: ['amount', 'currency'],
  },
  {
    title: 'A reversal names amount and currency or neither.',
    when: ['amount', 'currency'],
    on: ['refer'],
    needs: ['amount', 'currency'],
  },
  {
    title: 'A currency without a smaller coin has no hundredths.',
    when: [...currencies, 'cart.payments[n].currency'],
    finds: uncoinable,
  },
  {
    title: 'An amount of a conversion has its currency.',
    when: ['forex.amount', 'forex.currency'],
    needs: ['forex.amount', 'forex.currency'],
  },
  {
    title: 'FINAL is the only value of sequence.',
    when: ['sequence'],
    allows: { sequence: ['FINAL'] },
  },
  {
    title: 'Captures are counted for a preauthorization only.',
    when: ['numberOfCaptures'],
    on: ['pay', 'payRegistered'],
    isNot: { paymentType: ['PA'] },
    refuses: 'must not be sent without paymentType PA',
  },
  {
    title: 'The id of a payment is 32 hexadecimal digits.',
    when: ['referenceUuid'],
    matches: { referenceUuid: hexId('AN32') },
  },
  {
    title: 'An increment and a new authorization name the payment they follow.',
    when: [PRACTICE],
    on: ['pay', 'payRegistered'],
    is: { [PRACTICE]: ['INCREMENTAL_AUTH', 'REAUTHORIZATION'] },
    needs: ['referenceUuid'],
  },
  {
    title: 'An increment and a new authorization are preauthorizations.',
    when: [PRACTICE],
    on: ['pay', 'refer', 'payRegistered'],
    is: { [PRACTICE]: ['INCREMENTAL_AUTH', 'REAUTHORIZATION'] },
    isNot: { paymentType: ['PA'] },
    refuses: 'must not be INCREMENTAL_AUTH or REAUTHORIZATION without paymentType PA',
  },
  {
    title: 'A payment is referenced by a parameter for an industry practice only.',
    when: ['referenceUuid'],
    on: ['pay', 'payRegistered'],
    unless: [PRACTICE],
    refuses: `must not be sent without ${PRACTICE}`,
  },
  {
    title: 'With the id in the path there is no second reference.',
    when: ['referenceUuid'],
    on: ['refer'],
    refuses: NOT_ALLOWED,
  },
  {
    title: 'Money transfers to some countries state their purpose.',
    when: ['transactionProcessingCode'],
    is: {
      transactionProcessingCode: ['FUNDING', 'PAYMENT'],
      'recipient.country': ['ARG', 'BGD', 'CHL', 'COL', 'EGY', 'IND'],
    },
    needs: ['transactionPurposeCode'],
  },
  {
    title: 'A brand gets a payment type of its own only when a checkout is created.',
    when: ['overridePaymentType[brand]'],
    on: ['pay', 'refer', 'register', 'payRegistered'],
    refuses: NOT_ALLOWED,
  },
  {
    title: 'Custom parameters from a browser begin with SHOPPER_.',
    when: ['customParameters[name]'],
    from: 'browser',
    finds: (sent) =>
      sent
        .all('customParameters[name]')
        .filter(({ name }) => !name.startsWith('customParameters[SHOPPER_'))
        .map(({ name }) => ({ name, message: 'must have a name that begins with SHOPPER_' })),
  },
  {
    // No user name and no backslash before the path: both make the host another one than it seems.
    title: 'The shopper comes back to a web address.',
    when: ['shopperResultUrl'],
    matches: {
      shopperResultUrl: {
        pattern: /^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i,
        message: 'must be an http or https URL without a user name or a backslash',
      },
    },
  },
  {
    title: 'In the live environment the shopper comes back over TLS.',
    when: ['shopperResultUrl'],
    in: 'live',
    matches: { shopperResultUrl: { pattern: /^https:/i, message: 'must be an https URL in the live environment' } },
  },
];
