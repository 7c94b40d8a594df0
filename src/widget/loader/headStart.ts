import { languageOf } from '../languages.ts';
import type { Options } from '../options.ts';
import { type Envelope, type FrameField, type FromFrame, framePath } from '../protocol.ts';
import { sessionAddress, sheetAddress, textsAddress } from '../runtime/addresses.ts';
import type { Given } from '../runtime/contract.ts';
import { randomName } from '../runtime/forms/draw.ts';

/** A frame of a field that is loaded hidden, until its form is drawn. */
export type EarlyFrame = {
  readonly iframe: HTMLIFrameElement;
  readonly key: string;
  /** Whether its script has reported, and whether it has loaded. */
  readonly come: { hello: boolean; load: boolean };
};

/** Work that started before the runtime was loaded. Each result is taken once, unless it is too old. */
export interface HeadStart {
  /** The answer of an address that was asked already. */
  answer(address: string): Promise<Response> | null;
  /** The group of the frames that wait for a card form of this checkout. */
  group(checkoutId: string): string | null;
  /** A frame of that group, which moves to its place without loading anew. */
  frame(group: string, field: FrameField): EarlyFrame | null;
  /** Removes what was not taken. */
  end(): void;
}

type Begin = { readonly given: Given; readonly options: Options };
type Parking = { readonly place: HTMLElement; readonly group: string; readonly field: FrameField; readonly signal: AbortSignal };

/** The same patience as that of the runtime. */
const ANSWER_MS_MAX = 10_000;
/** What a checkout was about some time ago says nothing about the time that it has left. */
const FRESH_MS = 5_000;

/** Options that come late may want another language: the checkout is the same one. */
const pathOf = (address: string): string => address.replace(/\?.*/, '');

function ask(address: string): Promise<Response> {
  const asked = fetch(address, { credentials: 'omit', mode: 'cors', signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    // Read to its end in any case: an answer that is left unread keeps its connection, and the page busy.
    .then(async (answer) => new Response(await answer.blob(), answer));
  // The taker handles the failure; an untaken failure is not logged.
  asked.catch(() => {});
  return asked;
}

function preload(href: string, { nonce }: Given): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'style';
  link.href = href;
  if (nonce) link.nonce = nonce;
  document.head?.append(link);
  return link;
}

function park({ origin, checkoutId }: Given, { place, group, field, signal }: Parking): EarlyFrame {
  const iframe = document.createElement('iframe');
  const key = randomName();
  const come = { hello: false, load: false };
  const onMessage = (event: MessageEvent<Partial<Envelope<FromFrame>> | null>): void => {
    if (event.source !== iframe.contentWindow || event.origin !== new URL(iframe.src).origin) return;
    if (event.data?.key === key && event.data.message?.is === 'hello') come.hello = true;
  };
  window.addEventListener('message', onMessage, { signal });
  iframe.addEventListener('load', () => {
    come.load = true;
  });
  iframe.allow = 'payment';
  iframe.name = field;
  iframe.src = `${origin}${framePath}?${new URLSearchParams({ checkoutId, field, group, key })}`;
  place.append(iframe);
  return { iframe, key, come };
}

/** Begins what nearly every page needs: the checkout, the words and the sheet as the options are now, and the frames of a card. */
export function headStart({ given, options }: Begin): HeadStart {
  const { checkoutId } = given;
  const begunAt = performance.now();
  const { locale, style } = options;
  const addresses = [sessionAddress(given, locale), textsAddress(given, languageOf(locale))];
  const answers = new Map(addresses.map((address) => [pathOf(address), ask(address)]));
  const sheet = sheetAddress(given, style);
  const link = sheet === null ? null : preload(sheet, given);
  const group = randomName();
  const place = document.createElement('div');
  place.style.setProperty('display', 'none', 'important');
  const frames = new Map<FrameField, EarlyFrame>();
  const over = new AbortController();
  // Only where a frame can be moved as it is: elsewhere it would load twice. In a sandbox it may be of no use.
  if ('moveBefore' in place && window.origin !== 'null') {
    const { signal } = over;
    for (const field of ['card.number', 'card.cvv'] as const) frames.set(field, park(given, { place, group, field, signal }));
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
