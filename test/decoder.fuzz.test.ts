import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { check } from '../src/form/check.ts';
import type { Context } from '../src/form/checked.ts';
import { decode } from '../src/form/decode.ts';
import { bodyBytesMax, fieldsMax } from '../src/form/limits.ts';
import { pick } from '../src/form/pick.ts';
import { mapKeys, parameters, sections } from '../src/spec/parameters.ts';
import type { Row } from '../src/spec/row.ts';
import { rules } from '../src/spec/rules/rules.ts';
import { reportFigure } from './figures.ts';
import { rowNames, signs } from './fuzz/formWords.ts';
import { isPlainName, type PlainField, plainly } from './fuzz/plainDecoder.ts';
import { sized } from './long.ts';
import { bodyOf, cardPayment } from './requests.ts';
import { leastCpuMs } from './work.ts';

/** Seconds at a commit; a nightly run asks for millions. */
const runs = Number(process.env.FUZZ_RUNS ?? sized({ quick: 8_000, assure: 20_000, reliability: 20_000 }));
const pay: Context = { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' };

const hostile = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'customParameters[__proto__]',
  '__proto__[a]',
  'a[__proto__][b]',
];
const name = fc.oneof(fc.constantFrom(...rowNames), fc.constantFrom(...hostile), fc.string({ maxLength: 40 }));
const escaped = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.array(fc.constantFrom(...signs), { maxLength: 8 }).map((parts) => parts.join('')),
);
const piece = fc.tuple(name, escaped).map(([first, second]) => `${first}=${second}`);
/** What clients leave between two parameters: nothing, often or seldom. */
const empties = fc.integer({ min: 0, max: 40 }).map((count) => '&'.repeat(count));
const formLike = fc
  .array(fc.oneof(piece, escaped, name, empties), { maxLength: 12 })
  .map((pieces) => utf8OrRaw(pieces.join('&')));
const bodies = fc.oneof({ weight: 4, arbitrary: formLike }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 80 }) });

const utf8OrRaw = (text: string): Uint8Array => Buffer.from(text, /[\u0100-\uffff]/.test(text) ? 'utf8' : 'latin1');

const prototypes: readonly object[] = [Object, Array, Map, Set, String, RegExp, Function, Uint8Array].map(
  (kind) => kind.prototype,
);
const snapshot = (): string => prototypes.map((prototype) => Reflect.ownKeys(prototype).map(String).sort().join()).join('\n');

test('the decoder reads what a second, plain decoder reads, and changes nothing else', () => {
  const before = snapshot();
  fc.assert(
    fc.property(bodies, (body) => {
      const decoded = decode(body);
      const fields = plainly(body);
      const legal = fields.filter((field) => field !== null && isPlainName(field.name)) as NonNullable<PlainField>[];
      assert.equal(decoded.faults.length, fields.length - legal.length);
      assert.deepEqual([...decoded.fields], [...new Map(legal.map((field) => [field.name, field.value]))]);
      const twice = legal.filter(({ name }, at) => legal.findIndex((other) => other.name === name) < at);
      assert.deepEqual([...decoded.repeated].sort(), [...new Set(twice.map((field) => field.name))].sort());
    }),
    { numRuns: runs },
  );
  assert.equal(snapshot(), before);
  reportFigure('R35', 'executions', runs);
});

test('some fields alone are read as they are read among all', () => {
  const names = ['entityId', 'authentication.userId', 'amount', '__proto__'];
  const credential = fc
    .tuple(fc.constantFrom(...names, 'entity%49d', '%65ntityId', '+entityId', 'authentication%2EuserId'), escaped)
    .map(([first, second]) => `${first}=${second}`);
  const forms = fc.array(fc.oneof(credential, piece, empties), { maxLength: 12 }).map((pieces) => utf8OrRaw(pieces.join('&')));
  fc.assert(
    fc.property(forms, (body) => {
      const { fields } = decode(body);
      const expected = names.flatMap((one) => (fields.has(one) ? [[one, fields.get(one)]] : [])).sort();
      assert.deepEqual([...pick(Buffer.from(body), names)].sort(), expected);
    }),
    { numRuns: runs / 2 },
  );
});

/** How often a reader looks for the next sign: the work that it does for a body, whatever the machine does beside. */
function looks(work: () => unknown): number {
  const { indexOf } = String.prototype;
  let count = 0;
  String.prototype.indexOf = function counted(this: string, ...sought: Parameters<typeof indexOf>) {
    count += 1;
    return indexOf.apply(this, sought);
  };
  try {
    work();
  } finally {
    String.prototype.indexOf = indexOf;
  }
  return count;
}

const longest: [what: string, body: Buffer][] = [
  ['nothing but &', Buffer.alloc(bodyBytesMax, '&')],
  ['& and what is no UTF-8', Buffer.concat([Buffer.alloc(bodyBytesMax - 1, '&'), Buffer.from([0xff])])],
  ['fields without a name', Buffer.from('=&'.repeat(bodyBytesMax / 2))],
  ['one field again and again', Buffer.from('e=%&'.repeat(bodyBytesMax / 4))],
];
for (const [what, body] of longest) {
  test(`the longest body of ${what} costs no more than as many parameters as are read`, () => {
    const most = looks(() => decode(Buffer.from(Array.from({ length: fieldsMax }, (_, at) => `a${at}=%41`).join('&'))));
    assert.ok(most > fieldsMax, 'the work is seen');
    const decoded = decode(body);
    assert.equal(decoded.isWhole, false);
    assert.ok(decoded.faults.length > 0);
    for (const work of [() => decode(body), () => pick(body, ['entityId'])]) {
      const count = looks(work);
      assert.ok(count <= most, `${count} looks, ${most} for the most parameters that are read`);
    }
  });
}

test('where nothing is broken it reads what a browser would read', () => {
  fc.assert(
    fc.property(formLike, (body) => {
      const decoded = decode(body);
      if (decoded.faults.length > 0) return;
      // The constructor takes a question mark away; an empty field in front keeps it.
      const read = new Map(new URLSearchParams(`&${Buffer.from(body).toString()}`));
      assert.deepEqual([...decoded.fields], [...read]);
    }),
    { numRuns: runs / 2 },
  );
});

test('text and bytes are read alike', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      assert.deepEqual(decode(text), decode(Buffer.from(text)));
    }),
    { numRuns: runs / 4 },
  );
});

test('the checker always has an answer, and never one with an unknown name in it', () => {
  const before = snapshot();
  fc.assert(
    fc.property(formLike, fc.boolean(), (body, isLenient) => {
      const outcome = check(decode(Buffer.concat([Buffer.from(`${bodyOf(cardPayment)}&`), body])), { ...pay, isLenient });
      if (outcome.is === 'faulty') {
        const names = outcome.faults.map((fault) => fault.name);
        assert.ok(names.length > 0 && new Set(names).size === names.length);
      } else for (const name of outcome.fields.keys()) assert.ok(outcome.rowOf(name) in parameters);
    }),
    { numRuns: runs / 4 },
  );
  assert.equal(snapshot(), before);
});

test('names of the language round-trip in every map', () => {
  for (const map of ['customParameters', 'merchant.data', 'risk.parameters']) {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype']) {
      const outcome = check(decode(bodyOf(cardPayment, { [`${map}[${key}]`]: 'x' })), pay);
      assert.ok(outcome.is === 'checked');
      assert.equal(outcome.fields.get(`${map}[${key}]`), 'x');
      assert.equal(outcome.text(`${map}[${key}]`), 'x');
    }
  }
});

test('64 kB of anything is decoded and checked in 50 ms', () => {
  const repeated = [
    'a=%41&',
    'amount=1&',
    'cart.items[9].name=x&',
    'a[',
    '[',
    '%C3%A9',
    '%',
    '+',
    'customParameters[abc]=%&',
    '..',
    '1',
    '\xFF&',
  ];
  for (const part of repeated) {
    const body = Buffer.from(part.repeat(65_536 / part.length), 'latin1');
    assert.ok(leastCpuMs(() => check(decode(body), pay)) < 50, JSON.stringify(part));
  }
});

const allRows: [string, Row<unknown>][] = Object.values(sections).flatMap(({ rows }) => Object.entries(rows));
const formats = [
  ...allRows.map(([name, { format }]) => ({ name, format })),
  ...Object.entries(mapKeys).map(([name, format]) => ({ name, format })),
];

test('no format takes longer than 5 ms, whatever it is given', () => {
  const units = [
    'a',
    '1',
    ' ',
    '-',
    '.',
    '+',
    '(',
    ',',
    '*',
    '/',
    'ü',
    '𝄞',
    '\u0301',
    'a ',
    '1,',
    '1-',
    'A.',
    'PA,',
    'PA, ',
    '0 ',
    'https://',
    '.00',
    '?',
  ];
  for (const { name, format } of formats) {
    const longest = Math.max(...format.good.map((text) => text.length), 1);
    for (const unit of units) {
      for (const length of [longest, 10 * longest]) {
        const text = unit.repeat(Math.ceil(length / unit.length));
        for (const hostileText of [text, `${text}\0`, `+${text}!`, `https://${text}\u202E`]) {
          const took = leastCpuMs(() => format.pattern.test(hostileText) && format.parse(hostileText));
          assert.ok(took <= 5, `${name}: ${took} ms for ${JSON.stringify(hostileText.slice(0, 20))} of ${hostileText.length}`);
        }
      }
    }
  }
});

/** The pattern without classes and escapes, where a quantifier is seen for what it is. */
const bare = (source: string): string => source.replace(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
const NESTED = /\((?:[^()]*[+*]|[^()]*\{[0-9]+,\})[^()]*\)(?:[+*]|\{[0-9]+,\})/;

test('no pattern repeats without end what repeats without end', () => {
  const patterns = [
    ...formats.map(({ format }) => format.pattern),
    ...rules.flatMap(({ matches }) => Object.values(matches ?? {}).map(({ pattern }) => pattern)),
  ];
  assert.deepEqual(
    patterns.map(({ source }) => source).filter((source) => NESTED.test(bare(source))),
    [],
  );
  assert.ok(NESTED.test(bare('^([0-9]+ ?)+$')) && NESTED.test(bare('^(?:a{2,})*$')), 'the search finds what it looks for');
});
