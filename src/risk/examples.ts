import { collectFacts, type FactSources, type RiskFacts } from './facts.ts';

/** Data about a card payment besides its fields, for tests: give only what the case is about. */
export function exampleAbout(given: Partial<FactSources> = {}): FactSources {
  return {
    merchantId: '5eed00000000000000000000000000f1',
    entityId: '5eed0000000000000000000000000001',
    timeZone: 'Europe/Vienna',
    now: 1_790_000_000_000,
    amount: 9_200n,
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand: 'VISA',
    method: 'CC',
    instrument: {
      kind: 'card',
      bin: '420000',
      last4Digits: '0000',
      holder: 'Ann Example',
      expiryMonth: '05',
      expiryYear: '2034',
    },
    fingerprint: 'fingerprint-of-a-card',
    issuer: { country: 'DE', type: 'CREDIT', bank: 'Example Bank' },
    ipCountry: 'AT',
    checkoutId: null,
    registration: null,
    isMerchantInitiated: false,
    ...given,
  };
}

const usualFields: Readonly<Record<string, string>> = {
  'customer.email': 'Ann@Shop.example',
  'customer.ip': '203.0.113.7',
  'customer.givenName': 'Ann',
  'customer.surname': 'Example',
  'customer.merchantCustomerId': 'c-1',
  'billing.country': 'DE',
  merchantTransactionId: 'order-1',
};

/** The facts of a payment with a card, for tests. A field given as '' was not sent. */
export const exampleFacts = (fields: Readonly<Record<string, string>> = {}, about: Partial<FactSources> = {}): RiskFacts =>
  collectFacts({ ...usualFields, ...fields }, exampleAbout(about));
