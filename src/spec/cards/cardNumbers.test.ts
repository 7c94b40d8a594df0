import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameters } from '../parameters.ts';
import { type Row, scanOf } from '../row.ts';
import { hasCardNumber, maskCardNumbers, type ScanOptions, withoutNumber } from './cardNumbers.ts';
import { passesLuhn } from './cardRanges.ts';
import { testCards } from './testCards.ts';

const PAN = '4929127482910388';
const MASKED = '492912***0388';
const groups = (separator: string): string => PAN.replace(/(.{4})(?=.)/g, `$1${separator}`);
const apart = (separator: string): string => [...PAN].join(separator);
const inDigits = (zero: number): string => [...PAN].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');

const separators = [
  ' ',
  '.',
  '-',
  '/',
  '_',
  ',',
  ':',
  '*',
  '|',
  '+',
  '=',
  '\u00a0',
  '\u2009',
  '\u202f',
  '\u3000',
  '\u2013',
  '\u00b7',
  '\n',
  '\t',
];
for (const separator of separators) {
  test(`a number with ${JSON.stringify(separator)} between its digits is found`, () => {
    for (const text of [groups(separator), apart(separator)]) {
      assert.equal(maskCardNumbers(text), MASKED);
      assert.equal(maskCardNumbers(`card ${text} of Ann`), `card ${MASKED} of Ann`);
    }
  });
}

const found: readonly [text: string, shown: string][] = [
  [PAN, MASKED],
  [`x${PAN}y`, `x${MASKED}y`],
  ['4929-1274/8291_0388', MASKED],
  ['4929 - 1274 - 8291 - 0388', MASKED],
  ['4929  1274  8291  0388', MASKED],
  [inDigits(0xff10), MASKED],
  [inDigits(0x660), MASKED],
  [inDigits(0x966), MASKED],
  [inDigits(0x1d7d8), MASKED],
  [groups('\u200b'), MASKED],
  [`0004929127482910388`, `000${MASKED}`],
  [`${PAN} 12/31 917`, `${MASKED} 12/31 917`],
  [`12/31 ${PAN}`, `12/31 ${MASKED}`],
  [`${PAN}=31122010000012345678`, `${MASKED}=31122010000012345678`],
  [`${PAN},${PAN}`, `${MASKED},${MASKED}`],
  ['https://shop.example/?n=4929%201274%208291%200388&x=1', `https://shop.example/?n=${MASKED}&x=1`],
  ['4929%C2%A01274%C2%A08291%C2%A00388', MASKED],
  [`%34${PAN.slice(1)}`, MASKED],
  [encodeURIComponent(inDigits(0xff10)), MASKED],
  [encodeURIComponent(inDigits(0x1d7d8)), MASKED],
  [encodeURIComponent(groups('\u2013')), MASKED],
  ['4929%1274%8291%0388', MASKED],
  ['4929\\n1274\\n8291\\n0388', MASKED],
  ['377777777777770', '377777***7770'],
  ['6799990100000000019', '679999***0019'],
  // So few digits that the first six would leave too few hidden.
  ['4222222222222', '*********2222'],
  ['501800000009', '********0009'],
];
for (const [text, shown] of found) test(`${JSON.stringify(text)} → ${shown}`, () => assert.equal(maskCardNumbers(text), shown));

const harmless: readonly [why: string, text: string][] = [
  ['the check digit is wrong', '4929127482910389'],
  ['no issuer has such numbers', '9929127482910386'],
  ['a Visa has no 12 digits', '400000000006'],
  ['an instant', '2031-10-30 03:15:31.065+0000'],
  ['milliseconds', '1790000000000'],
  ['an id of ours', '0198c0ffee420000000000000000abcd'],
  ['two ids', '5eed0000000000000000000000000001_0198c0ffee420000000000000000abcd'],
  ['a UUID', '49291274-8291-4038-8000-00000000000a'],
  ['an amount', '4929127482.91'],
  ['digits in a longer number', '12349291274829103881234'],
  ['letters between digits', apart('x')],
  ['commas and blanks', '4929, 1274, 8291, 0388'],
  ['nothing', ''],
];
for (const [why, text] of harmless) test(`left as it is: ${why}`, () => assert.equal(maskCardNumbers(text), text));

test('short ids stay as they are, whatever their digits', () => {
  const shapes = Array.from({ length: 20_000 }, (_, at) => String((at * 7_919_311_993) % 1_000_000_000_000).padStart(12, '0'));
  const alike = shapes.filter((digits) => hasCardNumber(digits));
  assert.ok(alike.length >= 50, `only ${alike.length} look like a card's: nothing was tried`);
  for (const digits of alike) {
    const id = digits.replace(/(.{4})(?=.)/g, '$1.');
    for (const text of [id, `${id} Demo_Shop`, `of ${id}.`]) assert.equal(maskCardNumbers(text), text);
    assert.ok(hasCardNumber(digits.replace(/(.{4})(?=.)/g, '$1 ')), 'another separator is no short id');
  }
});

test('where a damaged number costs nothing, it is found inside longer ones too', () => {
  assert.equal(maskCardNumbers(`1234${PAN}1`, { isStrict: true }).includes('27482910'), false);
  assert.equal(maskCardNumbers('42000000000000004200000000000000', { isStrict: true }).includes('0000000000'), false);
  assert.equal(maskCardNumbers('0198c0ffee420000000000000000abcd', { isStrict: true }), '0198c0ffee420000000000000000abcd');
});

test('numbers that share digits show nothing of each other', () => {
  // Both halves pass: the last twelve digits of one begin the other.
  const shown = maskCardNumbers('4242 4242 4242 4242 4242');
  assert.doesNotMatch(shown, /[0-9]/);
});

test('every test card is found, and of none are fewer than four digits hidden', () => {
  for (const { number } of testCards.filter(({ number }) => passesLuhn(number))) {
    const shown = maskCardNumbers(number);
    const digits = shown.replace(/[^0-9]/g, '').length;
    const hidden = number.length - digits;
    assert.ok(hidden >= (number.length >= 16 ? 6 : number.length === 15 ? 5 : 4), `${number.length} digits: ${shown}`);
  }
});

test('telephone and article numbers stay where they belong', () => {
  assert.equal(maskCardNumbers('4915100000004', {}), '*********0004');
  assert.equal(maskCardNumbers('4915100000004', { shortest: 14 }), '4915100000004');
  assert.equal(hasCardNumber(PAN, { shortest: 16 }), true);
});

test('the number itself is found whatever stands between its digits', () => {
  const texts = [PAN, groups('--'), groups(', '), groups(' ... '), `Ann ${groups('.')} Example`, inDigits(0xff10)];
  for (const text of texts) assert.match(withoutNumber(text, PAN), /^\**(?:\*\*\*)?$|^\*\*\*$/);
  assert.equal(withoutNumber('order 17', PAN), 'order 17');
  assert.equal(withoutNumber('DE89.3704.0044.0532.0130.00', 'DE89370400440532013000'), '***');
});

/** The work of a scan in steps of the loop cannot be seen from outside; the time of a text ten times as long can be compared. */
test('a scan is linear in the length of the text', () => {
  const cost = (text: string, options: ScanOptions): number => {
    const runs = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      maskCardNumbers(text, options);
      return process.cpuUsage(before).user;
    });
    return Math.min(...runs);
  };
  for (const piece of ['4', '4.', '0', '5 1 ', '%34', '\u0664', '4929127482910388 ']) {
    const [short, long] = [cost(piece.repeat(5_000), {}), cost(piece.repeat(50_000), {})];
    assert.ok(long < 40 * Math.max(short, 1_000), `${JSON.stringify(piece)}: ${short} µs and ${long} µs for ten times as much`);
  }
});

const rows = Object.entries(parameters) as [string, Row<unknown>][];
const accepts = ({ format }: Row<unknown>, text: string): boolean =>
  format.pattern.test(text) && format.parse(text) !== undefined;

test('every parameter that takes the text of a card number is searched, unless it is a secret', () => {
  for (const [name, row] of rows) {
    if (!accepts(row, PAN) && !accepts(row, groups('.')) && row.lenient !== true) continue;
    const scan = scanOf(row);
    if (row.secret !== undefined) assert.equal(scan, null, name);
    else assert.ok(scan && !scan.except?.test(PAN) && hasCardNumber(PAN, scan), `${name} is not searched`);
  }
});

test('telephones are looked at as such, wherever they stand', () => {
  const phones = rows.filter(([name]) => /(?:phone|mobile|fax)$/i.test(name));
  assert.ok(phones.length >= 20);
  for (const [name, row] of phones) assert.equal(scanOf(row)?.shortest, 14, name);
});

test('what is a number, a word or a date is not searched, and what a row shows as good survives the search', () => {
  for (const [name, row] of rows) {
    const scan = scanOf(row);
    if (scan === null || name.startsWith('corporate.')) continue;
    for (const text of row.format.good) {
      if (scan.except?.test(text)) continue;
      const masked = maskCardNumbers(text, scan);
      assert.ok(masked === text || accepts(row, masked), `${name}: ${text} → ${masked}`);
    }
  }
  for (const name of ['amount', 'customer.birthDate', 'paymentType', 'cart.items[n].quantity'] as const)
    assert.equal(scanOf(parameters[name]), null, name);
});

test('ids are no card numbers: of a checkout, of a request, and alone', () => {
  const inside = '6397852434321';
  const digits = Array.from({ length: 400 }, (_, at) => String(639_785_200_000 + at * 7));
  for (const run of [inside, ...digits]) {
    const id = `BC98BFB2724F09766${run}`.padEnd(31, '0').concat('C').slice(-32);
    const whole = `A${id.slice(1)}`;
    for (const text of [
      whole,
      `${whole}-test-1`,
      `${whole}.node-1`,
      `5eed000000000000000000000000000a-${whole.toLowerCase()}`,
      `/v1/checkouts/${whole}-a/payment`,
    ])
      assert.equal(maskCardNumbers(text, { isStrict: true }), text, text);
  }
});

test('a card number beside an id is found', () => {
  const id = 'BC98BFB2724F097668D639785243432C';
  for (const text of [`${id}-4200000000000000`, `4200000000000000-${id}`, `${id} 4200000000000000`, `x${id}4200000000000000`])
    assert.notEqual(maskCardNumbers(text, { isStrict: true }), text, text);
});
