import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readerOf } from './asked.ts';
import { consult, createDirectory } from './directory.ts';
import { exampleAReq, exampleAsked } from './examples.ts';
import { directory } from './sandbox/journey.ts';

const areq = exampleAReq(exampleAsked(), {
  card: { number: '4200000000000026', expiryMonth: '05', expiryYear: '2034', holder: null },
});
const question = { areq, network: 'visa' } as const;
const read = readerOf({});

/** The directory server of the box behind a line that carries JSON and nothing else. */
const remote = (post: (url: string, json: object) => Promise<unknown>) =>
  createDirectory({
    url: (network) => `https://ds.example/${network}`,
    post,
    ranges: () => [
      {
        startRange: '4200000000000000',
        endRange: '4200000000009999',
        acsStartProtocolVersion: '2.1.0',
        acsEndProtocolVersion: '2.2.0',
        threeDSMethodURL: 'https://acs.example/method',
      },
    ],
  });

test('a directory server somewhere else is asked by the same words', async () => {
  const asked: string[] = [];
  const far = remote(async (url, json) => {
    asked.push(url);
    return JSON.parse(JSON.stringify(await directory.authenticate(JSON.parse(JSON.stringify(json)), 'visa')));
  });
  assert.deepEqual(await consult(far, question), await consult(directory, question));
  assert.deepEqual(asked, ['https://ds.example/visa']);
});

test('ranges: by length and by number', async () => {
  const far = remote(async () => null);
  const enrolled = { is: 'enrolled', range: { from: '2.1.0', to: '2.2.0', methodUrl: 'https://acs.example/method' } };
  assert.deepEqual(await far.versions({ number: '4200000000000026', read }), enrolled);
  assert.deepEqual(await far.versions({ number: '4200000000010000', read }), { is: 'outside' });
  assert.deepEqual(await far.versions({ number: '42000000000000260', read }), { is: 'outside' });
});

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
    assert.equal((await consult(remote(answer), question)).is, is);
  });
}

test('the directory server of the box finds fault with a message that is not right', async () => {
  const { mcc: _, ...without } = areq;
  const event = await consult(directory, { areq: without, network: 'visa' });
  assert.ok(event.is === 'erred');
  assert.deepEqual([event.erro.errorCode, event.erro.errorDetail], ['201', 'mcc']);
});

test('the same request gets the same answer', async () => {
  assert.deepEqual(await directory.authenticate(areq, 'visa'), await directory.authenticate(areq, 'visa'));
});
