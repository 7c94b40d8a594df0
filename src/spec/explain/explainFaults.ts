import { parameters, rowNameOf } from '../parameters.ts';
import type { Row } from '../row.ts';
import type { ExplainLanguage } from './explainCodes.ts';

/** Explanations of wrong parameters for the request inspector, in the reader's language. Derived from the message of the fault. */

type FaultWords = Readonly<Record<ExplainLanguage, string>>;
/** `{1}` is the first capture of the pattern, `{name}` the parameter. */
type FaultKind = { readonly name: string; readonly fits: RegExp; readonly words: FaultWords };

/** The first match wins. */
export const faultKinds: readonly FaultKind[] = [
  {
    name: 'missing',
    fits: /^(?:.*: )?(?:may not be empty|must be set|is required)( (?:when|unless|for) .+)?$/,
    words: { en: '{name} is required.', de: '{name} ist erforderlich.' },
  },
  {
    name: 'oneOf',
    fits: /^must be (?:one of|a comma-separated list of|a list of) (.+)$/,
    words: { en: '{name} must be one of: {1}.', de: '{name} muss einer dieser Werte sein: {1}.' },
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
      en: '{name} is not allowed in this request. Remove it.',
      de: '{name} ist in dieser Anfrage nicht erlaubt. Entfernen.',
    },
  },
  {
    name: 'sentAs',
    fits: /^must be sent as (.+)$/,
    words: { en: 'The parameter name is {1}.', de: 'Der Parameter heißt {1}.' },
  },
  {
    name: 'index',
    fits: /^must have an index from (.+)$/,
    words: { en: 'The index of {name} must be from {1}.', de: 'Der Index von {name} geht von {1}.' },
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
      en: '{name} has a wrong encoding: use percent-encoded UTF-8.',
      de: '{name} ist falsch kodiert: prozentkodiertes UTF-8 verwenden.',
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
    words: { en: 'No object found for this {name}.', de: 'Zu diesem {name} gibt es kein Objekt.' },
  },
  {
    name: 'reused',
    fits: /already used/,
    words: {
      en: 'This Idempotency-Key was used for a different request. Use a new key for each new request.',
      de: 'Dieser Idempotency-Key gehört schon zu einer anderen Anfrage. Für jede neue Anfrage einen neuen verwenden.',
    },
  },
  {
    name: 'range',
    fits: /^must be a whole number from (.+)$/,
    words: { en: '{name} must be an integer from {1}.', de: '{name} muss eine ganze Zahl von {1} sein.' },
  },
  {
    name: 'currency',
    fits: /^must be an ISO 4217/,
    words: {
      en: '{name} must be an ISO 4217 currency code, for example EUR.',
      de: '{name} muss ein Währungscode nach ISO 4217 sein, zum Beispiel EUR.',
    },
  },
  {
    name: 'country',
    fits: /^must be an ISO 3166/,
    words: {
      en: '{name} must be a two-letter country code, for example DE.',
      de: '{name} muss ein zweistelliger Ländercode sein, zum Beispiel DE.',
    },
  },
  {
    name: 'date',
    fits: /^must be a (?:calendar )?(?:date|day|instant|time|point)/,
    words: {
      en: '{name} must be a valid date in the format of the message.',
      de: '{name} muss ein gültiges Datum im Format der Meldung sein.',
    },
  },
  {
    name: 'format',
    fits: /^(?:must be |must (?:have|begin|end|lie|not be))/,
    words: {
      en: 'The value of {name} has a wrong format.',
      de: 'Der Wert von {name} hat ein falsches Format.',
    },
  },
];

const otherwise: FaultWords = {
  en: '{name} conflicts with the rest of the request. See the message.',
  de: '{name} passt nicht zum Rest der Anfrage. Siehe Meldung.',
};

const samples: FaultWords = { en: 'For example: {1}.', de: 'Zum Beispiel: {1}.' };

const SAMPLE_MAX = 40;

/** Returns a short valid value, or null; never for a secret, which a reader could mistake for a real one. */
const sampleOf = ({ secret, format }: Row<unknown>): string | null =>
  secret === undefined ? (format.good.find((text) => /^[\x21-\x7e]+$/.test(text) && text.length <= SAMPLE_MAX) ?? null) : null;

/** The end of a list that is cut, see formats.ts. */
const OTHERS = / and ([0-9]+) others$/;

export type ExplainedFault = { readonly name: string; readonly message: string; readonly says: string; readonly anchor: string };

/** Returns the kind of error that a message is about, or null when it has no text of its own. */
export const faultKindOf = (message: string): string | null => faultKinds.find(({ fits }) => fits.test(message))?.name ?? null;

/** Explains one entry of `parameterErrors`. */
export function explainFault(
  { name, message }: { readonly name: string; readonly message: string },
  language: ExplainLanguage,
): ExplainedFault {
  const kind = faultKinds.find(({ fits }) => fits.test(message));
  const caught = kind?.fits.exec(message)?.[1] ?? '';
  const listed = language === 'de' ? caught.replace(OTHERS, ' und $1 weitere') : caught;
  const says = (kind?.words ?? otherwise)[language].replaceAll('{name}', () => name).replace('{1}', () => listed);
  const row = rowNameOf(name);
  const sample = row !== undefined && kind?.name === 'format' ? sampleOf(parameters[row]) : null;
  return {
    name,
    message,
    says: sample === null ? says : `${says} ${samples[language].replace('{1}', () => sample)}`,
    anchor: row === undefined ? '/docs/reference#parameters' : `/docs/reference#${row}`,
  };
}
