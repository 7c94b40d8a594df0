import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testCards } from '../../spec/cards/testCards.ts';
import { type Authentication, CHALLENGE_MS_MAX, next, RESULTS_MS_MAX } from '../authentication.ts';
import {
  acs,
  arrive,
  authenticateUpToAnswer,
  codeIn,
  type ExampleRequest,
  exampleDeviceInfo,
  exampleRequest,
  finishFlow,
  NOW,
  press,
  ticketIn,
} from '../examples.ts';
import { faultsOf } from '../messages/validate.ts';
import { networkOf, networks } from '../networks.ts';
import { defaultPolicy, type OutcomeKind, verdictOf } from '../outcome.ts';
import { standaloneCode } from '../standalone.ts';
import { isProofOf } from './proof.ts';

const CARD = '4200000000000026';
const directive = (name: string, value: string) => ({ [`customParameters[SIMULATOR_3ds${name}]`]: value });
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

const ends: readonly (readonly [status: string, atOnce: OutcomeKind, request: OutcomeKind])[] = [
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
  for (const [status, atOnce, request] of ends) {
    test(`${version} frictionless ${status} → ${atOnce}`, async () => {
      const fields = { ...directive('Status', status), ...directive('Version', version), ...flow('frictionless') };
      const { authentication } = await authenticateUpToAnswer(exampleRequest({ fields }), CARD);
      assert.deepEqual([standing(authentication), statusOf(authentication), authentication.version], [atOnce, status, version]);
      if (status === 'Y' || status === 'A') assertProven(authentication, CARD);
    });

    for (const page of ['code', 'app'] as const) {
      test(`${version} challenge by ${page} ${status} → ${request}`, async () => {
        const fields = {
          ...directive('Status', status),
          ...directive('Page', page),
          ...directive('Version', version),
          ...flow('challenge'),
        };
        const { authentication } = await authenticateUpToAnswer(exampleRequest({ fields }), CARD);
        assert.equal(standing(authentication), 'challenge');
        const finished = finishFlow(authentication, pages[page](arrive(authentication)));
        assert.deepEqual([standing(finished.authentication), statusOf(finished.authentication)], [request, status]);
        assert.deepEqual(
          finished.replies.map(({ messageType }) => messageType),
          ['RRes'],
        );
        if (status === 'Y' || status === 'A') assertProven(finished.authentication, CARD);
      });
    }
  }
}

for (const [status, , request] of ends) {
  for (const channel of ['02', '03']) {
    test(`decoupled through channel ${channel} ${status} → ${request}`, async () => {
      const threeRI = channel === '03' ? { 'threeDSecure.channel': '03', 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' } : {};
      const fields = {
        'threeDSecure.decoupled': 'true',
        ...flow('challenge'),
        ...directive('Status', status),
        ...directive('Decides', '30'),
        ...threeRI,
      };
      const { authentication } = await authenticateUpToAnswer(exampleRequest({ fields }), CARD);
      const { phase } = authentication;
      assert.ok(phase.at === 'decoupled' && phase.acsUrl !== null);
      assert.equal(acs.poll(phase.acsUrl, NOW + 29_999), null);
      const rreq = acs.poll(phase.acsUrl, NOW + 30_000);
      assert.ok(rreq);
      assert.deepEqual(faultsOf('RReq', rreq), []);
      const finished = next(authentication, { is: 'results', rreq }, NOW + 30_000);
      assert.deepEqual([standing(finished), statusOf(finished)], [request, status]);
      // On his telephone he may decide before.
      const step = press(acs.open(ticketIn(phase.acsUrl), {}, NOW), 'confirm');
      assert.equal(standing(finishFlow(authentication, step).authentication), request);
      const denied = press(acs.open(ticketIn(phase.acsUrl), {}, NOW), 'deny');
      assert.equal(standing(finishFlow(authentication, denied).authentication), 'failed');
    });
  }
}

test('decoupled does not exist in 2.1.0: the shopper is challenged', async () => {
  const fields = { 'threeDSecure.decoupled': 'true', ...flow('challenge'), ...directive('Version', '2.1.0') };
  assert.equal(standing((await authenticateUpToAnswer(exampleRequest({ fields }), CARD)).authentication), 'challenge');
});

const wishes: readonly (readonly [indicator: string, card: string, standing: string])[] = [
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
for (const [indicator, card, expected] of wishes) {
  test(`wish ${indicator} with ${card} → ${expected}`, async () => {
    const { authentication } = await authenticateUpToAnswer(
      exampleRequest({ fields: { 'threeDSecure.challengeIndicator': indicator } }),
      card,
    );
    assert.equal(standing(authentication), expected);
  });
}

test('informational: by directive, with the indicator of the network, and not in 2.1.0', async () => {
  const of = async (more: object) =>
    (
      await authenticateUpToAnswer(
        exampleRequest({ paymentBrand: 'MASTER', fields: { ...directive('Status', 'I'), ...more } }),
        '5200000000000056',
      )
    ).authentication;
  const informed = await of({});
  assert.ok(informed.phase.at === 'done');
  assert.deepEqual([informed.phase.outcome.kind, informed.phase.outcome.eci], ['informational', '04']);
  assert.equal(standing(await of(directive('Version', '2.1.0'))), 'unavailable');
});

const plays: Readonly<Record<string, string>> = {
  frictionless: 'authenticated',
  attempt: 'attempted',
  error: 'unavailable',
  notEnrolled: 'notEnrolled',
  challenge: 'challenge',
};
for (const { brand, number, threeDSecure, methodData } of testCards.filter(({ threeDSecure: behaviour }) =>
  Object.hasOwn(plays, behaviour),
)) {
  test(`${brand} ${number} plays ${threeDSecure}`, async () => {
    const { authentication, areq } = await authenticateUpToAnswer(exampleRequest({ paymentBrand: brand }), number);
    assert.deepEqual(faultsOf('AReq', areq), []);
    assert.deepEqual([authentication.threeDSCompInd, areq.threeDSCompInd], methodData ? ['Y', 'Y'] : ['U', 'U']);
    assert.equal(standing(authentication), plays[threeDSecure]);
    const step = authentication.phase.at === 'challenge' ? pages.code(arrive(authentication)) : null;
    const done = step ? finishFlow(authentication, step).authentication : authentication;
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

const others: readonly (readonly [says: string, request: ExampleRequest, standing: string])[] = [
  ['3RI', { fields: { 'threeDSecure.channel': '03', 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' } }, 'authenticated'],
  [
    '3RI cannot be challenged',
    { fields: { 'threeDSecure.channel': '03', 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT', ...flow('challenge') } },
    'authenticated',
  ],
  ['without a payment', { fields: { 'threeDSecure.npa': 'true' } }, 'authenticated'],
  ['an app', { fields: { 'threeDSecure.deviceInfo': exampleDeviceInfo } }, 'authenticated'],
  ['the directory server is down', { fields: directive('Directory', 'down') }, 'unreachable'],
  ['it answers with nonsense', { fields: directive('Directory', 'garbled') }, 'invalid'],
  ['it answers another request', { fields: directive('Directory', 'foreign') }, 'foreign'],
  ['it has an error', { fields: directive('Directory', '403') }, 'technical'],
  ['it refuses access', { fields: directive('Directory', '303') }, 'denied'],
  ['it does not know the category', { fields: directive('Directory', '306') }, 'misconfigured'],
  ['fraud', { fields: { ...directive('Status', 'R'), ...directive('Reason', '11') } }, 'fraud'],
  [
    'a reason that 2.1.0 does not know',
    { fields: { ...directive('Status', 'U'), ...directive('Reason', '26'), ...directive('Version', '2.1.0') } },
    'unavailable',
  ],
  ['a device', { fields: { ...directive('Status', 'U'), ...directive('Reason', '03') } }, 'unsupportedDevice'],
];
for (const [says, request, expected] of others) {
  test(`at once: ${says} → ${expected}`, async () => {
    assert.equal(standing((await authenticateUpToAnswer(exampleRequest(request), CARD)).authentication), expected);
  });
}

test('a challenge without a payment ends like one with it', async () => {
  const { authentication } = await authenticateUpToAnswer(
    exampleRequest({ fields: { 'threeDSecure.npa': 'true', ...flow('challenge') } }),
    CARD,
  );
  const step = arrive(authentication);
  assert.ok(!step.page.html.includes('€'));
  assert.equal(standing(finishFlow(authentication, pages.code(step)).authentication), 'authenticated');
});

/** Results and shopper in every order; the shopper's word alone is never believed. */
const ways: readonly (readonly [says: string, fields: object, at: string, later: string])[] = [
  ['results first', {}, 'authenticated', 'authenticated'],
  ['results after the return', directive('Results', 'after'), 'authenticated', 'authenticated'],
  ['results twice', directive('Results', 'twice'), 'authenticated', 'authenticated'],
  ['results never', directive('Results', 'lost'), 'challenge', 'unproven'],
  ['results of another challenge', directive('Results', 'foreign'), 'challenge', 'unproven'],
  ['no return', directive('Return', 'lost'), 'authenticated', 'authenticated'],
  ['neither', { ...directive('Return', 'lost'), ...directive('Results', 'lost') }, 'challenge', 'expired'],
  ['nonsense is brought', directive('Return', 'garbled'), 'authenticated', 'authenticated'],
  [
    'nonsense is brought, no results',
    { ...directive('Return', 'garbled'), ...directive('Results', 'lost') },
    'challenge',
    'unproven',
  ],
  [
    'a yes of another challenge is brought, no results',
    { ...directive('Return', 'foreign'), ...directive('Results', 'lost') },
    'foreign',
    'foreign',
  ],
  ['a yes of another challenge is brought after results', directive('Return', 'foreign'), 'authenticated', 'authenticated'],
  ['a forged yes against results', { ...directive('Return', 'forged'), ...directive('Status', 'N') }, 'failed', 'failed'],
  [
    'a forged yes before results',
    { ...directive('Return', 'forged'), ...directive('Status', 'N'), ...directive('Results', 'after') },
    'failed',
    'failed',
  ],
  [
    'a forged yes alone',
    { ...directive('Return', 'forged'), ...directive('Status', 'N'), ...directive('Results', 'lost') },
    'challenge',
    'unproven',
  ],
];
for (const [says, fields, at, later] of ways) {
  test(`return and results: ${says} → ${later}`, async () => {
    const { authentication } = await authenticateUpToAnswer(
      exampleRequest({ fields: { ...flow('challenge'), ...fields } }),
      CARD,
    );
    const finished = finishFlow(authentication, pages.code(arrive(authentication))).authentication;
    assert.equal(standing(finished), at);
    const wait = finished.phase.at === 'challenge' && finished.phase.isBack ? RESULTS_MS_MAX : CHALLENGE_MS_MAX;
    assert.equal(standing(next(finished, { is: 'elapsed' }, NOW + wait)), later);
  });
}
