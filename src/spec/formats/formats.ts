import { type Amount, amountOf } from '../../money/amount.ts';
import type { Format } from '../row.ts';

/**
 * The formats of the documents as values. Lengths count code points, N is ASCII digits, a bare number is the greatest length.
 * Each format has samples that must pass and samples that must not; lone surrogates are not among them, because no form can carry them.
 */
type Samples = { readonly good: readonly string[]; readonly bad: readonly string[] };
type Kind<Value> = {
  readonly source: string;
  readonly parse: (text: string) => Value | undefined;
  /** The rule in words, for a developer: `must be 8 to 255 digits`. Never the pattern. */
  readonly message: string;
  readonly values?: readonly string[];
  readonly isClosed?: true;
  readonly scan?: 'none';
};

const asIs = (text: string): string => text;

/** A format from an unanchored pattern, a parser, a message and samples. */
export function createFormat<Value>(label: string, kind: Kind<Value>, samples: Samples): Format<Value> {
  const source = kind.source.includes('|') ? `^(?:${kind.source})$` : `^${kind.source}$`;
  const { parse, message, values, isClosed, scan } = kind;
  const pattern = new RegExp(source, 'u');
  const marks = { ...(values && { values }), ...(isClosed && { isClosed }), ...(scan && { scan }) };
  return { label, pattern, parse, message, ...marks, ...samples };
}

/** The parser of a closed set: the text itself, or nothing. */
export const among = (isMember: (text: string) => boolean) => (text: string) => (isMember(text) ? text : undefined);

/** A text format from an unanchored pattern and the rule in words. */
export function matching(
  label: string,
  { source, message }: { readonly source: string; readonly message: string },
  samples: Samples,
): Format {
  return createFormat(label, { source, parse: asIs, message }, samples);
}

/** The same format with the label of another row of the document. */
export function labelled<Value>(label: string, other: Format<Value>): Format<Value> {
  return { ...other, label };
}

// Direction overrides make a text display differently from its content; lone surrogates cannot be encoded as UTF-8.
const HIDDEN = '\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069';
const LINE = `^\\p{Cc}${HIDDEN}`;
const LINES = `^\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F${HIDDEN}`;

/** A digit of another script, which this API does not accept. */
export const FULL_WIDTH_ONE = '\uFF11';
const UNPRINTABLE = ['\u0000', '\u001B', '\u0085', '\u202E', '\u2066'];

type Alphabet = {
  readonly set: string;
  /** The word for the characters of this alphabet, in the plural. */
  readonly signs: string;
  readonly sample: string;
  readonly wrong: readonly string[];
};

/** The inside of a character class in words. */
const SIGNS: readonly (readonly [set: string, words: string])[] = [
  ['a-f0-9', 'lower-case hexadecimal digits'],
  ['A-Za-z', 'ASCII letters'],
  ['A-Z', 'capital letters A-Z'],
  ['0-9', 'digits'],
  ['\\p{L}\\p{M}', 'letters'],
  ['\\p{Zs}', 'spaces'],
  [' ', 'spaces'],
  ['.', 'dots'],
  [',', 'commas'],
  ["'\u2019", 'apostrophes'],
  ['-', 'hyphens'],
  ['_', 'underscores'],
  ['+', 'plus signs'],
  ['*', 'asterisks'],
  ['?', 'question marks'],
  ['/', 'slashes'],
  ['#', 'hash signs'],
  ['()', 'parentheses'],
  ['L', 'L'],
  ['W', 'W'],
];

function signsOf(set: string): string {
  const words: string[] = [];
  for (let rest = set; rest !== ''; ) {
    const [known, word] = SIGNS.find(([start]) => rest.startsWith(start)) ?? [];
    if (known === undefined || word === undefined) throw new Error(`no words for ${rest} of the character class ${set}`);
    words.push(word);
    rest = rest.slice(known.length);
  }
  return inWords(words, 'or');
}

/** `a, b or c`. */
export const inWords = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** `8 to 255 digits`, `3 digits`, `1 digit`. */
const counted = (least: number, max: number, signs: string): string => {
  if (least !== max) return `${least} to ${max} ${signs}`;
  return max === 1 ? `1 ${signs.replace(/s$/, '')}` : `${max} ${signs}`;
};

const digits: Alphabet = {
  set: '0-9',
  signs: 'digits',
  sample: '4019273856',
  wrong: ['A', ' ', '-', FULL_WIDTH_ONE, '\u0664', '\n'],
};
const anything: Alphabet = {
  set: LINE,
  signs: 'characters on one line',
  sample: 'aB3-ü漢𝄞x.Z',
  wrong: ['\n', '\t', ...UNPRINTABLE],
};
const anyLines: Alphabet = {
  set: LINES,
  signs: 'printable characters, tabs or line breaks',
  sample: 'aB3\tü漢𝄞\r\nZ',
  wrong: UNPRINTABLE,
};

/** Repeats the text up to `length` code points. */
const codePoints = (text: string, length: number): string => {
  const all = [...text];
  return text.repeat(Math.floor(length / all.length)) + all.slice(0, length % all.length).join('');
};

/** Makes formats of one class of characters. Hundreds of rows share a few dozen of them; each is made once. */
function createRuns() {
  const made = new Map<string, Format>();
  return (label: string, alphabet: Alphabet, [min, max]: readonly [number, number]): Format => {
    const least = Math.max(min, 1);
    const source = `[${alphabet.set}]${least === max ? `{${max}}` : `{${least},${max}}`}`;
    const key = `${label} ${source}`;
    const known = made.get(key);
    if (known) return known;
    const message = `must be ${counted(least, max, alphabet.signs)}`;
    const format = {
      ...matching(label, { source, message }, samplesOf(alphabet, least, max)),
      run: { set: alphabet.set, least, max },
    };
    made.set(key, format);
    return format;
  };
}

const run = createRuns();

function samplesOf({ sample, wrong }: Alphabet, least: number, max: number): Samples {
  const good = new Set([least, Math.min(least + 1, max), max].map((length) => codePoints(sample, length)));
  const lengths = least > 1 ? [least - 1, max + 1] : [max + 1];
  const bad = [
    ...wrong.map((sign) => codePoints(sample, least - 1) + sign),
    ...lengths.map((length) => codePoints(sample, length)),
  ];
  return { good: [...good], bad };
}

/** `N 8-32`: ASCII digits. */
export const N = (min: number, max: number, label = `N ${min}-${max}`): Format => run(label, digits, [min, max]);

/** `AN 1-100`: one line of any characters. */
export const AN = (min: number, max: number, label = `AN ${min}-${max}`): Format => run(label, anything, [min, max]);

/** `AN35`: one line of up to `max` characters. */
export const upTo = (max: number): Format => AN(1, max, `AN${max}`);

/** As AN, with tabs and line breaks. */
export const lines = (min: number, max: number, label = `AN ${min}-${max}`): Format => run(label, anyLines, [min, max]);

/** `AN` without a number; the longest length the documents otherwise give a short text. */
export const text: Format = AN(1, 255, 'AN');

/** Text of a limited alphabet: `set` is the inside of a character class, `sample` some of its characters. */
export function charset(
  label: string,
  set: string,
  options: { min: number; max: number; sample: string; wrong: string[] },
): Format {
  const { min, max, sample, wrong } = options;
  return run(label, { set, signs: signsOf(set), sample, wrong: [...wrong, '\u0000', '\n', FULL_WIDTH_ONE] }, [min, max]);
}

/** ASCII letters and digits, for codes and identifiers. */
export const letters = (label: string, min: number, max: number): Format =>
  charset(label, 'A-Za-z0-9', { min, max, sample: 'aZ09kQ7', wrong: ['-', ' ', '_', 'é'] });

/** ASCII letters, digits and underscore: brands and such. */
export const word = (label: string, min: number, max: number): Format =>
  charset(label, 'A-Za-z0-9_', { min, max, sample: 'VISA_d3b1t', wrong: ['-', ' ', '.', 'é'] });

/** ASCII letters, digits, dot and underscore: the name of a map entry. */
export const entryName = (label: string, min: number, max: number): Format =>
  charset(label, 'A-Za-z0-9._', { min, max, sample: 'SHOP_a.1', wrong: ['-', ' ', '[', 'é'] });

/** The A of a name or a place: letters of any script, and the punctuation of names. */
export const nameLetters = (label: string, min: number, max: number): Format =>
  charset(label, "\\p{L}\\p{M} .,'\u2019-", { min, max, sample: "Zoe\u0308 O'Nuñez-李Ж", wrong: ['1', '<', '/', '_', '\u202E'] });

/** "Letters, digits, whitespace" of a person or a place: letters of any script. */
export const nameWords = (label: string, max: number): Format =>
  charset(label, '\\p{L}\\p{M}\\p{Zs}0-9', { min: 1, max, sample: 'Zoë 2李Ж', wrong: ['-', '.', '<', '\t', '\u202E'] });

/** Fixed-point money with its two decimals; the inner value is a count of hundredths. */
function money(label: string, integerDigits: number, optionalDecimals = false): Format<Amount> {
  const decimals = optionalDecimals ? '(?:\\.[0-9]{2})?' : '\\.[0-9]{2}';
  const most = '9'.repeat(integerDigits);
  return createFormat(
    label,
    {
      source: `[0-9]{1,${integerDigits}}${decimals}`,
      parse: amountOf,
      scan: 'none',
      message: `must be an amount of up to ${integerDigits} digits with two decimals, such as ${optionalDecimals ? '92 or 92.00' : '92.00'}`,
    },
    {
      good: ['0.00', '0.01', '92.00', `${most}.99`, ...(optionalDecimals ? ['92', most] : [])],
      bad: [
        '1.0',
        '1.000',
        '1,00',
        '.50',
        '1.',
        '-1.00',
        '+1.00',
        '1e2',
        '1 000.00',
        'NaN',
        `1${most}.00`,
        `${FULL_WIDTH_ONE}.00`,
      ].concat(optionalDecimals ? [`1${most}`] : ['92', most]),
    },
  );
}

/** The amount of a payment: decimals may be left out. */
export const amount10: Format<Amount> = money('N10.N2 (decimals optional)', 10, true);
export const money10: Format<Amount> = money('N10.N2', 10);
export const money9: Format<Amount> = money('N9.N2', 9);
export const money8: Format<Amount> = money('N8.N2 (decimals optional)', 8, true);
export const money13: Format<Amount> = money('N13, two decimals', 13);

const otherCase = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());

function nearMisses(values: readonly string[]): string[] {
  const near = values.flatMap((value) => [otherCase(value), `${value}X`, value.slice(0, -1), `${value},`]);
  return [...new Set([...near, 'SOMETHING_ELSE', '\u0000'])].filter((value) => value !== '' && !values.includes(value));
}

/** A message has at most 255 characters; what stands around the words needs some of them. */
const WORDS_LENGTH_MAX = 200;

/** `PA, DB, CD`. A long list is cut: the reference page has all of it. */
function listed(values: readonly string[]): string {
  const all = values.join(', ');
  if (all.length <= WORDS_LENGTH_MAX) return all;
  const first = all.slice(0, all.lastIndexOf(', ', WORDS_LENGTH_MAX));
  return `${first} and ${values.length - first.split(', ').length} others`;
}

/** `must be one of PA, DB, CD`, `must be FINAL`. */
export const allowedWords = (values: readonly string[]): string =>
  values.length === 1 ? `must be ${values[0]}` : `must be one of ${listed(values)}`;

/** Exactly one of these words. */
export function oneOf<const Values extends readonly string[]>(label: string, values: Values): Format<Values[number]> {
  const known: ReadonlySet<string> = new Set(values);
  const isKnown = (text: string): text is Values[number] => known.has(text);
  return createFormat(
    label,
    {
      source: values.join('|'),
      scan: 'none',
      parse: (text) => (isKnown(text) ? text : undefined),
      message: allowedWords(values),
      values,
      isClosed: true,
    },
    { good: values, bad: nearMisses(values) },
  );
}

/** Words of one set, separated by commas. */
export function listOf<const Values extends readonly string[]>(label: string, values: Values): Format<readonly Values[number][]> {
  const known: ReadonlySet<string> = new Set(values);
  const isKnown = (text: string): text is Values[number] => known.has(text);
  const one = `(?:${values.join('|')})`;
  const [first = '', second = first] = values;
  return createFormat(
    label,
    {
      source: `${one}(?:, ?${one}){0,${values.length - 1}}`,
      scan: 'none',
      parse: (text) => text.split(/, ?/).filter(isKnown),
      message: `must be a comma-separated list of ${listed(values)}`,
    },
    {
      good: [first, `${first},${second}`, `${first}, ${second}`, values.join(',')],
      bad: [
        `${first},`,
        `,${first}`,
        `${first};${second}`,
        `${first},,${second}`,
        otherCase(first),
        `${first}${second}`,
        '\u0000',
      ],
    },
  );
}

const YES_NO: readonly string[] = ['TRUE', 'False', 'yes', 'no', 'truefalse', 't', '\u0000'];

export const flag: Format<boolean> = createFormat(
  'true or false',
  {
    source: 'true|false',
    parse: (text) => text === 'true',
    message: 'must be true or false',
    values: ['true', 'false'],
    scan: 'none',
  },
  { good: ['true', 'false'], bad: [...YES_NO, '1', '0', 'on', 'off'] },
);

/** A flag that shops fill from a check box: browsers send `on`, plug-ins send `1`. */
export const checkbox: Format<boolean> = createFormat(
  'true or false',
  {
    source: 'true|false|1|0|on|off',
    parse: (text) => text === 'true' || text === '1' || text === 'on',
    message: flag.message,
    values: ['true', 'false', '1', '0', 'on', 'off'],
    scan: 'none',
  },
  { good: ['true', 'false', '1', '0', 'on', 'off'], bad: [...YES_NO, '2', 'ON'] },
);

/** A whole number within bounds; `width` is the greatest number of digits, leading zeros included. */
export function integer(label: string, [least, most]: readonly [number, number], width: number): Format<number> {
  return createFormat(
    label,
    {
      source: `[0-9]{1,${width}}`,
      scan: 'none',
      parse: (text) => (Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
      message: `must be a whole number from ${least} to ${most}`,
    },
    {
      good: [String(least), String(least + 1), String(most), String(most).padStart(width, '0')],
      bad: [String(least - 1), String(most + 1), '-1', '+1', '1.0', '1e1', 'one', FULL_WIDTH_ONE, '0'.repeat(width + 1)],
    },
  );
}

/** 0 to 100 with up to two decimals. */
export const percentage: Format = createFormat(
  'AN6, percentage 0 to 100 with up to two decimals',
  {
    source: '100(?:\\.0{1,2})?|[0-9]{1,2}(?:\\.[0-9]{1,2})?',
    parse: asIs,
    message: 'must be a number from 0 to 100 with up to two decimals',
    scan: 'none',
  },
  {
    good: ['0', '7', '19', '19.5', '19.00', '99.99', '100', '100.0', '100.00'],
    bad: ['100.01', '101', '-1', '19,00', '19.000', '19%', '.5', '019', '1e1', `${FULL_WIDTH_ONE}9`],
  },
);

/** Pieces, metres or grams: a decimal, never a float. */
export const quantity: Format = createFormat(
  'up to 12 integer digits, optional fraction of up to 3 digits',
  {
    source: '[0-9]{1,12}(?:\\.[0-9]{1,3})?',
    parse: asIs,
    message: 'must be a number of up to 12 digits with up to 3 decimals',
    scan: 'none',
  },
  {
    good: ['0', '1', '2.5', '0.125', '999999999999', '999999999999.999'],
    bad: ['1000000000000', '1.0000', '1.', '.5', '-1', '1,5', '1e3', 'one', FULL_WIDTH_ONE],
  },
);

/** A telephone number: plus or digit, then `least` to `most` digits and separators. */
export function telephone(label: string, signs: string, [least, most]: readonly [number, number]): Format {
  const rest = (length: number): string => codePoints('30 555-0.1(4)2', length);
  const source = `[+0-9][0-9${signs}]{${least},${most}}`;
  const message = `must be + or a digit, then ${counted(least, most, signsOf(`0-9${signs}`))}`;
  return matching(
    label,
    { source, message },
    {
      good: [`+${rest(Math.max(least, 1))}`, `0${rest(Math.max(least, 1))}`, '+49 30 5550142', `+${rest(most)}`],
      bad: [
        '(030) 5550142',
        '-5550142',
        '+49 30 55 ext',
        `+${rest(most + 1)}`,
        `+${FULL_WIDTH_ONE}49305550142`,
        '+49\n305550142',
      ].concat(least > 0 ? [`+${rest(least - 1)}`] : []),
    },
  );
}
