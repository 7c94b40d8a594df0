import type { EndpointName } from '../endpoints.ts';

/** What is wrong with one parameter, or with its absence. */
export type Finding = { readonly name: string; readonly says: string };

/** What a rule may ask about a request. Names are canonical and whole: `walletA.source`, `cart.items[0].name`. */
export interface Sent {
  /** It was sent with a value, be it right or wrong. */
  has(name: string): boolean;
  /** Its text, when it was sent and has no fault of its own. */
  text(name: string): string | undefined;
  /** Everything that was sent of a row with an index or a key in its name. */
  all(rowName: string): readonly { readonly name: string; readonly text: string }[];
}

/**
 * A rule between parameters: a sentence of the documents, when it is looked at, and what it asks for. Everything that is given
 * must hold for the rule to speak; then it asks for one thing. In `when`, `customer.*` is every parameter that begins so.
 */
export type Rule = {
  /** The sentence, in our words; it is the heading of the rule's test. */
  readonly says: string;
  /** One of these was sent. An empty list: every request. */
  readonly when: readonly string[];
  readonly on?: readonly EndpointName[];
  readonly from?: 'browser';
  readonly in?: 'live';
  /** A lenient channel does not ask for it. */
  readonly isDescriptive?: true;
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
  /** What was sent of `when` may not be there; the text is what the fault says. */
  readonly refuses?: string;
  /** These parameters, if sent, have one of these values. */
  readonly allows?: Readonly<Record<string, readonly string[]>>;
  /** These parameters, if sent, match. */
  readonly matches?: Readonly<Record<string, RegExp>>;
  /** These are left out of the request as if they had not been sent. */
  readonly ignores?: readonly string[];
  /** What a table cannot say. */
  readonly finds?: (sent: Sent) => readonly Finding[];

  /** The page in decisions/ that explains what the documents leave open. */
  readonly decision?: string;
};

/** What a fault says about a parameter that must be there; clients of this API know these words. */
export const ABSENT = 'may not be empty';

const NOTHING: readonly Finding[] = [];

/** The findings for those of the names that were not sent. */
export function absent(sent: Sent, names: readonly string[]): readonly Finding[] {
  if (names.every((name) => sent.has(name))) return NOTHING;
  return names.filter((name) => !sent.has(name)).map((name) => ({ name, says: ABSENT }));
}
