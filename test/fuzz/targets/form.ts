import assert from 'node:assert/strict';
import { check } from '../../../src/form/check.ts';
import type { Context } from '../../../src/form/checked.ts';
import { type Decoded, decode, looksLikeJson } from '../../../src/form/decode.ts';
import { pick } from '../../../src/form/pick.ts';
import { parameters } from '../../../src/spec/parameters.ts';
import { bodyOf, capture, cardPayment, directDebit } from '../../requests.ts';
import { rowNames, signs } from '../formWords.ts';
import { isPlainName, plainly } from '../plainDecoder.ts';
import { assertNoCardNumber, CANARY, isOneIn, jsonOf, type Target } from '../target.ts';

const pay: Context = { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' };
const lenient: Context = { ...pay, isLenient: true };
const CREDENTIALS = ['entityId', 'authentication.userId'];

/** The form decoder and the check of a payment: as a second decoder reads it, every fault with a known name and without a secret. */
function judge(input: Buffer): void {
  const decoded = decode(input);
  assertAsPlain(input, decoded);
  if (decoded.isWhole) assertPicked(input, decoded);
  looksLikeJson(input.toString('latin1'));
  const context = input.length % 2 === 0 ? pay : lenient;
  const outcome = check(decoded, context);
  if (outcome.is === 'faulty') {
    const names = new Set(outcome.faults.map(({ name }) => name));
    assert.ok(names.size > 0 && names.size === outcome.faults.length, `faults: ${[...names].join()}`);
    assertNoCardNumber(JSON.stringify(outcome.faults));
  } else for (const name of outcome.fields.keys()) assert.ok(outcome.rowOf(name) in parameters);
  if (isOneIn(8, input)) assert.equal(jsonOf(check(decode(input), context)), jsonOf(outcome));
}

/** The fields that are needed before the sender is known are those of the whole form. */
function assertPicked(input: Buffer, { fields }: Decoded): void {
  const picked = pick(input, CREDENTIALS);
  for (const name of CREDENTIALS) assert.equal(picked.get(name), fields.get(name));
  assert.ok([...picked.keys()].every((name) => CREDENTIALS.includes(name)));
}

function assertAsPlain(input: Buffer, decoded: Decoded): void {
  const fields = plainly(input);
  const legal = new Map<string, string>();
  let count = 0;
  for (const field of fields) {
    if (field === null || !isPlainName(field.name)) continue;
    legal.set(field.name, field.value);
    count += 1;
  }
  assert.equal(decoded.faults.length, fields.length - count);
  assert.equal(decoded.fields.size, legal.size);
  const names = legal.keys();
  for (const [name, value] of decoded.fields) {
    assert.equal(name, names.next().value, 'in the order of the request');
    assert.equal(value, legal.get(name));
  }
}

export const form: Target = {
  name: 'form',
  seeds: [
    'entityId=a&amount=1.00',
    'paymentBrand=VISA&card.number=4200000000000091&card.expiryMonth=12',
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
