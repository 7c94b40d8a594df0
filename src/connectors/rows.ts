import { isRecord } from '../runtime/json.ts';

/** One setting of an account. The form of the back office, the checks, the messages and the documentation derive from it. */
export type SettingRow<Value = unknown> = {
  readonly control: 'text' | 'flag' | 'number' | 'choice' | 'list';
  /** Its purpose, in a sentence. */
  readonly help: string;
  /** Continues "must be". */
  readonly says: string;
  readonly fits: (value: unknown) => boolean;
  /** The value where none is set; without a default the setting is required. */
  readonly fallback?: Value;
  /** Of a choice. */
  readonly words?: readonly string[];
};

export type SettingRows<Settings> = { readonly [Name in keyof Settings]: SettingRow<Settings[Name]> };

/** One secret of an account: set and exchanged, never shown. */
export type SecretRow = {
  readonly help: string;
  readonly says: string;
  readonly fits: (text: string) => boolean;
  /** The account works without it. */
  readonly isOptional?: true;
};

export type SecretRows = Readonly<Record<string, SecretRow>>;

type Texts<Value> = { readonly help: string; readonly fallback?: Value };

const TEXT_CHARACTERS_MAX = 2_048;

/** A text of a form that `says` describes. */
export function textRow({
  help,
  says,
  pattern,
}: {
  readonly help: string;
  readonly says: string;
  readonly pattern: RegExp;
}): SettingRow<string> {
  const fits = (value: unknown): boolean =>
    typeof value === 'string' && value.length <= TEXT_CHARACTERS_MAX && pattern.test(value);
  return { control: 'text', help, says, fits };
}

/** The same, but it may be left out. */
export const optionalTextRow = (
  about: { readonly help: string; readonly says: string; readonly pattern: RegExp },
  fallback = '',
): SettingRow<string> => ({ ...textRow(about), fallback });

export const flagRow = (help: string, fallback: boolean): SettingRow<boolean> => ({
  control: 'flag',
  help,
  says: 'true or false',
  fits: (value) => typeof value === 'boolean',
  fallback,
});

export function numberRow(help: string, range: { readonly least: number; readonly most: number; readonly fallback: number }) {
  const { least, most, fallback } = range;
  const fits = (value: unknown): boolean =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
  return {
    control: 'number',
    help,
    says: `a whole number of ${least} to ${most}`,
    fits,
    fallback,
  } as const satisfies SettingRow<number>;
}

export function choiceRow<const Word extends string>(words: readonly Word[], { help, fallback }: Texts<Word>): SettingRow<Word> {
  const fits = (value: unknown): boolean => words.some((word) => word === value);
  return {
    control: 'choice',
    help,
    says: `one of ${words.join(', ')}`,
    fits,
    words,
    ...(fallback !== undefined && { fallback }),
  };
}

/** The address of a server: https, or http on this machine. */
export function urlRow(help: string, fallback?: string): SettingRow<string> {
  const fits = (value: unknown): boolean => {
    const url = typeof value === 'string' && value.length <= TEXT_CHARACTERS_MAX ? URL.parse(value) : null;
    if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false;
    const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
    return url.protocol === 'https:' || (url.protocol === 'http:' && isHere);
  };
  const row: SettingRow<string> = {
    control: 'text',
    help,
    says: 'an address such as https://api.example.com, without a query',
    fits,
  };
  return fallback === undefined ? row : { ...row, fallback };
}

/** A secret of printable characters. */
export const secretRow = (help: string, { min = 8, max = 4_096, isOptional = false } = {}): SecretRow => ({
  help,
  says: `${min} to ${max} printable characters`,
  fits: (text) => text.length >= min && text.length <= max && /^[\x21-\x7e]+$/.test(text),
  ...(isOptional && { isOptional: true }),
});

/** The faults of an account's settings, each with the name of its setting. A fault never repeats a value. */
export function rowFaults(rows: SettingRows<Readonly<Record<string, unknown>>>, settings: unknown): readonly string[] {
  if (!isRecord(settings)) return ['"settings" must be an object'];
  const unknown = Object.keys(settings).filter((name) => !Object.hasOwn(rows, name));
  return [
    ...unknown.map((name) => `"settings.${name.slice(0, 64)}" does not exist; there are ${Object.keys(rows).join(', ')}`),
    ...Object.entries(rows).flatMap(([name, { says, fits, fallback }]) => {
      if (!Object.hasOwn(settings, name))
        return fallback === undefined ? [`"settings.${name}" is missing; it must be ${says}`] : [];
      return fits(settings[name]) ? [] : [`"settings.${name}" must be ${says}`];
    }),
  ];
}

/** The settings, completed by defaults. */
export const completeSettings = (
  rows: SettingRows<Readonly<Record<string, unknown>>>,
  settings: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(rows).map(([name, { fallback }]) => [name, settings[name] ?? fallback]));
