import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuthenticationParameters, authenticationNeed } from './authenticationNeed.ts';
import { type ExampleRequest, exampleDeviceInfo, exampleRequest, parametersFor } from './examples.ts';

const series = {
  mode: null,
  source: null,
  type: null,
  practice: null,
  expiry: null,
  frequency: null,
  numberOfInstallments: null,
};
const D3 = (name: string, value: string) => ({ fields: { [`threeDSecure.${name}`]: value } });

const verdicts: readonly (readonly [says: string, request: ExampleRequest, need: string])[] = [
  ['a debit', {}, 'yes'],
  ['a preauthorization', { paymentType: 'PA' }, 'yes'],
  ['a credit', { paymentType: 'CD' }, 'otherType'],
  ['storing', { paymentType: 'RG' }, 'otherType'],
  ['storing with npa', { paymentType: 'RG', ...D3('npa', 'true') }, 'yes'],
  ['a channel without it', { channel: { threeDSecure: false, isLenient: false } }, 'notSetUp'],
  ['disabled', D3('disable', 'true'), 'disabled'],
  ['disable=false', D3('disable', 'false'), 'yes'],
  [
    'disable=false does not set it up',
    { ...D3('disable', 'false'), channel: { threeDSecure: false, isLenient: false } },
    'notSetUp',
  ],
  ['a bank account', { isCard: false }, 'notCard'],
  ['a wallet', { hasCryptogram: true }, 'cryptogram'],
  ['a brand without a network', { paymentBrand: 'AIRPLUS' }, 'noNetwork'],
  ['no brand', { paymentBrand: null }, 'noNetwork'],
  ['external eci', D3('eci', '05'), 'external'],
  ['external proof', D3('verificationId', 'AAABBEg0VhI0VniQEjRWAAAAAAA='), 'external'],
  ['external dsTransactionId', D3('dsTransactionId', 'x'), 'external'],
  ['external, not set up', { ...D3('eci', '05'), channel: { threeDSecure: false, isLenient: false } }, 'external'],
  ['a version alone', D3('version', '2.1.0'), 'yes'],
  ['alone', { paymentType: '3D' }, 'yes'],
  ['alone, with an eci', { paymentType: '3D', ...D3('eci', '05') }, 'yes'],
  ['alone, disabled', { paymentType: '3D', ...D3('disable', 'true') }, 'yes'],
  ['the merchant starts', { instruction: { ...series, source: 'MIT', mode: 'REPEATED' } }, 'merchantInitiated'],
  ['repeated', { instruction: { ...series, mode: 'REPEATED' } }, 'merchantInitiated'],
  ['repeated by the shopper', { instruction: { ...series, mode: 'REPEATED', source: 'CIT' } }, 'yes'],
  ['a practice', { instruction: { ...series, practice: 'NO_SHOW' } }, 'merchantInitiated'],
  ['the first of a series', { instruction: { ...series, mode: 'INITIAL', source: 'CIT' } }, 'yes'],
  ['3RI', { instruction: { ...series, mode: 'REPEATED', source: 'MIT' }, ...D3('channel', '03') }, 'yes'],
];

for (const [says, request, expected] of verdicts) {
  test(`needed: ${says} → ${expected}`, () => {
    const need = authenticationNeed(exampleRequest(request));
    assert.equal(need.is === 'no' ? need.because : need.is, expected);
  });
}

const recurring = { ...series, mode: 'INITIAL', source: 'CIT', type: 'RECURRING' } as const;
const framed = { ...recurring, expiry: '2035-01-31', frequency: '0030' };
const card = (name: string, value: string): ExampleRequest => ({ fields: { [name]: value } });

const plans: readonly (readonly [says: string, request: ExampleRequest, parameters: Partial<AuthenticationParameters>])[] = [
  [
    'as sent',
    {},
    {
      network: 'visa',
      deviceChannel: '02',
      messageCategory: '01',
      amount: 9200n,
      currency: 'EUR',
      amountParameter: 'amount',
      authenticationInd: '01',
      challengeInd: null,
      windowSize: '05',
      isDecoupled: false,
    },
  ],
  [
    'its own amount',
    { fields: { 'threeDSecure.amount': '12.34', 'threeDSecure.currency': 'USD' } },
    { amount: 1234n, currency: 'USD', amountParameter: 'threeDSecure.amount' },
  ],
  [
    'the amount of risk wins',
    { fields: { 'threeDSecure.amount': '12.34', 'threeDSecure.currency': 'USD', 'risk.amount': '500.00' } },
    { amount: 50_000n, currency: 'EUR', amountParameter: 'risk.amount' },
  ],
  ['an app', card('threeDSecure.deviceInfo', exampleDeviceInfo), { deviceChannel: '01' }],
  ['a window', card('customer.browser.challengeWindow', '2'), { windowSize: '02' }],
  ['no payment', card('threeDSecure.npa', 'true'), { messageCategory: '02', authenticationInd: '04' }],
  ['a wish', card('threeDSecure.challengeIndicator', '04'), { challengeInd: '04' }],
  ['low value', card('threeDSecure.exemptionFlag', '01'), { challengeInd: '02' }],
  ['analysed risk', card('threeDSecure.exemptionFlag', '02'), { challengeInd: '05' }],
  ['trusted beneficiary', card('threeDSecure.exemptionFlag', '03'), { challengeInd: '08' }],
  ['corporate', card('threeDSecure.exemptionFlag', '04'), { challengeInd: '02' }],
  [
    'a wish beside an exemption',
    { fields: { 'threeDSecure.exemptionFlag': '02', 'threeDSecure.challengeIndicator': '03' } },
    { challengeInd: '03' },
  ],
  ['an old version', card('threeDSecure.version', '2.1.0'), { requestedVersion: '2.1.0' }],
  ['an unknown version', card('threeDSecure.version', '2.3.1'), { requestedVersion: null }],
  ['apart', card('threeDSecure.decoupled', 'true'), { isDecoupled: true }],
  ['a series', { instruction: framed }, { authenticationInd: '02', recurring: { expiry: '2035-01-31', frequency: '0030' } }],
  ['a series without a frame is a payment', { instruction: recurring }, { authenticationInd: '01', recurring: null }],
  [
    'one network has a frame of its own',
    { instruction: recurring, paymentBrand: 'MASTER' },
    { network: 'mastercard', authenticationInd: '02', recurring: { expiry: '9999-12-31', frequency: '0001' } },
  ],
  ['instalments', { instruction: { ...framed, type: 'INSTALLMENT' } }, { authenticationInd: '03' }],
  ['as need arises', { instruction: { ...framed, type: 'UNSCHEDULED' } }, { authenticationInd: '01' }],
  ['a hint', card('threeDSecure.authenticationInd', 'MAINTAIN_CARD'), { authenticationInd: '05' }],
  ['a hint that newer versions have', card('threeDSecure.authenticationInd', '_DELAYED_SHIPMENT'), { authenticationInd: '01' }],
  [
    '3RI, recurring',
    { fields: { 'threeDSecure.channel': '3', 'threeDSecure.threeRIInd': 'RECURRING' } },
    { deviceChannel: '03', threeRIInd: '01' },
  ],
  [
    '3RI, shipped in parts',
    { fields: { 'threeDSecure.channel': '03', 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' } },
    { threeRIInd: '06' },
  ],
  [
    '3RI, told by its series',
    { ...card('threeDSecure.channel', '03'), instruction: { ...framed, type: 'UNSCHEDULED', source: 'MIT' } },
    { threeRIInd: '11' },
  ],
  ['another channel is no 3RI', card('threeDSecure.channel', '13'), { deviceChannel: '02', threeRIInd: null }],
];

for (const [says, request, expected] of plans) {
  test(`plan: ${says}`, () => {
    const parameters = parametersFor(exampleRequest(request));
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(parameters[name as keyof AuthenticationParameters], value, name);
  });
}
