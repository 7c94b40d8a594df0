import type { WidgetSession } from '../../spec/widget.ts';
import { amountTextOf, isRtl, languageOf } from '../languages.ts';
import type { Options } from '../options.ts';
import type { Texts } from '../texts.ts';
import { type Environment, type LoaderConfig, sessionAddress, sheetAddress, textsAddress } from './contract.ts';
import { widgetError } from './errors.ts';
import { type Lifetime, pause } from './lifetime.ts';
import { flag, type ShopHooks } from './readOptions.ts';

type Key = Parameters<Environment['text']>[0];

/** A text of the language, or the shop's own; pages put texts of errors into either of their two maps. */
export function textOf(texts: Texts, options: Options, key: Key): string {
  const own = options.errorMessages?.[key] ?? options.labels?.[key];
  if (typeof own === 'string') return own;
  return (
    (texts.labels as Readonly<Record<string, string>>)[key] ?? (texts.errors as Readonly<Record<string, string>>)[key] ?? key
  );
}

/** Fills the placeholders of a text. */
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

/** A style sheet that is loading: `loaded` settles in any case, because a missing sheet must not keep the form from being shown. */
type Stylesheet = { readonly loaded: Promise<void>; drop(): void };

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

function arrival(lifetime: Lifetime, link: HTMLLinkElement): Promise<void> {
  if (link.sheet !== null) return Promise.resolve();
  return new Promise((resolve) => {
    lifetime.listen(link, 'load', () => resolve());
    lifetime.listen(link, 'error', () => resolve());
    lifetime.after(LOAD_MS_MAX, resolve);
    lifetime.onEnd(resolve);
  });
}

/** Counts the checkouts of the page that use a style sheet, on its element: the last one removes it. */
function changeUsers(link: HTMLLinkElement, by: 1 | -1): number {
  const count = Number(link.dataset.users ?? 0) + by;
  link.dataset.users = String(count);
  return count;
}

/** Adds the sheet of a style; `none` has none. */
function addStylesheet(
  lifetime: Lifetime,
  document: Document,
  { config, style }: { config: LoaderConfig; style: unknown },
): Stylesheet {
  const address = sheetAddress(config, style);
  if (address === null) return { loaded: Promise.resolve(), drop() {} };
  const link = linkOf(document, config.nonce, address);
  let isUsed = true;
  changeUsers(link, 1);
  const drop = (): void => {
    if (!isUsed) return;
    isUsed = false;
    if (changeUsers(link, -1) <= 0) link.remove();
  };
  lifetime.onEnd(drop);
  return { loaded: arrival(lifetime, link), drop };
}

type Loading = {
  readonly lifetime: Lifetime;
  readonly window: Window;
  readonly config: LoaderConfig;
  readonly options: () => Options;
  readonly hooks: ShopHooks;
};

/** A checkout with everything its forms need to know. */
export interface LoadedCheckout {
  readonly environment: Environment;
  /** Loads the session again. */
  refresh(): Promise<WidgetSession>;
  /** Goes on with another checkout in the same forms. */
  swap(checkoutId: string): Promise<void>;
  /** Loads texts and styles by the current options. */
  reloadTexts(): Promise<void>;
}

type State = { config: LoaderConfig; session: WidgetSession; texts: Texts; language: ReturnType<typeof languageOf> };

function environmentOf(state: State, { window, options, hooks }: Loading): Environment {
  return {
    window,
    document: window.document,
    get config() {
      return state.config;
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
      // A browser's first number format is slow, and the gateway has formatted the amount for the requested language.
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

/** Requests session, texts and style sheet together. Pages set options late, so texts that were requested too early are requested again. */
export async function loadCheckout(loading: Loading): Promise<LoadedCheckout> {
  const { lifetime, window, config, options } = loading;
  const asked = fetchSession(lifetime, config, options().locale);
  let sheet: Stylesheet | null = null;
  const loadTexts = async (): Promise<Pick<State, 'texts' | 'language'>> => {
    const { locale, style } = options();
    const language = languageOf(locale);
    const before = sheet;
    sheet = addStylesheet(lifetime, window.document, { config, style });
    const [texts] = await Promise.all([fetchTexts(lifetime, config, language), sheet.loaded, asked]);
    before?.drop();
    const later = options();
    return later.locale === locale && later.style === style ? { texts, language } : loadTexts();
  };
  const [session, first] = await Promise.all([asked, loadTexts()]);
  const state: State = { config, session, ...first };
  return {
    environment: environmentOf(state, loading),
    async refresh() {
      state.session = await fetchSession(lifetime, state.config, options().locale);
      return state.session;
    },
    async swap(checkoutId) {
      const next = { ...state.config, checkoutId };
      const found = await fetchSession(lifetime, next, options().locale);
      state.config = next;
      state.session = found;
    },
    async reloadTexts() {
      Object.assign(state, await loadTexts());
    },
  };
}

const TRIES_MAX = 3;
const TRY_MS_MAX = 10_000;
const PAUSE_MS = 400;

/** Whether the same request may succeed the next time. */
const isTemporary = (status: number): boolean => status === 429 || status >= 500;

async function ask(lifetime: Lifetime, address: string, early: LoaderConfig['early']): Promise<Response> {
  const asked = early?.answer(address);
  if (asked) return asked;
  const controller = new AbortController();
  const cancel = lifetime.after(TRY_MS_MAX, () => controller.abort());
  lifetime.onEnd(() => controller.abort());
  try {
    return await fetch(address, { credentials: 'omit', mode: 'cors', signal: controller.signal });
  } finally {
    cancel();
  }
}

/** The response to a request that is safe to repeat. Throws a WidgetError when several tries have failed. */
async function fetchWithRetries(lifetime: Lifetime, { early }: LoaderConfig, address: string): Promise<Response> {
  let because = 'no answer';
  for (let tries = 1; tries <= TRIES_MAX && !lifetime.isOver; tries += 1) {
    if (tries > 1) await pause(lifetime, PAUSE_MS * (tries - 1) ** 2);
    try {
      const response = await ask(lifetime, address, early);
      if (!isTemporary(response.status)) return response;
      because = `HTTP ${response.status}`;
    } catch (error) {
      because = (error as Error).message;
    }
  }
  throw widgetError('WidgetError', `${address} could not be read: ${because}`, { event: 'network' });
}

/** Fetches the session of a checkout. Throws InvalidCheckoutIdError when the checkout does not exist or has expired. */
async function fetchSession(lifetime: Lifetime, config: LoaderConfig, locale?: unknown): Promise<WidgetSession> {
  const response = await fetchWithRetries(lifetime, config, sessionAddress(config, locale));
  if (response.ok) return (await response.json()) as WidgetSession;
  const said = (await response.json().catch(() => null)) as { readonly result?: { readonly description?: string } } | null;
  const description = said?.result?.description ?? '';
  const message = description.includes('No payment session found')
    ? description
    : `No payment session found for this checkout id. ${description}`;
  throw widgetError('InvalidCheckoutIdError', message.trim());
}

/** The texts of one language; English where they cannot be loaded. */
export async function fetchTexts(lifetime: Lifetime, config: LoaderConfig, language: string): Promise<Texts> {
  const response = await fetchWithRetries(lifetime, config, textsAddress(config, language));
  if (response.ok) return (await response.json()) as Texts;
  if (language !== 'en') return fetchTexts(lifetime, config, 'en');
  throw widgetError('WidgetError', `There are no texts: HTTP ${response.status}`, { event: 'texts' });
}
