import type { ExplainLanguage } from './explain.ts';
import { parameters } from './parameters.ts';
import type { Row } from './row.ts';
import { rowNameOf } from './rowName.ts';

/** Explanations of wrong parameters for the request inspector, in the reader's language. Derived from the message of the fault. */

type FaultWords = Readonly<Record<ExplainLanguage, string>>;
/** `{1}` is what the pattern has caught, `{name}` the parameter. */
type FaultKind = { readonly name: string; readonly fits: RegExp; readonly words: FaultWords };

/** The first that fits says it. */
export const faultKinds: readonly FaultKind[] = [
  {
    name: 'missing',
    fits: /^(?:.*: )?(?:may not be empty|must be set|is required)( (?:when|unless|for) .+)?$/,
    words: { en: '{name} is missing. Send it.', de: '{name} fehlt. Bitte mitsenden.' },
  },
  {
    name: 'oneOf',
    fits: /^must be (?:one of|a comma-separated list of|a list of) (.+)$/,
    words: { en: '{name} takes one of these values: {1}.', de: '{name} nimmt einen dieser Werte: {1}.' },
  },
  {
    name: 'twice',
    fits: /^(?:must not be sent|was sent) twice/,
    words: { en: '{name} was sent more than once. Send it once.', de: '{name} wurde mehrmals gesendet. Nur einmal senden.' },
  },
  {
    name: 'together',
    fits: /^must not be sent with (.+)$/,
    words: {
      en: '{name} and {1} exclude each other. Send one of them.',
      de: '{name} und {1} schließen sich aus. Nur eines senden.',
    },
  },
  {
    name: 'notHere',
    fits: /^(?:must not be (?:sent|set)|must be absent|cannot be|must not have an index|is not (?:allowed|known here|offered))/,
    words: {
      en: '{name} does not belong into this request. Leave it out.',
      de: '{name} gehört nicht in diese Anfrage. Weglassen.',
    },
  },
  {
    name: 'sentAs',
    fits: /^must be sent as (.+)$/,
    words: { en: 'This parameter is written {1}.', de: 'Dieser Parameter schreibt sich {1}.' },
  },
  {
    name: 'index',
    fits: /^must have an index from (.+)$/,
    words: { en: 'The number in the brackets of {name} goes from {1}.', de: 'Die Zahl in den Klammern von {name} geht von {1}.' },
  },
  {
    name: 'key',
    fits: /^must have a (?:key of|name that) (.+)$/,
    words: {
      en: 'The key in the brackets of {name} must be {1}.',
      de: 'Der Schlüssel in den Klammern von {name} ist falsch. Erlaubt: {1}.',
    },
  },
  {
    name: 'decimals',
    fits: /^(?:must end in \.00 for|has decimals that) (\w+)/,
    words: { en: '{name} has decimals, but {1} has none.', de: '{name} hat Nachkommastellen, {1} kennt keine.' },
  },
  {
    name: 'same',
    fits: /^must be (?:the same as|equal to) (.+)$/,
    words: { en: '{name} and {1} must be the same.', de: '{name} und {1} müssen gleich sein.' },
  },
  {
    name: 'encoding',
    fits: /UTF-8|printable ASCII|must not contain/,
    words: {
      en: '{name} is not encoded as it should be: percent-encoded UTF-8 in a form.',
      de: '{name} ist nicht richtig kodiert: prozentkodiertes UTF-8 in einem Formular.',
    },
  },
  {
    name: 'media',
    fits: /application\/x-www-form-urlencoded/,
    words: {
      en: 'The body is not a form. Send the parameters as application/x-www-form-urlencoded.',
      de: 'Der Body ist kein Formular. Parameter als application/x-www-form-urlencoded senden.',
    },
  },
  {
    name: 'tooLong',
    fits: /^must (?:not be longer|not have more|have at most) (.+)$/,
    words: { en: '{name} is too long.', de: '{name} ist zu lang.' },
  },
  {
    name: 'unknown',
    fits: /^(?:no (?:stored payment details|transaction|payment)s? ha(?:s|ve)|has nothing|is not among|was not sealed)/,
    words: { en: 'Nothing of yours is known by this {name}.', de: 'Unter diesem {name} ist hier nichts bekannt.' },
  },
  {
    name: 'reused',
    fits: /already used/,
    words: {
      en: 'This Idempotency-Key was used for a different request. Take a new key for each new request.',
      de: 'Dieser Idempotency-Key gehört schon zu einer anderen Anfrage. Für jede neue Anfrage einen neuen nehmen.',
    },
  },
  {
    name: 'range',
    fits: /^must be a whole number from (.+)$/,
    words: { en: '{name} is a whole number from {1}.', de: '{name} ist eine ganze Zahl von {1}.' },
  },
  {
    name: 'currency',
    fits: /^must be an ISO 4217/,
    words: {
      en: '{name} is a currency in three capitals, such as EUR.',
      de: '{name} ist eine Währung in drei Großbuchstaben, etwa EUR.',
    },
  },
  {
    name: 'country',
    fits: /^must be an ISO 3166/,
    words: { en: '{name} is a country in two capitals, such as DE.', de: '{name} ist ein Land in zwei Großbuchstaben, etwa DE.' },
  },
  {
    name: 'date',
    fits: /^must be a (?:calendar )?(?:date|day|instant|time|point)/,
    words: {
      en: '{name} is a date that exists, written as the message says.',
      de: '{name} ist ein existierendes Datum in der Form der Meldung.',
    },
  },
  {
    name: 'format',
    fits: /^(?:must be |must (?:have|begin|end|lie|not be))/,
    words: {
      en: 'The value of {name} has another form than asked for.',
      de: 'Der Wert von {name} hat eine andere Form als verlangt.',
    },
  },
];

const otherwise: FaultWords = {
  en: '{name} does not fit the rest of the request. The message says how.',
  de: '{name} passt nicht zum Rest der Anfrage. Die Meldung sagt, wie.',
};

const samples: FaultWords = { en: 'For example: {1}.', de: 'Zum Beispiel: {1}.' };

const SAMPLE_MAX = 40;

/** A short value that would do; none of a secret, which somebody might take for his own. */
const sampleOf = ({ secret, format }: Row<unknown>): string | null =>
  secret === undefined ? (format.good.find((text) => /^[\x21-\x7e]+$/.test(text) && text.length <= SAMPLE_MAX) ?? null) : null;

export type ExplainedFault = { readonly name: string; readonly message: string; readonly says: string; readonly anchor: string };

/** Which kind of fault a message is about; null: none that has words of its own. */
export const faultKindOf = (message: string): string | null => faultKinds.find(({ fits }) => fits.test(message))?.name ?? null;

/** Explains one entry of `parameterErrors`. */
export function explainFault(
  { name, message }: { readonly name: string; readonly message: string },
  language: ExplainLanguage,
): ExplainedFault {
  const kind = faultKinds.find(({ fits }) => fits.test(message));
  const caught = kind?.fits.exec(message)?.[1] ?? '';
  const says = (kind?.words ?? otherwise)[language].replaceAll('{name}', () => name).replace('{1}', () => caught);
  const row = rowNameOf(name);
  const sample = row !== undefined && kind?.name === 'format' ? sampleOf(parameters[row]) : null;
  return {
    name,
    message,
    says: sample === null ? says : `${says} ${samples[language].replace('{1}', () => sample)}`,
    anchor: row === undefined ? '/docs#parameters' : `/docs#${row}`,
  };
}
