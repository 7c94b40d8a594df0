import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleAReq, exampleDeviceInfo, exampleRequest, TRANS_ID } from '../examples.ts';
import { isDay, momentOf } from './formats.ts';
import type { MessageType } from './message.ts';
import { buildErro, faultsOf, type ReadContext, readMessage } from './validate.ts';

const ACS_ID = '0b0b0b0b-1111-4222-8333-444444444444';
const DS_ID = '0c0c0c0c-1111-4222-8333-444444444444';
const PROOF = Buffer.alloc(20, 7).toString('base64');
const ids = { threeDSServerTransID: TRANS_ID, acsTransID: ACS_ID };
const RANGE = {
  startRange: '4200000000000000',
  endRange: '4200000000009999',
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: '2.2.0',
};
const head = (messageType: string, messageVersion = '2.2.0') => ({ messageType, messageVersion });

const good: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'AReq browser': exampleAReq(),
  'AReq browser 2.1.0': exampleAReq(exampleRequest(), { version: '2.1.0' }),
  'AReq app': exampleAReq(exampleRequest({ fields: { 'threeDSecure.deviceInfo': exampleDeviceInfo } })),
  'AReq 3RI': exampleAReq(
    exampleRequest({ fields: { 'threeDSecure.channel': '03', 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' } }),
  ),
  'AReq npa': exampleAReq(exampleRequest({ fields: { 'threeDSecure.npa': 'true' } })),
  'AReq decoupled': exampleAReq(exampleRequest({ fields: { 'threeDSecure.decoupled': 'true' } })),
  'ARes Y': {
    ...head('ARes'),
    ...ids,
    dsTransID: DS_ID,
    acsReferenceNumber: 'a',
    dsReferenceNumber: 'd',
    transStatus: 'Y',
    eci: '05',
    authenticationValue: PROOF,
  },
  'CReq browser': { ...head('CReq'), ...ids, challengeWindowSize: '03' },
  'CRes app': {
    ...head('CRes'),
    ...ids,
    sdkTransID: ACS_ID,
    acsCounterAtoS: '001',
    challengeCompletionInd: 'Y',
    transStatus: 'Y',
  },
  'CRes end': { ...head('CRes'), ...ids, challengeCompletionInd: 'Y', transStatus: 'Y' },
  'PReq first': { ...head('PReq'), threeDSServerTransID: TRANS_ID, threeDSServerRefNumber: 'r' },
  'PRes changes': {
    ...head('PRes'),
    threeDSServerTransID: TRANS_ID,
    serialNum: '8',
    cardRangeData: [
      { ...RANGE, actionInd: 'M' },
      { startRange: '4300000000000000', endRange: '4300000000000001', actionInd: 'D' },
    ],
  },
  'PRes nothing new': { ...head('PRes'), threeDSServerTransID: TRANS_ID, serialNum: '8' },
  'RReq Y': {
    ...head('RReq'),
    ...ids,
    dsTransID: DS_ID,
    messageCategory: '01',
    transStatus: 'Y',
    eci: '05',
    authenticationValue: PROOF,
    authenticationType: '02',
    interactionCounter: '01',
  },
  'RRes ok': { ...head('RRes'), ...ids, dsTransID: DS_ID, resultsStatus: '01' },
  'Erro ok': { ...head('Erro'), errorCode: '203', errorComponent: 'D', errorDescription: 'x', errorDetail: 'y' },
};

const typeOf = (name: string): MessageType => name.split(' ')[0] as MessageType;

for (const [name, message] of Object.entries(good)) {
  test(`${name}: is right as it is, with unknown elements too`, () => {
    assert.deepEqual(faultsOf(typeOf(name), { ...message, somethingNew: { a: 1 } }), []);
  });
}

/** Which elements a message cannot do without. */
const required: Readonly<Record<string, string>> = {
  'AReq browser':
    'messageType messageVersion messageCategory deviceChannel threeDSServerTransID threeDSServerRefNumber threeDSServerURL ' +
    'threeDSRequestorID threeDSRequestorName threeDSRequestorURL threeDSRequestorAuthenticationInd acctNumber acquirerBIN ' +
    'acquirerMerchantID mcc merchantCountryCode merchantName browserAcceptHeader browserColorDepth browserJavaEnabled ' +
    'browserJavascriptEnabled browserLanguage browserScreenHeight browserScreenWidth browserTZ browserUserAgent notificationURL ' +
    'threeDSCompInd purchaseAmount purchaseCurrency purchaseExponent purchaseDate',
  'AReq browser 2.1.0':
    'messageType messageVersion messageCategory deviceChannel threeDSServerTransID threeDSServerRefNumber threeDSServerURL ' +
    'threeDSRequestorID threeDSRequestorName threeDSRequestorURL threeDSRequestorAuthenticationInd acctNumber acquirerBIN ' +
    'acquirerMerchantID mcc merchantCountryCode merchantName browserAcceptHeader browserColorDepth browserJavaEnabled ' +
    'browserLanguage browserScreenHeight browserScreenWidth browserTZ browserUserAgent notificationURL ' +
    'threeDSCompInd purchaseAmount purchaseCurrency purchaseExponent purchaseDate',
  'AReq app':
    'messageType messageVersion messageCategory deviceChannel threeDSServerTransID threeDSServerRefNumber threeDSServerURL ' +
    'threeDSRequestorID threeDSRequestorName threeDSRequestorURL threeDSRequestorAuthenticationInd acctNumber acquirerBIN ' +
    'acquirerMerchantID mcc merchantCountryCode merchantName sdkAppID sdkEncData sdkEphemPubKey sdkMaxTimeout ' +
    'sdkReferenceNumber sdkTransID deviceRenderOptions purchaseAmount purchaseCurrency purchaseExponent purchaseDate',
  'AReq 3RI':
    'messageType messageVersion messageCategory deviceChannel threeDSServerTransID threeDSServerRefNumber threeDSServerURL ' +
    'threeDSRequestorID threeDSRequestorName threeDSRequestorURL threeRIInd acctNumber acquirerBIN acquirerMerchantID mcc ' +
    'merchantCountryCode merchantName purchaseAmount purchaseCurrency purchaseExponent purchaseDate',
  'AReq npa':
    'messageType messageVersion messageCategory deviceChannel threeDSServerTransID threeDSServerRefNumber threeDSServerURL ' +
    'threeDSRequestorID threeDSRequestorName threeDSRequestorURL threeDSRequestorAuthenticationInd acctNumber ' +
    'browserAcceptHeader browserColorDepth browserJavaEnabled browserJavascriptEnabled browserLanguage browserScreenHeight ' +
    'browserScreenWidth browserTZ browserUserAgent notificationURL threeDSCompInd',
  'ARes Y':
    'messageType messageVersion threeDSServerTransID acsTransID dsTransID acsReferenceNumber dsReferenceNumber transStatus authenticationValue',
  'CReq browser': 'messageType messageVersion threeDSServerTransID acsTransID challengeWindowSize',
  'CRes app': 'messageType messageVersion threeDSServerTransID acsTransID challengeCompletionInd transStatus acsCounterAtoS',
  'CRes end': 'messageType messageVersion threeDSServerTransID acsTransID transStatus',
  'RReq Y':
    'messageType messageVersion threeDSServerTransID acsTransID dsTransID messageCategory transStatus authenticationValue ' +
    'authenticationType interactionCounter',
  'RRes ok': 'messageType messageVersion threeDSServerTransID acsTransID dsTransID resultsStatus',
  'Erro ok': 'messageType messageVersion errorCode errorComponent errorDescription errorDetail',
};

for (const [name, names] of Object.entries(required)) {
  test(`${name}: each required element, and no other, is missed`, () => {
    const message = good[name] ?? {};
    const missed = Object.keys(message).filter((element) => {
      const { [element]: _, ...rest } = message;
      return faultsOf(typeOf(name), rest).length > 0;
    });
    assert.deepEqual(missed.sort(), names.split(/\s+/).sort());
  });
}

const wrong: readonly (readonly [name: string, change: Readonly<Record<string, unknown>>, code: string, element: string])[] = [
  ['AReq browser', { messageType: 'ARes' }, '101', 'messageType'],
  ['AReq browser', { messageVersion: '2.3.1' }, '102', 'messageVersion'],
  ['AReq browser', { threeDSServerTransID: 'x' }, '203', 'threeDSServerTransID'],
  ['AReq browser', { acctNumber: '123456789012' }, '203', 'acctNumber'],
  ['AReq browser', { purchaseCurrency: '999' }, '304', 'purchaseCurrency'],
  ['AReq browser', { merchantCountryCode: '999' }, '304', 'merchantCountryCode'],
  ['AReq browser', { billAddrCountry: 'DE' }, '304', 'billAddrCountry'],
  ['AReq browser', { purchaseDate: '20310230000000' }, '203', 'purchaseDate'],
  ['AReq browser', { purchaseAmount: '92.00' }, '203', 'purchaseAmount'],
  ['AReq browser', { browserJavaEnabled: 'false' }, '203', 'browserJavaEnabled'],
  ['AReq browser', { browserColorDepth: '25' }, '203', 'browserColorDepth'],
  ['AReq browser', { notificationURL: 'javascript:alert(1)' }, '203', 'notificationURL'],
  ['AReq browser', { notificationURL: `https://x/${'y'.repeat(256)}` }, '203', 'notificationURL'],
  ['AReq browser', { threeDSRequestorChallengeInd: '10' }, '203', 'threeDSRequestorChallengeInd'],
  ['AReq browser 2.1.0', { threeDSRequestorChallengeInd: '05' }, '203', 'threeDSRequestorChallengeInd'],
  ['AReq browser', { threeDSRequestorAuthenticationInd: '02' }, '201', 'recurringExpiry'],
  ['AReq browser', { threeDSRequestorAuthenticationInd: '07' }, '203', 'threeDSRequestorAuthenticationInd'],
  ['AReq browser', { purchaseInstalData: '1' }, '203', 'purchaseInstalData'],
  ['AReq browser', { acctInfo: { chAccAgeInd: '06' } }, '203', 'acctInfo.chAccAgeInd'],
  ['AReq browser', { acctInfo: [] }, '203', 'acctInfo'],
  ['AReq browser', { homePhone: { cc: '+49', subscriber: '1' } }, '203', 'homePhone'],
  [
    'AReq browser',
    { messageExtension: [{ name: 'n', id: 'i', criticalityIndicator: true, data: {} }] },
    '202',
    'messageExtension',
  ],
  ['AReq browser', { messageExtension: [{ name: 'n' }] }, '203', 'messageExtension'],
  ['AReq decoupled', { threeDSRequestorDecMaxTime: '10081' }, '203', 'threeDSRequestorDecMaxTime'],
  ['AReq 3RI', { threeRIInd: '12' }, '203', 'threeRIInd'],
  ['ARes Y', { transStatus: 'X' }, '203', 'transStatus'],
  ['ARes Y', { transStatus: 'YN' }, '203', 'transStatus'],
  ['ARes Y', { transStatus: 'I', messageVersion: '2.1.0' }, '203', 'transStatus'],
  ['ARes Y', { transStatus: 'N' }, '201', 'transStatusReason'],
  ['ARes Y', { transStatus: 'C' }, '201', 'acsChallengeMandated'],
  ['ARes Y', { authenticationValue: 'AAAA' }, '203', 'authenticationValue'],
  ['ARes Y', { authenticationValue: `${PROOF.slice(0, -1)} ` }, '203', 'authenticationValue'],
  ['RReq Y', { transStatus: 'C' }, '203', 'transStatus'],
  ['RReq Y', { transStatusReason: '27' }, '203', 'transStatusReason'],
  ['PReq first', { threeDSServerTransID: undefined }, '201', 'threeDSServerTransID'],
  ['PReq first', { threeDSServerRefNumber: undefined }, '201', 'threeDSServerRefNumber'],
  ['PReq first', { serialNum: 'x'.repeat(21) }, '203', 'serialNum'],
  ['PRes changes', { cardRangeData: {} }, '203', 'cardRangeData'],
  ['PRes changes', { cardRangeData: [{ ...RANGE, startRange: '4200000000010000' }] }, '203', 'cardRangeData'],
  ['PRes changes', { cardRangeData: [{ ...RANGE, endRange: '42000000000099999' }] }, '203', 'cardRangeData'],
  ['PRes changes', { cardRangeData: [{ ...RANGE, acsEndProtocolVersion: 'new' }] }, '203', 'cardRangeData'],
  ['PRes changes', { cardRangeData: [{ ...RANGE, threeDSMethodURL: 'javascript:x' }] }, '203', 'cardRangeData'],
  ['PRes changes', { cardRangeData: [{ ...RANGE, actionInd: 'I' }] }, '203', 'cardRangeData'],
  ['PRes changes', { messageVersion: '2.1.0' }, '203', 'cardRangeData'],
  ['PRes changes', { dsEndProtocolVersion: '2' }, '203', 'dsEndProtocolVersion'],
  ['CReq browser', { challengeWindowSize: '06' }, '203', 'challengeWindowSize'],
  ['CRes end', { transStatus: 'U' }, '203', 'transStatus'],
];

for (const [name, change, code, element] of wrong) {
  test(`${name} with ${JSON.stringify(change).slice(0, 60)} → ${code} ${element}`, () => {
    const [fault] = faultsOf(typeOf(name), { ...good[name], ...change });
    assert.deepEqual([fault?.code, fault?.name], [code, element]);
  });
}

const challenged = { ...good['ARes Y'], transStatus: 'C', acsChallengeMandated: 'N', authenticationType: '02' };
const channels: readonly (readonly [ReadContext, Readonly<Record<string, unknown>>, string[]])[] = [
  [{ deviceChannel: '02' }, {}, ['acsURL']],
  [{ deviceChannel: '02' }, { acsURL: 'https://acs.example' }, []],
  [{ deviceChannel: '01' }, {}, ['acsSignedContent']],
  [{ deviceChannel: '03' }, {}, ['transStatus']],
];
for (const [context, more, names] of channels) {
  test(`a challenge through channel ${context.deviceChannel} lacks ${names.join() || 'nothing'}`, () => {
    const faults = faultsOf('ARes', { ...challenged, ...more }, context);
    assert.deepEqual(
      faults.map(({ name }) => name),
      names,
    );
  });
}

test('without a payment neither proof nor reason is required', () => {
  const { authenticationValue: _, ...unproven } = good['ARes Y'] ?? {};
  assert.deepEqual(faultsOf('ARes', unproven, { messageCategory: '02' }), []);
  assert.deepEqual(faultsOf('ARes', { ...unproven, transStatus: 'N' }, { messageCategory: '02' }), []);
  assert.equal(faultsOf('ARes', unproven, { messageCategory: '01' })[0]?.name, 'authenticationValue');
});

test('a browser without scripts cannot know its screen, since 2.2', () => {
  const { browserColorDepth, browserJavaEnabled, browserScreenHeight, browserScreenWidth, browserTZ, ...rest } = exampleAReq();
  const plain = { ...rest, browserJavascriptEnabled: false };
  assert.deepEqual(faultsOf('AReq', plain), []);
  assert.equal(faultsOf('AReq', rest).length, 5);
});

test('what is no object is no message', () => {
  for (const value of [null, undefined, 'AReq', 7, [], Object.create({ messageType: 'AReq' })]) {
    assert.equal(readMessage('AReq', value).faults?.[0].code, '101');
  }
});

test('an error names every element with the fault of the first, and the ids it could read', () => {
  const message = { ...good['AReq browser'], acctNumber: 'x', mcc: 'y', purchaseCurrency: '000' };
  const { faults } = readMessage('AReq', message);
  assert.ok(faults);
  const erro = buildErro({ component: 'D', about: message, faults });
  assert.deepEqual(faultsOf('Erro', erro), []);
  assert.equal(erro.errorCode, '203');
  assert.equal(erro.errorDetail, 'acctNumber,mcc');
  assert.equal(erro.errorMessageType, 'AReq');
  assert.equal(erro.threeDSServerTransID, TRANS_ID);
});

test('days and moments', () => {
  assert.ok(isDay('99991231') && isDay('20320229') && !isDay('20310229') && !isDay('20311301') && !isDay('2031-1-1'));
  assert.equal(momentOf(Date.UTC(2031, 1, 3, 4, 5, 6)), '20310203040506');
});
