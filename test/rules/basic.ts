import { capture, cardPayment, earlier, type Fields, order } from '../requests.ts';
import { type Case, checkout, noCard, pay, payRegistered, practice, refer, register } from './case.ts';
import { storedCases } from './stored.ts';

const customParameters = (count: number): Fields =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`customParameters[P${String(at).padStart(4, '0')}]`, 'x']));

/** The rules of spec/rules/basic.ts and stored.ts. */
export const basicCases: readonly Case[] = [
  ...storedCases,
  {
    title: 'A new payment is PA, DB, CD or PA.CP.',
    passes: [{ paymentType: 'PA' }, { paymentType: 'DB' }, { paymentType: 'CD' }, { paymentType: 'PA.CP' }],
    refused: [
      [{ paymentType: 'CP' }, 'paymentType'],
      [{ paymentType: 'RF' }, 'paymentType'],
      [{ paymentType: 'XX' }, 'paymentType'],
    ],
  },
  {
    title: 'A new payment is PA, DB, CD or PA.CP.',
    in: payRegistered,
    base: order,
    passes: [{ paymentType: 'PA' }, { paymentType: 'DB' }, { paymentType: 'CD' }, { paymentType: 'PA.CP' }],
    refused: [
      [{ paymentType: 'CP' }, 'paymentType'],
      [{ paymentType: 'RG' }, 'paymentType'],
      [{ paymentType: null }, 'paymentType'],
    ],
  },
  {
    title: 'A scheduled payment is PA, DB or CD.',
    in: { ...pay, endpoint: 'schedule' },
    base: { ...order, registrationId: earlier, 'job.month': '*' },
    passes: [{ paymentType: 'PA' }, { paymentType: 'DB' }, { paymentType: 'CD' }],
    refused: [
      [{ paymentType: 'PA.CP' }, 'paymentType'],
      [{ paymentType: 'CP' }, 'paymentType'],
    ],
  },
  {
    title: 'numberOfCaptures is not allowed in a follow-up of a payment.',
    in: refer,
    base: capture,
    passes: [{}],
    refused: [[{ numberOfCaptures: '3' }, 'numberOfCaptures']],
  },
  {
    title: 'On a lenient channel numberOfCaptures is ignored in a follow-up of a payment.',
    in: { ...refer, isLenient: true },
    base: capture,
    passes: [{ numberOfCaptures: '3' }, { numberOfCaptures: 'many' }],
    refused: [],
  },
  {
    title: 'A follow-up of a payment is CP, RV, RF, CB, CR, RB or RC.',
    in: refer,
    base: capture,
    passes: [
      {},
      { paymentType: 'RV' },
      { paymentType: 'RF' },
      { paymentType: 'CB', chargebackResultCode: '000.100.203' },
      { paymentType: 'CR' },
      { paymentType: 'RB' },
      { paymentType: 'RC' },
    ],
    refused: [
      [{ paymentType: 'PA' }, 'paymentType'],
      [{ paymentType: 'cp' }, 'paymentType'],
    ],
  },
  {
    title: 'A follow-up of a payment requires amount and currency, except a reversal.',
    in: refer,
    base: capture,
    passes: [{}, { paymentType: 'RF' }, { paymentType: 'RV', amount: null, currency: null }],
    refused: [
      [{ amount: null, currency: null }, 'amount', 'currency'],
      [{ paymentType: 'RF', currency: null }, 'currency'],
      [{ paymentType: 'CB', amount: null, currency: null }, 'amount', 'currency'],
      [{ paymentType: 'CR', amount: null }, 'amount'],
      [{ paymentType: 'RB', amount: null }, 'amount'],
      [{ paymentType: 'RC', currency: null }, 'currency'],
    ],
  },
  {
    title: 'A reversal has both amount and currency, or neither.',
    in: refer,
    base: { ...capture, paymentType: 'RV' },
    passes: [{}, { amount: null, currency: null }],
    refused: [
      [{ amount: null }, 'amount'],
      [{ currency: null }, 'currency'],
    ],
  },
  {
    title: 'An amount in a currency without minor units ends in .00.',
    passes: [
      { currency: 'JPY' },
      { currency: 'JPY', amount: '92' },
      { amount: '92.51' },
      { currency: 'KWD', amount: '92.51' },
      { 'forex.currency': 'JPY', 'forex.amount': '1.00' },
      { 'cart.payments[0].amount': '1.10', 'cart.payments[1].currency': 'JPY' },
    ],
    refused: [
      [{ currency: 'JPY', 'cart.payments[0].amount': '1.10' }, 'cart.payments[0].amount'],
      [{ currency: 'JPY', amount: '92.01' }, 'amount'],
      [{ 'forex.currency': 'KRW', 'forex.amount': '1.50' }, 'forex.amount'],
      [{ 'threeDSecure.currency': 'CLP', 'threeDSecure.amount': '1.50' }, 'threeDSecure.amount'],
      [{ 'cart.payments[3].currency': 'JPY', 'cart.payments[3].amount': '1.10' }, 'cart.payments[3].amount'],
    ],
  },
  {
    title: 'forex.amount and forex.currency require each other.',
    passes: [{ 'forex.amount': '1.00', 'forex.currency': 'USD' }],
    refused: [
      [{ 'forex.amount': '1.00' }, 'forex.currency'],
      [{ 'forex.currency': 'USD' }, 'forex.amount'],
    ],
  },
  {
    title: 'sequence is FINAL.',
    in: refer,
    base: capture,
    passes: [{ sequence: 'FINAL' }],
    refused: [
      [{ sequence: 'final' }, 'sequence'],
      [{ sequence: 'FIRST' }, 'sequence'],
    ],
  },
  {
    title: 'numberOfCaptures is allowed only for PA.',
    passes: [{ paymentType: 'PA', numberOfCaptures: '3' }],
    refused: [
      [{ paymentType: 'DB', numberOfCaptures: '3' }, 'numberOfCaptures'],
      [{ paymentType: 'CD', numberOfCaptures: '3' }, 'numberOfCaptures'],
      [{ paymentType: 'XX', numberOfCaptures: '3' }, 'paymentType'],
    ],
  },
  {
    title: 'numberOfCaptures is allowed only for PA.',
    in: payRegistered,
    base: order,
    passes: [{ paymentType: 'PA', numberOfCaptures: '3' }],
    refused: [[{ numberOfCaptures: '3' }, 'numberOfCaptures']],
  },
  {
    title: 'referenceUuid is 32 lower-case hexadecimal digits.',
    base: { ...order, paymentType: 'PA', [practice]: 'REAUTHORIZATION' },
    passes: [{ referenceUuid: earlier }],
    refused: [
      [{ referenceUuid: earlier.slice(1) }, 'referenceUuid'],
      [{ referenceUuid: `g${earlier.slice(1)}` }, 'referenceUuid'],
    ],
  },
  {
    title: 'INCREMENTAL_AUTH and REAUTHORIZATION require referenceUuid.',
    base: { ...cardPayment, paymentType: 'PA' },
    passes: [
      { [practice]: 'INCREMENTAL_AUTH', referenceUuid: earlier },
      { [practice]: 'REAUTHORIZATION', referenceUuid: earlier, ...noCard, paymentBrand: null },
      { [practice]: 'NO_SHOW' },
    ],
    refused: [
      [{ [practice]: 'INCREMENTAL_AUTH' }, 'referenceUuid'],
      [{ [practice]: 'REAUTHORIZATION' }, 'referenceUuid'],
    ],
  },
  {
    title: 'INCREMENTAL_AUTH and REAUTHORIZATION require referenceUuid.',
    in: payRegistered,
    base: { ...order, paymentType: 'PA' },
    passes: [{ [practice]: 'REAUTHORIZATION', referenceUuid: earlier }, { [practice]: 'NO_SHOW' }],
    refused: [[{ [practice]: 'REAUTHORIZATION' }, 'referenceUuid']],
  },
  {
    title: 'INCREMENTAL_AUTH and REAUTHORIZATION are allowed only for PA.',
    base: { ...cardPayment, referenceUuid: earlier },
    passes: [
      { [practice]: 'INCREMENTAL_AUTH', paymentType: 'PA' },
      { [practice]: 'DELAYED_CHARGES', paymentType: 'DB' },
    ],
    refused: [
      [{ [practice]: 'INCREMENTAL_AUTH', paymentType: 'DB' }, practice],
      [{ [practice]: 'REAUTHORIZATION', paymentType: 'CD' }, practice],
    ],
  },
  {
    title: 'INCREMENTAL_AUTH and REAUTHORIZATION are allowed only for PA.',
    in: payRegistered,
    base: { ...order, referenceUuid: earlier },
    passes: [{ [practice]: 'INCREMENTAL_AUTH', paymentType: 'PA' }],
    refused: [[{ [practice]: 'INCREMENTAL_AUTH' }, practice]],
  },
  {
    title: 'referenceUuid is allowed only with an industry practice.',
    base: { ...cardPayment, referenceUuid: earlier },
    passes: [{ [practice]: 'DELAYED_CHARGES' }, { [practice]: 'NO_SHOW' }, { [practice]: 'RESUBMISSION' }],
    refused: [[{}, 'referenceUuid']],
  },
  {
    title: 'referenceUuid is allowed only with an industry practice.',
    in: payRegistered,
    base: { ...order, referenceUuid: earlier },
    passes: [{ [practice]: 'DELAYED_CHARGES' }],
    refused: [[{}, 'referenceUuid']],
  },
  {
    title: 'referenceUuid is not allowed with an id in the path.',
    in: refer,
    base: capture,
    passes: [{}],
    refused: [[{ referenceUuid: earlier }, 'referenceUuid']],
  },
  {
    title: 'Money transfers to some countries require transactionPurposeCode.',
    base: { ...cardPayment, transactionProcessingCode: 'FUNDING', 'recipient.country': 'IND' },
    passes: [
      { transactionPurposeCode: 'ISGDDS' },
      { transactionProcessingCode: 'PURCHASE' },
      { 'recipient.country': 'DEU' },
      { 'recipient.country': null },
    ],
    refused: ['ARG', 'BGD', 'CHL', 'COL', 'EGY', 'IND'].flatMap((country) =>
      ['FUNDING', 'PAYMENT'].map((code): [Fields, string] => [
        { 'recipient.country': country, transactionProcessingCode: code },
        'transactionPurposeCode',
      ]),
    ),
  },
  {
    title: 'overridePaymentType is allowed only in checkouts.',
    passes: [{ 'overridePaymentType[VISA]': '' }],
    refused: [
      [
        { 'overridePaymentType[VISA]': 'PA', 'overridePaymentType[PAYPAL]': 'DB' },
        'overridePaymentType[VISA]',
        'overridePaymentType[PAYPAL]',
      ],
    ],
  },
  {
    title: 'overridePaymentType is allowed only in checkouts.',
    in: checkout,
    passes: [{ 'overridePaymentType[VISA]': 'PA' }],
    refused: [[{ 'overridePaymentType[VISA]': 'XX' }, 'overridePaymentType[VISA]']],
  },
  ...[register, payRegistered].map(
    (context): Case => ({
      title: 'overridePaymentType is allowed only in checkouts.',
      in: context,
      base: context === register ? cardPayment : order,
      passes: [{}],
      refused: [[{ 'overridePaymentType[VISA]': 'PA' }, 'overridePaymentType[VISA]']],
    }),
  ),
  {
    title: 'A request has at most 2500 custom parameters.',
    passes: [customParameters(2_500)],
    refused: [[customParameters(2_501), 'customParameters[P2500]']],
  },
  {
    title: 'Names of custom parameters from a browser begin with SHOPPER_.',
    in: { ...pay, source: 'browser' },
    passes: [{ 'customParameters[SHOPPER_x]': '1' }],
    refused: [[{ 'customParameters[shop]': '1', 'customParameters[SHOPPER_x]': '1' }, 'customParameters[shop]']],
  },
  {
    title: 'shopperResultUrl is an http or https URL.',
    passes: [
      { shopperResultUrl: 'https://shop.example/a?b=c#d' },
      { shopperResultUrl: 'http://localhost:8080' },
      { shopperResultUrl: 'HTTPS://shop.example?x=a@b' },
    ],
    refused: [
      'com.example.shop://result',
      'ftp://shop.example/',
      'https://shop@evil.example/',
      'https://a:b@evil.example',
      'https://shop.example\\@evil.example/',
      'https:\\\\evil.example/',
      '/relative',
      'https://shop.example/\r\nX: y',
    ].map((url): [Fields, string] => [{ shopperResultUrl: url }, 'shopperResultUrl']),
  },
  {
    title: 'shopperResultUrl is an https URL in live.',
    in: { ...pay, environment: 'live' },
    passes: [{ shopperResultUrl: 'https://shop.example/' }],
    refused: [[{ shopperResultUrl: 'http://shop.example/' }, 'shopperResultUrl']],
  },
];
