import { issuedRanges } from './cardRanges.ts';
import { ascii, BACKSLASH, digitIn, kindIn, PERCENT, readSign, type Sign, signs } from './signs.ts';

/**
 * The one finder of card numbers in text. A number is 12 to 19 digits that pass Luhn and lie in an issuer's range at that length, with
 * at most one separator between two digits. The work is linear in the length of the text; see decisions/0039.
 */
const DIGITS_MIN = 12;
const DIGITS_MAX = 19;
/** Shorter numbers show their last four digits alone: with the first six as well, too few would stay hidden. */
const BOTH_ENDS_MIN = 14;
const PREFIX = 8;
const HIDDEN = '***';

/** The setting `cardNumbersInText`: card numbers in free text are truncated, or the request is refused. */
export const cardNumberModes = ['mask', 'refuse'] as const;
export type CardNumberMode = (typeof cardNumberModes)[number];

export const NO_CARD_NUMBER = 'must not contain a card number';

export type ScanOptions = {
  /** Numbers of fewer digits are left alone: telephone and article numbers stand here. */
  readonly shortest?: number;
  /** Also inside a longer run of digits. For logs and errors, where a damaged number costs nothing. */
  readonly isStrict?: boolean;
  /** Replaces a hidden digit; letters, where the format of the text has no asterisk. */
  readonly filler?: '*' | 'x';
};

/** How many signs may stand between two digits of a number. */
const BETWEEN_MAX = 3;

/** How many digits the text can have at most; 0 for most texts, which have too few together and cost no more than this. */
function digitsIn(text: string): number {
  if (text.length < DIGITS_MIN) return 0;
  let count = 0;
  let together = 0;
  let most = 0;
  let between = 0;
  let isPlain = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      count += 1;
      together = between > BETWEEN_MAX ? 1 : together + 1;
      between = 0;
      if (together > most) most = together;
    } else if (code > 0x7f) {
      count += 1;
      isPlain = false;
    } else if (code === PERCENT || code === BACKSLASH) isPlain = false;
    else between += ascii[code] === signs.other ? BETWEEN_MAX + 1 : 1;
  }
  return count < DIGITS_MIN || (isPlain && most < DIGITS_MIN) ? 0 : count;
}

/** Whether it is worth looking for one: quick, and true too often. */
export const mayHoldCardNumber = (text: string): boolean => digitsIn(text) > 0;

type Span = { readonly low: number; readonly high: number; readonly lengths: number };

/** Ranges by the first two digits of a number: bounds as eight digits, lengths as bits. */
const byStart: Span[][] = [];

function spansFor(start: number): readonly Span[] {
  if (byStart.length === 0) {
    for (let at = 0; at < 100; at += 1) byStart.push([]);
    for (const { first, last, lengths } of issuedRanges()) {
      const [low, high] = [Number(first.padEnd(PREFIX, '0')), Number(last.padEnd(PREFIX, '9'))];
      const span = { low, high, lengths: lengths.reduce((bits, length) => bits | (1 << length), 0) };
      for (let at = Math.floor(low / 1e6); at <= Math.floor(high / 1e6); at += 1) byStart[at]?.push(span);
    }
  }
  return byStart[start] as readonly Span[];
}

/** The digits of one text, run after run, with their places in the text. */
type Digits = {
  readonly values: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 1 where a separator stands before the digit. */
  readonly apart: Uint8Array;
  /** Luhn's sums of everything before, with the odd places doubled and with the even ones. */
  readonly oddDoubled: Int32Array;
  readonly evenDoubled: Int32Array;
};

const createDigits = (most: number): Digits => ({
  values: new Uint8Array(most),
  starts: new Int32Array(most),
  ends: new Int32Array(most),
  apart: new Uint8Array(most),
  oddDoubled: new Int32Array(most + 1),
  evenDoubled: new Int32Array(most + 1),
});

/** Used again by every text of the usual length, because nothing of it outlives the call. */
const SHARED_MAX = 4_096;
const shared = createDigits(SHARED_MAX);

/** Reads the text once and calls `visit` for each run of digits with at most one separator between two of them. */
function eachRun(text: string, digits: Digits, isEscaped: boolean, visit: (from: number, to: number) => void): void {
  const read: Sign = { packed: 0, length: 1 };
  let from = 0;
  let count = 0;
  let between = 0;
  let shape = 0;
  let length = 1;
  for (let at = 0; at < text.length; at += length) {
    const code = text.charCodeAt(at);
    let sign = ascii[code & 0x7f] as number;
    length = 1;
    if (code > 0x7f || (isEscaped && (code === PERCENT || code === BACKSLASH))) {
      readSign(text, at, isEscaped, read);
      sign = read.packed;
      length = read.length;
    }
    const kind = kindIn(sign);
    if (kind === signs.digit) {
      if (!isOneSeparator(between, shape)) {
        visit(from, count);
        from = count;
      }
      digits.values[count] = digitIn(sign);
      digits.starts[count] = at;
      digits.ends[count] = at + length;
      digits.apart[count] = between > 0 ? 1 : 0;
      count += 1;
      between = 0;
      shape = 0;
    } else if (kind !== signs.mark) {
      between += kind === signs.other ? BETWEEN_MAX + 1 : 1;
      shape += kind === signs.blank ? 0 : kind === signs.dash ? 1 : 2;
    }
  }
  visit(from, count);
}

/** Whether what stands between two digits is one separator: any one; up to three blanks; a dash among blanks. */
const isOneSeparator = (between: number, shape: number): boolean => between <= 1 || (between <= BETWEEN_MAX && shape <= 1);

function sum({ values, oddDoubled, evenDoubled }: Digits, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    const value = values[at] as number;
    const doubled = value > 4 ? 2 * value - 9 : 2 * value;
    oddDoubled[at + 1] = (oddDoubled[at] as number) + (at % 2 === 1 ? doubled : value);
    evenDoubled[at + 1] = (evenDoubled[at] as number) + (at % 2 === 1 ? value : doubled);
  }
}

/** Counted from its last digit, every second one is doubled. */
function passes({ oddDoubled, evenDoubled }: Digits, from: number, to: number): boolean {
  const sums = to % 2 === 1 ? oddDoubled : evenDoubled;
  return ((sums[to] as number) - (sums[from] as number)) % 10 === 0;
}

/** At which lengths a number that begins here lies in an issuer's range, as bits. */
function lengthsAt({ values }: Digits, from: number): number {
  const spans = spansFor((values[from] as number) * 10 + (values[from + 1] as number));
  if (spans.length === 0) return 0;
  let prefix = 0;
  for (let at = from; at < from + PREFIX; at += 1) prefix = prefix * 10 + (values[at] as number);
  let lengths = 0;
  for (const span of spans) if (prefix >= span.low && prefix <= span.high) lengths |= span.lengths;
  return lengths;
}

/** A part of the text to hide; `from` and `to` count digits. Not one: numbers that overlap, so that neither's ends may be shown. */
type Region = { readonly from: number; readonly to: number; readonly isOne: boolean };

/** A number begins after a separator, or after zeros with which it was filled up, and ends before a separator. */
function regionsIn(digits: Digits, from: number, to: number, { shortest = DIGITS_MIN, isStrict = false }: ScanOptions): Region[] {
  const regions: Region[] = [];
  if (to - from < shortest) return regions;
  sum(digits, from, to);
  let isStart = true;
  for (let at = from; at + shortest <= to; at += 1) {
    isStart = at === from || digits.apart[at] === 1 || (isStart && digits.values[at - 1] === 0);
    if (!isStart && !isStrict) continue;
    const lengths = lengthsAt(digits, at);
    if (lengths === 0) continue;
    for (let end = Math.min(at + DIGITS_MAX, to); end >= at + shortest; end -= 1) {
      const isPossible = (lengths & (1 << (end - at))) !== 0 && (isStrict || end === to || digits.apart[end] === 1);
      if (!isPossible || !passes(digits, at, end)) continue;
      join(regions, { from: at, to: end, isOne: true });
      break;
    }
  }
  return regions;
}

function join(regions: Region[], next: Region): void {
  const last = regions.at(-1);
  if (!last || last.to <= next.from) regions.push(next);
  else if (next.to > last.to) regions[regions.length - 1] = { ...last, to: next.to, isOne: false };
}

const UUID = /^(?=.*[a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** One id, or several with hyphens between them, as in an ndc. */
const HEX_IDS = /(?<![0-9A-Za-z])(?:(?=[0-9]*[a-f])[0-9a-f]{32}-)*(?=[0-9]*[a-f])[0-9a-f]{32}(?![0-9A-Za-z])/gi;
const ID_LENGTH_MAX = 36;
const IDS_LENGTH_MAX = 72;

/**
 * Ids of 32 hexadecimal digits and UUIDs are random and in every answer: one in some hundred would look like a card's. The name of a
 * node may follow behind a hyphen, as in the id of a checkout.
 */
function isInId(text: string, start: number, end: number): boolean {
  if (end - start > ID_LENGTH_MAX) return false;
  let from = start;
  while (from > 0 && start - from <= IDS_LENGTH_MAX && isPartOfId(text.charCodeAt(from - 1))) from -= 1;
  let to = end;
  while (to < text.length && to - end <= IDS_LENGTH_MAX && isPartOfId(text.charCodeAt(to))) to += 1;
  const isAlone = !isLetterOrDigit(text.charCodeAt(from - 1)) && !isLetterOrDigit(text.charCodeAt(to));
  if (isAlone && UUID.test(text.slice(from, to))) return true;
  // With one more character on either side, so that a longer word is no id.
  const first = Math.max(0, from - 1);
  for (const { 0: ids, index } of text.slice(first, to + 1).matchAll(HEX_IDS)) {
    if (first + index <= start && end <= first + index + ids.length) return true;
  }
  return false;
}

const HYPHEN = 0x2d;
const HEX_LENGTH = 32;

/** The lower case of an ASCII letter; other codes become no letter by it. */
const lower = (code: number): number => code | 0x20;
const isHexLetter = (code: number): boolean => code < 0x80 && lower(code) >= 0x61 && lower(code) <= 0x66;
const isPartOfId = (code: number): boolean => isDigit(code) || isHexLetter(code) || code === HYPHEN;
const isLetterOrDigit = (code: number): boolean => isDigit(code) || (code < 0x80 && lower(code) >= 0x61 && lower(code) <= 0x7a);

/** Whether the whole text is one id, in which no number is looked for: one in three texts of an answer is. */
function isId(text: string): boolean {
  if (text.length !== HEX_LENGTH) return false;
  let hasLetter = false;
  for (let at = 0; at < HEX_LENGTH; at += 1) {
    const code = text.charCodeAt(at);
    if (isHexLetter(code)) hasLetter = true;
    else if (!isDigit(code)) return false;
  }
  return hasLetter;
}

const DATE_AND_TIME = /^(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9][ T][0-2][0-9]:[0-5][0-9]:[0-5][0-9]/;
const DAY_AT = 8;

/** On the thirtieth of a month, the day and the time behind it have the shape of a number: `2031-10-30 03:15:31.065`. */
const isInInstant = (text: string, start: number): boolean =>
  start >= DAY_AT && DATE_AND_TIME.test(text.slice(start - DAY_AT, start + 11));

const SHORT_ID = /^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$/;

/** Short ids have twelve digits in three groups: one in a hundred would pass for a card's, and settlement lines are matched by them. */
const isShortId = (text: string, start: number, end: number): boolean =>
  SHORT_ID.test(text.slice(start, end)) &&
  !/[0-9.]$/.test(text.slice(Math.max(0, start - 1), start)) &&
  !/^\.?[0-9]/.test(text.slice(end, end + 2));

/** A card number as it may be stored and shown. */
function truncated(digits: string, filler: string): string {
  if (digits.length < BOTH_ENDS_MIN) return filler.repeat(digits.length - 4) + digits.slice(-4);
  return digits.slice(0, 6) + filler.repeat(HIDDEN.length) + digits.slice(-4);
}

function shownAs({ values }: Digits, { from, to, isOne }: Region, filler: string): string {
  return isOne ? truncated(values.subarray(from, to).join(''), filler) : filler.repeat(to - from);
}

function maskOnce(text: string, digits: Digits, isEscaped: boolean, options: ScanOptions): string {
  const { filler = '*' } = options;
  const pieces: string[] = [];
  let done = 0;
  eachRun(text, digits, isEscaped, (first, last) => {
    for (const region of regionsIn(digits, first, last, options)) {
      const start = digits.starts[region.from] as number;
      const end = digits.ends[region.to - 1] as number;
      if (isInId(text, start, end) || isShortId(text, start, end) || isInInstant(text, start)) continue;
      pieces.push(text.slice(done, start), shownAs(digits, region, filler));
      done = end;
    }
  });
  return done === 0 ? text : pieces.join('') + text.slice(done);
}

/** The text with every card number in it truncated; the same text when there is none. */
export function maskCardNumbers(text: string, options: ScanOptions = {}): string {
  const count = digitsIn(text);
  if (count === 0 || isId(text)) return text;
  const digits = count <= SHARED_MAX ? shared : createDigits(count);
  // First as an address or JSON would be read, then as it stands: `%` may be a separator too.
  const unescaped = /[%\\]/.test(text) ? maskOnce(text, digits, true, options) : text;
  return maskOnce(unescaped, digits, false, options);
}

export const hasCardNumber = (text: string, options: ScanOptions = {}): boolean => maskCardNumbers(text, options) !== text;

/** Texts in which every character is read as it stands. */
const PLAIN = /^[\x20-\x24\x26-\x5b\x5d-\x7e]*$/;
/** Enough digits for a number, with no more between two of them than a number may have. */
const TOGETHER = /(?<![0-9])[0-9](?:[^A-Za-z0-9]{0,3}[0-9]){11,}/g;
/** Text this far from a number does not decide whether it is one: farther than the longest id in which digits are ignored. */
const AROUND = 80;

/** Whether a long text has no card number in it. Only the surroundings of long runs of digits are read, of which most have none. */
export function hasNoCardNumber(text: string): boolean {
  if (!PLAIN.test(text)) return !hasCardNumber(text, { isStrict: true });
  for (const { 0: run, index } of text.matchAll(TOGETHER)) {
    const end = index + run.length;
    let [from, to] = [index, end];
    while (index - from < BETWEEN_MAX && from > 0 && !isLetterOrDigit(text.charCodeAt(from - 1))) from -= 1;
    while (to - end < BETWEEN_MAX && to < text.length && !isLetterOrDigit(text.charCodeAt(to))) to += 1;
    // The run first, without letters beside it: letters can only show that it is an id.
    if (!hasCardNumber(text.slice(from, to), { isStrict: true })) continue;
    const around = text.slice(Math.max(0, index - AROUND), end + AROUND);
    if (hasCardNumber(around, { isStrict: true })) return false;
  }
  return true;
}

/** True for most texts, which then need no closer look. Signs beyond ASCII may be digits too. */
function hasTooFewDigits(text: string, number: string): boolean {
  let missing = 0;
  for (let at = 0; at < number.length; at += 1) if (isDigit(number.charCodeAt(at))) missing += 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return false;
    if (isDigit(code)) missing -= 1;
  }
  return missing > 0;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/**
 * The text without this very number, which may be no card's: an account, or a card that no range knows. It is found whatever stands between
 * its digits; then the whole text is hidden, because parts of the number may be left anywhere in it.
 */
export function withoutNumber(text: string, number: string): string {
  if (text.length < number.length || hasTooFewDigits(text, number)) return text;
  if (text.includes(number)) return text.replaceAll(number, HIDDEN);
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .includes(number)
    ? HIDDEN
    : text;
}
