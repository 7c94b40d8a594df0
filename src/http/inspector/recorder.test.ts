import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callsIn, createRecorder, type OwnedCall } from './maskCall.ts';

const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constantFrom('', '\n', '"', '\u2028', '\ud800'));
const call: fc.Arbitrary<OwnedCall> = fc.record(
  {
    id: text,
    at: fc.nat(),
    ms: fc.double({ noNaN: true, noDefaultInfinity: true }).map((ms) => (Object.is(ms, -0) ? 0 : ms)),
    endpoint: fc.constantFrom('pay' as const, 'payCheckout' as const),
    method: text,
    objectId: fc.option(text),
    form: fc.uint8Array({ maxLength: 300 }),
    unread: fc.constantFrom(null, 'tooLong' as const),
    authorization: fc.option(text),
    hasIdempotencyKey: fc.boolean(),
    origin: fc.option(text),
    from: text,
    rerunBy: fc.option(text),
    againOf: fc.option(text),
    status: fc.nat(),
    code: text,
    ndc: fc.option(text),
    answer: fc.option(fc.string({ unit: 'grapheme', maxLength: 300 })),
    merchantId: text,
    entityId: text,
    checkoutId: fc.option(text),
  },
  { noNullPrototype: true },
);

const calls = (pieces: readonly Uint8Array[]): readonly OwnedCall[] =>
  pieces.flatMap((piece) => [...callsIn(piece)].map((one) => ({ ...one, form: new Uint8Array(one.form) })));

test('calls are read as they were recorded', () => {
  fc.assert(
    fc.property(fc.array(fc.array(call, { maxLength: 6 }), { maxLength: 3 }), (turns) => {
      const recorder = createRecorder();
      for (const turn of turns) {
        for (const one of turn) recorder.add(one);
        assert.equal(recorder.calls(), turn.length);
        assert.equal(recorder.bytes() > 0, turn.length > 0);
        assert.deepEqual(calls(recorder.take()), turn);
        assert.deepEqual([recorder.calls(), recorder.bytes()], [0, 0]);
      }
    }),
  );
});

test('the longest calls fill one piece after the other, and one that is longer is refused', () => {
  const [first] = fc.sample(call, 1);
  const long: OwnedCall = { ...(first as OwnedCall), form: new Uint8Array(65_536).fill(0x61), answer: 'é'.repeat(65_536) };
  const recorder = createRecorder();
  const sent = Array.from({ length: 9 }, (_, n) => ({ ...long, at: n }));
  for (const one of sent) recorder.add(one);
  assert.throws(() => recorder.add({ ...long, form: new Uint8Array(500_000) }), /longer than any may be/);
  const pieces = recorder.take();
  assert.ok(pieces.length > 2, `${pieces.length} pieces`);
  for (const { byteLength, buffer } of pieces) assert.equal(byteLength, buffer.byteLength, 'a piece has no bytes of others');
  assert.deepEqual(calls(pieces), sent);
});
