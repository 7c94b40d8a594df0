import type { WidgetSession } from '../../spec/widget.ts';
import { amountTextOf, isRtl, languageOf } from '../languages.ts';
import type { Options } from '../options.ts';
import type { Texts } from '../texts.ts';
import { fetchSession, fetchTexts } from './askGateway.ts';
import type { Given, Surroundings } from './contract.ts';
import type { ShopHooks } from './hooks.ts';
import type { Life } from './life.ts';
import { flag } from './readOptions.ts';
import { addStylesheet, type Stylesheet } from './stylesheet.ts';
import { filled, placeholderOf, textOf } from './words.ts';

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
