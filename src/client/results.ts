import {
  type Advice,
  adviceTexts,
  languages,
  type Meaning,
  resultGroups,
  resultRows,
  shopperTexts,
} from './generated/results.ts';

export type Language = keyof typeof languages;
export type ResultGroup = keyof typeof resultGroups;
type TextId = keyof typeof shopperTexts;

type Common = {
  readonly code: string;
  /** The group of the code by the patterns that clients of this API know; null: none. */
  readonly group: ResultGroup | null;
  /** False: the code is newer than this client, and was judged by its group. */
  readonly isKnown: boolean;
  readonly advice: Advice;
  /** The advice as a sentence, for the merchant. */
  readonly adviceText: string;
};

/**
 * The meaning of a result code for a shop. `success`: deliver. `review`: paid, and a person should look at it before delivery. `pending`: the
 * result comes later, by webhook or when the status is read again. `declined`: by a bank or an acquirer. `refused`: by the gateway, before a
 * bank was asked. `chargeback`: the bank took the money back. `unknown`: not a code of this API; never deliver on it.
 */
export type Result =
  | (Common & { readonly kind: 'success' | 'review' | 'refused' | 'chargeback' | 'unknown' })
  | (Common & { readonly kind: 'pending' /** It can take days. */; readonly isLong: boolean })
  | (Common & {
      readonly kind: 'declined';
      /** `hard`: never send it again. `soft`: another try may succeed, by the rules of `retry`. */
      readonly decline: 'soft' | 'hard';
      /** The bank wants 3D Secure: send the payment again with it. */
      readonly needsAuthentication: boolean;
      readonly retry: {
        /** `advised`: only where the issuer's advice names a time. */
        readonly again: 'later' | 'advised' | 'never';
        readonly afterDays: number;
        readonly triesMax: number;
      };
    });

type Entry = { readonly means: Meaning; readonly advice: Advice; readonly textId: TextId } & Pick<
  Extract<Result, { readonly kind: 'declined' }>,
  'retry'
>;

const entries: ReadonlyMap<string, Entry> = new Map(
  resultRows.flatMap(([means, advice, again, afterDays, triesMax, textId, codes]) =>
    codes.split(' ').map((code): [string, Entry] => [code, { means, advice, textId, retry: { again, afterDays, triesMax } }]),
  ),
);

const groups = Object.entries(resultGroups) as [ResultGroup, RegExp][];
const CODE = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/;
const TRIES_MAX = 15;

/** A code of a newer gateway: its group says what kind it is. */
function entryByGroup(group: ResultGroup | null): Entry | null {
  const retry = { again: 'advised', afterDays: 0, triesMax: TRIES_MAX } as const;
  switch (group) {
    case null:
      return null;
    case 'success':
    case 'success-manual-review':
      return { means: 'approved', advice: 'none', textId: 'resultSuccess', retry };
    case 'pending':
    case 'pending-long':
      return { means: 'pending', advice: 'wait', textId: 'resultPending', retry };
    case 'chargeback':
      return { means: 'chargeback', advice: 'do not retry', textId: 'resultDeclined', retry };
    case '3ds-or-intercard-rejection':
    case 'external-bank-decline':
    case 'communication-error':
    case 'async-error':
    case 'soft-decline':
    case '3ds-rejection':
      return { means: 'declined', advice: 'ask shopper', textId: 'resultDeclined', retry };
    default:
      return { means: 'refused', advice: 'fix data', textId: 'resultDeclined', retry };
  }
}

const groupOf = (code: string): ResultGroup | null => groups.find(([, pattern]) => pattern.test(code))?.[0] ?? null;

const entryOf = (code: string): Entry | null => entries.get(code) ?? (CODE.test(code) ? entryByGroup(groupOf(code)) : null);

/** Classifies a result code, or an answer with one. */
export function classifyResult(of: string | { readonly result: { readonly code?: string } }): Result {
  const code = typeof of === 'string' ? of : (of.result.code ?? '');
  const entry = entryOf(code);
  const group = groupOf(code);
  const advice = entry?.advice ?? 'contact support';
  const common: Common = { code, group, isKnown: entries.has(code), advice, adviceText: adviceTexts[advice] };
  if (entry === null) return { ...common, kind: 'unknown' };
  const { means, retry } = entry;
  if (means === 'approved') return { ...common, kind: group === 'success-manual-review' ? 'review' : 'success' };
  if (means === 'pending') return { ...common, kind: 'pending', isLong: group === 'pending-long' };
  if (means !== 'declined') return { ...common, kind: means };
  const decline = retry.again === 'never' ? 'hard' : 'soft';
  return { ...common, kind: 'declined', decline, needsAuthentication: group === 'soft-decline', retry };
}

const textOfLanguage = (wanted: string): Language | null => {
  const code = wanted.toLowerCase().split(/[-_]/, 1)[0] ?? '';
  const [found] =
    Object.entries<readonly string[]>(languages).find(([own, others]) => own === code || others.includes(code)) ?? [];
  return (found as Language | undefined) ?? null;
};

/**
 * The text for the shopper, without a code: `en`, `de-AT`, `pt_BR`; an unknown language gets English. Suspicions of fraud get the plain text
 * of a decline.
 */
export function shopperText(of: Parameters<typeof classifyResult>[0], language = 'en', isStoring = false): string {
  const code = typeof of === 'string' ? of : (of.result.code ?? '');
  const entry = entryOf(code);
  const id: TextId = isStoring && entry?.means === 'approved' ? 'resultStored' : (entry?.textId ?? 'resultError');
  return shopperTexts[id][textOfLanguage(language) ?? 'en'];
}
