import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testCards } from '../../spec/testCards.ts';
import { type Authentication, CHALLENGE_MS_MAX, next, RESULTS_MS_MAX } from '../authentication.ts';
import { type ExampleAsked, exampleAsked, exampleDeviceInfo, NOW } from '../examples.ts';
import { faultsOf } from '../messages/validate.ts';
import { networkOf, networks } from '../networks.ts';
import { type OutcomeKind, verdictOf } from '../outcome.ts';
import { defaultPolicy } from '../policy.ts';
import { standaloneCode } from '../standalone.ts';
import { acs, arrive, codeIn, press, settle, ticketIn, upToAnswer } from './journey.ts';
import { isProofOf } from './proof.ts';

const CARD = '4200000000000026';
const lever = (name: string, value: string) => ({ [`customParameters[SIMULATOR_3ds${name}]`]: value });
const flow = (value: string) => ({ 'customParameters[3DS2_flow]': value });
const standing = ({ phase }: Authentication): string => (phase.at === 'done' ? phase.outcome.kind : phase.at);
const statusOf = ({ phase }: Authentication) => (phase.at === 'done' ? phase.outcome.transStatus : null);

function assertProven(authentication: Authentication, number: string): void {
  const { phase, dsTransID } = authentication;
  assert.ok(phase.at === 'done' && dsTransID !== null);
  const { authenticationValue, eci } = phase.outcome;
  assert.ok(authenticationValue !== null && eci !== null);
  assert.equal(authenticationValue.length, 28);
  assert.ok(isProofOf(authenticationValue, { dsTransactionId: dsTransID, number, eci, amount: 9200n, currency: 'EUR' }));
}

const ends: readonly (readonly [status: string, atOnce: OutcomeKind, asked: OutcomeKind])[] = [
  ['Y', 'authenticated', 'authenticated'],
  ['A', 'attempted', 'attempted'],
  ['N', 'declined', 'failed'],
  ['U', 'unavailable', 'unavailable'],
  ['R', 'rejected', 'rejected'],
];
const pages = {
  code: (step: ReturnType<typeof arrive>) => press(step, 'submit', { code: codeIn(step) }),
  app: (step: ReturnType<typeof arrive>) => press(step, 'confirm'),
};
const versions = ['2.1.0', '2.2.0'];

for (const version of versions) {
  for (const [status, atOnce, asked] of ends) {
    test(`${version} frictionless ${status} → ${atOnce}`, async () => {
      const fields = { ...lever('Status', status), ...lever('Version', version), ...flow('frictionless') };
      const { authentication } = await upToAnswer(exampleAsked({ fields }), CARD);
      assert.deepEqual([standing(authentication), statusOf(authentication), authentication.version], [atOnce, status, version]);
      if (status === 'Y' || status === 'A') assertProven(authentication, CARD);
    });

    for (const page of ['code', 'app'] as const) {
      test(`${version} challenge by ${page} ${status} → ${asked}`, async () => {
        const fields = { ...lever('Status', status), ...lever('Page', page), ...lever('Version', version), ...flow('challenge') };
        const { authentication } = await upToAnswer(exampleAsked({ fields }), CARD);
        assert.equal(standing(authentication), 'challenge');
        const told = settle(authentication, pages[page](arrive(authentication)));
        assert.deepEqual([standing(told.authentication), statusOf(told.authentication)], [asked, status]);
        assert.deepEqual(
          told.replies.map(({ messageType }) => messageType),
          ['RRes'],
        );
        if (status === 'Y' || status === 'A') assertProven(told.authentication, CARD);
      });
    }
  }
}

for (const [status, , asked] of ends) {
  for (const channel of ['02', '03']) {
    test(`decoupled through channel ${channel} ${status} → ${asked}`, async () => {
      const threeRI = channel === '03' ? { 'threeDSecure.channel': '03', 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' } : {};
      const fields = {
        'threeDSecure.decoupled': 'true',
        ...flow('challenge'),
        ...lever('Status', status),
        ...lever('Decides', '30'),
        ...threeRI,
      };
      const { authentication } = await upToAnswer(exampleAsked({ fields }), CARD);
      const { phase } = authentication;
      assert.ok(phase.at === 'decoupled' && phase.acsUrl !== null);
      assert.equal(acs.poll(phase.acsUrl, NOW + 29_999), null);
      const rreq = acs.poll(phase.acsUrl, NOW + 30_000);
      assert.ok(rreq);
      assert.deepEqual(faultsOf('RReq', rreq), []);
      const told = next(authentication, { is: 'results', rreq }, NOW + 30_000);
      assert.deepEqual([standing(told), statusOf(told)], [asked, status]);
      // On his telephone he may decide before.
      const step = press(acs.open(ticketIn(phase.acsUrl), {}, NOW), 'confirm');
      assert.equal(standing(settle(authentication, step).authentication), asked);
      const denied = press(acs.open(ticketIn(phase.acsUrl), {}, NOW), 'deny');
      assert.equal(standing(settle(authentication, denied).authentication), 'failed');
    });
  }
}

test('decoupled does not exist in 2.1.0: the shopper is challenged', async () => {
  const fields = { 'threeDSecure.decoupled': 'true', ...flow('challenge'), ...lever('Version', '2.1.0') };
  assert.equal(standing((await upToAnswer(exampleAsked({ fields }), CARD)).authentication), 'challenge');
});

const wishes: readonly (readonly [wish: string, card: string, standing: string])[] = [
  ['01', CARD, 'authenticated'],
  ['02', CARD, 'authenticated'],
  ['04', CARD, 'challenge'],
  ['05', CARD, 'informational'],
  ['06', CARD, 'informational'],
  ['07', CARD, 'informational'],
  ['08', CARD, 'authenticated'],
  ['04', '4200000000000059', 'attempted'],
  ['06', '4012001037461114', 'unavailable'],
];
for (const [wish, card, expected] of wishes) {
  test(`wish ${wish} with ${card} → ${expected}`, async () => {
    const { authentication } = await upToAnswer(exampleAsked({ fields: { 'threeDSecure.challengeIndicator': wish } }), card);
    assert.equal(standing(authentication), expected);
  });
}

test('informational: by lever, with the indicator of the network, and not in 2.1.0', async () => {
  const of = async (more: object) =>
    (await upToAnswer(exampleAsked({ paymentBrand: 'MASTER', fields: { ...lever('Status', 'I'), ...more } }), '5200000000000056'))
      .authentication;
  const informed = await of({});
  assert.ok(informed.phase.at === 'done');
  assert.deepEqual([informed.phase.outcome.kind, informed.phase.outcome.eci], ['informational', '04']);
  assert.equal(standing(await of(lever('Version', '2.1.0'))), 'unavailable');
});

const plays: Readonly<Record<string, string>> = {
  frictionless: 'authenticated',
  attempt: 'attempted',
  error: 'unavailable',
  notEnrolled: 'notEnrolled',
  challenge: 'challenge',
};
for (const { brand, number, threeDSecure, methodData } of testCards.filter(({ threeDSecure: play }) =>
  Object.hasOwn(plays, play),
)) {
  test(`${brand} ${number} plays ${threeDSecure}`, async () => {
    const { authentication, areq } = await upToAnswer(exampleAsked({ paymentBrand: brand }), number);
    assert.deepEqual(faultsOf('AReq', areq), []);
    assert.deepEqual([authentication.threeDSCompInd, areq.threeDSCompInd], methodData ? ['Y', 'Y'] : ['U', 'U']);
    assert.equal(standing(authentication), plays[threeDSecure]);
    const step = authentication.phase.at === 'challenge' ? pages.code(arrive(authentication)) : null;
    const done = step ? settle(authentication, step).authentication : authentication;
    assert.ok(done.phase.at === 'done');
    const verdict = verdictOf(done.phase.outcome, {
      network: networkOf(brand) ?? 'visa',
      messageCategory: '01',
      policy: defaultPolicy,
      isDemanded: false,
    });
    const { authenticated, attempted, none } = networks[networkOf(brand) ?? 'visa'].eci;
    const expected: Readonly<Record<string, string>> = {
      frictionless: authenticated,
      challenge: authenticated,
      attempt: attempted,
      notEnrolled: none,
    };
    if (threeDSecure === 'error') assert.deepEqual(verdict, { is: 'stop', code: '100.390.107' });
    else assert.equal(verdict.is === 'continue' && verdict.eci, expected[threeDSecure]);
    if (verdict.is === 'continue' && verdict.isLiabilityShifted) assertProven(done, number);
    if (threeDSecure === 'challenge') assert.equal(standaloneCode(done), '000.400.120');
    if (threeDSecure === 'frictionless') assert.equal(standaloneCode(done), '000.400.110');
  });
}

const others: readonly (readonly [says: string, asked: ExampleAsked, standing: string])[] = [
  ['3RI', { fields: { 'threeDSecure.channel': '03', 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' } }, 'authenticated'],
  [
    '3RI cannot be challenged',
    { fields: { 'threeDSecure.channel': '03', 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT', ...flow('challenge') } },
    'authenticated',
  ],
  ['without a payment', { fields: { 'threeDSecure.npa': 'true' } }, 'authenticated'],
  ['an app', { fields: { 'threeDSecure.deviceInfo': exampleDeviceInfo } }, 'authenticated'],
  ['the directory server is down', { fields: lever('Directory', 'down') }, 'unreachable'],
  ['it answers with nonsense', { fields: lever('Directory', 'garbled') }, 'invalid'],
  ['it answers somebody else', { fields: lever('Directory', 'foreign') }, 'foreign'],
  ['it has an error', { fields: lever('Directory', '403') }, 'technical'],
  ['it refuses access', { fields: lever('Directory', '303') }, 'denied'],
  ['it does not know the category', { fields: lever('Directory', '306') }, 'misconfigured'],
  ['fraud', { fields: { ...lever('Status', 'R'), ...lever('Reason', '11') } }, 'fraud'],
  [
    'a reason that 2.1.0 does not know',
    { fields: { ...lever('Status', 'U'), ...lever('Reason', '26'), ...lever('Version', '2.1.0') } },
    'unavailable',
  ],
  ['a device', { fields: { ...lever('Status', 'U'), ...lever('Reason', '03') } }, 'unsupportedDevice'],
];
for (const [says, asked, expected] of others) {
  test(`at once: ${says} → ${expected}`, async () => {
    assert.equal(standing((await upToAnswer(exampleAsked(asked), CARD)).authentication), expected);
  });
}

test('a challenge without a payment ends like one with it', async () => {
  const { authentication } = await upToAnswer(
    exampleAsked({ fields: { 'threeDSecure.npa': 'true', ...flow('challenge') } }),
    CARD,
  );
  const step = arrive(authentication);
  assert.ok(!step.page.html.includes('€'));
  assert.equal(standing(settle(authentication, pages.code(step)).authentication), 'authenticated');
});

/** Results and shopper in every order; the shopper's word alone is never believed. */
const ways: readonly (readonly [says: string, fields: object, at: string, later: string])[] = [
  ['results first', {}, 'authenticated', 'authenticated'],
  ['results after the return', lever('Results', 'after'), 'authenticated', 'authenticated'],
  ['results twice', lever('Results', 'twice'), 'authenticated', 'authenticated'],
  ['results never', lever('Results', 'lost'), 'challenge', 'unproven'],
  ['results of another challenge', lever('Results', 'foreign'), 'challenge', 'unproven'],
  ['no return', lever('Return', 'lost'), 'authenticated', 'authenticated'],
  ['neither', { ...lever('Return', 'lost'), ...lever('Results', 'lost') }, 'challenge', 'expired'],
  ['nonsense is brought', lever('Return', 'garbled'), 'authenticated', 'authenticated'],
  ['nonsense is brought, no results', { ...lever('Return', 'garbled'), ...lever('Results', 'lost') }, 'challenge', 'unproven'],
  [
    'a yes of another challenge is brought, no results',
    { ...lever('Return', 'foreign'), ...lever('Results', 'lost') },
    'foreign',
    'foreign',
  ],
  ['a yes of another challenge is brought after results', lever('Return', 'foreign'), 'authenticated', 'authenticated'],
  ['a forged yes against results', { ...lever('Return', 'forged'), ...lever('Status', 'N') }, 'failed', 'failed'],
  [
    'a forged yes before results',
    { ...lever('Return', 'forged'), ...lever('Status', 'N'), ...lever('Results', 'after') },
    'failed',
    'failed',
  ],
  [
    'a forged yes alone',
    { ...lever('Return', 'forged'), ...lever('Status', 'N'), ...lever('Results', 'lost') },
    'challenge',
    'unproven',
  ],
];
for (const [says, fields, at, later] of ways) {
  test(`return and results: ${says} → ${later}`, async () => {
    const { authentication } = await upToAnswer(exampleAsked({ fields: { ...flow('challenge'), ...fields } }), CARD);
    const told = settle(authentication, pages.code(arrive(authentication))).authentication;
    assert.equal(standing(told), at);
    const wait = told.phase.at === 'challenge' && told.phase.isBack ? RESULTS_MS_MAX : CHALLENGE_MS_MAX;
    assert.equal(standing(next(told, { is: 'elapsed' }, NOW + wait)), later);
  });
}
