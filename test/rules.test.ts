import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Context, check, isRefused } from '../src/form/check.ts';
import { decode } from '../src/form/decode.ts';
import { rules } from '../src/spec/rules.ts';
import { bodyOf, capture, card, cardPayment, directDebit, earlier, type Fields, order } from './requests.ts';

const pay: Context = { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' };
const refer: Context = { ...pay, endpoint: 'refer' };
const read = { isLenient: false, source: 'server', environment: 'test' } as const;
const query: Context = { ...read, sections: ['authentication', 'query'], required: [] };
const reporting: Context = { ...read, sections: ['authentication', 'reporting'], required: ['date.from', 'date.to'] };
const checkout: Context = { ...read, sections: ['basic', 'tokenization', 'card'], required: [] };

type Case = {
  readonly says: string;
  readonly base?: Fields;
  readonly in?: Context;
  readonly passes: readonly Fields[];
  /** The change, and the names of all faults it leads to. */
  readonly refused: readonly (readonly [Fields, ...string[]])[];
};

const token: Fields = { 'tokenAccount.number': '489537000000', 'tokenAccount.type': 'NETWORK' };
const noCard: Fields = { 'card.number': null, 'card.expiryMonth': null, 'card.expiryYear': null };
const proof: Fields = { 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=', 'threeDSecure.eci': '05' };
const repeated: Fields = {
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.source': 'MIT',
  'standingInstruction.initialTransactionId': '012345',
};
const practice = 'standingInstruction.industryPractice';
const names: Fields = { 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
const transfer: Fields = { ...order, shopperResultUrl: 'https://shop.example/' };

const walletCases = (['walletA', 'walletB', 'walletC'] as const).flatMap((wallet): Case[] => [
  {
    says: `A token of ${wallet} stands alone.`,
    base: order,
    passes: [{ [`${wallet}.paymentToken`]: '{"data":"x"}' }, { [`${wallet}.paymentToken`]: 'x', 'card.holder': 'Ann Example' }],
    refused: [
      [{ [`${wallet}.paymentToken`]: 'x', [`${wallet}.source`]: 'web' }, `${wallet}.source`],
      [{ [`${wallet}.paymentToken`]: 'x', 'card.number': '4200000000000000' }, 'card.number'],
      [{ [`${wallet}.paymentToken`]: 'x', 'threeDSecure.eci': '05' }, 'threeDSecure.eci'],
    ],
  },
  {
    says: `A decrypted payment of ${wallet} comes with the card and its proof.`,
    base: { ...order, ...card, ...proof },
    passes: [{ [`${wallet}.source`]: 'web' }, { [`${wallet}.source`]: 'app', paymentBrand: 'VISA' }],
    refused: [
      [{ [`${wallet}.source`]: 'web', ...noCard }, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
      [
        { [`${wallet}.source`]: 'web', 'threeDSecure.verificationId': null, 'threeDSecure.eci': null },
        'threeDSecure.verificationId',
        'threeDSecure.eci',
      ],
    ],
  },
]);

const addressCases = ['billing', 'shipping', 'merchant.billing', 'merchant.shipping'].flatMap((address): Case[] => [
  {
    says: `The second house number of ${address} follows a first.`,
    passes: [{ [`${address}.houseNumber1`]: '3', [`${address}.houseNumber2`]: 'b' }],
    refused: [[{ [`${address}.houseNumber2`]: 'b' }, `${address}.houseNumber1`]],
  },
  {
    says: `With a house number the second street line of ${address} is not read.`,
    passes: [
      { [`${address}.houseNumber1`]: '3', [`${address}.street1`]: 'High Street', [`${address}.street2`]: 'x'.repeat(200) },
    ],
    refused: [[{ [`${address}.street1`]: 'High Street', [`${address}.street2`]: 'x'.repeat(200) }, `${address}.street2`]],
  },
  {
    says: `The street of ${address} is more than digits.`,
    passes: [
      { [`${address}.street1`]: 'High Street 3' },
      { [`${address}.street1`]: '3', [`${address}.street2`]: 'High Street' },
      { [`${address}.street2`]: 'High Street' },
    ],
    refused: [
      [{ [`${address}.street1`]: '12' }, `${address}.street1`],
      [{ [`${address}.street1`]: '12', [`${address}.street2`]: '3 4' }, `${address}.street1`],
      [{ [`${address}.street2`]: '34' }, `${address}.street2`],
      [{ [`${address}.street1`]: '12', [`${address}.street2`]: 'x', [`${address}.houseNumber1`]: '3' }, `${address}.street1`],
    ],
  },
]);

const cases: readonly Case[] = [
  {
    says: 'A payment begins with PA, DB or CD.',
    passes: [{ paymentType: 'PA' }, { paymentType: 'DB' }, { paymentType: 'CD' }],
    refused: [
      [{ paymentType: 'CP' }, 'paymentType'],
      [{ paymentType: 'RF' }, 'paymentType'],
      [{ paymentType: 'XX' }, 'paymentType'],
    ],
  },
  {
    says: 'An earlier payment is captured, reversed or refunded.',
    in: refer,
    base: capture,
    passes: [{}, { paymentType: 'RV' }, { paymentType: 'RF' }],
    refused: [
      [{ paymentType: 'PA' }, 'paymentType'],
      [{ paymentType: 'cp' }, 'paymentType'],
    ],
  },
  {
    says: 'A capture and a refund name their amount.',
    in: refer,
    base: capture,
    passes: [{}, { paymentType: 'RF' }, { paymentType: 'RV', amount: null, currency: null }],
    refused: [
      [{ amount: null, currency: null }, 'amount', 'currency'],
      [{ paymentType: 'RF', currency: null }, 'currency'],
    ],
  },
  {
    says: 'A reversal names amount and currency or neither.',
    in: refer,
    base: { ...capture, paymentType: 'RV' },
    passes: [{}, { amount: null, currency: null }],
    refused: [
      [{ amount: null }, 'amount'],
      [{ currency: null }, 'currency'],
    ],
  },
  {
    says: 'A currency without a smaller coin has no hundredths.',
    passes: [
      { currency: 'JPY' },
      { currency: 'JPY', amount: '92' },
      { amount: '92.51' },
      { currency: 'KWD', amount: '92.51' },
      { 'forex.currency': 'JPY', 'forex.amount': '1.00' },
    ],
    refused: [
      [{ currency: 'JPY', amount: '92.01' }, 'amount'],
      [{ 'forex.currency': 'KRW', 'forex.amount': '1.50' }, 'forex.amount'],
      [{ 'threeDSecure.currency': 'CLP', 'threeDSecure.amount': '1.50' }, 'threeDSecure.amount'],
      [{ 'cart.payments[3].currency': 'JPY', 'cart.payments[3].amount': '1.10' }, 'cart.payments[3].amount'],
    ],
  },
  {
    says: 'An amount of a conversion has its currency.',
    passes: [{ 'forex.amount': '1.00', 'forex.currency': 'USD' }],
    refused: [
      [{ 'forex.amount': '1.00' }, 'forex.currency'],
      [{ 'forex.currency': 'USD' }, 'forex.amount'],
    ],
  },
  {
    says: 'FINAL is the only value of sequence.',
    in: refer,
    base: capture,
    passes: [{ sequence: 'FINAL' }],
    refused: [
      [{ sequence: 'final' }, 'sequence'],
      [{ sequence: 'FIRST' }, 'sequence'],
    ],
  },
  {
    says: 'Captures are counted for a preauthorization only.',
    passes: [{ paymentType: 'PA', numberOfCaptures: '3' }],
    refused: [
      [{ paymentType: 'DB', numberOfCaptures: '3' }, 'numberOfCaptures'],
      [{ paymentType: 'CD', numberOfCaptures: '3' }, 'numberOfCaptures'],
      [{ paymentType: 'XX', numberOfCaptures: '3' }, 'paymentType'],
    ],
  },
  {
    says: 'The id of a payment is 32 hexadecimal digits.',
    base: { ...order, paymentType: 'PA', [practice]: 'REAUTHORIZATION' },
    passes: [{ referenceUuid: earlier }],
    refused: [
      [{ referenceUuid: earlier.slice(1) }, 'referenceUuid'],
      [{ referenceUuid: `g${earlier.slice(1)}` }, 'referenceUuid'],
    ],
  },
  {
    says: 'An increment and a new authorization name the payment they follow.',
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
    says: 'An increment and a new authorization are preauthorizations.',
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
    says: 'A payment is referenced by a parameter for an industry practice only.',
    base: { ...cardPayment, referenceUuid: earlier },
    passes: [{ [practice]: 'DELAYED_CHARGES' }, { [practice]: 'NO_SHOW' }, { [practice]: 'RESUBMISSION' }],
    refused: [[{}, 'referenceUuid']],
  },
  {
    says: 'With the id in the path there is no second reference.',
    in: refer,
    base: capture,
    passes: [{}],
    refused: [[{ referenceUuid: earlier }, 'referenceUuid']],
  },
  {
    says: 'Money transfers to some countries state their purpose.',
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
    says: 'A brand gets a payment type of its own only when a checkout is created.',
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
    says: 'A brand gets a payment type of its own only when a checkout is created.',
    in: checkout,
    passes: [{ 'overridePaymentType[VISA]': 'PA' }],
    refused: [[{ 'overridePaymentType[VISA]': 'XX' }, 'overridePaymentType[VISA]']],
  },
  {
    says: 'The holder of a registration is overridden in checkouts and one-click payments only.',
    passes: [{ overrideHolder: '' }],
    refused: [[{ overrideHolder: 'true' }, 'overrideHolder']],
  },
  {
    says: 'The holder of a registration is overridden in checkouts and one-click payments only.',
    in: checkout,
    passes: [{ overrideHolder: 'true' }],
    refused: [[{ overrideHolder: 'yes' }, 'overrideHolder']],
  },
  {
    says: 'Custom parameters from a browser begin with SHOPPER_.',
    in: { ...pay, source: 'browser' },
    passes: [{ 'customParameters[SHOPPER_x]': '1' }],
    refused: [[{ 'customParameters[shop]': '1', 'customParameters[SHOPPER_x]': '1' }, 'customParameters[shop]']],
  },
  {
    says: 'The shopper comes back to a web address.',
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
    says: 'In the live environment the shopper comes back over TLS.',
    in: { ...pay, environment: 'live' },
    passes: [{ shopperResultUrl: 'https://shop.example/' }],
    refused: [[{ shopperResultUrl: 'http://shop.example/' }, 'shopperResultUrl']],
  },
  {
    says: 'A payment brand is one that is known.',
    passes: [{ paymentBrand: 'MASTER' }, { paymentBrand: null }],
    refused: [
      [{ paymentBrand: 'visa' }, 'paymentBrand'],
      [{ paymentBrand: 'constructor' }, 'paymentBrand'],
      [{ paymentBrand: '__proto__' }, 'paymentBrand'],
      [{ paymentBrand: 'NOBODY' }, 'paymentBrand'],
    ],
  },
  {
    says: 'Without a brand there is a card, a wallet or a token to tell it from.',
    base: order,
    passes: [card, token, { 'walletB.paymentToken': 'x' }],
    refused: [
      [{}, 'paymentBrand'],
      [{ 'card.holder': 'Ann Example' }, 'paymentBrand'],
      [{ 'bankAccount.iban': 'DE23100000001234567890' }, 'paymentBrand'],
    ],
  },
  {
    says: 'One instrument pays, and it is one of the brand.',
    passes: [
      { 'card.cvv': '123' },
      { paymentBrand: 'APPLEPAY', 'walletA.source': 'web', ...proof },
      { ...noCard, ...token },
      { ...noCard, ...transfer, paymentBrand: 'PAYPAL' },
      { ...noCard, ...transfer, paymentBrand: 'PREPAYMENT', 'bankAccount.country': 'DE' },
    ],
    refused: [
      [{ 'bankAccount.iban': 'DE23100000001234567890', 'bankAccount.country': 'DE' }, 'bankAccount.iban', 'bankAccount.country'],
      [{ paymentBrand: null, 'bankAccount.country': 'DE' }, 'bankAccount.country'],
      [{ 'virtualAccount.accountId': 'x' }, 'virtualAccount.accountId'],
      [token, 'tokenAccount.number', 'tokenAccount.type'],
      [{ ...noCard, paymentBrand: 'APPLEPAY', 'walletB.paymentToken': 'x' }, 'walletB.paymentToken', 'walletA.paymentToken'],
    ],
  },
  {
    says: 'A card pays for the brands of cards and wallets.',
    passes: [{}, { paymentBrand: null }, { paymentBrand: 'MADA' }],
    refused: [
      [{ paymentBrand: 'PAYPAL', ...transfer }, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
      [{ paymentBrand: 'OXXO', ...transfer }, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
      [{ ...directDebit, 'card.cvv': '123', ...noCard }, 'card.cvv', 'card.number', 'card.expiryMonth', 'card.expiryYear'],
    ],
  },
  {
    says: 'A brand comes with its account, its extras and a way back.',
    base: transfer,
    passes: [
      directDebit,
      { paymentBrand: 'VISA', ...card },
      { paymentBrand: 'SOFORTUEBERWEISUNG', 'bankAccount.country': 'AT' },
      { paymentBrand: 'TRUSTPAY_VA', ...names },
      { paymentBrand: 'PAYPAL' },
      { paymentBrand: 'CLICK_TO_PAY', ...card },
      {
        paymentBrand: 'SEPA',
        'bankAccount.holder': 'Ann Example',
        'bankAccount.number': '1234567890',
        'bankAccount.bankCode': '10000000',
      },
    ],
    refused: [
      [{ paymentBrand: 'VISA' }, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
      [{ paymentBrand: 'GOOGLEPAY' }, 'walletB.paymentToken'],
      [{ paymentBrand: 'CLICK_TO_PAY' }, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
      [{ ...directDebit, 'bankAccount.bic': null }, 'bankAccount.bic'],
      [{ ...directDebit, 'bankAccount.holder': null, 'bankAccount.iban': null }, 'bankAccount.holder', 'bankAccount.iban'],
      [{ paymentBrand: 'SEPA' }, 'bankAccount.holder', 'bankAccount.iban', 'bankAccount.bic'],
      [{ paymentBrand: 'EPS' }, 'bankAccount.country'],
      [{ paymentBrand: 'PAYPAL', shopperResultUrl: null }, 'shopperResultUrl'],
      [{ paymentBrand: 'MBWAY' }, 'virtualAccount.accountId'],
      [
        { paymentBrand: 'BOLETO', ...names, 'billing.street1': 'Rua A', 'billing.city': 'Recife', 'billing.postcode': '50000' },
        'billing.country',
        'customParameters[BRADESCO_cpfsacado]',
      ],
    ],
  },
  {
    says: 'A card has a number and an expiry.',
    base: order,
    passes: [{ ...card, 'card.numberType': 'DPAN' }],
    refused: [
      [{ 'card.number': '4200000000000000' }, 'card.expiryMonth', 'card.expiryYear'],
      [{ ...card, 'card.number': null, paymentBrand: 'VISA' }, 'card.number'],
      [{ 'card.cvv': '123', paymentBrand: 'VISA' }, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
    ],
  },
  ...walletCases,
  {
    says: 'Only one wallet pays.',
    base: order,
    passes: [{ 'applePay.paymentToken': 'x' }],
    refused: [
      [{ 'walletA.paymentToken': 'x', 'walletC.paymentToken': 'y' }, 'walletC.paymentToken'],
      [{ 'applePay.paymentToken': 'x', 'googlePay.paymentToken': 'y' }, 'googlePay.paymentToken'],
    ],
  },
  {
    says: 'Network and type of a wallet’s card belong to its token.',
    base: order,
    passes: [{ 'walletA.paymentToken': 'x', 'walletA.cardNetwork': 'Visa', 'walletA.cardType': 'debit' }],
    refused: [[{ 'walletA.cardNetwork': 'Visa' }, 'walletA.paymentToken']],
  },
  {
    says: 'A token has a number and a type.',
    base: order,
    passes: [token, { ...token, 'tokenAccount.dtvc': '123' }],
    refused: [
      [{ 'tokenAccount.number': '489537000000' }, 'tokenAccount.type'],
      [{ 'tokenAccount.dtvc': '123' }, 'tokenAccount.number', 'tokenAccount.type'],
    ],
  },
  {
    says: 'A token expires in a month of a year.',
    base: { ...order, ...token },
    passes: [{ 'tokenAccount.expiryMonth': '01', 'tokenAccount.expiryYear': '2031' }],
    refused: [
      [{ 'tokenAccount.expiryMonth': '01' }, 'tokenAccount.expiryYear'],
      [{ 'tokenAccount.expiryYear': '2031' }, 'tokenAccount.expiryMonth'],
    ],
  },
  {
    says: 'The day of a signature belongs to a mandate.',
    base: directDebit,
    passes: [
      { 'bankAccount.mandate.id': 'M-A' },
      { 'bankAccount.mandate.id': 'M-A', 'bankAccount.mandate.dateOfSignature': '2025-01-31' },
    ],
    refused: [[{ 'bankAccount.mandate.dateOfSignature': '2025-01-31' }, 'bankAccount.mandate.id']],
  },
  {
    says: 'GIROPAY pays from Germany.',
    base: {
      ...transfer,
      paymentBrand: 'GIROPAY',
      'bankAccount.bic': 'TESTDETT421',
      'bankAccount.iban': 'DE14940593100000012346',
    },
    passes: [{ 'bankAccount.country': 'DE' }],
    refused: [[{ 'bankAccount.country': 'AT' }, 'bankAccount.country']],
  },
  {
    says: 'IDEAL pays from the Netherlands.',
    base: { ...transfer, paymentBrand: 'IDEAL', 'bankAccount.bankName': 'ING_TEST' },
    passes: [{ 'bankAccount.country': 'NL' }],
    refused: [[{ 'bankAccount.country': 'BE' }, 'bankAccount.country']],
  },
  {
    says: 'MBWAY pays from a Portuguese mobile number.',
    base: { ...transfer, paymentBrand: 'MBWAY' },
    passes: [{ 'virtualAccount.accountId': '351#912345678' }],
    refused: [
      [{ 'virtualAccount.accountId': '912345678' }, 'virtualAccount.accountId'],
      [{ 'virtualAccount.accountId': '351#812345678' }, 'virtualAccount.accountId'],
    ],
  },
  {
    says: 'A customer has a name.',
    passes: [names, { ...names, 'customer.ip': '192.0.2.1' }, { 'shipping.customer.email': 'ann@shop.example' }],
    refused: [
      [{ 'customer.email': 'ann@shop.example' }, 'customer.givenName', 'customer.surname'],
      [{ 'customer.givenName': 'Ann' }, 'customer.surname'],
      [{ 'customer.merchantCustomerId': '7', 'customer.surname': 'Example' }, 'customer.givenName'],
      [{ ...names, 'customer.surname': 'x'.repeat(51) }, 'customer.surname'],
    ],
  },
  {
    says: 'A customer has a name.',
    in: { ...pay, isLenient: true },
    passes: [{ 'customer.email': 'ann@shop.example' }, { 'customer.givenName': 'Ann' }],
    refused: [[{ 'customer.sex': 'X' }, 'customer.sex']],
  },
  {
    says: 'A document of identity has a type and a number.',
    base: { ...cardPayment, ...names },
    passes: [{ 'customer.identificationDocType': 'PASSPORT', 'customer.identificationDocId': 'C01X00T478' }],
    refused: [
      [{ 'customer.identificationDocType': 'PASSPORT' }, 'customer.identificationDocId'],
      [{ 'customer.identificationDocId': 'C01X00T478' }, 'customer.identificationDocType'],
    ],
  },
  ...addressCases,
  {
    says: 'What was paid already has an amount and a currency.',
    passes: [{ 'cart.payments[0].amount': '1.00', 'cart.payments[0].currency': 'EUR' }, { 'cart.payments[0].name': 'voucher' }],
    refused: [
      [
        { 'cart.payments[0].amount': '1.00', 'cart.payments[1].currency': 'EUR' },
        'cart.payments[0].currency',
        'cart.payments[1].amount',
      ],
    ],
  },
  {
    says: 'Every seller has goods in the cart, and the goods of a marketplace have known sellers.',
    base: { ...cardPayment, 'marketPlace.sellers[0].id': 'a', 'cart.items[4].sellerId': 'a' },
    passes: [
      { 'marketPlace.sellers[0].amount': '1.00' },
      { 'marketPlace.sellers[1].id': 'b', 'cart.items[5].sellerId': 'b', 'cart.items[6].sellerId': 'b' },
      { 'marketPlace.sellers[0].id': null },
    ],
    refused: [
      [{ 'marketPlace.sellers[1].id': 'b' }, 'marketPlace.sellers[1].id'],
      [{ 'cart.items[5].sellerId': 'c' }, 'cart.items[5].sellerId'],
      [{ 'marketPlace.sellers[1].amount': '1.00' }, 'marketPlace.sellers[1].id'],
      [{ 'cart.items[4].sellerId': null }, 'marketPlace.sellers[0].id'],
    ],
  },
  {
    says: 'An amount to authenticate has its currency.',
    passes: [{ 'threeDSecure.amount': '1.00', 'threeDSecure.currency': 'EUR' }],
    refused: [
      [{ 'threeDSecure.amount': '1.00' }, 'threeDSecure.currency'],
      [{ 'threeDSecure.currency': 'EUR' }, 'threeDSecure.amount'],
    ],
  },
  {
    says: 'An authentication that the merchant starts says so by its channel.',
    passes: [{ 'threeDSecure.threeRIInd': 'RECURRING', 'threeDSecure.channel': '3' }, { 'threeDSecure.channel': '3' }],
    refused: [[{ 'threeDSecure.threeRIInd': 'RECURRING' }, 'threeDSecure.channel']],
  },
  {
    says: 'A proof of authentication comes with its indicator.',
    passes: [proof, { 'threeDSecure.eci': '07' }, { 'threeDSecure.dsTransactionId': 'x' }],
    refused: [[{ ...proof, 'threeDSecure.eci': null }, 'threeDSecure.eci']],
  },
  {
    says: 'Exemptions and challenge wishes exist since version 2.2.',
    base: { ...cardPayment, 'threeDSecure.exemptionFlag': '01', 'threeDSecure.challengeIndicator': '04' },
    passes: [{}, { 'threeDSecure.version': '2.2.0' }, { 'threeDSecure.version': '2.3.1' }],
    refused: [
      [{ 'threeDSecure.version': '2.1.0' }, 'threeDSecure.exemptionFlag', 'threeDSecure.challengeIndicator'],
      [{ 'threeDSecure.version': '2.1.0', 'threeDSecure.exemptionFlag': null }, 'threeDSecure.challengeIndicator'],
    ],
  },
  {
    says: 'Mode, type and source of a standing instruction come together.',
    passes: [
      repeated,
      { ...repeated, 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT', 'card.cvv': '123' },
    ],
    refused: [
      [{ 'standingInstruction.mode': 'INITIAL' }, 'standingInstruction.type', 'standingInstruction.source'],
      [{ ...repeated, 'standingInstruction.type': null }, 'standingInstruction.type'],
    ],
  },
  {
    says: 'Installments with 3D Secure are counted.',
    base: { ...cardPayment, ...repeated, 'standingInstruction.type': 'INSTALLMENT' },
    passes: [
      {},
      { 'threeDSecure.disable': 'true' },
      { ...proof, 'standingInstruction.numberOfInstallments': '12' },
      { ...proof, 'standingInstruction.type': 'RECURRING' },
    ],
    refused: [[proof, 'standingInstruction.numberOfInstallments']],
  },
  {
    says: 'Only installments are counted.',
    base: { ...cardPayment, ...repeated, 'standingInstruction.numberOfInstallments': '12' },
    passes: [{ 'standingInstruction.type': 'INSTALLMENT' }],
    refused: [
      [{ 'standingInstruction.type': 'RECURRING' }, 'standingInstruction.numberOfInstallments'],
      [
        { 'standingInstruction.type': null, 'standingInstruction.mode': null, 'standingInstruction.source': null },
        'standingInstruction.numberOfInstallments',
      ],
    ],
  },
  {
    says: 'A later payment that the merchant starts has no security code.',
    base: { ...cardPayment, ...repeated },
    passes: [{}, { 'standingInstruction.source': 'CIT', 'card.cvv': '123' }],
    refused: [[{ 'card.cvv': '123' }, 'card.cvv']],
  },
  {
    says: 'A merchant who keeps the card himself names the first payment of the series.',
    base: { ...cardPayment, ...repeated, 'standingInstruction.initialTransactionId': null },
    passes: [
      { 'standingInstruction.initialTransactionId': '0123' },
      { 'standingInstruction.agreementId': '0123' },
      { 'standingInstruction.source': 'CIT' },
      { referenceUuid: earlier, [practice]: 'NO_SHOW' },
      { ...noCard, ...token },
    ],
    refused: [[{}, 'standingInstruction.initialTransactionId']],
  },
  {
    says: 'A migrated series says how it began.',
    passes: [{ 'recurringMigration.paymentType': 'PA', 'recurringMigration.amount': '1.00' }],
    refused: [[{ 'recurringMigration.connectorTxId1': 'x' }, 'recurringMigration.paymentType']],
  },
  {
    says: 'A cron expression has six fields, or seven with the year.',
    passes: [{ 'job.expression': '0 0/5 12-14 L * ?' }, { 'job.expression': '0 0 12 ? 1,7 6#3 2030-2040' }],
    refused: [
      '0 0 12 1 *',
      '0 0 12 1 * ? 2031 x',
      '0  0 12 1 * ?',
      ' 0 0 12 1 * ?',
      '0 0 12 1 * ? ',
      '\uFF10 0 12 1 * ?',
      '@daily',
    ].map((expression): [Fields, string] => [{ 'job.expression': expression }, 'job.expression']),
  },
  {
    says: 'A job runs on days of the month or on days of the week.',
    passes: [
      { 'job.dayOfMonth': '15' },
      { 'job.dayOfWeek': 'MON' },
      { 'job.dayOfMonth': '15', 'job.dayOfWeek': '?' },
      { 'job.dayOfMonth': '?', 'job.dayOfWeek': 'MON' },
      { 'job.expression': '0 0 12 1 * ?' },
      { 'job.expression': '0 0 12 ? * MON 2031', 'job.dayOfMonth': '1', 'job.dayOfWeek': '1' },
    ],
    refused: [
      [{ 'job.dayOfMonth': '15', 'job.dayOfWeek': 'MON' }, 'job.dayOfWeek'],
      [{ 'job.dayOfMonth': '?', 'job.dayOfWeek': '?' }, 'job.dayOfWeek'],
      [{ 'job.expression': '0 0 12 1 * MON' }, 'job.expression'],
      [{ 'job.expression': '0 0 12 ? * ?' }, 'job.expression'],
    ],
  },
  {
    says: 'A time frame has a beginning and an end.',
    in: query,
    base: {},
    passes: [
      { 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02 00:00:00' },
      { 'date.from': '2025-01-01 00:00:00', merchantTransactionId: 'order-1' },
    ],
    refused: [
      [{ 'date.from': '2025-01-01 00:00:00' }, 'date.to'],
      [{ 'date.to': '2025-01-01 00:00:00' }, 'date.from'],
    ],
  },
  {
    says: 'A time frame has a beginning and an end.',
    in: reporting,
    base: {},
    passes: [{ 'date.from': '2025-01-01', 'date.to': '2025-01-01' }],
    refused: [
      [{}, 'date.from', 'date.to'],
      [{ 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02' }, 'date.from'],
    ],
  },
  {
    says: 'A time frame does not end before it begins.',
    in: query,
    base: {},
    passes: [{ 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-01 00:00:00' }],
    refused: [[{ 'date.from': '2025-01-01 00:00:01', 'date.to': '2025-01-01 00:00:00' }, 'date.to']],
  },
  {
    says: 'The merchant’s reference is not looked for in a time frame.',
    in: query,
    base: {},
    passes: [{ merchantTransactionId: 'o' }],
    refused: [
      [
        { merchantTransactionId: 'o', 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02 00:00:00' },
        'merchantTransactionId',
      ],
    ],
  },
  {
    says: 'A short id is looked for with the merchant’s reference or in a time frame.',
    in: query,
    base: {},
    passes: [
      { shortId: '1234.5678.9012', merchantTransactionId: 'o' },
      { shortId: '1234.5678.9012', 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02 00:00:00' },
    ],
    refused: [[{ shortId: '1234.5678.9012' }, 'date.from', 'date.to']],
  },
];

for (const { says, base = cardPayment, in: context = pay, passes, refused } of cases) {
  test(says, () => {
    for (const change of passes) {
      const outcome = check(decode(bodyOf(base, change)), context);
      assert.deepEqual(isRefused(outcome) ? outcome.faults : [], [], JSON.stringify(change));
    }
    for (const [change, ...faulty] of refused) {
      const outcome = check(decode(bodyOf(base, change)), context);
      const named = isRefused(outcome) ? outcome.faults.map(({ name }) => name) : [];
      assert.deepEqual(named.toSorted(), faulty.toSorted(), JSON.stringify(change));
    }
  });
}

test('every rule of the table is tried', () => {
  const tried = new Set(cases.map(({ says }) => says));
  assert.deepEqual(
    rules.map(({ says }) => says).filter((says) => !tried.has(says)),
    [],
  );
});
