import { card, cardPayment, channel, directDebit, type Fields, order } from '../requests.ts';
import { type Case, cryptogram, names, noCard, pay, proof, register, token, transfer } from './case.ts';
import { tokenCases } from './tokens.ts';

/** Each wallet by the name of the documents and by its own. */
const wallets = [
  ['walletA', 'walletA'],
  ['walletB', 'walletB'],
  ['walletC', 'walletC'],
  ['walletA', 'applePay'],
  ['walletB', 'googlePay'],
  ['walletC', 'samsungPay'],
] as const;

const PAYER: Fields = {
  ...names,
  'billing.street1': 'Rua A',
  'billing.city': 'Recife',
  'billing.postcode': '50000',
  'billing.country': 'BR',
  'customParameters[BRADESCO_cpfsacado]': '11144477735',
};

const byNumber: Fields = {
  ...transfer,
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Ann Example',
  'bankAccount.number': '1234567890',
  'bankAccount.bankCode': '10000000',
  'bankAccount.country': 'DE',
};

const walletCases = wallets.flatMap(([canonical, wallet]): Case[] => [
  {
    title: `${canonical}.paymentToken is not allowed with card data.`,
    base: order,
    passes: [{ [`${wallet}.paymentToken`]: '{"data":"x"}' }, { [`${wallet}.paymentToken`]: 'x', 'card.holder': 'Ann Example' }],
    refused: [
      [{ [`${wallet}.paymentToken`]: 'x', [`${wallet}.source`]: 'web' }, `${wallet}.source`],
      [{ [`${wallet}.paymentToken`]: 'x', 'card.number': '4200000000000000' }, 'card.number'],
      [{ [`${wallet}.paymentToken`]: 'x', 'threeDSecure.eci': '05' }, 'threeDSecure.eci'],
    ],
  },
  {
    title: `${canonical}.source requires card data and its 3D Secure proof.`,
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

/** Of a country whose accounts are not found by the IBAN alone. */
const SWISS = 'CH9300762011623852957';

const stored = (fields: Fields): Fields => ({ ...fields, paymentType: null, amount: null, currency: null });

/** The rules that hold for storing as for paying. */
const registerCases: readonly Case[] = [
  {
    title: 'paymentBrand is a known brand.',
    in: register,
    passes: [{ paymentBrand: 'MASTER' }, { paymentBrand: null }],
    refused: [[{ paymentBrand: 'NOBODY' }, 'paymentBrand']],
  },
  {
    title: 'paymentBrand is required without a card, wallet or token.',
    in: register,
    base: { entityId: channel },
    passes: [card, token, { 'walletB.paymentToken': 'x' }, { 'applePay.paymentToken': 'x' }],
    refused: [
      [{}, 'paymentBrand'],
      [{ 'bankAccount.iban': 'DE23100000001234567890' }, 'paymentBrand'],
      [{ 'virtualAccount.accountId': 'ann' }, 'paymentBrand'],
    ],
  },
  {
    title: 'A brand requires its account, its extra parameters and, with a redirect, shopperResultUrl.',
    in: register,
    base: { entityId: channel },
    passes: [
      stored(directDebit),
      { paymentBrand: 'VISA', ...card, 'card.cvv': '123' },
      { paymentBrand: 'VISA', ...token },
      { paymentBrand: 'APPLEPAY', 'applePay.paymentToken': 'x' },
    ],
    refused: [
      [{ paymentBrand: 'VISA' }, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
      [{ paymentBrand: 'APPLEPAY' }, 'walletA.paymentToken'],
      [{ ...stored(directDebit), 'bankAccount.iban': SWISS, 'bankAccount.bic': null }, 'bankAccount.bic'],
      [{ paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'ann' }, 'shopperResultUrl'],
      [{ paymentBrand: 'VISA', 'virtualAccount.accountId': 'x', ...card }, 'virtualAccount.accountId'],
    ],
  },
  {
    title: 'A card requires number, expiry month and expiry year.',
    in: register,
    base: { entityId: channel },
    passes: [card, { ...card, 'card.cvv': '123' }],
    refused: [[{ 'card.number': '4200000000000000' }, 'card.expiryMonth', 'card.expiryYear']],
  },
  {
    title: 'Only accounts that can be charged again can be stored.',
    in: register,
    base: { entityId: channel, shopperResultUrl: 'https://shop.example/' },
    passes: [
      { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'ann' },
      { paymentBrand: 'VIRTUAL_ACCOUNT', 'virtualAccount.accountId': 'ann' },
      { paymentBrand: 'POLI', 'bankAccount.number': '1234567' },
      { paymentBrand: 'BRADESCO', ...PAYER },
      { paymentBrand: 'EPS', 'bankAccount.iban': 'AT026000000001349870', 'bankAccount.country': 'AT' },
    ],
    refused: [
      [{ paymentBrand: 'PAYPAL' }, 'virtualAccount.accountId'],
      [{ paymentBrand: 'EPS', 'bankAccount.country': 'AT' }, 'bankAccount.iban'],
      [{ paymentBrand: 'OXXO' }, 'paymentBrand'],
      [{ paymentBrand: 'GIFTCARD', 'giftCard.number': 'GIFT77' }, 'paymentBrand'],
    ],
  },
];

/** The rules of spec/rules/instruments.ts, and of stored.ts about tokens. */
export const instrumentCases: readonly Case[] = [
  ...registerCases,
  ...tokenCases,
  {
    title: 'paymentBrand is a known brand.',
    passes: [{ paymentBrand: 'MASTER' }, { paymentBrand: null }],
    refused: [
      [{ paymentBrand: 'visa' }, 'paymentBrand'],
      [{ paymentBrand: 'constructor' }, 'paymentBrand'],
      [{ paymentBrand: '__proto__' }, 'paymentBrand'],
      [{ paymentBrand: 'NOBODY' }, 'paymentBrand'],
    ],
  },
  {
    title: 'paymentBrand is required without a card, wallet or token.',
    base: order,
    passes: [card, token, { 'walletB.paymentToken': 'x' }],
    refused: [
      [{}, 'paymentBrand'],
      [{ 'card.holder': 'Ann Example' }, 'paymentBrand'],
      [{ 'bankAccount.iban': 'DE23100000001234567890' }, 'paymentBrand'],
    ],
  },
  {
    title: 'Only one instrument may be sent, and it must suit the brand.',
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
      [token, 'tokenAccount.number', 'tokenAccount.type', 'tokenAccount.cryptogram'],
      [{ ...noCard, paymentBrand: 'APPLEPAY', 'walletB.paymentToken': 'x' }, 'walletB.paymentToken', 'walletA.paymentToken'],
      [
        { ...noCard, paymentBrand: 'APPLEPAY', 'samsungPay.paymentToken': 'x' },
        'samsungPay.paymentToken',
        'walletA.paymentToken',
      ],
      [{ ...noCard, 'googlePay.paymentToken': 'x', 'virtualAccount.accountId': 'y' }, 'virtualAccount.accountId'],
      [{ ...cryptogram, 'card.cvv': '123' }, 'tokenAccount.cryptogram', 'tokenAccount.number', 'tokenAccount.type'],
    ],
  },
  {
    title: 'A card is allowed only with brands of cards and wallets.',
    passes: [{}, { paymentBrand: null }, { paymentBrand: 'MADA' }],
    refused: [
      [{ paymentBrand: 'PAYPAL', ...transfer }, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
      [{ paymentBrand: 'OXXO', ...transfer }, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
      [{ ...directDebit, 'card.cvv': '123', ...noCard }, 'card.cvv', 'card.number', 'card.expiryMonth', 'card.expiryYear'],
    ],
  },
  {
    title: 'A SEPA debit without an IBAN requires an account number and bank code that give one.',
    base: byNumber,
    passes: [{}, { 'bankAccount.bic': 'MARKDEF1100' }, { paymentBrand: 'SEPA', 'bankAccount.country': 'FR' }],
    refused: [
      [{ 'bankAccount.country': 'FR' }, 'bankAccount.iban'],
      [{ 'bankAccount.bankCode': null, 'bankAccount.bic': 'MARKDEF1100' }, 'bankAccount.bankCode'],
      [{ 'bankAccount.bankCode': '1000' }, 'bankAccount.bankCode'],
      [{ 'bankAccount.number': '12345678901' }, 'bankAccount.number'],
      [{ 'bankAccount.country': null }, 'bankAccount.country'],
    ],
  },
  {
    title: 'A strict channel requires the BIC also where a bank finds the account by its IBAN alone.',
    base: transfer,
    passes: [directDebit],
    refused: [
      [{ ...directDebit, 'bankAccount.bic': null }, 'bankAccount.bic'],
      [{ paymentBrand: 'GIROPAY', 'bankAccount.iban': 'DE23100000001234567890', 'bankAccount.country': 'DE' }, 'bankAccount.bic'],
    ],
  },
  {
    title: 'A strict channel requires the BIC also where a bank finds the account by its IBAN alone.',
    in: { ...pay, isLenient: true },
    base: transfer,
    passes: [
      { ...directDebit, 'bankAccount.bic': null },
      { paymentBrand: 'GIROPAY', 'bankAccount.iban': 'DE23100000001234567890', 'bankAccount.country': 'DE' },
    ],
    refused: [[{ ...directDebit, 'bankAccount.iban': SWISS, 'bankAccount.bic': null }, 'bankAccount.bic']],
  },
  {
    title: 'A brand requires its account, its extra parameters and, with a redirect, shopperResultUrl.',
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
      [{ ...directDebit, 'bankAccount.iban': SWISS, 'bankAccount.bic': null }, 'bankAccount.bic'],
      [{ ...directDebit, 'bankAccount.holder': null, 'bankAccount.iban': null }, 'bankAccount.holder', 'bankAccount.iban'],
      [{ paymentBrand: 'SEPA' }, 'bankAccount.holder', 'bankAccount.iban', 'bankAccount.bic'],
      [{ paymentBrand: 'EPS' }, 'bankAccount.country'],
      [{ paymentBrand: 'PAYPAL', shopperResultUrl: null }, 'shopperResultUrl'],
      [{ paymentBrand: 'MBWAY' }, 'virtualAccount.accountId'],
      [{ paymentBrand: 'GIFTCARD', 'giftCard.pin': '1234' }, 'giftCard.number'],
      [{ paymentBrand: 'GIFTCARD', 'giftCard.number': 'GIFT77', ...card }, 'card.number', 'card.expiryMonth', 'card.expiryYear'],
      [{ paymentBrand: 'GIFTCARD', 'giftCard.number': 'GIFT77', 'virtualAccount.accountId': 'x' }, 'virtualAccount.accountId'],
      [
        { paymentBrand: 'BOLETO', ...names, 'billing.street1': 'Rua A', 'billing.city': 'Recife', 'billing.postcode': '50000' },
        'billing.country',
        'customParameters[BRADESCO_cpfsacado]',
      ],
    ],
  },
  {
    title: 'A card requires number, expiry month and expiry year.',
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
    title: 'Only one wallet may be sent.',
    base: order,
    passes: [{ 'applePay.paymentToken': 'x' }],
    refused: [
      [{ 'walletA.paymentToken': 'x', 'walletC.paymentToken': 'y' }, 'walletC.paymentToken'],
      [{ 'applePay.paymentToken': 'x', 'googlePay.paymentToken': 'y' }, 'googlePay.paymentToken'],
    ],
  },
  {
    title: 'walletA.cardNetwork and walletA.cardType require walletA.paymentToken.',
    base: order,
    passes: [{ 'walletA.paymentToken': 'x', 'walletA.cardNetwork': 'Visa', 'walletA.cardType': 'debit' }],
    refused: [
      [{ 'walletA.cardNetwork': 'Visa' }, 'walletA.paymentToken'],
      [{ 'applePay.cardType': 'debit', 'googlePay.paymentToken': 'x' }, 'walletA.paymentToken'],
    ],
  },
  {
    title: 'The date of signature requires the mandate id.',
    base: directDebit,
    passes: [
      { 'bankAccount.mandate.id': 'M-A' },
      { 'bankAccount.mandate.id': 'M-A', 'bankAccount.mandate.dateOfSignature': '2025-01-31' },
    ],
    refused: [[{ 'bankAccount.mandate.dateOfSignature': '2025-01-31' }, 'bankAccount.mandate.id']],
  },
  {
    title: 'GIROPAY requires a German account.',
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
    title: 'IDEAL requires a Dutch account.',
    base: { ...transfer, paymentBrand: 'IDEAL', 'bankAccount.bankName': 'ING_TEST' },
    passes: [{ 'bankAccount.country': 'NL' }],
    refused: [[{ 'bankAccount.country': 'BE' }, 'bankAccount.country']],
  },
  {
    title: 'MBWAY requires a Portuguese mobile number.',
    base: { ...transfer, paymentBrand: 'MBWAY' },
    passes: [{ 'virtualAccount.accountId': '351#912345678' }],
    refused: [
      [{ 'virtualAccount.accountId': '912345678' }, 'virtualAccount.accountId'],
      [{ 'virtualAccount.accountId': '351#812345678' }, 'virtualAccount.accountId'],
    ],
  },
  ...(
    [
      ['card', { ...cardPayment, 'bankAccount.holder': 'Ann Example', 'virtualAccount.accountId': 'ann' }],
      ['virtualAccount', { ...transfer, paymentBrand: 'PAYPAL', ...card, 'bankAccount.holder': 'Ann Example' }],
      ['bankAccount', { ...transfer, paymentBrand: 'SOFORTUEBERWEISUNG', 'bankAccount.country': 'DE', ...card }],
      ['none', { ...transfer, paymentBrand: 'PREPAYMENT', ...card, 'virtualAccount.accountId': 'ann' }],
    ] as const
  ).flatMap(([account, base]): Case[] => {
    const title = `On a lenient channel instruments that a brand of type ${account} does not use are ignored.`;
    return [{ title, in: { ...pay, isLenient: true }, base, passes: [{}], refused: [] }];
  }),
  {
    title: 'On a lenient channel an invoice requires names and country instead of all extra parameters.',
    in: { ...pay, isLenient: true },
    base: { ...transfer, paymentBrand: 'KLARNA_INVOICE', ...names, 'billing.country': 'DE' },
    passes: [{}, { paymentBrand: 'PAYOLUTION_INVOICE' }],
    refused: [
      [{ 'billing.country': null }, 'billing.country'],
      [{ paymentBrand: 'IDEAL' }, 'bankAccount.bankName', 'bankAccount.country'],
    ],
  },
  {
    title: 'On a lenient channel a payer of prepaid slips is stored without shopperResultUrl.',
    in: { ...register, isLenient: true },
    base: { entityId: channel, paymentBrand: 'BRADESCO', ...PAYER },
    passes: [{}, { shopperResultUrl: 'https://shop.example/' }],
    refused: [
      [{ 'billing.country': null }, 'billing.country'],
      [{ 'customParameters[BRADESCO_cpfsacado]': null }, 'customParameters[BRADESCO_cpfsacado]'],
      [{ paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'ann' }, 'shopperResultUrl'],
    ],
  },
];
