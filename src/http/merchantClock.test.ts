import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyBytesMax, unknownBodyBytesMax } from '../form/limits.ts';
import { entityIn } from './merchantClock.ts';

const ID = '0123456789abcdef0123456789abcdef';
const blanks = ' '.repeat(unknownBodyBytesMax);

const bodies: readonly (readonly [what: string, body: string, entityId: string])[] = [
  ['an entity', JSON.stringify({ name: 'x', entityId: ID }), ID],
  ['an entity inside another object', JSON.stringify({ one: { entityId: ID } }), ''],
  ['no text', JSON.stringify({ entityId: 1 }), ''],
  ['null', 'null', ''],
  ['no JSON', '{', ''],
  ['nothing', '', ''],
  ['a long body that names it at its beginning', `{"entityId": "${ID}","rules":"${blanks}"}`, ID],
  ['a long body that names it at its end', `{"rules":"${blanks}","entityId":"${ID}"}`, ''],
  ['the longest body, which no parser should see', '['.repeat(bodyBytesMax), ''],
];

for (const [what, body, entityId] of bodies) {
  test(`the entity of a call before its authentication: ${what}`, () => {
    assert.equal(entityIn(Buffer.from(body)), entityId);
  });
}

test('no more than a bounded part of a body is read before authentication', () => {
  const lengths: number[] = [];
  const body = Object.assign(Buffer.alloc(bodyBytesMax, '['), {
    toString(encoding: BufferEncoding, start = 0, end = bodyBytesMax) {
      lengths.push(end - start);
      return Buffer.prototype.toString.call(this, encoding, start, end);
    },
  });
  assert.equal(entityIn(body), '');
  assert.deepEqual(lengths, [unknownBodyBytesMax]);
});
