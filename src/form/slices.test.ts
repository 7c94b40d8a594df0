import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, checkForm } from './check.ts';
import type { Checked, Context } from './checked.ts';
import { decode, decodeInSlices } from './decode.ts';
import { fieldsMax } from './limits.ts';
import { firstFields, pick } from './pick.ts';

const PAYMENT =
  'entityId=8ac7a4c9d0e1b2f38ac7a4c9d0e1b2f3&amount=92.00&currency=EUR&paymentType=DB&paymentBrand=VISA&card.number=4200000000000000' +
  '&card.holder=Ann+Example&card.expiryMonth=05&card.expiryYear=2034';
const context: Context = { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' };
const many = (count: number, field: (at: number) => string) => Array.from({ length: count }, (_, at) => field(at)).join('&');

/** Each with the least number of times that other requests must come in between. */
const forms: Readonly<Record<string, readonly [form: Buffer, rests: number]>> = {
  'a cart': [Buffer.from(`${PAYMENT}&${many(4_000, (at) => `cart.items[${at % 1_000}].a${at}=1&cart.items[${at}].name=x`)}`), 4],
  'unknown names': [Buffer.from(`${PAYMENT}&${many(30_000, (at) => `unknown${at}=%41`)}`), 30],
  'long texts': [Buffer.from(`${PAYMENT}&${many(500, (at) => `cart.items[${at}].description=${'x'.repeat(1_800)}`)}`), 6],
  'card numbers': [Buffer.from(`${PAYMENT}&${many(3_000, (at) => `customParameters[key${at}]=4200+0000+0000+0000`)}`), 3],
  'bytes that are no UTF-8': [Buffer.concat([Buffer.from(`${PAYMENT}&${many(9_000, (at) => `f${at}=1`)}`), Buffer.of(0xff)]), 4],
  'too many fields': [Buffer.from(many(fieldsMax + 5, (at) => `f${at}=1`)), 20],
};

for (const [name, [form, rests]] of Object.entries(forms)) {
  test(`${name}: read and checked in slices as at once`, async () => {
    let rested = 0;
    const sliced = await decodeInSlices(form, async () => {
      rested += 1;
    });
    const whole = decode(form);
    assert.deepEqual([...sliced.fields], [...whole.fields]);
    assert.deepEqual([sliced.faults, sliced.repeated, sliced.isWhole], [whole.faults, whole.repeated, whole.isWhole]);
    const [late, atOnce] = [await checkForm(sliced, context), check(whole, context)];
    if (late.is === 'faulty') assert.deepEqual(late, atOnce);
    else assert.deepEqual([...late.fields], [...(atOnce as Checked).fields]);
    assert.ok(rested >= rests, `other requests came in between ${rested} times`);
  });
}

test('the last place of a name that can be read is picked, however often it is repeated', () => {
  const form = (count: number) => Buffer.from(`entityId=first&${many(count, () => 'e%6EtityId=%E')}&x=1`);
  assert.equal(pick(form(20), ['entityId']).get('entityId'), 'first');
  assert.equal(pick(Buffer.from(`${form(900).toString()}&entityId=last`), ['entityId']).get('entityId'), 'last');
  assert.equal(
    pick(Buffer.from(`entityId=a&${'entityIdentityIdentityIdentityId'.repeat(9)}=b`), ['entityId']).get('entityId'),
    'a',
  );
});

test('the first fields of a form end before the next one, however long they are', () => {
  const long = 'x'.repeat(100);
  const first = (form: string, count: number) => firstFields(Buffer.from(form), count).toString();
  assert.equal(first('', 3), '');
  assert.equal(first('a=1', 3), 'a=1');
  assert.equal(first(`a=${long}&&b=2&c`, 1), `a=${long}`);
  assert.equal(first(`a=${long}&&b=2&c`, 3), `a=${long}&&b=2`);
  assert.equal(first(`a=${long}&&b=2&c`, 4), `a=${long}&&b=2&c`);
  assert.equal(first('&&&', 2), '&');
});
