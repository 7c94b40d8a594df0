import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createParameterReader } from './authenticationNeed.ts';
import { type Directory, enrolmentOf, requestAuthentication } from './directory.ts';
import { directory, exampleAReq, exampleRequest, NOW, parametersFor, TRANS_ID } from './examples.ts';
import { prepare } from './prepare.ts';

const areq = exampleAReq(exampleRequest(), {
  card: { number: '4200000000000026', expiryMonth: '05', expiryYear: '2034', holder: null },
});
const question = { areq, network: 'visa' } as const;
const read = createParameterReader({});

/** A directory server whose answers are given. */
const remote = (authenticate: () => Promise<unknown>) => ({ authenticate });

const answers: readonly (readonly [says: string, answer: () => Promise<unknown>, is: string])[] = [
  ['nothing', () => Promise.reject(new Error('time')), 'unreachable'],
  ['null', async () => null, 'garbled'],
  ['a text', async () => 'Y', 'garbled'],
  ['another message', async () => ({ messageType: 'RRes', messageVersion: '2.2.0' }), 'garbled'],
  [
    'a yes without a proof',
    async () => ({ ...((await directory.authenticate(areq, 'visa')) as object), authenticationValue: undefined }),
    'garbled',
  ],
  [
    'an error',
    async () => ({
      messageType: 'Erro',
      messageVersion: '2.2.0',
      errorCode: '403',
      errorComponent: 'D',
      errorDescription: 'x',
      errorDetail: 'x',
    }),
    'erred',
  ],
];
for (const [says, answer, is] of answers) {
  test(`answered with ${says} → ${is}`, async () => {
    assert.equal((await requestAuthentication(remote(answer), question)).is, is);
  });
}

test('the directory server of the box finds fault with a message that is not right', async () => {
  const { mcc: _, ...without } = areq;
  const event = await requestAuthentication(directory, { areq: without, network: 'visa' });
  assert.ok(event.is === 'erred');
  assert.deepEqual([event.erro.errorCode, event.erro.errorDetail], ['201', 'mcc']);
});

test('the same request gets the same answer', async () => {
  assert.deepEqual(await directory.authenticate(areq, 'visa'), await directory.authenticate(areq, 'visa'));
});

const enquiries: readonly (readonly [says: string, versions: Directory['versions'], is: string])[] = [
  ['answers', async () => ({ is: 'outside' }), 'outside'],
  ['rejects', () => Promise.reject(new Error('down')), 'unreachable'],
  [
    'throws',
    () => {
      throw new Error('broken');
    },
    'unreachable',
  ],
  ['never answers', () => new Promise(() => {}), 'unreachable'],
];
for (const [says, versions, is] of enquiries) {
  test(`a directory that ${says} when asked about a card → ${is}`, async () => {
    const timers = { within: <T>(_: number, promise: Promise<T>) => Promise.race([promise, late()]) };
    const late = () => new Promise<never>((_, reject) => setImmediate(() => reject(new Error('late'))));
    const enrolment = await enrolmentOf({ versions }, { number: '4200000000000026', read, network: 'visa' }, timers);
    assert.equal(enrolment.is, is);
  });
}

test('an unreachable directory server ends the authentication as unreachable, and the policy decides', () => {
  const request = exampleRequest();
  const beginning = { parameters: parametersFor(request), threeDSServerTransID: TRANS_ID, decoupledMinutes: 60, now: NOW };
  const prepared = prepare(request, { ...beginning, enrolment: { is: 'unreachable' } });
  assert.ok(prepared.is === 'ended');
  assert.equal(prepared.outcome.kind, 'unreachable');
});
