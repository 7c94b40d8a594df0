import { type Amount, minorUnits } from '../money/amount.ts';
import type { AcquirerAnswer, Attempt, Capability, Connector, Uncertainty } from '../payments/ports.ts';
import type { Mode } from '../registrations/registration.ts';
import { isRecord } from '../runtime/json.ts';
import { digitsOf } from '../spec/currencies.ts';
import type { MethodCode } from '../spec/paymentTypes.ts';
import type { NegativeCode } from '../spec/resultCodes.ts';
import { validityOf } from '../spec/validity.ts';
import type { AccountNeeds, ConnectorNeeds, ExchangeRequest } from './ports.ts';

/** A merchant's contract with the acquirer, as settings and sealed secrets of an entity. */
export type Account<Settings = Readonly<Record<string, unknown>>> = {
  /** As channels name it. */
  readonly name: string;
  /** The entity whose setting it is; everything below may use it. */
  readonly ownerId: string;
  /** Complete: settings that are not set have their defaults. */
  readonly settings: Settings;
  /** Null: there is none of that name. Read anew, so that an exchanged secret counts immediately. */
  secret(name: string): Promise<string | null>;
};

/** Capabilities are data for the router, the documentation and the back office. */
type ConnectorTable = {
  readonly name: string;
  readonly modes: readonly Mode[];
  /** Its maximal capabilities; an account's settings may narrow them. */
  readonly supports: Readonly<Partial<Record<MethodCode, Capability>>>;
};

/** A connector that needs no account. */
export type PlainKind = ConnectorTable & { readonly accounts?: undefined; create(needs: ConnectorNeeds): Connector };

/** One code of the acquirer and what it becomes here: a result code, or words where it is no decline. */
export type CodeRow = { readonly theirs: string; readonly name?: string; readonly ours: string };

/** Parameters of the API that the acquirer does not receive as they were sent: the value that it receives, and why. */
export type ParameterRow = { readonly names: readonly string[]; readonly there: string; readonly why: string };

/** Something that the API takes and the connector declines before anything is sent: the code, and why. */
type LimitRow = { readonly what: string; readonly code: string; readonly why: string };

/** A request that the connector sends for payments. */
export type StepRow = {
  /** Method and path, for people. */
  readonly request: string;
  /** Whether money can move, or be promised, by it. Without an answer to any other step nothing was sent in the sense of money. */
  readonly books: boolean;
};

/** A request that changes nothing and shows whether the acquirer accepts the credentials of an account. */
type AccountProbe<Settings> = {
  /** The secret that it is sent with. */
  readonly secret: string;
  readonly request: (settings: Settings, secret: string) => Omit<ExchangeRequest, 'withinMs' | 'books'>;
  /** The statuses that mean: these credentials are refused. */
  readonly refusedBy: readonly number[];
};

/** A connector with accounts, before one is set up. */
export type AccountKind<Settings = Readonly<Record<string, unknown>>> = ConnectorTable & {
  /** The name of the acquirer, for people. */
  readonly title: string;
  /** The brands that it takes, where those are not all of the method. */
  readonly brands?: Readonly<Partial<Record<MethodCode, readonly string[]>>>;
  /** Where the acquirer counts in other units than ISO 4217. */
  readonly exponents?: Exponents;
  readonly uncertainty?: Uncertainty;
  /** The mapping of the acquirer's codes, for the documentation. */
  readonly codes?: readonly CodeRow[];
  /** Where what the merchant sends goes on as it is: the exceptions, for the connector and for the documentation. */
  readonly parameters?: readonly ParameterRow[];
  readonly limits?: readonly LimitRow[];
  readonly accounts: {
    readonly settings: SettingRows<Settings>;
    readonly secrets: SecretRows;
    /** Contradictions between settings that fit by themselves, a sentence for each. */
    readonly faults?: (settings: Settings) => readonly string[];
  };
  /** Every request for payments, by its name; none: nothing is sent while somebody waits. */
  readonly steps: Readonly<Record<string, StepRow>>;
  readonly probe?: AccountProbe<Settings>;
  create(needs: AccountNeeds, account: Account<Settings>): Connector;
};

export type ConnectorKind = PlainKind | AccountKind<never>;

/** Hides the type of the settings: only the rows know it. */
export const defineConnector = <Settings extends object>(kind: AccountKind<Settings>): AccountKind<never> =>
  kind as unknown as AccountKind<never>;

/** Currencies that an acquirer counts in other units than ISO 4217 says: the number of decimals, by currency. */
export type Exponents = Readonly<Partial<Record<string, number>>>;

/**
 * An amount in the acquirer's smallest units. Undefined: it cannot be expressed exactly, or the currency is unknown, and must not be sent.
 */
export function amountFor(amount: Amount, currency: string, exceptions: Exponents = {}): bigint | undefined {
  const digits = exceptions[currency] ?? digitsOf(currency);
  return digits === undefined ? undefined : minorUnits(amount, digits);
}

/** An amount of the acquirer's in ours; undefined where hundredths cannot express it. */
export function amountFrom(units: bigint, currency: string, exceptions: Exponents = {}): Amount | undefined {
  const digits = exceptions[currency] ?? digitsOf(currency);
  if (digits === undefined) return undefined;
  if (digits <= 2) return units * 10n ** BigInt(2 - digits);
  const factor = 10n ** BigInt(digits - 2);
  return units % factor === 0n ? units / factor : undefined;
}

type Capabilities = Readonly<Partial<Record<MethodCode, Capability>>>;

/** The capabilities of a kind with the validity of its authorisations, from the table in spec/validity.ts. */
export const withValidities = <Supports extends Capabilities>(connector: string, supports: Supports): Supports =>
  Object.fromEntries(
    Object.entries(supports).map(([method, capability]) => [
      method,
      capability.types.includes('PA') ? { ...capability, validity: validityOf(connector, method as MethodCode) } : capability,
    ]),
  ) as Supports;

const CODE: NegativeCode = '100.150.100';

/**
 * The gateway keeps no number of a card that was not stored, and these acquirers take no other name of the card of an earlier payment. So a
 * payment that only names the one it follows has nothing to charge.
 */
export const practiceLimit: LimitRow = {
  what: '`standingInstruction.industryPractice` other than INCREMENTAL_AUTH with `referenceUuid`, without card or registration',
  code: CODE,
  why:
    'The number of a card is not kept, and the acquirer does not charge the card of an earlier payment by its reference: ' +
    'send the card or a registrationId',
};

/** The decline of a payment by an industry practice that brings nothing to charge; null: it is another payment. */
export function declineWithoutCard({ payment, registration }: Attempt): (AcquirerAnswer & { readonly is: 'declined' }) | null {
  const hasInstrument = payment.instrument !== null || registration !== null;
  if (payment.industryPractice === null || hasInstrument) return null;
  return { is: 'declined', code: CODE, details: { resultDetails: { ExtendedDescription: practiceLimit.why } } };
}

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
type SecretRow = {
  readonly help: string;
  readonly says: string;
  readonly fits: (text: string) => boolean;
  /** The account works without it. */
  readonly isOptional?: true;
};

export type SecretRows = Readonly<Record<string, SecretRow>>;

type Texts<Value> = { readonly help: string; readonly fallback?: Value };

const TEXT_CHARACTERS_MAX = 2_048;

/** A string that matches a regular expression; `says` describes it in words. */
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
