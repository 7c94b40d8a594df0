import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { paymentStatus } from './paymentStatus.ts';
import { type ReadResult, withoutCardNumbers } from './reader.ts';

async function* pieces(bytes: Uint8Array, length: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const read = async (text: string | Uint8Array, length = 11): Promise<readonly ReadResult[]> =>
  (await Array.fromAsync(paymentStatus.read(pieces(Buffer.from(text), length)))).flat();

const A = '8ac7a49f9a2b0c41019a2b77e2143040';
const good = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt>
<GrpHdr><MsgId>S1</MsgId><CreDtTm>2031-10-01T10:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId><OrgnlMsgNmId>pain.008.001.02</OrgnlMsgNmId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>M1-1</OrgnlPmtInfId><PmtInfSts>RJCT</PmtInfSts>
<StsRsnInf><Rsn><Prtry>own</Prtry></Rsn><AddtlInf>first</AddtlInf><AddtlInf>second</AddtlInf></StsRsnInf>
<TxInfAndSts><StsId>1</StsId><OrgnlInstrId>${A.toUpperCase()}</OrgnlInstrId>
<OrgnlEndToEndId>NOTPROVIDED</OrgnlEndToEndId><TxSts>RJCT</TxSts>
<StsRsnInf><Orgtr><Nm>Bank</Nm></Orgtr><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>
<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">12.5</InstdAmt></Amt><ReqdColltnDt>2031-10-02</ReqdColltnDt></OrgnlTxRef></TxInfAndSts>
<TxInfAndSts><OrgnlEndToEndId>order-1</OrgnlEndToEndId><TxSts>RVNM</TxSts></TxInfAndSts>
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;

test('a report is read without a namespace, with a prefix and in an envelope', async () => {
  const expected = await read(good);
  const bare = good.replace(/ xmlns="[^"]*"/, '');
  const prefixed = good.replaceAll(/<(\/?)(?=[A-Z])/g, '<$1n:').replace(' xmlns="', ' xmlns:n="');
  const wrapped = good.replace('<Document', '<message><AppHdr><MsgDefIdr>pain.002.001.03</MsgDefIdr></AppHdr><Document');
  for (const text of [bare, prefixed, `${wrapped}</message>`]) {
    assert.ok(paymentStatus.recognises(text));
    assert.deepEqual(await read(text), expected);
  }
});

test('an amount that is none of ours does not refuse the report of others', async () => {
  const results = await read(good.replace('"EUR">12.5<', '"KWD">12.505<'));
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ['status', 'status', 'status'],
  );
});

test('statuses of transactions come before those of their batch, with their references and reasons', async () => {
  const results = await read(good);
  const statuses = results.map((result) => (result.kind === 'status' ? result.status : null));
  const sent = { messageId: 'M1', batchId: 'M1-1' };
  assert.deepEqual(statuses, [
    {
      ...sent,
      is: 'rejected',
      isWhole: false,
      paymentId: A,
      reference: A.toUpperCase(),
      word: 'RJCT',
      reason: 'AC04',
      verification: null,
    },
    {
      ...sent,
      is: 'accepted',
      isWhole: false,
      paymentId: null,
      reference: 'order-1',
      word: 'RVNM',
      reason: null,
      verification: 'RVNM',
    },
    {
      ...sent,
      is: 'rejected',
      isWhole: true,
      paymentId: null,
      reference: 'M1-1',
      word: 'RJCT',
      reason: 'own',
      verification: null,
    },
  ]);
  const [first, , batch] = results.flatMap((result) => (result.kind === 'status' ? [result.line] : []));
  assert.deepEqual(
    [first?.amount, first?.currency, first?.settledOn, first?.line, batch?.descriptor],
    [1250n, 'EUR', '2031-10-01', 7, 'first'],
  );
});

test('any damage is a fault or changes what is read, and never more than that', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.uint8Array({ minLength: 0, maxLength: 6 }), fc.nat(40)), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.integer({ min: 1, max: 5_000 }),
      async (changes, length) => {
        let bytes = Buffer.from(good);
        for (const [at, inserted, dropped] of changes)
          bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + dropped)]);
        const results = await read(bytes, length);
        // Where a byte and a tag are both wrong, the end of a chunk decides which is found first.
        const isFaulty = results.some(({ kind }) => kind === 'fault');
        if (!isFaulty) assert.deepEqual(await read(bytes, 4_096), results);
        for (const result of results)
          if (result.kind === 'status') {
            const { paymentId, reference, messageId, batchId, word } = result.status;
            assert.match(paymentId ?? A, /^[0-9a-f]{32}$/);
            assert.match(word, /^[A-Z]{4}$/);
            assert.ok(reference.length <= 64 && (messageId ?? '').length <= 35 && (batchId ?? '').length <= 35);
          } else assert.ok(result.kind === 'fault' && result.fault.message !== '');
      },
    ),
    { numRuns: 300 },
  ));

test('a file of twenty thousand transactions is read in batches', async () => {
  const transaction = `<TxInfAndSts><OrgnlEndToEndId>${A}</OrgnlEndToEndId><TxSts>RJCT</TxSts></TxInfAndSts>`;
  const [before = '', after = ''] = good.split('<TxInfAndSts><StsId>1');
  const end = after.slice(after.indexOf('</OrgnlPmtInfAndSts>'));
  const many = async function* () {
    yield Buffer.from(before);
    for (let at = 0; at < 20; at += 1) yield Buffer.from(transaction.repeat(1_000));
    yield Buffer.from(end);
  };
  let [count, most] = [0, 0];
  for await (const results of paymentStatus.read(many())) {
    count += results.length;
    most = Math.max(most, results.length);
  }
  assert.equal(count, 20_001);
  assert.ok(most < 1_000, `${most} at once`);
});

const NUMBER = '4200000000000091';
for (const [where, text] of [
  ['the name of the batch', good.replace('M1-1', `B${NUMBER}`)],
  ['the name of the message', good.replace('<OrgnlMsgId>M1', `<OrgnlMsgId>M-${NUMBER}`)],
  ['the reference of a transaction', good.replace('order-1', `order-${NUMBER}`)],
  ['a reason', good.replace('<Prtry>own', `<Prtry>${NUMBER}`)],
] as const)
  test(`a card number in ${where} is masked wherever the status has it`, async () => {
    const found = await read(text);
    assert.ok(JSON.stringify(found, textOf).includes(NUMBER));
    const clean = await Array.fromAsync(withoutCardNumbers(paymentStatus.read(pieces(Buffer.from(text), 11))));
    assert.ok(!JSON.stringify(clean, textOf).includes(NUMBER), JSON.stringify(clean, textOf));
  });

const textOf = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
