import type { WidgetSession } from '../../spec/widget.ts';
import { amountTextOf, isRtl, languageOf } from '../languages.ts';
import type { Options } from '../options.ts';
import type { Texts } from '../texts.ts';
import { sheetAddress } from './addresses.ts';
import { fetchSession, fetchTexts } from './askGateway.ts';
import type { Given, Surroundings } from './contract.ts';
import type { ShopHooks } from './hooks.ts';
import type { Life } from './life.ts';
import { flag } from './readOptions.ts';

type Key = Parameters<Surroundings['text']>[0];

/** A text of the language, or what the shop says instead; pages put words for errors into either of their two maps. */
export function textOf(texts: Texts, options: Options, key: Key): string {
  const own = options.errorMessages?.[key] ?? options.labels?.[key];
  if (typeof own === 'string') return own;
  return (
    (texts.labels as Readonly<Record<string, string>>)[key] ?? (texts.errors as Readonly<Record<string, string>>)[key] ?? key
  );
}

/** Puts values into the places of a text. */
export const filled = (text: string, places: Readonly<Record<string, string>> = {}): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => places[name] ?? place);

const formats = { cardNumber: '0000 0000 0000 0000', cardHolder: '', cvv: '' } as const;

/** Placeholders show the format only; where the labels are switched off they are the only name that a field has. */
export function placeholderOf(texts: Texts, options: Options, key: keyof typeof formats | 'expiryDate'): string {
  if (!flag(options.showPlaceholders, true)) return '';
  const own = options.placeholders?.[`${key}Placeholder`] ?? options.placeholders?.[key];
  if (typeof own === 'string') return own;
  if (key === 'expiryDate') return textOf(texts, options, 'mmyy');
  return flag(options.showLabels, true) ? formats[key] : textOf(texts, options, key);
}

const LOAD_MS_MAX = 3_000;

/** How many checkouts of the page use a sheet; the last one takes it away. */
const users = new WeakMap<HTMLLinkElement, number>();

/** A sheet on its way: `come` settles in any case, since a sheet that does not come must not keep the form from coming. */
type Stylesheet = { readonly come: Promise<void>; drop(): void };

function linkOf(document: Document, nonce: string | null, href: string): HTMLLinkElement {
  const there = [...document.querySelectorAll<HTMLLinkElement>('link[data-turnpike]')].find((link) => link.href === href);
  if (there) return there;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  link.dataset.turnpike = 'style';
  if (nonce) link.nonce = nonce;
  // Before the page's own, so that the shop's rules of the same weight win.
  document.head.prepend(link);
  return link;
}

function arrival(life: Life, link: HTMLLinkElement): Promise<void> {
  if (link.sheet !== null) return Promise.resolve();
  return new Promise((resolve) => {
    life.listen(link, 'load', () => resolve());
    life.listen(link, 'error', () => resolve());
    life.after(LOAD_MS_MAX, resolve);
    life.onEnd(resolve);
  });
}

/** Adds the sheet of a style; `none` has none. */
function addStylesheet(life: Life, document: Document, { given, style }: { given: Given; style: unknown }): Stylesheet {
  const address = sheetAddress(given, style);
  if (address === null) return { come: Promise.resolve(), drop() {} };
  const link = linkOf(document, given.nonce, address);
  let isUsed = true;
  users.set(link, (users.get(link) ?? 0) + 1);
  const drop = (): void => {
    if (!isUsed) return;
    isUsed = false;
    const left = (users.get(link) ?? 1) - 1;
    users.set(link, left);
    if (left <= 0) link.remove();
  };
  life.onEnd(drop);
  return { come: arrival(life, link), drop };
}

export type Loading = {
  readonly life: Life;
  readonly window: Window;
  readonly given: Given;
  readonly options: () => Options;
  readonly hooks: ShopHooks;
};

/** A checkout with everything its forms need to know. */
export interface LoadedCheckout {
  readonly around: Surroundings;
  /** Asks again how the checkout stands. */
  refresh(): Promise<WidgetSession>;
  /** Goes on with another checkout in the same forms. */
  swap(checkoutId: string): Promise<void>;
  /** Texts and styles as the options ask for them now. */
  reword(): Promise<void>;
}

type State = { given: Given; session: WidgetSession; texts: Texts; language: ReturnType<typeof languageOf> };

function surroundingsOf(state: State, { window, options, hooks }: Loading): Surroundings {
  return {
    window,
    document: window.document,
    get given() {
      return state.given;
    },
    get session() {
      return state.session;
    },
    get language() {
      return state.language;
    },
    get isRtl() {
      return isRtl(state.language);
    },
    get amountText() {
      const { amount, currency, amountText } = state.session;
      const { locale } = options();
      // A browser takes long to write its first amount, and the gateway has written one for the language that was asked for.
      return amountText && amountText.locale === (locale ?? '') ? amountText.text : amountTextOf(amount, currency, locale);
    },
    text: (key, places) => filled(textOf(state.texts, options(), key), places),
    placeholder: (key) => placeholderOf(state.texts, options(), key),
    options,
    flag,
    call: hooks.call,
    fail: hooks.fail,
  };
}

/** Asks for everything at once. Pages set their options late: what was asked for too early is asked for again. */
export async function loadCheckout(loading: Loading): Promise<LoadedCheckout> {
  const { life, window, given, options } = loading;
  const asked = fetchSession(life, given, options().locale);
  let sheet: Stylesheet | null = null;
  const words = async (): Promise<Pick<State, 'texts' | 'language'>> => {
    const { locale, style } = options();
    const language = languageOf(locale);
    const before = sheet;
    sheet = addStylesheet(life, window.document, { given, style });
    const [texts] = await Promise.all([fetchTexts(life, given, language), sheet.come, asked]);
    before?.drop();
    const later = options();
    return later.locale === locale && later.style === style ? { texts, language } : words();
  };
  const [session, first] = await Promise.all([asked, words()]);
  const state: State = { given, session, ...first };
  return {
    around: surroundingsOf(state, loading),
    async refresh() {
      state.session = await fetchSession(life, state.given, options().locale);
      return state.session;
    },
    async swap(checkoutId) {
      const next = { ...state.given, checkoutId };
      const found = await fetchSession(life, next, options().locale);
      state.given = next;
      state.session = found;
    },
    async reword() {
      Object.assign(state, await words());
    },
  };
}
