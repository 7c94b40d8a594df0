import { maskCardNumbers } from '../spec/cards/cardNumbers.ts';

/** A position in a trace, as W3C Trace Context describes it. */
export type TraceContext = {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span that is the parent of later ones. */
  readonly spanId: string;
  readonly isSampled: boolean;
  /** The `tracestate` of the caller; empty: none. */
  readonly state: string;
};

type TraceHeaders = { readonly traceparent: string; readonly tracestate?: string };

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** A name, with the tenant before an @ where there is one, and a value without comma, equals sign or blank at its end. */
const MEMBER_NAME = /^(?:[a-z0-9][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const MEMBER_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const isMember = (text: string): boolean => {
  const at = text.indexOf('=');
  return MEMBER_NAME.test(text.slice(0, Math.max(0, at))) && MEMBER_VALUE.test(text.slice(at + 1));
};
const STATE_CHARACTERS_MAX = 512;
const MEMBERS_MAX = 32;
const SAMPLED = 1;

const [NUMBER_MIN, NUMBER_MAX] = [13, 19];

/** Whether a text has a card number in it, wherever it begins: such a header must not travel on, and counts as absent. */
export function holdsCardNumber(text: string): boolean {
  for (const digits of text.match(/\d{13,}/g) ?? []) {
    for (let from = 0; from <= digits.length - NUMBER_MIN; from += 1) {
      for (let to = from + NUMBER_MIN; to <= Math.min(digits.length, from + NUMBER_MAX); to += 1) {
        const part = digits.slice(from, to);
        if (maskCardNumbers(part, { isStrict: true }) !== part) return true;
      }
    }
  }
  return maskCardNumbers(text, { isStrict: true }) !== text;
}

/** The trace that a request belongs to; null when it names none, or not in the form of the standard. */
export function readTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | null {
  const found = typeof traceparent === 'string' && traceparent.length <= 256 ? TRACEPARENT.exec(traceparent) : null;
  if (!found) return null;
  const [, version, traceId = '', spanId = '', flags = '00', rest] = found;
  // Later versions may add fields; version 00 has exactly four.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId) || holdsCardNumber(`${traceId} ${spanId}`)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED, state: readState(tracestate) };
}

/** A list that is not in the form of the standard is dropped whole. */
function readState(tracestate: unknown): string {
  const text = Array.isArray(tracestate) ? tracestate.join(',') : tracestate;
  if (typeof text !== 'string' || text.length > STATE_CHARACTERS_MAX) return '';
  const members = text.split(',').flatMap((member) => (member.trim() === '' ? [] : [member.trim()]));
  const names = new Set(members.map((member) => member.slice(0, member.indexOf('='))));
  const isValid = members.length <= MEMBERS_MAX && names.size === members.length && members.every(isMember);
  return isValid && !holdsCardNumber(text) ? members.join(',') : '';
}

export const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** The headers that pass the trace on. */
export const traceHeaders = (context: TraceContext): TraceHeaders => ({
  traceparent: traceparentOf(context),
  ...(context.state !== '' && { tracestate: context.state }),
});
