import assert from 'node:assert/strict';
import { type Context, check } from '../../../src/form/check.ts';
import { type Decoded, decode, looksLikeJson, pick } from '../../../src/form/decode.ts';
import { parameters } from '../../../src/spec/parameters.ts';
import { bodyOf, capture, cardPayment, directDebit } from '../../requests.ts';
import { rowNames, signs } from '../formWords.ts';
import { isPlainName, plainly } from '../plainDecoder.ts';
import { assertNoCardNumber, CANARY, jsonOf, type Target } from '../target.ts';

const pay: Context = { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' };
const lenient: Context = { ...pay, isLenient: true };
const CREDENTIALS = ['entityId', 'authentication.userId'];

/** The form decoder and the check of a payment: as a second decoder reads it, every fault with a known name and without a secret. */
function judge(input: Buffer): void {
  const decoded = decode(input);
  assertAsPlain(input, decoded);
  const picked = [...pick(input, CREDENTIALS)].sort();
  const expected = CREDENTIALS.flatMap((name) => (decoded.fields.has(name) ? [[name, decoded.fields.get(name)]] : [])).sort();
  if (decoded.isWhole) assert.deepEqual(picked, expected);
  looksLikeJson(input.toString('latin1'));
  const context = input.length % 2 === 0 ? pay : lenient;
  const outcome = check(decoded, context);
  if (outcome.is === 'faulty') {
    const names = outcome.faults.map(({ name }) => name);
    assert.ok(names.length > 0 && new Set(names).size === names.length, `faults: ${names.join()}`);
    assertNoCardNumber(jsonOf(outcome.faults));
  } else for (const name of outcome.fields.keys()) assert.ok(outcome.rowOf(name) in parameters);
  if (input.length % 8 === 0) assert.equal(jsonOf(check(decode(input), context)), jsonOf(outcome));
}

function assertAsPlain(input: Buffer, decoded: Decoded): void {
  const fields = plainly(input);
  const legal = fields.flatMap((field) => (field !== null && isPlainName(field.name) ? [field] : []));
  assert.equal(decoded.faults.length, fields.length - legal.length);
  assert.deepEqual([...decoded.fields], [...new Map(legal.map(({ name, value }) => [name, value]))]);
}

export const form: Target = {
  name: 'form',
  sources: /\/src\/(?:form|money|spec)\//,
  seeds: [
    bodyOf(cardPayment, { 'card.cvv': '123', 'customParameters[a]': 'b', 'cart.items[0].name': 'pen' }),
    bodyOf(directDebit),
    bodyOf(capture, { 'merchant.data[x]': 'y' }),
    bodyOf(cardPayment, { 'job.expression': '0 0 12 * * ?', 'standingInstruction.mode': 'INITIAL' }),
  ],
  words: [
    ...rowNames.map((name) => `&${name}=`),
    ...signs,
    ...['[1001]', '[0]'],
    ...[
      '__proto__',
      'constructor',
      'customParameters[__proto__]=x',
      CANARY,
      `&card.number=${CANARY}`,
      `&${CANARY}=1`,
      `&amount=${CANARY}`,
    ],
  ],
  bytesMax: 1_200,
  work: { base: 60_000, perByte: 300 },
  judge,
  planted: {
    what: 'a decoder that unescapes without looking at the escapes',
    judge: (input) => {
      for (const piece of input.toString('latin1').split('&')) decodeURIComponent(piece);
    },
  },
};
