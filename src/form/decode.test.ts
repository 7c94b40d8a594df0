import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growsWithSize, leastCpuMs } from '../../test/work.ts';
import { decode, decodeFew, decodeInSlices, looksLikeJson, printable } from './decode.ts';
import { bodyBytesMax, depthMax, fewFieldsMax, fieldsMax, misreadsMax, nameBytesMax, valueBytesMax } from './limits.ts';

const bytesOf = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');
const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

const readable: [body: Uint8Array | string, fields: Record<string, string>][] = [
  ['', {}],
  ['&&&', {}],
  ['amount=92.00&currency=EUR', { amount: '92.00', currency: 'EUR' }],
  ['a=1&&b=2&', { a: '1', b: '2' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['=x', { '': 'x' }],
  ['a=b=c', { a: 'b=c' }],
  ['card.holder=Jane+Doe', { 'card.holder': 'Jane Doe' }],
  ['a=%2B+%2b', { a: '+ +' }],
  ['card.holder=Zo%C3%AB', { 'card.holder': 'Zoë' }],
  ['card.holder=%F0%9F%98%80', { 'card.holder': '😀' }],
  ['card.holder=Zoë', { 'card.holder': 'Zoë' }],
  [utf8('card.holder=Zoë'), { 'card.holder': 'Zoë' }],
  [utf8('card.holder=Zo%C3%AB+ë'), { 'card.holder': 'Zoë ë' }],
  ['customParameters[shop.id]=7', { 'customParameters[shop.id]': '7' }],
  ['customParameters%5Bshop.id%5d=7', { 'customParameters[shop.id]': '7' }],
  ['customParameters[a.b.c.d.e.f.g.h]=7', { 'customParameters[a.b.c.d.e.f.g.h]': '7' }],
  ['airline.passengers[0].legs[0].fareAmount=1.00', { 'airline.passengers[0].legs[0].fareAmount': '1.00' }],
  ['a=%00', { a: '\0' }],
  ['a=%0D%0A', { a: '\r\n' }],
  [utf8('\uFEFFamount=1'), { '\uFEFFamount': '1' }],
  ['a;b=1', { 'a;b': '1' }],
];

for (const [body, fields] of readable) {
  test(`reads ${JSON.stringify(String(body))}`, () => {
    const decoded = decode(body);
    assert.deepEqual(decoded.faults, []);
    assert.deepEqual([...decoded.fields], Object.entries(fields));
    assert.equal(decoded.repeated.size, 0);
  });
}

const ENCODED = 'must be percent-encoded UTF-8';
const unreadable: [body: Uint8Array | string, name: string, message: string][] = [
  ['amount=%', 'amount', ENCODED],
  ['amount=%4', 'amount', ENCODED],
  ['amount=%4g', 'amount', ENCODED],
  ['amount=%-1', 'amount', ENCODED],
  ['amount=%u0041', 'amount', ENCODED],
  ['am%ZZount=1', 'am%ZZount', ENCODED],
  ['a=%C0%80', 'a', ENCODED],
  ['a=%C1%BF', 'a', ENCODED],
  ['a=%E0%80%80', 'a', ENCODED],
  ['a=%F0%80%80%80', 'a', ENCODED],
  ['a=%ED%A0%80', 'a', ENCODED],
  ['a=%ED%BF%BF', 'a', ENCODED],
  ['a=%F4%90%80%80', 'a', ENCODED],
  ['a=%C3', 'a', ENCODED],
  ['a=%E2%82', 'a', ENCODED],
  ['a=%C3(', 'a', ENCODED],
  ['a=%80', 'a', ENCODED],
  ['a=%FF', 'a', ENCODED],
  ['a=\ud800', 'a', ENCODED],
  ['a\udfffb=1', 'a%ED%A0%80b', ENCODED],
  [bytesOf('a=\xc3'), 'a', 'must be UTF-8'],
  [bytesOf('a=\xc0\x80'), 'a', 'must be UTF-8'],
  [bytesOf('a=\xed\xa0\x80'), 'a', 'must be UTF-8'],
  [bytesOf('a=\xc3%A9'), 'a', 'must be UTF-8'],
  [bytesOf('a\xff=1'), 'aÿ', 'must be UTF-8'],
  ['customParameters%5Bx%5D=%zz', 'customParameters[x]', ENCODED],
  ['a%00b=1', 'a?b', 'must not have a NUL in its name'],
  [`${'x'.repeat(70)}=%`, 'x'.repeat(64), ENCODED],
  ['a%0Ab=%', 'a?b', ENCODED],
];

for (const [body, name, message] of unreadable) {
  test(`refuses ${JSON.stringify(typeof body === 'string' ? body : Buffer.from(body).toString('latin1'))}`, () => {
    const decoded = decode(body);
    assert.deepEqual(decoded.faults, [{ name, value: '***', message, after: 0 }]);
    assert.equal(decoded.fields.size, 0);
  });
}

test('one unreadable field does not hide the others, and keeps its place', () => {
  const decoded = decode(bytesOf('a=1&b=\xff&c=Zo\xc3\xab&d=%&e=5'));
  assert.deepEqual([...decoded.fields], Object.entries({ a: '1', c: 'Zoë', e: '5' }));
  assert.deepEqual(
    decoded.faults.map(({ name, after }) => [name, after]),
    [
      ['b', 1],
      ['d', 2],
    ],
  );
});

test('a repeated name stays visible, whichever way its brackets are written', () => {
  const decoded = decode('amount=1.00&customParameters[a]=1&customParameters%5Ba%5D=2&amount=900.00');
  assert.deepEqual([...decoded.repeated], ['customParameters[a]', 'amount']);
  assert.deepEqual([...decoded.fields], Object.entries({ amount: '900.00', 'customParameters[a]': '2' }));
  assert.equal(decode('a=1&b=1').repeated.size, 0);
});

test('names of the language are names like any other', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'customParameters[__proto__]']) {
    assert.deepEqual([...decode(`${name}=x`).fields], [[name, 'x']]);
  }
});

const nameOf = (bytes: number): string => 'n'.repeat(bytes);
const stepsOf = (steps: number): string => Array.from({ length: steps }, () => 's').join('.');
const bounds: [what: string, within: string, beyond: string, says: RegExp][] = [
  ['a name', `${nameOf(nameBytesMax)}=1`, `${nameOf(nameBytesMax + 1)}=1`, /256 bytes/],
  ['a name of two-byte letters', `${'ë'.repeat(nameBytesMax / 2)}=1`, `${'ë'.repeat(nameBytesMax / 2 + 1)}=1`, /256 bytes/],
  ['the depth', `${stepsOf(depthMax)}=1`, `${stepsOf(depthMax + 1)}=1`, /6 steps/],
  ['the depth in brackets', 'a[0][1][2][3][4]=1', 'a[0][1][2][3][4][5]=1', /6 steps/],
];

for (const [what, within, beyond, says] of bounds) {
  test(`the limit of ${what}`, () => {
    assert.deepEqual(decode(within).faults, []);
    assert.match(decode(beyond).faults[0]?.message ?? '', says);
  });
}

test('the limit of the number of fields, and nothing is read after it', () => {
  const body = Array.from({ length: fieldsMax }, (_, index) => `f${index}=1`).join('&');
  assert.deepEqual(decode(body).faults, []);
  assert.equal(decode(body).fields.size, fieldsMax);
  const beyond = decode(`${body}&straw=1&more=%`);
  assert.deepEqual(
    beyond.faults.map(({ name }) => name),
    ['straw'],
  );
});

test('the limit of the body', () => {
  const body = Buffer.alloc(bodyBytesMax, `a=${'x'.repeat(1_021)}&`);
  assert.deepEqual(decode(body).faults, []);
  assert.equal(decode(Buffer.alloc(bodyBytesMax + 1, '&')).faults[0]?.name, 'body');
  assert.equal(decode('&'.repeat(bodyBytesMax + 1)).faults[0]?.name, 'body');
  assert.equal(decode('ë'.repeat(bodyBytesMax / 2 + 1)).faults[0]?.name, 'body');
});

test('a body that is full of faults is not read to its end', () => {
  for (const field of ['a=%&', 'a=\xff&', 'a%00=1&', `${nameOf(nameBytesMax + 1)}&`]) {
    const decoded = decode(bytesOf(`amount=1&${field.repeat(misreadsMax + 5)}currency=EUR`));
    assert.equal(decoded.faults.length, misreadsMax, field);
    assert.equal(decoded.isWhole, false);
  }
  assert.equal(decode('a=%&b=1').isWhole, true);
});

test('the largest bodies of one sign cost as much as their size, not its square', () => {
  for (const field of ['&', 'a&', '=&', 'a=b&', 'a+&', '%41&', 'a[', '.', '\xc3\xab&', '\xff', 'a=\xff&']) {
    const [large, small] = [1, 8].map((part) => bytesOf(field.repeat(bodyBytesMax / part / field.length))) as [Buffer, Buffer];
    const excess = growsWithSize({ less: () => decode(small), more: () => decode(large), times: 8 }, 2);
    assert.equal(excess, null, JSON.stringify(field));
  }
});

test('a body of JSON is recognised', () => {
  for (const text of ['{"amount":"1.00"}', ' {\n "a": 1}', '{}', '[]', '[{"a":1}]', '["a"]'])
    assert.ok(looksLikeJson(text), text);
  for (const text of ['', 'amount=1', '{=1', '[a=1', 'a={"b":1}']) assert.ok(!looksLikeJson(text), text);
});

test('a name nobody knows is shown on one line and without a number', () => {
  assert.equal(printable('a\u202eb\nc\u2028d'), 'a?b?c?d');
  assert.equal(printable('4111111111111111'), '***');
  assert.equal(printable('4111 1111-1111 1111x'), '***x');
  assert.equal(printable(`${'x'.repeat(63)}😀`).length, 64);
  assert.ok(printable(`${'x'.repeat(63)}😀`).isWellFormed());
});

test('empty pieces are nothing, and count', () => {
  assert.deepEqual([...decode('&&a=1&&&b=2&&').fields.keys()], ['a', 'b']);
  const full = `${'&'.repeat(fieldsMax - 1)}a=1`;
  assert.deepEqual([decode(full).isWhole, decode(full).fields.get('a')], [true, '1']);
  const over = decode(`${'&'.repeat(fieldsMax)}a=1`);
  assert.deepEqual([over.isWhole, over.fields.size, over.faults[0]?.name], [false, 0, 'a']);
  const empty = decode('&'.repeat(fieldsMax + 1));
  assert.deepEqual([empty.isWhole, empty.faults.length, empty.faults[0]?.name], [false, 1, 'body']);
  assert.match(empty.faults[0]?.message ?? '', /at most 50000 parameters are read, empty ones included/);
});

test('a value that is longer than any parameter is refused without being read, escapes included', async () => {
  for (const [what, start, unit] of [
    ['escapes', '%41', 'x'],
    ['letters', 'a', 'x'],
    ['plus signs', '+', '+'],
    ['characters of two bytes', 'aa', 'ä'],
    ['characters of three bytes', 'a', '€'],
  ] as const) {
    const value = (bytes: number) => start + unit.repeat(Math.floor((bytes - start.length) / Buffer.byteLength(unit)));
    assert.equal(Buffer.byteLength(value(valueBytesMax)), valueBytesMax, what);
    const most = decode(`a=${value(valueBytesMax)}`);
    assert.deepEqual([most.faults, most.fields.size], [[], 1], what);
    for (const over of [valueBytesMax + 3, valueBytesMax + nameBytesMax * 4, 2 * valueBytesMax]) {
      const form = Buffer.from(`z=0&a=${value(over)}&b=1`);
      for (const { fields, faults, isWhole } of [decode(form), await decodeInSlices(form, async () => {})]) {
        assert.deepEqual(
          [...fields],
          [
            ['z', '0'],
            ['b', '1'],
          ],
        );
        const found = faults.map(({ name, message, after }) => [name, message, after]);
        assert.deepEqual(found, [['a', 'must not be longer than 262144 bytes, escapes included', 1]], what);
        assert.equal(isWhole, true);
      }
    }
  }
});

test('a name that is too long is refused without being read', async () => {
  for (const unit of ['+', 'a', '%41', '%', '[', '.', ']', '%zz', 'ä'])
    for (const times of [800, 400_000]) {
      const form = Buffer.from(`z=0&${unit.repeat(times)}&b=1`);
      const shown = decode(`${unit.repeat(64)}x`).faults[0]?.name ?? unit.repeat(64).replace(/%41/g, 'A').replaceAll('+', ' ');
      for (const { fields, faults } of [decode(form), await decodeInSlices(form, async () => {})]) {
        assert.deepEqual(
          [...fields],
          [
            ['z', '0'],
            ['b', '1'],
          ],
        );
        assert.deepEqual(
          faults.map(({ name, message }) => [name.slice(0, 20), message]),
          [[shown.slice(0, 20), 'must have a name of at most 256 bytes']],
          unit,
        );
      }
    }
});

test('a form that has a few fields by its nature is read up to a few, and in no time', () => {
  const form = (count: number) => bytesOf(`a=1${'&b=%41'.repeat(count - 1)}`);
  const whole = decodeFew(form(fewFieldsMax));
  assert.deepEqual([[...whole.fields], whole.isWhole, whole.faults], [[...decode(form(2)).fields], true, []]);
  const { fields, isWhole, faults } = decodeFew(form(fewFieldsMax + 1));
  assert.deepEqual([fields.get('a'), isWhole, faults.length], ['1', false, 1]);
  const long = bytesOf('a&'.repeat(100_000));
  const [few, all] = [leastCpuMs(() => decodeFew(long)), leastCpuMs(() => decode(long))];
  assert.ok(few * 10 < all, `${few} ms of ${all}`);
});
