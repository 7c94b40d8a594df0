import type { LanguageCode } from '../../spec/languages.ts';
import { type ResultCode, resultCodes } from '../../spec/resultCodes.ts';
import { allTexts } from '../../widget/allTexts.ts';
import type { TextKey } from '../../widget/texts.ts';

/**
 * The text for a decline, by the beginning of its code; the first that fits. Suspicions of the risk checks or the issuer get the plain
 * text: a tester of stolen cards must not learn from it.
 */
const reasons: readonly (readonly [codes: RegExp, key: TextKey])[] = [
  [/^100\.396\./, 'resultCancelled'],
  [/^800\.100\.(?:155|162|203)/, 'resultDeclinedFunds'],
  [/^(?:100\.38|100\.390|000\.400\.10|300\.100\.100|800\.400\.2)/, 'resultDeclinedAuth'],
  [/^(?:100\.100\.|100\.15|100\.21|800\.100\.15[1367]|800\.100\.192)/, 'resultDeclinedCard'],
  [/^(?:[2356]00\.|800\.[56789]|9)/, 'resultError'],
];

/** A result as a shopper reads it, in the shopper's language and without a code. */
export function resultText(code: ResultCode, language: LanguageCode, isStoring: boolean): string {
  return allTexts[language].labels[shopperTextKey(code, isStoring)];
}

/** The key of that text among the texts of the widget. */
export function shopperTextKey(code: ResultCode, isStoring = false): TextKey {
  const { means } = resultCodes[code];
  if (means === 'approved') return isStoring ? 'resultStored' : 'resultSuccess';
  if (means === 'pending') return 'resultPending';
  return reasons.find(([codes]) => codes.test(code))?.[1] ?? 'resultDeclined';
}
