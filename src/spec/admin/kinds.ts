import { isRecord } from '../../runtime/json.ts';
import { hasCardNumber } from '../cards/cardNumbers.ts';
import type { JsonObject } from '../openApi/schemas.ts';
import type { Right } from '../rights.ts';
import type { Row, Scan } from '../row.ts';
import type { TagName } from '../tags.ts';

/** One kind of value in a JSON body or a query of the administration API. */
export type Kind<Value> = {
  /** The rule in words: `must be 1 to 64 characters on one line`. */
  readonly message: string;
  readonly schema: JsonObject;
  /** The inner value; undefined when the value is not of this kind. */
  readonly parse: (value: unknown) => Value | undefined;
  /** Values that must pass and values that must not. */
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
  /** Never shown, not even in the message about it. */
  readonly isSecret?: true;
  /** How card numbers are searched for. `none`: an id, a cursor or a key, which is looked up and never shown as text. */
  readonly scan?: Scan | 'none';
};

type Samples = Pick<Kind<unknown>, 'good' | 'bad'>;

export const matching = (pattern: RegExp, message: string, samples: Samples): Kind<string> => ({
  message,
  schema: { type: 'string', pattern: pattern.source },
  parse: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
  ...samples,
});

/** A value that is used as it is sent and is no text: an id, a cursor, an idempotency key, an amount. */
export const token = (pattern: RegExp, message: string, samples: Samples): Kind<string> => ({
  ...matching(pattern, message, samples),
  scan: 'none',
});

/**
 * One line of text without card numbers. `isShown`: pages show it, so it begins with a visible character and has none that change the
 * direction of text.
 */
export function oneLine([least, most]: readonly [number, number], { good, bad }: Samples, isShown = false): Kind<string> {
  const pattern = new RegExp(`${isShown ? '^(?=\\S)[^\\p{C}\\p{Zl}\\p{Zp}]' : '^[^\\p{C}]'}{${least},${most}}$`, 'u');
  return {
    message: `must be ${least} to ${most} characters on one line, and no card number`,
    schema: { type: 'string', minLength: least, maxLength: most },
    parse: (value) => (typeof value === 'string' && pattern.test(value) && !hasCardNumber(value) ? value : undefined),
    good,
    bad: [...bad, 'x'.repeat(most + 1), 'two\nlines or more', '4200000000000000'],
  };
}

/** A parameter of the payment API as a field of the administration API. */
export const sameAs = ({ format, scan }: Row): Kind<string> => ({
  message: format.message,
  schema: { type: 'string', pattern: format.pattern.source },
  parse: (value) => (typeof value === 'string' && format.pattern.test(value) ? format.parse(value) : undefined),
  good: format.good,
  bad: [...format.bad, null, [format.good[0]]],
  ...(scan && { scan }),
});

const HEX = '0123456789abcdef';

/** The id of anything but a payment session. */
export const id = token(/^[a-f0-9]{32}$/, 'must be 32 characters of a-f and 0-9', {
  good: [HEX + HEX],
  bad: ['', HEX, (HEX + HEX).toUpperCase(), `${HEX}${HEX}0`, 7, null, [HEX + HEX]],
});

/** A display name: one line, without characters that change the direction of text. */
export const name = matching(/^(?=\S)[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u, 'must be 1 to 64 characters on one line', {
  good: ['Orders', 'Büro 2', 'x'.repeat(64)],
  bad: ['', ' ', 'x'.repeat(65), 'two\nlines', 'a\u202Eb', 5, null, {}],
});

/** The name of a file, without its folder. */
export const fileName = matching(/^(?=\S)[^\p{C}\p{Zl}\p{Zp}/\\]{1,200}$/u, 'must be 1 to 200 characters without a slash', {
  good: ['settlement-2031-10-02.csv', 'camt 053.xml'],
  bad: ['', ' ', 'x'.repeat(201), '../x', 'a\\b', 'two\nlines', 'a\u202Eb'],
});

export const webAddress: Kind<string> = {
  message: 'must be an address such as https://shop.example/hook, of at most 2048 characters',
  schema: { type: 'string', format: 'uri', maxLength: 2_048 },
  parse: (value) =>
    typeof value === 'string' && value.length <= 2_048 && /^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value)
      ? value
      : undefined,
  // Shortened, it would be another address.
  scan: { refuses: true },
  good: ['https://shop.example/hook', 'https://shop.example:443/'],
  bad: ['', 'shop.example', 'ftp://shop.example/', 'https://', `https://shop.example/${'x'.repeat(2_048)}`, 1, null],
};

/** A key of 32 bytes from the caller. */
export const key: Kind<string> = {
  ...matching(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits: a key of 32 bytes', {
    good: [HEX.repeat(4), HEX.repeat(4).toUpperCase()],
    bad: ['', HEX.repeat(3), `${HEX.repeat(4)}00`, 'x'.repeat(64), 1, null],
  }),
  isSecret: true,
};

/** One of some words. */
export const oneOf = <const Word extends string>(words: readonly Word[]): Kind<Word> => ({
  message: `must be one of ${words.join(', ')}`,
  schema: { type: 'string', enum: words },
  parse: (value) => words.find((word) => word === value),
  good: words,
  bad: [
    '',
    words[0]?.toLowerCase() === words[0] ? words[0]?.toUpperCase() : words[0]?.toLowerCase(),
    'other',
    1,
    null,
    [words[0]],
  ],
});

/** Some of some words, each once, at least one. */
export const someOf = <const Word extends string>(words: readonly Word[]): Kind<readonly Word[]> => ({
  message: `must be a list of ${words.join(', ')}, each at most once`,
  schema: { type: 'array', items: { type: 'string', enum: words }, minItems: 1, uniqueItems: true },
  parse: (value) => {
    if (!Array.isArray(value) || value.length === 0 || new Set(value).size < value.length) return undefined;
    return value.every((one) => words.includes(one)) ? value : undefined;
  },
  good: [words, [words[0]]],
  bad: [[], [words[0], words[0]], ['other'], words[0], null, { 0: words[0] }],
});

/** A whole number between two others. */
export const count = (least: number, most: number): Kind<number> => ({
  message: `must be a whole number from ${least} to ${most}`,
  schema: { type: 'integer', minimum: least, maximum: most },
  parse: (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most ? (value as number) : undefined,
  scan: 'none',
  good: [least, most],
  bad: [least - 1, most + 1, least + 0.5, 'many', '', null, [least]],
});

/** True, or absent. */
export const flag: Kind<true> = {
  message: 'must be true',
  schema: { type: 'boolean', const: true },
  parse: (value) => (value === true ? true : undefined),
  good: [true],
  bad: [false, 'yes', 1, null, ''],
};

const INSTANT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})$/;

/** An instant; it is read as milliseconds. */
export const instant: Kind<number> = {
  message: 'must be an instant such as 2031-10-02T09:15:31Z',
  schema: { type: 'string', format: 'date-time' },
  parse: (value) => {
    if (typeof value !== 'string' || !INSTANT.test(value)) return undefined;
    try {
      return Temporal.Instant.from(value).epochMilliseconds;
    } catch {
      return undefined;
    }
  },
  good: ['2031-10-02T09:15:31Z', '2031-10-02T09:15:31.065+02:00', '2031-10-02T09:15Z'],
  bad: ['', '2031-10-02', '2031-02-30T00:00:00Z', '2031-10-02T09:15:31', '2031-10-02T25:15:31Z', 1_790_000_000, null],
};

const some = (units: string): string => [...units].map((unit) => `(?:[0-9]{1,8}${unit})?`).join('');
const ISO_SPAN = new RegExp(`^P(?=[0-9T])${some('YMWD')}(?:T(?=[0-9])${some('HMS')})?$`);
const SHORT_SPAN = /^([1-9][0-9]{0,7})(w|d|h|m|s)$/;

/** A duration in ISO 8601, or a number with w, d, h, m or s, which is converted to ISO 8601. */
export const duration: Kind<string> = {
  message: 'must be a duration above zero such as P1M, P1Y2M, PT36H, 30d, 12h, 45m or 10s',
  schema: { type: 'string', pattern: `${ISO_SPAN.source}|${SHORT_SPAN.source}` },
  parse: (value) => {
    if (typeof value !== 'string') return undefined;
    const [, number, unit = ''] = SHORT_SPAN.exec(value) ?? [];
    if (number !== undefined) return `P${'wd'.includes(unit) ? '' : 'T'}${number}${unit.toUpperCase()}`;
    return ISO_SPAN.test(value) && /[1-9]/.test(value) ? value : undefined;
  },
  good: ['P1M', 'P1Y2M10DT2H30M', 'PT36H', 'P2W', '30d', '12h', '45m', '10s', '1w'],
  bad: ['', 'P', 'PT', 'P0D', '0d', '1', 'd', '-1d', 'P-1D', '1.5h', 'P1.5D', '1 d', '1y', 'month', 1, null, ['P1M']],
};

/** Some ids, each of which may be named once. */
export const ids = (most: number): Kind<readonly string[]> => ({
  message: `must be a list of 1 to ${most} ids`,
  schema: { type: 'array', items: id.schema, minItems: 1, maxItems: most },
  parse: (value) =>
    Array.isArray(value) && value.length >= 1 && value.length <= most && value.every((one) => id.parse(one) !== undefined)
      ? [...new Set(value as string[])]
      : undefined,
  scan: 'none',
  good: [[HEX + HEX]],
  bad: [[], [''], [HEX], Array.from({ length: most + 1 }, () => HEX + HEX), HEX + HEX, null],
});

/** A scenario as a JSON object. The handler reports its faults member by member. */
export const scenarioObject: Kind<Readonly<Record<string, unknown>>> = {
  message: 'must be a scenario as a JSON object',
  schema: { $ref: '#/components/schemas/Scenario' },
  parse: (value) => (isRecord(value) ? value : undefined),
  good: [{ name: 'broke-twice', says: 'Two attempts find no money.', acquirer: [{ says: 'declined', code: '800.100.155' }] }],
  bad: ['', 'paid', 1, null, [], [{}]],
};

const CARD = /^[0-9]{8,19}$/;

/** The number of a card: used for its fingerprint and kept nowhere. */
export const cardNumber: Kind<string> = {
  message: 'must be a card number of 8 to 19 digits',
  schema: { type: 'string', pattern: CARD.source },
  parse: (value) => (typeof value === 'string' && CARD.test(value) ? value : undefined),
  good: ['4200000000000042', '42000000'],
  bad: ['', '4200', '4200 0000 0000 0042', '4'.repeat(20), 4_200_000_000_000_042, null],
  isSecret: true,
};

/** One field of a request of the administration API: in the JSON body of a POST, in the query of anything else. */
export type AdminField<Value = unknown, IsNeeded extends boolean = boolean> = {
  readonly isRequired: IsNeeded;
  /** Its purpose, as a sentence. */
  readonly description: string;
  readonly kind: Kind<Value>;
  readonly example: unknown;
  /** Never shown, not even in the message about it. */
  readonly isSecret: boolean;
};

export type AdminFieldTable = Readonly<Record<string, AdminField>>;

export const required = <Value>(
  kind: Kind<Value>,
  description: string,
  example: unknown = kind.good[0],
): AdminField<Value, true> => ({
  isRequired: true,
  description,
  kind,
  example,
  isSecret: kind.isSecret === true,
});

export const optional = <Value>(
  kind: Kind<Value>,
  description: string,
  example: unknown = kind.good[0],
): AdminField<Value, false> => ({
  ...required(kind, description, example),
  isRequired: false,
});

/** An entity for examples. */
export const ENTITY = '8ac7a4c9d0e1b2f38ac7a4c9d0e1b2f3';
export const PAGE_MAX = 200;

/** Fields that many lists have. */
export const limit = optional(count(1, PAGE_MAX), 'Page size; default 50.', 50);

/** Constructors for rows of endpoints that take and return JSON. */

/** Rows of one group of endpoints. */
export const tagged = <const Rows extends Readonly<Record<string, object>>>(tag: TagName, rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { tag, ...row }])) as {
    readonly [Name in keyof Rows]: Rows[Name] & { readonly tag: TagName };
  };

type Method = 'GET' | 'POST' | 'DELETE';

const plain = { sections: [], required: [], answers: 'admin' } as const;

/** An endpoint that needs a right. `stepUp`: the user must have confirmed the sign-in a short time ago. `notifies`: others learn of it. */
export const admin = <const Path extends `/admin/v1/${string}`, const Named extends Right>(
  method: Method,
  path: Path,
  right: Named,
  summary: string,
  more: { readonly stepUp?: true; readonly notifies?: true; readonly takes?: 'file' } = {},
) => ({ method, path, access: 'admin', right, summary, ...plain, ...more }) as const;

/** An endpoint for any signed-in user, about the own account. */
export const session = <const Path extends `/admin/v1/${string}`>(
  method: Method,
  path: Path,
  summary: string,
  more: { readonly stepUp?: true } = {},
) => ({ method, path, access: 'session', summary, ...plain, ...more }) as const;

/** An endpoint for users who have not signed in yet. */
export const signIn = <const Path extends `/admin/v1/${string}`>(method: Method, path: Path, summary: string) =>
  ({ method, path, access: 'signIn', summary, ...plain }) as const;
