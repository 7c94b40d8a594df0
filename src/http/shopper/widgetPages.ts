import type { LanguageCode } from '../../spec/languages.ts';
import { shown } from '../../spec/reference/parts.ts';
import { policySource, shell } from '../../spec/reference/shell.ts';
import type { WidgetResult } from '../../spec/widget.ts';
import { allTexts } from '../../widget/allTexts.ts';
import { directionOf } from '../../widget/languages.ts';
import type { FrameField, ResultMessage } from '../../widget/protocol.ts';
import type { Texts } from '../../widget/texts.ts';
import { resultScript, waitingScript } from './widgetPageScripts.ts';
import { fieldStyles, pageStyles } from './widgetPageStyles.ts';

/** A page with the whole value of its Content-Security-Policy. */
export type WidgetPage = { readonly status: number; readonly html: string; readonly policy: string };

/** What every page for a shopper needs. */
export type PageReader = {
  readonly language: LanguageCode;
  /** Which pages may frame it, as a policy names them; every page when left out. */
  readonly ancestors?: string;
  readonly isTest?: boolean;
};

const EVERY_PAGE = '*';
const policyOf = (parts: readonly string[], ancestors: string): string =>
  ["default-src 'none'", ...parts, "base-uri 'none'", "form-action 'none'", `frame-ancestors ${ancestors}`].join('; ');

/** The attributes of each field's input; its script sets the rest. */
const inputs: Readonly<Record<FrameField, string>> = {
  'card.number': 'type="tel" inputmode="numeric" autocomplete="cc-number" dir="ltr"',
  'card.cvv': 'type="tel" inputmode="numeric" autocomplete="cc-csc" dir="ltr"',
  'card.holder': 'type="text" autocomplete="cc-name" autocapitalize="words" dir="auto"',
  'card.expiry': 'type="tel" inputmode="numeric" autocomplete="cc-exp" dir="ltr"',
};

/** Whether a page for a field of this name exists. */
const input = (field: FrameField): string =>
  `<input name="${field}" ${inputs[field]} aria-label="${field}" autocorrect="off" spellcheck="false">`;

export const isFrameField = (name: string): name is FrameField => Object.hasOwn(inputs, name);

export type FieldPage = {
  readonly build: string;
  readonly field: FrameField;
  /** The hash of the build's `js/frame.min.js`, for subresource integrity. */
  readonly integrity: string;
  /** Pages that may show the field, as a policy names them; `null` among them: also pages without an origin. */
  readonly ancestors: string;
};

/**
 * The page of one field: an input and its script. A form that is sent before the script runs goes nowhere, and never with its fields in an
 * address.
 */
export function fieldPage({ build, field, integrity, ancestors }: FieldPage): WidgetPage {
  const script = `/v1/static/${encodeURIComponent(build)}/js/frame.min.js`;
  const html = shell({
    language: 'en',
    title: 'Turnpike',
    style: fieldStyles,
    isBare: true,
    head: `<script src="${shown(script)}" integrity="${shown(integrity)}" crossorigin="anonymous" defer></script>`,
    attributes: takesNull(ancestors) ? ' data-origins="null"' : '',
    body: `<form method="post" novalidate>${input(field)}</form>`,
  });
  const parts = [
    "script-src 'self'",
    `style-src ${policySource(fieldStyles)}`,
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
  ];
  return { status: 200, html, policy: policyOf(parts, ancestors) };
}

/** The empty page in a form's frame before the reply. */
export function targetPage(ancestors = `${EVERY_PAGE} null`): WidgetPage {
  const html = '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Turnpike</title>\n</html>\n';
  return { status: 200, html, policy: policyOf([], ancestors) };
}

type Kind = WidgetResult['outcome'] | 'working' | 'wrong';

const strokes: Readonly<Record<'yes' | 'clock' | 'no' | 'turn', string>> = {
  yes: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 7v5.5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  no: 'M12 6v8M12 18h.01',
  turn: 'M21 12a9 9 0 1 1-9-9',
};
const signs: Readonly<Record<Kind, keyof typeof strokes>> = {
  success: 'yes',
  pending: 'clock',
  declined: 'no',
  cancelled: 'no',
  expired: 'clock',
  working: 'turn',
  wrong: 'no',
};
const signOf = (kind: Kind): string =>
  `<div class="sign${kind === 'working' ? ' turning' : ''}" aria-hidden="true"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" ` +
  `stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="${strokes[signs[kind]]}"/></svg></div>`;

/** An address that a shopper may open: of the web or of an app, no script. */
const isAddress = (url: string): boolean =>
  URL.canParse(url) && !/^(?:javascript|data|vbscript|blob|file|about|filesystem|view-source):/i.test(new URL(url).protocol);

/** The whole tab goes there, out of every frame. */
const linkTo = (url: string | null, text: string): string =>
  url !== null && isAddress(url) ? `<a href="${shown(url)}" target="_top" rel="noreferrer">${shown(text)}</a>` : '';

type PageView = PageReader & {
  readonly status: number;
  readonly kind: Kind;
  readonly title: string;
  readonly text?: string;
  readonly link?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly script?: string;
  /** Beside the title, for browsers that run no script. */
  readonly head?: string;
  readonly before?: string;
};

function sheet({
  language,
  ancestors = EVERY_PAGE,
  isTest = false,
  kind,
  title,
  status,
  script,
  data = {},
  ...rest
}: PageView): WidgetPage {
  const { text = '', link = '', head = '', before = '' } = rest;
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${shown(value)}"`);
  const body = [
    signOf(kind),
    `<div role="status"><h1>${shown(title)}</h1>${text === '' ? '' : `<p>${shown(text)}</p>`}</div>`,
    link,
    isTest ? `<p class="test">${shown(allTexts[language].labels.testMode)}</p>` : '',
  ];
  const main = `${before}<main class="${kind}"${attributes.join('')}>\n${body.filter(Boolean).join('\n')}\n</main>`;
  const html = shell({
    language,
    direction: directionOf(language),
    title,
    style: pageStyles,
    head,
    body: script === undefined ? main : `${main}\n<script>${script}</script>`,
  });
  const scripts = script === undefined ? [] : [`script-src ${policySource(script)}`, "connect-src 'self'"];
  return { status, html, policy: policyOf([...scripts, `style-src ${policySource(pageStyles)}`, 'img-src data:'], ancestors) };
}

/** The first sentence says what happened; the rest says what to do. A very short one is no sentence but an abbreviation. */
function sentences(text: string): { readonly title: string; readonly text: string } {
  const [, title = text, rest = ''] = /^(.{7,80}?(?:[.!?]\s+|。))(.+)$/su.exec(text) ?? [];
  return { title: title.trim(), text: rest };
}

const labelsOf = (language: LanguageCode): Texts['labels'] => allTexts[language].labels;

/** Pages without an origin may frame ours. */
const takesNull = (ancestors: string | undefined): boolean => (ancestors ?? '').split(' ').includes('null');

/** The target origin of a message; `null` only where pages without an origin are allowed. */
const isMessageTarget = (text: string, ancestors: string | undefined): boolean =>
  text === 'null' ? takesNull(ancestors) : /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;

export type ResultView = PageReader & {
  readonly result: WidgetResult;
  /** The page that gets the result; null or no origin: none. */
  readonly shopOrigin: string | null;
};

/** The result: sent to the shop's page, and shown to the shopper where that page does not listen or no script runs. */
export function resultPage({ result, shopOrigin, ...reader }: ResultView): WidgetPage {
  const labels = labelsOf(reader.language);
  const isGood = result.outcome === 'success' || result.outcome === 'pending';
  const message: ResultMessage['result'] = result;
  return sheet({
    ...reader,
    status: 200,
    kind: result.outcome,
    ...sentences(result.text),
    link: linkTo(result.url, isGood ? labels.continueToShop : labels.backToShop),
    data: {
      result: JSON.stringify(message),
      ...(shopOrigin !== null && isMessageTarget(shopOrigin, reader.ancestors) && { shop: shopOrigin }),
    },
    before: `<p class="moment" aria-hidden="true">${shown(labels.working)}</p>\n`,
    script: resultScript,
  });
}

export type Leaving = PageReader & {
  /** Where the shopper came from, or goes next; null: unknown. */
  readonly shopUrl: string | null;
};

/** The checkout is expired or unknown: the shopper sees the same page. */
export function expiredPage({ shopUrl, ...reader }: Leaving): WidgetPage {
  const { expired, expiredHint, backToShop } = labelsOf(reader.language);
  return sheet({ ...reader, status: 410, kind: 'expired', title: expired, text: expiredHint, link: linkTo(shopUrl, backToShop) });
}

/** The gateway has failed. The log has the cause. */
export function goneWrong({ shopUrl, ...reader }: Leaving): WidgetPage {
  const { resultError, backToShop } = labelsOf(reader.language);
  return sheet({ ...reader, status: 500, kind: 'wrong', ...sentences(resultError), link: linkTo(shopUrl, backToShop) });
}

export type WaitingView = PageReader & {
  /** The path of this page. It answers 202 while the payment is under way. */
  readonly next: string;
};

const REFRESH_SECONDS = 10;

/** Another tab, or another attempt, has the payment under way: this page goes on by itself when it is over. */
export function workingPage({ next, ...reader }: WaitingView): WidgetPage {
  const { working, stillWorking } = labelsOf(reader.language);
  const head = `<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS};url=${shown(next)}"></noscript>`;
  const data = { next };
  return sheet({
    ...reader,
    status: 202,
    kind: 'working',
    title: working,
    text: stillWorking,
    data,
    head,
    script: waitingScript,
  });
}
