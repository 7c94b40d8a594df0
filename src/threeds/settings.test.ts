import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exampleAReq, exampleParts, exampleRequest } from './examples.ts';
import { readMessage } from './messages/validate.ts';
import { defaultPolicy } from './outcome.ts';
import { policyOf, registrationAt, sandboxSetup, setupOf, threeDSSettingFaults, unregisteredSetup } from './settings.ts';

const SECRET = 'should-not-be-repeated';

const good: readonly (readonly [says: string, settings: object])[] = [
  ['nothing', {}],
  ['a policy', { policy: { unreachable: 'continue', attempted: 'stop' } }],
  ['an empty setup', { setup: {} }],
  [
    'a setup with two networks',
    {
      setup: {
        requestorId: 'shop-1',
        requestorName: 'Shop',
        requestorUrl: 'https://shop.example',
        acquirerBIN: '412345',
        acquirerMerchantID: 'M-1',
        mcc: '5411',
        merchantName: 'Shop Ltd',
        merchantCountry: 'AUT',
        decoupledMinutes: 10_080,
        networks: { visa: { requestorId: 'v' }, mastercard: { acquirerBIN: '5', acquirerMerchantID: 'mc', requestorName: 'n' } },
      },
    },
  ],
];
for (const [says, settings] of good) {
  test(`right: ${says}`, () => assert.deepEqual(threeDSSettingFaults(settings), []));
}

const bad: readonly (readonly [settings: unknown, faults: readonly string[]])[] = [
  [[], ['the setting "threeDS" must be an object']],
  [{ polcy: {} }, ['the setting "threeDS.polcy" does not exist']],
  [{ policy: [] }, ['the setting "threeDS.policy" must be an object']],
  [{ policy: { failed: 'continue' } }, ['the setting "threeDS.policy": "failed" cannot be decided about']],
  [{ policy: { technical: SECRET } }, ['the setting "threeDS.policy": "technical" must be continue or stop']],
  [{ setup: 'x' }, ['the setting "threeDS.setup" must be an object']],
  [{ setup: { requestorID: SECRET } }, ['the setting "threeDS.setup.requestorID" does not exist']],
  [
    { setup: { mcc: SECRET, decoupledMinutes: 0, merchantCountry: SECRET } },
    [
      'the setting "threeDS.setup.mcc" must be 4 to 4 digits',
      'the setting "threeDS.setup.decoupledMinutes" must be a whole number from 1 to 10080',
      'the setting "threeDS.setup.merchantCountry" must be a country of ISO 3166-1',
    ],
  ],
  [{ setup: { requestorId: `a\n${SECRET}` } }, ['the setting "threeDS.setup.requestorId" must be 1 to 35 characters']],
  [
    { setup: { requestorUrl: `ftp://${SECRET}` } },
    ['the setting "threeDS.setup.requestorUrl" must be an address of at most 2048 characters'],
  ],
  [{ setup: { networks: { network9: {} } } }, ['the setting "threeDS.setup.networks.network9" does not exist']],
  [{ setup: { networks: { visa: { mcc: '1234' } } } }, ['the setting "threeDS.setup.networks.visa.mcc" does not exist']],
  [
    { setup: { networks: { visa: { acquirerBIN: `${SECRET}` } } } },
    ['the setting "threeDS.setup.networks.visa.acquirerBIN" must be 1 to 11 characters'],
  ],
  [{ setup: JSON.parse('{"__proto__": {}}') }, ['the setting "threeDS.setup.__proto__" does not exist']],
];
for (const [settings, faults] of bad) {
  test(`wrong: ${faults[0]}`, () => {
    assert.deepEqual(threeDSSettingFaults(settings), faults);
    assert.ok(!String(threeDSSettingFaults(settings)).includes(SECRET));
  });
}

test('own choices stand over the default ones', () => {
  const settings = { policy: { unreachable: 'continue' } };
  assert.deepEqual(policyOf(settings), { ...defaultPolicy, unreachable: 'continue' });
  assert.deepEqual(policyOf({}), defaultPolicy);
});

test('own setup stands over the one for everybody, network by network', () => {
  const fallback = sandboxSetup('Demo', 'https://pay.example');
  const setup = setupOf({ setup: { mcc: '5411', acquirerBIN: '1', networks: { visa: { acquirerBIN: '2' } } } }, fallback);
  assert.deepEqual([setup.mcc, setup.merchantCountry], ['5411', 'DE']);
  assert.deepEqual(registrationAt(setup, 'visa').acquirerBIN, '2');
  assert.deepEqual(registrationAt(setup, 'jcb').acquirerBIN, '1');
  assert.equal(registrationAt(setup, 'visa').requestorId, 'turnpike-sandbox');
  assert.deepEqual(setupOf({}, fallback), fallback);
});

test('the request names what the network of the card knows, and its own parameters first', () => {
  const settings = {
    setup: { networks: { visa: { requestorId: 'at-visa', acquirerBIN: '42' }, jcb: { requestorId: 'at-jcb' } } },
  };
  const setup = setupOf(settings, sandboxSetup('Demo', 'https://pay.example'));
  const visa = exampleAReq(exampleRequest(), { setup });
  assert.deepEqual([visa.threeDSRequestorID, visa.acquirerBIN], ['at-visa', '42']);
  const jcb = exampleAReq(exampleRequest({ paymentBrand: 'JCB' }), { setup });
  assert.deepEqual([jcb.threeDSRequestorID, jcb.acquirerBIN], ['at-jcb', '400000']);
  const fields = { 'threeDSecure.v2.visa.requestorId': 'own' };
  assert.equal(exampleAReq(exampleRequest({ fields }), { setup }).threeDSRequestorID, 'own');
});

test('a request without a registration has the defaults', () => {
  const setup = setupOf({}, unregisteredSetup('Demo', 'https://pay.example'));
  const { faults } = readMessage('AReq', exampleAReq(exampleRequest(), exampleParts(exampleRequest(), { setup })));
  assert.deepEqual(faults?.map(({ name }) => name).toSorted(), [
    'acquirerBIN',
    'acquirerMerchantID',
    'mcc',
    'merchantCountryCode',
    'threeDSRequestorID',
  ]);
});

test('whatever the setting is, nothing throws, and what has no fault is used', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('policy', 'setup', '__proto__', 'x'), fc.jsonValue({ maxDepth: 3 })),
      (settings) => {
        threeDSSettingFaults(settings);
        const policy = policyOf(settings);
        assert.deepEqual(Object.keys(policy).toSorted(), Object.keys(defaultPolicy).toSorted());
        const setup = setupOf(settings, sandboxSetup('Demo', 'https://pay.example'));
        assert.equal(typeof registrationAt(setup, 'visa').requestorId, 'string');
      },
    ),
  );
});
