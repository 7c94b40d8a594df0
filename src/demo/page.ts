import { type LanguageCode, languageCodes, rightToLeft } from '../spec/languages.ts';
import { mark, shell, shown } from '../spec/reference/parts.ts';
import { type Choices, queryOf } from './choices.ts';
import { pageStyles } from './styles.ts';

/** The texts of the widget that the shop uses. */
export type PayingWords = {
  readonly chooseMethod: string;
  readonly tryAgain: string;
  readonly resultSuccess: string;
  readonly resultPending: string;
  readonly resultDeclined: string;
  readonly resultError: string;
  readonly expired: string;
  readonly expiredHint: string;
  readonly testMode: string;
  readonly storedCards: string;
  readonly expires: string;
};

/** The context of every page of the shop. */
export type Shop = {
  /** Only scripts and styles that carry it are believed. */
  readonly nonce: string;
  /** Where the gateway is, for the lines that a developer copies. */
  readonly origin: string;
  readonly choices: Choices;
  /** Formats amounts in the language. */
  readonly locale: string;
  readonly words: PayingWords;
  /** A brand as people write it. */
  readonly brandName: (brand: string) => string;
};

/** Parts for developers are English on every page. */
export const forDevelopers = 'lang="en" dir="ltr"';

/** A language by its own name. */
const languageName = (code: LanguageCode): string => {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.slice(0, 1).toLocaleUpperCase(code) + name.slice(1);
};

export type Choice = readonly [value: string, text: string];

/** A list to choose one from. */
export const select = (name: string, label: string, { choices, now }: { choices: readonly Choice[]; now: string }): string =>
  `<div class="field"><label for="${name}">${shown(label)}</label><select id="${name}" name="${name}">` +
  choices
    .map(([value, text]) => `<option value="${shown(value)}"${value === now ? ' selected' : ''}>${shown(text)}</option>`)
    .join('') +
  '</select></div>';

/** The languages by their own names. */
export const languageChoices = (): readonly Choice[] => languageCodes.map((code) => [code, languageName(code)]);

export const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${shown(name)}" value="${shown(value)}">`;

type Body = { readonly title: string; readonly main: string; readonly kind: string; readonly scripts?: string };

/** The frame of every page of the shop. */
export function page({ nonce, choices, words }: Shop, { title, main, kind, scripts = '' }: Body): string {
  const { language, theme } = choices;
  const direction = rightToLeft.has(language) ? 'rtl' : 'ltr';
  const body = `<header>
<a class="brand" href="/demo?${shown(queryOf(choices))}" ${forDevelopers}>${mark}Turnpike demo</a>
<span class="badge">${shown(words.testMode)}</span>
</header>
<main id="main">
${main}
</main>
<footer ${forDevelopers}><a href="/docs">Documentation</a>
<a href="/docs/reference">API reference</a> <a href="/sandbox/wallets">Wallet tokens</a></footer>
${scripts}`;
  return shell({
    language,
    direction,
    title: `${title} · Turnpike demo`,
    style: pageStyles,
    nonce,
    root: ` data-theme="${theme}"`,
    attributes: ` class="${kind}"`,
    body,
  });
}
