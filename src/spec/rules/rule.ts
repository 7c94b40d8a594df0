import type { EndpointName } from '../endpoints.ts';

/** A fault of one parameter, or of its absence. */
export type Finding = { readonly name: string; readonly message: string };

/** The view that a rule has of a request. Names are canonical and complete: `walletA.source`, `cart.items[0].name`. */
export interface Sent {
  /** Whether the parameter was sent with a value, right or wrong. */
  has(name: string): boolean;
  /** Its text, when it was sent and has no fault of its own. */
  text(name: string): string | undefined;
  /** Every sent parameter of a row with an index or a key in its name. */
  all(rowName: string): readonly { readonly name: string; readonly text: string }[];
  /** The first sent parameter that one of the patterns of `when` names, as the client spelled it. Only messages need it. */
  first(patterns: readonly string[]): string | undefined;
}

/**
 * A rule between parameters: a sentence of the documents, its conditions, and one demand. The demand applies when every given condition
 * holds. The conditions are also the words of the message. In `when`, `customer.*` is every parameter that begins with `customer.`.
 */
export type Rule = {
  /** The sentence, in our words: the title of the rule's test and its line on the reference page. */
  readonly title: string;
  /** One of these was sent. An empty list: every request. */
  readonly when: readonly string[];
  readonly on?: readonly EndpointName[];
  readonly notOn?: readonly EndpointName[];
  readonly from?: 'browser';
  readonly in?: 'live';
  /** A lenient channel does not ask for it. */
  readonly isDescriptive?: true;
  /** Only a lenient channel applies it. */
  readonly isLenientOnly?: true;
  /** Each of these parameters has one of its values. */
  readonly is?: Readonly<Record<string, readonly string[]>>;
  /** Each of these parameters is absent or has another value. */
  readonly isNot?: Readonly<Record<string, readonly string[]>>;
  /** None of these was sent. */
  readonly unless?: readonly string[];

  /** All of these must be there. */
  readonly needs?: readonly string[];
  /** One of these at least must be there; the first is named when none is. */
  readonly needsOneOf?: readonly string[];
  /** None of these may be there. */
  readonly forbids?: readonly string[];
  /** The parameters of `when` may not be there; the text is the message. */
  readonly refuses?: string;
  /** These parameters, if sent, have one of these values. */
  readonly allows?: Readonly<Record<string, readonly string[]>>;
  /** These parameters, if sent, match the pattern; the message says its rule in words. */
  readonly matches?: Readonly<Record<string, { readonly pattern: RegExp; readonly message: string }>>;
  /** These are dropped from the request, as if they had not been sent. */
  readonly ignores?: readonly string[];
  /** A demand that the table cannot express. */
  readonly finds?: (sent: Sent) => readonly Finding[];

  /** The page in decisions/ that explains what the documents leave open. */
  readonly decision?: string;
};

/** The message for a parameter that every request of its endpoint needs; clients of this API know these words. */
export const ABSENT = 'may not be empty';
/** The message for a parameter that does not belong where it was sent. */
export const NOT_ALLOWED = 'is not an allowed parameter';

/** The message for a parameter that a condition made required: `is required when customer.ip is sent`. */
export const requiredWhen = (condition: string): string => `is required when ${condition}`;

const NOTHING: readonly Finding[] = [];

/** One finding for each of the names that was not sent; `message` is built only when there is one. */
export function absent(sent: Sent, names: readonly string[], message: () => string): readonly Finding[] {
  if (names.every((name) => sent.has(name))) return NOTHING;
  const text = message();
  return names.filter((name) => !sent.has(name)).map((name) => ({ name, message: text }));
}
