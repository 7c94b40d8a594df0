import { languageOf } from '../languages.ts';
import type { Options } from '../options.ts';
import { type Envelope, type FrameField, type FromFrame, framePath } from '../protocol.ts';
import {
  type EarlyFrame,
  type HeadStart,
  type LoaderConfig,
  sessionAddress,
  sheetAddress,
  textsAddress,
} from '../runtime/contract.ts';
import { randomName } from '../runtime/forms/draw.ts';

type HeadStartOptions = { readonly config: LoaderConfig; readonly options: Options };
type EarlyFrameOptions = {
  readonly place: HTMLElement;
  readonly group: string;
  readonly field: FrameField;
  readonly signal: AbortSignal;
};

/** The same time-out as the runtime's. */
const ANSWER_MS_MAX = 10_000;
/** An older answer is not used, because the remaining time of the checkout in it is wrong. */
const FRESH_MS = 5_000;

/** Options that are set late may change the language, but the checkout stays the same. */
const pathOf = (address: string): string => address.replace(/\?.*/, '');

function ask(address: string): Promise<Response> {
  const asked = fetch(address, { credentials: 'omit', mode: 'cors', signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    // Always read completely: an unread answer keeps its connection and the page busy.
    .then(async (answer) => new Response(await answer.blob(), answer));
  // The taker handles the failure; an untaken failure is not logged.
  asked.catch(() => {});
  return asked;
}

function preload(href: string, { nonce }: LoaderConfig): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'style';
  link.href = href;
  if (nonce) link.nonce = nonce;
  document.head?.append(link);
  return link;
}

function loadEarlyFrame({ origin, checkoutId }: LoaderConfig, { place, group, field, signal }: EarlyFrameOptions): EarlyFrame {
  const iframe = document.createElement('iframe');
  const key = randomName();
  const progress = { hello: false, load: false };
  const onMessage = (event: MessageEvent<Partial<Envelope<FromFrame>> | null>): void => {
    if (event.source !== iframe.contentWindow || event.origin !== new URL(iframe.src).origin) return;
    if (event.data?.key === key && event.data.message?.is === 'hello') progress.hello = true;
  };
  window.addEventListener('message', onMessage, { signal });
  iframe.addEventListener('load', () => {
    progress.load = true;
  });
  iframe.allow = 'payment';
  iframe.name = field;
  iframe.src = `${origin}${framePath}?${new URLSearchParams({ checkoutId, field, group, key })}`;
  place.append(iframe);
  return { iframe, key, progress };
}

/** Begins the requests of nearly every page: the checkout, texts and style sheet by the current options, and the frames of a card. */
export function headStart({ config, options }: HeadStartOptions): HeadStart {
  const { checkoutId } = config;
  const begunAt = performance.now();
  const { locale, style } = options;
  const addresses = [sessionAddress(config, locale), textsAddress(config, languageOf(locale))];
  const answers = new Map(addresses.map((address) => [pathOf(address), ask(address)]));
  const sheet = sheetAddress(config, style);
  const link = sheet === null ? null : preload(sheet, config);
  const group = randomName();
  const place = document.createElement('div');
  place.style.setProperty('display', 'none', 'important');
  const frames = new Map<FrameField, EarlyFrame>();
  const over = new AbortController();
  // Only in browsers that can move a frame without loading it again. In a sandbox it may be useless.
  if ('moveBefore' in place && window.origin !== 'null') {
    const { signal } = over;
    for (const field of ['card.number', 'card.cvv'] as const)
      frames.set(field, loadEarlyFrame(config, { place, group, field, signal }));
    document.documentElement.append(place);
  }
  let isGiven = false;
  return {
    answer(address) {
      const asked = performance.now() - begunAt < FRESH_MS ? answers.get(pathOf(address)) : undefined;
      answers.delete(pathOf(address));
      return asked ?? null;
    },
    group(wanted) {
      if (isGiven || wanted !== checkoutId || frames.size === 0 || !place.isConnected) return null;
      isGiven = true;
      return group;
    },
    frame(wanted, field) {
      const frame = wanted === group && place.isConnected ? frames.get(field) : undefined;
      if (frame) frames.delete(field);
      return frame ?? null;
    },
    end() {
      over.abort();
      link?.remove();
      place.remove();
    },
  };
}
