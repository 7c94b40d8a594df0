import { digitsOf } from '../currencies.ts';
import { hexId } from '../parameters/basic.ts';
import { type Finding, NOT_ALLOWED, type Rule, type Sent } from './rule.ts';

const CUSTOM_PARAMETERS_MAX = 2_500;
const PRACTICE = 'standingInstruction.industryPractice';

/** The currencies of amounts. Parts of an amount (tax, shipping, a cart item) are in its currency. */
const currencies = ['currency', 'forex.currency', 'threeDSecure.currency'];

function uncoinable(sent: Sent): readonly Finding[] {
  const inCarts = sent.all('cart.payments[n].amount');
  // Most payments: nothing is put together for them.
  if (inCarts.length === 0 && !currencies.some((name) => digitsOf(sent.text(name) ?? '') === 0)) return [];
  const named = currencies.map((name) => ({ name, text: sent.text(name) ?? '' }));
  // A cart payment without a currency of its own is in the currency of the payment.
  const inCart = inCarts.map(({ name }) => {
    const currency = name.replace(/amount$/, 'currency');
    return { name: currency, text: (sent.has(currency) ? sent.text(currency) : sent.text('currency')) ?? '' };
  });
  const coinless = [...named, ...inCart].filter(({ text }) => digitsOf(text) === 0);
  return coinless.flatMap(({ name, text }) => {
    const amount = name.replace(/currency$/, 'amount');
    return /^[0-9]*(?:\.00)?$/.test(sent.text(amount) ?? '') ? [] : [{ name: amount, message: `must end in .00 for ${text}` }];
  });
}

/** Payment types, amounts, references: document 2, basic payment and forex; document 3, tokenization and custom parameters. */
export const basic: readonly Rule[] = [
  {
    title: 'A new payment is PA, DB, CD or PA.CP.',
    when: ['paymentType'],
    on: ['pay', 'payRegistered'],
    allows: { paymentType: ['PA', 'DB', 'CD', 'PA.CP'] },
    decision: '0005-references-and-their-codes.md',
  },
  {
    title: 'A scheduled payment is PA, DB or CD.',
    when: ['paymentType'],
    on: ['schedule', 'reschedule'],
    allows: { paymentType: ['PA', 'DB', 'CD'] },
  },
  {
    title: 'A follow-up of a payment is CP, RV, RF, CB, CR, RB or RC.',
    when: ['paymentType'],
    on: ['refer'],
    allows: { paymentType: ['CP', 'RV', 'RF', 'CB', 'CR', 'RB', 'RC'] },
    decision: '0025-chargebacks.md',
  },
  {
    title: 'A follow-up of a payment requires amount and currency, except a reversal.',
    when: ['paymentType'],
    on: ['refer'],
    is: { paymentType: ['CP', 'RF', 'CB', 'CR', 'RB', 'RC'] },
    needs: ['amount', 'currency'],
  },
  {
    title: 'A reversal has both amount and currency, or neither.',
    when: ['amount', 'currency'],
    on: ['refer'],
    needs: ['amount', 'currency'],
  },
  {
    title: 'An amount in a currency without minor units ends in .00.',
    when: [...currencies, 'cart.payments[n].amount'],
    finds: uncoinable,
  },
  {
    title: 'forex.amount and forex.currency require each other.',
    when: ['forex.amount', 'forex.currency'],
    needs: ['forex.amount', 'forex.currency'],
  },
  {
    title: 'sequence is FINAL.',
    when: ['sequence'],
    allows: { sequence: ['FINAL'] },
  },
  {
    title: 'numberOfCaptures is allowed only for PA.',
    when: ['numberOfCaptures'],
    on: ['pay', 'payRegistered'],
    isNot: { paymentType: ['PA'] },
    refuses: 'must not be sent without paymentType PA',
  },
  {
    title: 'numberOfCaptures is not allowed in a follow-up of a payment.',
    when: ['numberOfCaptures'],
    on: ['refer'],
    isDescriptive: true,
    refuses: 'must be sent with the PA: a follow-up cannot change the number of its captures',
  },
  {
    title: 'On a lenient channel numberOfCaptures is ignored in a follow-up of a payment.',
    when: ['numberOfCaptures'],
    on: ['refer'],
    isLenientOnly: true,
    ignores: ['numberOfCaptures'],
    decision: '0011-dispatching-and-leniency.md',
  },
  {
    title: 'referenceUuid is 32 lower-case hexadecimal digits.',
    when: ['referenceUuid'],
    matches: { referenceUuid: hexId('AN32') },
  },
  {
    title: 'INCREMENTAL_AUTH and REAUTHORIZATION require referenceUuid.',
    when: [PRACTICE],
    on: ['pay', 'payRegistered'],
    is: { [PRACTICE]: ['INCREMENTAL_AUTH', 'REAUTHORIZATION'] },
    needs: ['referenceUuid'],
  },
  {
    title: 'INCREMENTAL_AUTH and REAUTHORIZATION are allowed only for PA.',
    when: [PRACTICE],
    on: ['pay', 'refer', 'payRegistered'],
    is: { [PRACTICE]: ['INCREMENTAL_AUTH', 'REAUTHORIZATION'] },
    isNot: { paymentType: ['PA'] },
    refuses: 'must not be INCREMENTAL_AUTH or REAUTHORIZATION without paymentType PA',
  },
  {
    title: 'referenceUuid is allowed only with an industry practice.',
    when: ['referenceUuid'],
    on: ['pay', 'payRegistered'],
    unless: [PRACTICE],
    refuses: `must not be sent without ${PRACTICE}`,
  },
  {
    title: 'referenceUuid is not allowed with an id in the path.',
    when: ['referenceUuid'],
    on: ['refer'],
    refuses: NOT_ALLOWED,
  },
  {
    title: 'Money transfers to some countries require transactionPurposeCode.',
    when: ['transactionProcessingCode'],
    is: {
      transactionProcessingCode: ['FUNDING', 'PAYMENT'],
      'recipient.country': ['ARG', 'BGD', 'CHL', 'COL', 'EGY', 'IND'],
    },
    needs: ['transactionPurposeCode'],
  },
  {
    title: 'overridePaymentType is allowed only in checkouts.',
    when: ['overridePaymentType[brand]'],
    on: ['pay', 'refer', 'register', 'payRegistered'],
    refuses: NOT_ALLOWED,
  },
  {
    // Some brands describe each of the 1000 items of a cart by two of them.
    title: `A request has at most ${CUSTOM_PARAMETERS_MAX} custom parameters.`,
    when: ['customParameters[name]'],
    finds: (sent) => {
      const beyond = sent.all('customParameters[name]')[CUSTOM_PARAMETERS_MAX];
      return beyond ? [{ name: beyond.name, message: `must be one of at most ${CUSTOM_PARAMETERS_MAX} custom parameters` }] : [];
    },
  },
  {
    title: 'Names of custom parameters from a browser begin with SHOPPER_.',
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
    title: 'shopperResultUrl is an http or https URL.',
    when: ['shopperResultUrl'],
    matches: {
      shopperResultUrl: {
        pattern: /^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i,
        message: 'must be an http or https URL without a user name or a backslash',
      },
    },
  },
  {
    title: 'shopperResultUrl is an https URL in live.',
    when: ['shopperResultUrl'],
    in: 'live',
    matches: { shopperResultUrl: { pattern: /^https:/i, message: 'must be an https URL in the live environment' } },
  },
];

/** Document 3, reporting and query parameters. */
export const queries: readonly Rule[] = [
  {
    title: 'A list requires the merchant reference or a time frame.',
    when: [],
    on: ['query', 'queryRecords', 'findPayments'],
    needsOneOf: ['merchantTransactionId', 'date.from', 'date.to'],
    decision: '0024-queries.md',
  },
  {
    title: 'Search parameters are not allowed with an id in the path.',
    when: ['merchantTransactionId', 'date.from', 'date.to', 'shortId'],
    on: ['queryOne', 'queryRecord'],
    refuses: 'must not be sent with an id in the path',
    decision: '0024-queries.md',
  },
  {
    title: 'limit and pageNo are ignored with an id in the path.',
    when: ['limit', 'pageNo'],
    on: ['queryOne', 'queryRecord'],
    ignores: ['limit', 'pageNo'],
    decision: '0024-queries.md',
  },
  {
    // Clients of this API look for their own reference with a beginning and no end; the reference alone finds it.
    title: 'date.from and date.to require each other.',
    when: ['date.from', 'date.to'],
    unless: ['merchantTransactionId'],
    needs: ['date.from', 'date.to'],
  },
  {
    title: 'date.to is not before date.from.',
    when: ['date.from', 'date.to'],
    finds: (sent) => {
      const [from, to] = [sent.text('date.from'), sent.text('date.to')];
      return from === undefined || to === undefined || from <= to
        ? []
        : [{ name: 'date.to', message: 'must not be before date.from' }];
    },
  },
  {
    title: 'The merchant reference is not allowed with a complete time frame.',
    when: ['merchantTransactionId'],
    finds: (sent) =>
      sent.has('date.from') && sent.has('date.to')
        ? [{ name: 'merchantTransactionId', message: 'must not be sent with date.from and date.to' }]
        : [],
  },
  {
    title: 'shortId requires the merchant reference or a time frame.',
    when: ['shortId'],
    unless: ['merchantTransactionId'],
    needs: ['date.from', 'date.to'],
  },
];
