import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Authentication,
  type AuthenticationEvent,
  type AuthenticationPhase,
  beginAuthentication,
  CHALLENGE_MS_MAX,
  dueAtOf,
  METHOD_MS_MAX,
  next,
  RESULTS_MS_MAX,
  versionFor,
  withoutProof,
  withProof,
} from './authentication.ts';
import { answerResults, unknownResults } from './directory.ts';
import { exampleRequest, NOW, parametersFor, TRANS_ID } from './examples.ts';
import type { ARes, CRes, Erro, RReq } from './messages/message.ts';
import type { Outcome } from './outcome.ts';

const ACS_ID = '0b0b0b0b-1111-4222-8333-444444444444';
const DS_ID = '0c0c0c0c-1111-4222-8333-444444444444';
const OTHER_ID = '0d0d0d0d-1111-4222-8333-444444444444';
const PROOF = Buffer.alloc(20, 7).toString('base64');

const ids = { messageVersion: '2.2.0', threeDSServerTransID: TRANS_ID, acsTransID: ACS_ID, dsTransID: DS_ID } as const;
const ares = (transStatus: ARes['transStatus'], given: Partial<ARes> = {}): ARes => ({
  messageType: 'ARes',
  ...ids,
  acsReferenceNumber: 'a',
  dsReferenceNumber: 'd',
  transStatus,
  ...(transStatus === 'Y' && { authenticationValue: PROOF, eci: '05' }),
  ...(transStatus === 'C' && { acsURL: 'https://acs.example/c', acsChallengeMandated: 'N', authenticationType: '02' }),
  ...given,
});
const rreq = (given: Partial<RReq> = {}): RReq => ({
  messageType: 'RReq',
  ...ids,
  messageCategory: '01',
  transStatus: 'Y',
  eci: '05',
  authenticationValue: PROOF,
  authenticationType: '02',
  interactionCounter: '01',
  ...given,
});
const cres = (given: Partial<CRes> = {}): CRes => ({
  messageType: 'CRes',
  messageVersion: '2.2.0',
  threeDSServerTransID: TRANS_ID,
  acsTransID: ACS_ID,
  challengeCompletionInd: 'Y',
  transStatus: 'Y',
  ...given,
});
const erro: Erro = {
  messageType: 'Erro',
  messageVersion: '2.2.0',
  errorCode: '403',
  errorComponent: 'D',
  errorDescription: 'x',
  errorDetail: 'x',
};

const parameters = parametersFor(exampleRequest());
const fresh = (methodUrl: string | null = null): Authentication =>
  beginAuthentication(
    { threeDSServerTransID: TRANS_ID, version: '2.2.0', parameters, methodUrl, sdkTransID: null, decoupledMinutes: 60 },
    NOW,
  );
const asking = fresh();
const challenged = next(asking, { is: 'answered', ares: ares('C') }, NOW);
const decoupled = next(asking, { is: 'answered', ares: ares('D', { authenticationType: '04', acsDecConInd: 'Y' }) }, NOW);
const finished = next(asking, { is: 'answered', ares: ares('Y') }, NOW);
const METHOD_URL = 'https://acs.example/method';
const start = { threeDSServerTransID: TRANS_ID, version: '2.2.0', parameters, sdkTransID: null, decoupledMinutes: 60 } as const;
const withoutBrowser = (methodUrl: string | null) => beginAuthentication({ ...start, methodUrl }, NOW, true);
const BROWSER = { 'customer.browser.language': 'en' };
const phases: Readonly<Record<AuthenticationPhase['at'], Authentication>> = {
  browser: withoutBrowser(METHOD_URL),
  method: fresh(METHOD_URL),
  asking,
  challenge: challenged,
  decoupled,
  done: finished,
};

const events: Readonly<Record<string, AuthenticationEvent>> = {
  browserData: { is: 'browserData', browser: BROWSER },
  methodDone: { is: 'methodDone', threeDSServerTransID: TRANS_ID },
  methodOther: { is: 'methodDone', threeDSServerTransID: OTHER_ID },
  methodSkipped: { is: 'methodSkipped' },
  'ares Y': { is: 'answered', ares: ares('Y') },
  'ares C': { is: 'answered', ares: ares('C') },
  'ares D': { is: 'answered', ares: ares('D') },
  'ares other': { is: 'answered', ares: ares('Y', { threeDSServerTransID: OTHER_ID }) },
  'ares 2.1.0': { is: 'answered', ares: ares('Y', { messageVersion: '2.1.0' }) },
  erred: { is: 'erred', erro },
  garbled: { is: 'garbled' },
  unreachable: { is: 'unreachable' },
  'rreq Y': { is: 'results', rreq: rreq() },
  'rreq N': { is: 'results', rreq: rreq({ transStatus: 'N', transStatusReason: '19' }) },
  'rreq acs': { is: 'results', rreq: rreq({ acsTransID: OTHER_ID }) },
  'rreq ds': { is: 'results', rreq: rreq({ dsTransID: OTHER_ID }) },
  'rreq server': { is: 'results', rreq: rreq({ threeDSServerTransID: OTHER_ID }) },
  'rreq npa': { is: 'results', rreq: rreq({ messageCategory: '02' }) },
  'cres Y': { is: 'returned', cres: cres() },
  'cres N': { is: 'returned', cres: cres({ transStatus: 'N' }) },
  'cres none': { is: 'returned', cres: null },
  'cres other': { is: 'returned', cres: cres({ acsTransID: OTHER_ID }) },
  abandoned: { is: 'abandoned' },
};

const picture = `
browser      browserData→method abandoned→abandoned
method       methodDone→asking methodSkipped→asking abandoned→abandoned
asking       ares Y→authenticated ares C→challenge ares D→decoupled ares other→foreign ares 2.1.0→invalid erred→technical
             garbled→invalid unreachable→unreachable abandoned→abandoned
challenge    rreq Y→authenticated rreq N→failed cres Y→challenge cres N→challenge cres none→challenge cres other→foreign
             abandoned→abandoned
decoupled    rreq Y→authenticated rreq N→failed abandoned→abandoned
done
`;

const standing = ({ phase }: Authentication): string => (phase.at === 'done' ? phase.outcome.kind : phase.at);

test('every phase and every event, as in the picture', () => {
  const lines = Object.entries(phases).map(([at, before]) => {
    const moves = Object.entries(events).flatMap(([name, event]) => {
      const after = next(before, event, NOW + 1);
      return after === before ? [] : [`${name}→${standing(after)}`];
    });
    return [at, ...moves].join(' ');
  });
  assert.deepEqual(
    lines,
    picture
      .trim()
      .replaceAll(/\n {2,}/g, ' ')
      .split('\n')
      .map((line) => line.replaceAll(/\s+/g, ' ').trim()),
  );
});

test('time: nothing before it is over, one end after', () => {
  const ends = Object.entries(phases).map(([at, before]) => {
    const dueAt = before.phase.at === 'done' ? NOW : before.phase.dueAt;
    const early = next(before, { is: 'elapsed' }, dueAt - 1);
    const late = next(before, { is: 'elapsed' }, dueAt);
    assert.equal(early, before, at);
    return `${at} ${dueAt - NOW} ${standing(late)}`;
  });
  assert.deepEqual(ends, [
    `browser ${CHALLENGE_MS_MAX} expired`,
    `method ${METHOD_MS_MAX} asking`,
    'asking 10000 unreachable',
    `challenge ${CHALLENGE_MS_MAX} expired`,
    'decoupled 3630000 expired',
    'done 0 authenticated',
  ]);
});

test('collected browser data stays with the authentication, and the first that came', () => {
  const [framed, plain] = [METHOD_URL, null].map((methodUrl) =>
    next(withoutBrowser(methodUrl), { is: 'browserData', browser: BROWSER }, NOW),
  );
  assert.deepEqual([framed?.browser, framed?.phase.at, plain?.browser, plain?.phase.at], [BROWSER, 'method', BROWSER, 'asking']);
  for (const known of [framed, plain]) if (known) assert.equal(next(known, { is: 'browserData', browser: {} }, NOW), known);
});

test('the hidden frame: done, over, skipped, none', () => {
  const before = phases.method;
  assert.equal(next(before, { is: 'methodDone', threeDSServerTransID: TRANS_ID }, NOW).threeDSCompInd, 'Y');
  assert.equal(next(before, { is: 'elapsed' }, NOW + METHOD_MS_MAX).threeDSCompInd, 'N');
  const skipped = next(before, { is: 'methodSkipped' }, NOW);
  assert.equal(skipped.threeDSCompInd, 'N');
  assert.equal(next(skipped, { is: 'methodDone', threeDSServerTransID: TRANS_ID }, NOW), skipped);
  assert.equal(asking.threeDSCompInd, 'U');
});

test('after the return, missing results are awaited for a limited time', () => {
  const back = next(challenged, { is: 'returned', cres: cres() }, NOW + 5);
  assert.equal(next(back, { is: 'returned', cres: cres() }, NOW + 9), back);
  const outcome = next(back, { is: 'elapsed' }, NOW + 5 + RESULTS_MS_MAX);
  assert.equal(standing(outcome), 'unproven');
  assert.equal(standing(next(back, { is: 'results', rreq: rreq() }, NOW + 6)), 'authenticated');
});

const outcomeOf = ({ phase }: Authentication): Outcome | null => (phase.at === 'done' ? phase.outcome : null);

test('in whatever order and number the messages come, there is one end, and a yes only with its proof', () => {
  const kinds = Object.values(events);
  const right = new Set(['ares Y', 'rreq Y'].map((name) => events[name]));
  fc.assert(
    fc.property(
      fc.constantFrom(fresh(), fresh('https://acs.example/method'), challenged, decoupled),
      fc.array(fc.constantFrom(...kinds)),
      (start, events) => {
        let state = start;
        let first: Outcome | null = null;
        for (const event of events) {
          const before = state;
          state = next(before, event, NOW + 1);
          const outcome = outcomeOf(state);
          if (first !== null) assert.equal(outcome, first);
          if (outcome?.kind === 'authenticated' && first === null) {
            assert.ok(right.has(event));
            assert.equal(outcome.authenticationValue, PROOF);
          }
          first = outcome;
          assert.equal(state.revision - before.revision, state === before ? 0 : 1);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('results: the same twice, others, foreign ones, late ones, and none at all', () => {
  const first = answerResults(challenged, rreq(), NOW);
  assert.equal(first.reply.messageType, 'RRes');
  assert.equal(standing(first.authentication), 'authenticated');
  const again = answerResults(first.authentication, rreq(), NOW);
  assert.deepEqual([again.reply, again.authentication], [first.reply, first.authentication]);
  const codeOf = (state: Authentication, value: unknown) => {
    const { reply, authentication } = answerResults(state, value, NOW);
    assert.equal(authentication, state);
    return reply.messageType === 'Erro' ? `${reply.errorCode} ${reply.errorDetail}` : reply.messageType;
  };
  const no = rreq({ transStatus: 'N', transStatusReason: '01' });
  assert.equal(codeOf(first.authentication, no), '305 transStatus');
  assert.equal(
    codeOf(first.authentication, rreq({ authenticationValue: Buffer.alloc(20, 8).toString('base64') })),
    '305 transStatus',
  );
  assert.equal(codeOf(challenged, rreq({ threeDSServerTransID: OTHER_ID })), '301 threeDSServerTransID');
  assert.equal(codeOf(challenged, rreq({ acsTransID: OTHER_ID })), '301 acsTransID');
  assert.equal(codeOf(challenged, rreq({ dsTransID: OTHER_ID })), '301 dsTransID');
  assert.equal(codeOf(challenged, rreq({ messageVersion: '2.1.0' })), '301 messageVersion');
  assert.equal(codeOf(challenged, rreq({ messageCategory: '02' })), '301 messageCategory');
  assert.equal(codeOf(asking, rreq()), '301 acsTransID');
  assert.equal(codeOf(finished, rreq()), '402 threeDSServerTransID');
  const { authenticationValue: _, ...unproven } = rreq();
  assert.equal(codeOf(challenged, unproven), '201 authenticationValue');
  assert.equal(codeOf(challenged, null), '101 messageType');
  const late = next(challenged, { is: 'elapsed' }, NOW + CHALLENGE_MS_MAX);
  assert.equal(codeOf(late, rreq()), '402 threeDSServerTransID');
});

test('a value that comes with a no proves nothing and is not kept', () => {
  const outcome = outcomeOf(next(challenged, { is: 'results', rreq: rreq({ transStatus: 'N', transStatusReason: '01' }) }, NOW));
  assert.deepEqual([outcome?.transStatus, outcome?.authenticationValue], ['N', null]);
});

test('results for an unknown authentication', () => {
  assert.deepEqual([unknownResults(rreq()).errorCode, unknownResults({}).errorCode], ['301', '101']);
  assert.deepEqual([dueAtOf(challenged), dueAtOf(finished)], [NOW + CHALLENGE_MS_MAX, null]);
});

test('the proof can be kept apart and put back', () => {
  const { open, proof } = withoutProof(finished);
  assert.equal(proof, PROOF);
  assert.ok(!JSON.stringify(open).includes(PROOF));
  assert.deepEqual(withProof(open, proof), finished);
  assert.deepEqual(withoutProof(challenged), { open: challenged, proof: null });
  assert.deepEqual(JSON.parse(JSON.stringify(challenged)), challenged);
  // The same results again, of which only the open part was read.
  assert.equal(answerResults({ ...open, hasResults: true }, rreq(), NOW).reply.messageType, 'RRes');
});

test('versions: the newest of both, or the one that was wished for', () => {
  const indicator = (versionWish: '2.1.0' | '2.2.0' | null, from = '2.1.0', to = '2.2.0') =>
    versionFor({ from, to }, { ...parameters, requestedVersion: versionWish });
  assert.equal(indicator(null), '2.2.0');
  assert.equal(indicator('2.1.0'), '2.1.0');
  assert.equal(indicator(null, '2.1.0', '2.1.0'), '2.1.0');
  assert.equal(indicator('2.2.0', '2.1.0', '2.1.0'), '2.1.0');
  assert.equal(indicator(null, '2.2.0', '2.3.1'), '2.2.0');
  assert.equal(indicator(null, '2.3.1', '2.3.1'), null);
  assert.equal(versionFor({ from: '2.1.0', to: '2.1.0' }, { ...parameters, deviceChannel: '03' }), null);
  assert.equal(
    versionFor({ from: '2.1.0', to: '2.1.0' }, { ...parameters, deviceChannel: '03', messageCategory: '02' }),
    '2.1.0',
  );
});
