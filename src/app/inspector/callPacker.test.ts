import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn } from '../../developer/callBatch.ts';
import { createRecorder, maskCall, type OwnedCall } from '../../http/inspector/maskCall.ts';
import { createCallPacker } from './callPacker.ts';

const PAN = '4929127482910388';

const call = (n: number): OwnedCall => ({
  id: `0${n}`.repeat(16),
  at: n,
  ms: 1.234,
  endpoint: 'pay',
  method: 'POST',
  objectId: null,
  form: Buffer.from(`card.number=${PAN}&card.cvv=917&merchantTransactionId=order-${n}&merchantMemo=caf%C3%A9 é ${PAN}`),
  unread: null,
  authorization: null,
  hasIdempotencyKey: false,
  origin: null,
  from: '192.0.2.1',
  rerunBy: null,
  againOf: null,
  status: 200,
  code: '000.100.110',
  ndc: null,
  answer: `{"id":"${'a'.repeat(32)}","descriptor":"${PAN}"}`,
  merchantId: 'm',
  entityId: 'e',
  checkoutId: null,
});

function pieceOf(calls: readonly OwnedCall[]): Uint8Array<ArrayBuffer> {
  const recorder = createRecorder();
  for (const one of calls) recorder.add(one);
  return recorder.take()[0] as Uint8Array<ArrayBuffer>;
}

test('calls are masked in another thread as they are in this one', async () => {
  const pack = createCallPacker();
  const packed = await Promise.all([pack(pieceOf([call(1), call(2)])), pack(pieceOf([call(3)]))]);
  assert.deepEqual(
    packed.map((batches) => batches.map(({ id, firstId, calls, merchantId }) => [id, firstId, calls, merchantId])),
    [[[call(2).id, call(1).id, 2, 'm']], [[call(3).id, call(3).id, 1, 'm']]],
  );
  for (const n of [1, 2, 3]) {
    const found = packed.flat().map(({ data }) => callIn(data, call(n).id));
    assert.deepEqual(
      found.filter((one) => one !== null),
      [maskCall(call(n))],
    );
    assert.ok(!JSON.stringify(found).includes(PAN));
  }
});
