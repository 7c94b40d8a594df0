/**
 * The parts, two or more, as one text. The engine keeps a sum of texts, and a long slice of one, as references to other texts.
 * JSON.stringify leaves its quick way for an object with such a text anywhere in it, and takes three times as long.
 */
export const oneText = (...parts: readonly [string, string, ...string[]]): string => parts.join('');

/** Whether a value is a JSON object: no list and not null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text; null when the text is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The object of a JSON text; null when the text is none, or holds another value. */
export function parsedRecord(text: string): Readonly<Record<string, unknown>> | null {
  const value = parsedJson(text);
  return isRecord(value) ? value : null;
}
