import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sign, signInSlices, TOLERANCE_MS, verify } from './wireFormat.ts';

const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const [older, stranger] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const [id, body, at] = ['msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', 1_614_265_330_999];

test('the known answer of the Standard Webhooks convention', () => {
  assert.deepEqual(sign({ id, at, body, keys: [key] }), {
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

for (const length of [0, 1, 1_048_575, 1_048_576, 2_500_000]) {
  test(`a body of ${length} characters is signed in slices as in one go`, async () => {
    const long = { id, at, body: 'ü'.repeat(length), keys: [key, older] };
    let rests = 0;
    const inSlices = await signInSlices(long, async () => {
      rests += 1;
    });
    assert.deepEqual(inSlices, sign(long));
    // Each of these characters takes two bytes, and each key hashes all of them.
    assert.equal(rests, 2 * Math.ceil((2 * length) / 1_048_576));
  });
}

const signed = sign({ id, at, body, keys: [key, older] });
const cases: readonly (readonly [says: string, Partial<typeof signed>, about: object, verdict: string])[] = [
  ['as it was sent', {}, {}, 'good'],
  ['a receiver who knows only the older key', {}, { keys: [older] }, 'good'],
  ['a receiver who knows both keys', {}, { keys: [stranger, key] }, 'good'],
  ['a receiver with another key', {}, { keys: [stranger] }, 'forged'],
  ['a receiver without a key', {}, { keys: [] }, 'forged'],
  ['another body', {}, { body: `${body} ` }, 'forged'],
  ['another id', { 'webhook-id': 'other' }, {}, 'forged'],
  ['another time', { 'webhook-timestamp': '1614265331' }, {}, 'forged'],
  ['a time that is none', { 'webhook-timestamp': 'now' }, {}, 'forged'],
  ['no signature', { 'webhook-signature': '' }, {}, 'forged'],
  ['another version', { 'webhook-signature': signed['webhook-signature'].replaceAll('v1,', 'v2,') }, {}, 'forged'],
  ['a cut signature', { 'webhook-signature': signed['webhook-signature'].slice(0, 20) }, {}, 'forged'],
  ['just in time', {}, { now: 1_614_265_330_000 + TOLERANCE_MS }, 'good'],
  ['a recording', {}, { now: 1_614_265_330_000 + TOLERANCE_MS + 1 }, 'stale'],
  ['from the future', {}, { now: 1_614_265_330_000 - TOLERANCE_MS - 1 }, 'stale'],
];
for (const [says, headers, about, verdict] of cases) {
  test(`${verdict}: ${says}`, () => {
    assert.equal(verify({ ...signed, ...headers }, { body, keys: [key], now: at, ...about }), verdict);
  });
}
