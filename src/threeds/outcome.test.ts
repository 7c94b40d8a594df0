import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultCodes } from '../spec/resultCodes.ts';
import { errorCodes, type TransStatus } from './messages/message.ts';
import { type NetworkName, networkOf, networks } from './networks.ts';
import {
  codesByKind,
  defaultPolicy,
  isPolicyChoice,
  kindByError,
  kindOf,
  type Outcome,
  type OutcomeKind,
  outcomeWithoutMessage,
  type Policy,
  policyChoices,
  policyFaults,
  verdictOf,
} from './outcome.ts';

const PROOF = Buffer.alloc(20, 1).toString('base64');
const outcome = (kind: OutcomeKind, given: Partial<Outcome> = {}): Outcome => ({ ...outcomeWithoutMessage(kind), ...given });
const judged = (network: NetworkName, policy: Policy = defaultPolicy) =>
  ({ network, messageCategory: '01', policy, isDemanded: false }) as const;

const kinds: readonly (readonly [TransStatus, reason: string, cancel: string, isAsked: boolean, OutcomeKind])[] = [
  ['Y', '', '', false, 'authenticated'],
  ['Y', '', '', true, 'authenticated'],
  ['A', '', '', false, 'attempted'],
  ['I', '', '', false, 'informational'],
  ['U', '22', '', false, 'unavailable'],
  ['U', '13', '', false, 'notEnrolled'],
  ['U', '03', '', false, 'unsupportedDevice'],
  ['R', '12', '', false, 'rejected'],
  ['R', '11', '', true, 'fraud'],
  ['N', '01', '', false, 'declined'],
  ['N', '01', '', true, 'failed'],
  ['N', '19', '', true, 'failed'],
  ['N', '01', '01', true, 'cancelled'],
  ['N', '14', '', true, 'expired'],
  ['N', '01', '04', true, 'expired'],
  ['N', '01', '05', true, 'expired'],
  ['C', '', '', false, 'invalid'],
  ['D', '', '', false, 'invalid'],
];
for (const [transStatus, transStatusReason, challengeCancel, isAsked, kind] of kinds) {
  test(`${transStatus} ${transStatusReason} ${challengeCancel} ${isAsked ? 'asked' : 'at once'} → ${kind}`, () => {
    assert.equal(kindOf({ transStatus, transStatusReason, challengeCancel, isAsked }), kind);
  });
}

/** Facts 11.4: authenticated, attempted, gone on without. */
const indicators: readonly (readonly [brands: string, string, string, string])[] = [
  ['VISA VISAELECTRON VISADEBIT VPAY AMEX JCB DINERS DISCOVER CARTEBANCAIRE MADA', '05', '06', '07'],
  ['MASTER MASTERDEBIT MAESTRO UNIONPAY', '02', '01', '00'],
];
for (const [brands, authenticated, attempted, none] of indicators) {
  for (const brand of brands.split(' ')) {
    test(`${brand}: ${authenticated}, ${attempted}, ${none}`, () => {
      const network = networkOf(brand);
      assert.ok(network);
      const eciOf = (kind: OutcomeKind, given: Partial<Outcome> = {}) => {
        const verdict = verdictOf(outcome(kind, given), judged(network));
        return verdict.is === 'continue' ? [verdict.eci, verdict.isLiabilityShifted] : verdict.code;
      };
      assert.deepEqual(eciOf('authenticated', { authenticationValue: PROOF }), [authenticated, true]);
      assert.deepEqual(eciOf('attempted', { authenticationValue: PROOF }), [attempted, true]);
      assert.deepEqual(eciOf('notEnrolled'), [none, false]);
      assert.deepEqual(eciOf('notParticipating'), [none, false]);
    });
  }
}

test('the indicator of the issuer counts with a proof only', () => {
  const resultOf = (given: Partial<Outcome>, kind: OutcomeKind = 'authenticated') =>
    verdictOf(outcome(kind, given), judged('mastercard'));
  assert.deepEqual(resultOf({ authenticationValue: PROOF, eci: '07' }), { is: 'continue', eci: '07', isLiabilityShifted: true });
  assert.deepEqual(resultOf({ eci: '02' }, 'notEnrolled'), { is: 'continue', eci: '00', isLiabilityShifted: false });
  assert.deepEqual(resultOf({ eci: '02' }, 'informational'), { is: 'continue', eci: '04', isLiabilityShifted: false });
  assert.deepEqual(resultOf({ eci: '06' }, 'informational'), { is: 'continue', eci: '06', isLiabilityShifted: false });
});

test('a yes without its proof does not go on, unless nothing is paid', () => {
  for (const kind of ['authenticated', 'attempted'] as const) {
    assert.deepEqual(verdictOf(outcome(kind), judged('visa')), { is: 'stop', code: '800.400.200' });
    const alone = verdictOf(outcome(kind), { ...judged('visa'), messageCategory: '02' });
    assert.deepEqual(alone, { is: 'continue', eci: '07', isLiabilityShifted: false });
  }
});

test('where a challenge is demanded, only the issuer lets anybody on, whatever the policy', () => {
  for (const kind of Object.keys(codesByKind) as OutcomeKind[]) {
    const given = outcome(kind, { authenticationValue: kind === 'authenticated' || kind === 'attempted' ? PROOF : null });
    const verdict = verdictOf(given, { ...judged('visa', all('continue')), isDemanded: true });
    const expected = kind === 'authenticated' || kind === 'attempted' ? 'continue' : codesByKind[kind].stop;
    assert.equal(verdict.is === 'continue' ? verdict.is : verdict.code, expected, kind);
  }
  const strict = verdictOf(outcome('attempted', { authenticationValue: PROOF }), {
    ...judged('visa', all('stop')),
    isDemanded: true,
  });
  assert.equal(strict.is, 'stop');
});

const all = (choice: 'continue' | 'stop') =>
  Object.fromEntries(Object.keys(policyChoices).map((name) => [name, choice])) as Policy;

for (const kind of Object.keys(codesByKind) as OutcomeKind[]) {
  test(`${kind}: goes on only where it may`, () => {
    const given = outcome(kind, { authenticationValue: kind === 'authenticated' || kind === 'attempted' ? PROOF : null });
    for (const network of Object.keys(networks) as NetworkName[]) {
      const [generous, strict] = [
        verdictOf(given, judged(network, all('continue'))),
        verdictOf(given, judged(network, all('stop'))),
      ];
      assert.equal(generous.is, kind === 'authenticated' || isPolicyChoice(kind) ? 'continue' : 'stop');
      assert.equal(strict.is, kind === 'authenticated' ? 'continue' : 'stop');
      if (strict.is === 'stop') assert.equal(resultCodes[strict.code].means, 'declined');
    }
  });
}

test('the codes of each end', () => {
  const codes = Object.entries(codesByKind).map(([kind, { stop, standalone }]) => `${kind} ${stop} ${standalone}`);
  assert.deepEqual(codes, [
    'authenticated 100.390.107 000.400.110',
    'attempted 100.390.107 000.400.110',
    'informational 100.390.107 000.400.101',
    'notEnrolled 100.390.109 000.400.102',
    'notParticipating 100.390.110 000.400.108',
    'unavailable 100.390.107 000.400.101',
    'unsupportedDevice 100.390.113 000.400.105',
    'unreachable 100.390.111 000.400.107',
    'technical 100.390.112 000.400.103',
    'failed 100.380.401 100.380.401',
    'declined 100.390.109 100.390.109',
    'rejected 100.390.100 100.390.100',
    'fraud 100.390.118 100.390.118',
    'cancelled 100.396.101 100.396.101',
    'expired 100.396.103 100.396.103',
    'abandoned 100.396.201 100.396.201',
    'unproven 800.400.200 000.400.106',
    'foreign 100.390.104 100.390.104',
    'invalid 100.390.102 000.400.106',
    'oldVersion 100.390.107 000.400.109',
    'misconfigured 100.390.106 000.400.104',
    'denied 100.390.116 100.390.116',
    'badFormat 100.390.115 100.390.115',
    'badData 100.390.117 100.390.117',
  ]);
});

test('every error of the protocol ends in something', () => {
  assert.deepEqual(Object.keys(kindByError), Object.keys(errorCodes));
});

test('a policy is checked', () => {
  assert.deepEqual(policyFaults({ unavailable: 'continue', attempted: 'stop' }), []);
  assert.equal(policyFaults({ failed: 'continue', unavailable: 'maybe' }).length, 2);
  assert.equal(policyFaults([]).length, 1);
  assert.deepEqual(
    Object.entries(defaultPolicy)
      .filter(([, choice]) => choice === 'continue')
      .map(([name]) => name),
    ['attempted', 'informational', 'notEnrolled', 'notParticipating'],
  );
});
