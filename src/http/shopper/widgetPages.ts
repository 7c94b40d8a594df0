import type { LanguageCode } from '../../spec/languages.ts';
import { policySource, shell, shown } from '../../spec/reference/parts.ts';
import type { WidgetResult } from '../../spec/widget.ts';
import { allTexts } from '../../widget/allTexts.ts';
import { directionOf } from '../../widget/languages.ts';
import type { FrameField, ResultMessage } from '../../widget/protocol.ts';
import type { Texts } from '../../widget/texts.ts';

/** A page with the whole value of its Content-Security-Policy. */
export type WidgetPage = { readonly status: number; readonly html: string; readonly policy: string };

/** The parts that every page for a shopper has. */
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

type FieldPage = {
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

/** The first sentence names the problem, the rest the way out. A very short one is no sentence but an abbreviation. */
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

type ResultView = PageReader & {
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

type Leaving = PageReader & {
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

type WaitingView = PageReader & {
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

/** The style sheet of a field's page: an input that fills its frame. The shop's page styles it further. */
const fieldStyles = `
:root { --font: var(--tp-font, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif); --text: var(--tp-text, var(--tp-ink, #14181f)); }
html, body, form { height: 100%; margin: 0; background: transparent; overflow: hidden; }
input { box-sizing: border-box; display: block; width: 100%; height: 100%; margin: 0; padding: 0 12px; border: 0; border-radius: 0;
  outline: 0; appearance: none; background: transparent; color: var(--text); caret-color: var(--tp-accent, auto);
  font: 400 16px/1.45 var(--font); font-variant-numeric: tabular-nums; text-align: left; }
input.rtl { text-align: right; }
input.masked { -webkit-text-security: disc; }
input.masked::placeholder { -webkit-text-security: none; }
input::placeholder { color: var(--tp-muted, #5b6472); opacity: 1; unicode-bidi: plaintext; }
input:autofill { -webkit-background-clip: text; background-clip: text; -webkit-text-fill-color: var(--text); }
.heard { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/** The style sheet of the pages that a shopper reads, in a frame of 250 pixels as in a whole tab. */
const pageStyles = `
:root { color-scheme: light dark; --ink: #14181f; --muted: #5b6472; --ground: #fff; --raised: #f7f8fa; --accent: #0b5fff;
  --good: #0a7a4b; --warn: #9a6700; --bad: #c62828; --onAccent: #fff;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --muted: #98a2b3; --ground: #0f1217; --raised: #171b22;
  --accent: #6ea3ff; --good: #4cc38a; --warn: #e2b34b; --bad: #ff7b72; --onAccent: #0f1217; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 15px/1.45 var(--sans); }
main { display: grid; justify-items: center; gap: 16px; max-width: 480px; margin: 0 auto; padding: 48px 16px; text-align: center; }
.sign { display: grid; place-items: center; width: 48px; height: 48px; border-radius: 50%; background: var(--raised); color: var(--muted); }
.sign svg { width: 24px; height: 24px; }
.success .sign { color: var(--good); }
.pending .sign, .expired .sign { color: var(--warn); }
.declined .sign, .wrong .sign { color: var(--bad); }
[role=status] { display: grid; gap: 8px; }
h1 { margin: 0; font-size: 20px; line-height: 1.3; font-weight: 550; text-wrap: balance; overflow-wrap: anywhere; }
p { margin: 0; color: var(--muted); text-wrap: pretty; overflow-wrap: anywhere; }
a { display: inline-grid; place-items: center; min-height: 44px; max-width: 100%; padding: 8px 24px; border-radius: 6px;
  background: var(--accent); color: var(--onAccent); font-size: 16px; font-weight: 550; text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.test { color: var(--warn); font-size: 13px; font-weight: 550; }
.moment { display: none; }
.sent .moment { display: block; padding: 48px 16px; text-align: center; animation: leave 0s 1500ms forwards; }
.sent main { visibility: hidden; animation: appear 0s 1500ms forwards; }
.sent body { display: grid; }
.sent .moment, .sent main { grid-area: 1 / 1; }
@keyframes leave { to { visibility: hidden; } }
@keyframes appear { to { visibility: visible; } }
.turning svg { animation: turn 1200ms linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .turning svg { animation: none; } }
`;

/**
 * Sends the result to the shop's page, and to no other. The text of the page itself appears after a moment, when the frame is still
 * there: then the shop has not taken the result. A page without an origin cannot be named; the gateway has allowed it by then, and the
 * result holds no card data.
 */
const resultScript = `{
  const { result, shop } = document.querySelector('main').dataset;
  if (shop && parent !== window) {
    document.documentElement.classList.add('sent');
    parent.postMessage({ turnpike: 1, result: JSON.parse(result) }, shop === 'null' ? '*' : shop);
  }
}`;

/** Polls for the end of the payment, less and less often, and goes there. The page stays as it is meanwhile. */
const waitingScript = `{
  const { next } = document.querySelector('main').dataset;
  let pause = 2000;
  const ask = async () => {
    try {
      const { status } = await fetch(next, { cache: 'no-store', redirect: 'manual' });
      if (status !== 202 && status < 500) return location.replace(next);
    } catch {}
    pause = Math.min(pause * 1.5, 15000);
    setTimeout(ask, pause);
  };
  setTimeout(ask, pause);
}`;

/** Reports a missing checkout to the page of the shop through its own options, whenever they are set. */
export const missingCheckoutScript = `(function () {
  var isSent = false;
  function send() {
    if (isSent) return;
    isSent = true;
    var options = typeof wpwlOptions === 'undefined' ? window.wpwlOptions : wpwlOptions;
    var error = new Error('No payment session found for the requested id');
    error.name = 'InvalidCheckoutIdError';
    if (options && typeof options.onError === 'function') options.onError(error);
    else if (window.reportError) window.reportError(error);
  }
  // Pages set their options as late as when the document is there: they are asked after that, whichever of the two comes first.
  function soon() { setTimeout(send, 0); }
  if (document.readyState === 'complete') return soon();
  document.addEventListener('DOMContentLoaded', soon);
  window.addEventListener('load', soon);
})();
`;
