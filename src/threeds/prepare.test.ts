import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ExampleRequest,
  exampleDeviceInfo,
  exampleFields,
  exampleRequest,
  NOW,
  parametersFor,
  TRANS_ID,
} from './examples.ts';
import { missingParameters, prepare } from './prepare.ts';
import { sandboxEnrolment } from './sandbox/issuerBehaviour.ts';

const series = { mode: 'INITIAL', source: 'CIT', type: null, practice: null, expiry: null, frequency: null } as const;
const threeRI = (more: Readonly<Record<string, string>> = {}) =>
  ({
    ...Object.fromEntries(Object.keys(exampleFields).map((name) => [name, undefined])),
    'threeDSecure.channel': '03',
    ...more,
  }) as Readonly<Record<string, string | undefined>>;
const none = Object.fromEntries(Object.keys(exampleFields).map((name) => [name, undefined]));

const cases: readonly (readonly [says: string, request: ExampleRequest, names: readonly string[]])[] = [
  ['everything is there', {}, []],
  ...Object.keys(exampleFields).map((name): [string, ExampleRequest, string[]] => [
    `no ${name}`,
    { fields: { [name]: undefined } },
    [name],
  ]),
  ['nothing is there', { fields: none }, Object.keys(exampleFields)],
  ['a height in words', { fields: { 'customer.browser.screenHeight': 'tall' } }, ['customer.browser.screenHeight']],
  ['a zone in words', { fields: { 'customer.browser.timezone': 'CET' } }, ['customer.browser.timezone']],
  ['a window of size 6', { fields: { 'customer.browser.challengeWindow': '6' } }, ['customer.browser.challengeWindow']],
  ['a window of size 5', { fields: { 'customer.browser.challengeWindow': '5' } }, []],
  ['no depth of colours', { fields: { 'customer.browser.screenColorDepth': undefined } }, []],
  [
    'an app needs no browser',
    { fields: { ...none, 'threeDSecure.deviceInfo': exampleDeviceInfo } },
    ['billing.street1', 'billing.city', 'billing.postcode', 'billing.country'],
  ],
  ['unreadable device data', { fields: { 'threeDSecure.deviceInfo': 'abc' } }, ['threeDSecure.deviceInfo']],
  ['device data without a key', { fields: { 'threeDSecure.deviceInfo': '{"sdkAppID":"x"}' } }, ['threeDSecure.deviceInfo']],
  [
    'device data without an id of the app',
    { fields: { 'threeDSecure.deviceInfo': exampleDeviceInfo.replace('sdkAppID', 'appID') } },
    ['threeDSecure.deviceInfo'],
  ],
  ['3RI says why', { fields: threeRI() }, ['threeDSecure.threeRIInd']],
  ['3RI of one shipment', { fields: threeRI({ 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' }) }, []],
  [
    '3RI of a series needs its frame',
    { fields: threeRI({ 'threeDSecure.threeRIInd': 'RECURRING' }) },
    ['standingInstruction.expiry', 'standingInstruction.frequency'],
  ],
  ['one network has a frame', { paymentBrand: 'MASTER', fields: threeRI({ 'threeDSecure.threeRIInd': 'RECURRING' }) }, []],
  [
    'instalments are counted',
    { instruction: { ...series, type: 'INSTALLMENT', expiry: '2035-01-01', frequency: '30', numberOfInstallments: null } },
    ['standingInstruction.numberOfInstallments'],
  ],
  [
    'one is no instalment',
    { instruction: { ...series, type: 'INSTALLMENT', expiry: '2035-01-01', frequency: '30', numberOfInstallments: '001' } },
    ['standingInstruction.numberOfInstallments'],
  ],
  [
    'instalments without a frame are a payment',
    { instruction: { ...series, type: 'INSTALLMENT', numberOfInstallments: null } },
    [],
  ],
  ['the domestic scheme', { paymentBrand: 'CARTEBANCAIRE' }, ['threeDSecure.schemeData[XX-USECASE]']],
  ['by its real name', { paymentBrand: 'CARTEBANCAIRE', fields: { 'threeDSecure.schemeData[CB-USECASE]': '01' } }, []],
  ['without a payment', { paymentBrand: 'CARTEBANCAIRE', fields: { 'threeDSecure.npa': 'true' } }, []],
  ['yen have no decimals', { currency: 'JPY', amount: 9250n }, ['amount']],
  ['yen', { currency: 'JPY', amount: 9200n }, []],
  [
    'the amount that is wrong is named',
    { fields: { 'threeDSecure.amount': '1.50', 'threeDSecure.currency': 'JPY' } },
    ['threeDSecure.amount'],
  ],
  [
    'an id that is too long',
    { fields: { 'threeDSecure.v2.visa.requestorId': 'x'.repeat(36) } },
    ['threeDSecure.v2.network1.requestorId'],
  ],
  ['an id of another network', { fields: { 'threeDSecure.v2.amex.requestorId': 'x'.repeat(36) } }, []],
];

for (const [says, given, names] of cases) {
  test(`missing: ${says}`, () => {
    const request = exampleRequest(given);
    assert.deepEqual(
      missingParameters(request, parametersFor(request)).map(({ name }) => name),
      names,
    );
  });
}

test('missing: device data is not echoed', () => {
  const request = exampleRequest({ fields: { 'threeDSecure.deviceInfo': 'secret-device-data' } });
  assert.ok(!JSON.stringify(missingParameters(request, parametersFor(request))).includes('secret-device-data'));
});

/** On a lenient channel: the refused parameters, and how the request continues. */
const lenient: readonly (readonly [says: string, given: ExampleRequest, skips: boolean, ends: string])[] = [
  ['everything is there', {}, false, 'asking'],
  ['no address', { fields: { 'billing.street1': undefined, 'billing.city': undefined } }, false, 'asking'],
  ['no browser data and no address', { fields: { ...none, shopperResultUrl: 'https://shop.example/' } }, false, 'browser'],
  ['one part of it', { fields: { 'customer.browser.userAgent': undefined } }, false, 'browser'],
  ['a height in words', { fields: { 'customer.browser.screenHeight': 'tall' } }, false, 'browser'],
  ['no way back', { fields: none }, false, 'refused shopperResultUrl'],
  ['no browser data, skipped', { fields: none }, true, 'exempt'],
  ['no browser data, skipped, a challenge demanded', { fields: none, isDemanded: true }, true, 'refused shopperResultUrl'],
  ['an authentication alone is not skipped', { fields: none, paymentType: '3D' }, true, 'refused shopperResultUrl'],
  ['everything is there, skipped', {}, true, 'asking'],
];
for (const [says, given, skipsWithoutBrowser, ends] of lenient) {
  test(`lenient: ${says}`, () => {
    const request = exampleRequest({ ...given, channel: { threeDSecure: true, isLenient: true } });
    const enrolment = sandboxEnrolment({ number: '4200000000000018', read: request.read }, 'https://acs.example');
    const input = { threeDSServerTransID: TRANS_ID, decoupledMinutes: 60, now: NOW, parameters: parametersFor(request) };
    const prepared = prepare(request, { ...input, enrolment, skipsWithoutBrowser });
    const refused = prepared.is === 'faults' && `refused ${prepared.faults.map(({ name }) => name).join(' ')}`;
    assert.equal(prepared.is === 'begun' ? prepared.authentication.phase.at : refused || prepared.is, ends);
  });
}

test('prepare: missing parameters matter only for a card that is authenticated', () => {
  const request = exampleRequest({ fields: none });
  const rest = { threeDSServerTransID: TRANS_ID, decoupledMinutes: 60, now: NOW, parameters: parametersFor(request) };
  const with3ds = (number: string) => {
    const enrolment = sandboxEnrolment({ number, read: request.read }, 'https://acs.example');
    return prepare(request, { ...rest, enrolment });
  };
  assert.equal(with3ds('4200000000000000').is, 'exempt');
  assert.equal(with3ds('4532497088771651').is, 'ended');
  const faulty = with3ds('4200000000000042');
  assert.deepEqual(faulty.is === 'faults' && faulty.faults.map(({ name }) => name), Object.keys(exampleFields));
});
