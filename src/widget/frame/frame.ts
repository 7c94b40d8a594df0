import {
  type Envelope,
  emptySetup,
  type FrameField,
  type FrameSetup,
  type FrameStyle,
  type FromFrame,
  type ToFrame,
} from '../protocol.ts';
import type { Today } from '../runtime/forms/checks.ts';
import { now } from '../runtime/lifetime.ts';
import { acceptMessage } from './acceptMessage.ts';
import { createEditor } from './editor.ts';
import { type Field, fields } from './fields.ts';

/** The gateway's answer to the fields. */
type Sealed = { readonly sealed: string } | { readonly because: 'invalid' | 'network' | 'session' };

type Sealing = {
  readonly checkoutId: string;
  /** The checkout in the frame's own address: the gateway seals for another one only where both are of the same channel. */
  readonly openedFor: string;
  readonly fields: Readonly<Record<string, string>>;
};

const PATIENCE_MS = 15_000;
const TRIES = 2;
const TOO_MANY = 429;
async function post({ checkoutId, openedFor, fields }: Sealing, signal: AbortSignal): Promise<Response> {
  const body = new URLSearchParams(fields);
  if (openedFor !== checkoutId) body.set('openedFor', openedFor);
  return fetch(`/v1/checkouts/${encodeURIComponent(checkoutId)}/fields`, {
    method: 'POST',
    body,
    signal,
    mode: 'same-origin',
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  });
}

async function read(answer: Response): Promise<Sealed> {
  const answered: unknown = await answer.json();
  if (answer.ok) {
    const sealed = (answered as { readonly sealed?: unknown } | null)?.sealed;
    return typeof sealed === 'string' && sealed !== '' ? { sealed } : { because: 'network' };
  }
  const isLost = answer.status === 404 || answer.status === 410 || JSON.stringify(answered).includes('No payment session found');
  return { because: isLost ? 'session' : 'invalid' };
}

/** Sends the fields to the gateway. Sealing changes nothing there, so it is tried once more when the way was broken. */
async function seal(sealing: Sealing): Promise<Sealed> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for (let tries = 0; tries < TRIES && !signal.aborted; tries += 1) {
    try {
      const answer = await post(sealing, signal);
      if (answer.status === TOO_MANY) break;
      if (answer.status < 500) return await read(answer);
    } catch {
      // The next try, or the answer below, is all there is to say about it.
    }
  }
  return { because: 'network' };
}

type SealRequest = Extract<ToFrame, { readonly is: 'seal' }>;

/** Fields that a page may add to those of the frames; a frame's own value wins. */
const OF_PAGE = ['card.holder', 'card.expiryMonth', 'card.expiryYear'];

/** Collects the fields of a form from its frames and returns the message for the page. */
async function sealGroup({ window, group, checkoutId }: FrameContext, own: FieldPart, wish: SealRequest): Promise<FromFrame> {
  const { turn } = wish;
  const parts = [own, ...askSiblings(window, group)];
  if (wish.group !== group || !parts.every(({ isValid }) => isValid)) return { is: 'unsealed', turn, because: 'invalid' };
  const ofPage = Object.fromEntries(Object.entries(wish.fields).filter(([name]) => OF_PAGE.includes(name)));
  // This frame's own value wins, then its siblings' in their order, then the page's.
  const fields: Record<string, string> = Object.assign(ofPage, ...parts.map(({ values }) => values).reverse());
  const answer = await seal({ checkoutId: wish.checkoutId ?? checkoutId, openedFor: checkoutId, fields });
  return 'sealed' in answer ? { is: 'sealed', turn, ...answer } : { is: 'unsealed', turn, ...answer };
}

/** Properties that change only the appearance of text. None of them loads or moves anything. */
const properties: ReadonlySet<string> = new Set(
  (
    'color caret-color background-color opacity direction text-align text-indent text-transform text-shadow letter-spacing word-spacing ' +
    'line-height font-family font-size font-style font-weight font-stretch font-variant font-variant-numeric font-kerning ' +
    'font-feature-settings font-optical-sizing font-synthesis -webkit-font-smoothing -moz-osx-font-smoothing ' +
    '-webkit-text-fill-color color-scheme display ' +
    'padding padding-top padding-right padding-bottom padding-left padding-inline padding-inline-start padding-inline-end ' +
    'padding-block padding-block-start padding-block-end'
  ).split(' '),
);

/** Functions that make a colour. */
const functions: ReadonlySet<string> = new Set('rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark'.split(' '));

const VALUE_MAX = 200;
const STYLES_MAX = 100;
/** The largest number that may stand before a unit; without a unit it is a weight or a part of a colour. */
const bounds: Readonly<Record<string, number>> = { '': 1000, px: 100, pt: 75, em: 6, rem: 6, ch: 12, ex: 12, '%': 400, deg: 360 };

/** No character that could end a value or hide another one in it, no functions except for colours, no number out of bounds. */
export function isSafeValue(value: string): boolean {
  if (value.length === 0 || value.length > VALUE_MAX || !/^[-\w\s.,%#()'"+/]+$/.test(value) || value.includes('//')) return false;
  const calls = [...value.matchAll(/([-\w]*)\s*\(/g)];
  if (!calls.every(([, name = '']) => functions.has(name.toLowerCase()))) return false;
  // Names of fonts and colours by hex digits are no lengths.
  const bare = value.replace(/'[^']*'|"[^"]*"|#[0-9a-f]+/gi, ' ');
  return [...bare.matchAll(/(?<![\w.-])[-+]?(\d*\.?\d+(?:e[-+]?\d+)?)([a-z%]*)/gi)].every(([, size = '', unit = '']) => {
    const bound = bounds[unit.toLowerCase()];
    return bound !== undefined && Number(size) <= bound;
  });
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const isVariable = (name: string): boolean => /^--tp-[a-z0-9-]{1,40}$/.test(name);

/** The allowed part of a page's styles, by CSS names; a page may also write them in camel case. */
export function allowedStyles(style: FrameStyle): readonly (readonly [name: string, value: string])[] {
  return Object.entries(style)
    .slice(0, STYLES_MAX)
    .map(([name, value]) => [name.startsWith('--') ? name : kebab(name), value] as const)
    .filter(([name, value]) => (properties.has(name) || isVariable(name)) && typeof value === 'string' && isSafeValue(value));
}

/** Puts a page's styles on the input and on its placeholder. */
interface Styler {
  input(style: FrameStyle): void;
  placeholder(style: FrameStyle): void;
}

/** Properties of the whole document: variables, and the colour scheme, without which the frame would get its own background. */
const isOfRoot = (name: string): boolean => name.startsWith('--') || name === 'color-scheme';

/** An input that is not there cannot be filled in, digits run one way, and where the text begins is the page's direction to say. */
const isOurs = (name: string, value: string): boolean =>
  name === 'display' || name === 'direction' || (name === 'text-align' && value === 'start');

function fill(rule: CSSStyleRule, entries: readonly (readonly [string, string])[]): void {
  for (const name of [...rule.style]) rule.style.removeProperty(name);
  for (const [name, value] of entries) rule.style.setProperty(name, value);
}

/** By rules of a sheet that scripts hold: a policy without inline styles lets them pass, and a value can only be a value there. */
function createStyler(document: Document): Styler {
  const sheet = new CSSStyleSheet();
  const rule = (selector: string): CSSStyleRule => {
    sheet.insertRule(`${selector} {}`, sheet.cssRules.length);
    return sheet.cssRules[sheet.cssRules.length - 1] as CSSStyleRule;
  };
  const [root, field, hint] = [rule(':root'), rule('form > input'), rule('form > input::placeholder')];
  document.adoptedStyleSheets = [sheet];
  return {
    input(style) {
      const allowed = allowedStyles(style);
      const own = allowed.filter(([name, value]) => !isOfRoot(name) && !isOurs(name, value));
      const text = own.filter(([name]) => name === 'color').map(([, value]) => ['--tp-text', value] as const);
      fill(root, [...allowed.filter(([name]) => isOfRoot(name)), ...text]);
      fill(field, own);
    },
    placeholder: (style) =>
      fill(
        hint,
        allowedStyles(style).filter(([name]) => !isOfRoot(name)),
      ),
  };
}

/** The one input of the page, as the setup wants it. */
interface InputView {
  applyTheme(setup: FrameSetup): void;
  describe(error: string | null): void;
}

/** Masked like a password without being one, so that no password manager offers to keep it. */
const canMask = (): boolean => CSS.supports('-webkit-text-security', 'disc');

const setFlag = (element: Element, name: string, isSet: boolean): void => {
  if (isSet) element.setAttribute(name, 'true');
  else element.removeAttribute(name);
};

/** For one document with one input, and the element that describes its error. */
function createInputView(document: Document, input: HTMLInputElement, field: Field): InputView {
  const error = document.createElement('p');
  error.id = 'error';
  error.className = 'heard';
  document.body.append(error);
  const plain = field.isNumeric ? 'tel' : 'text';
  return {
    applyTheme(setup) {
      document.documentElement.lang = setup.language.replace('_', '-');
      document.documentElement.dir = setup.isRtl ? 'rtl' : 'ltr';
      document.title = setup.title;
      input.dir = field.isNumeric ? 'ltr' : 'auto';
      input.classList.toggle('rtl', setup.isRtl);
      input.setAttribute('aria-label', setup.label);
      input.placeholder = setup.placeholder;
      setFlag(input, 'aria-required', setup.isRequired);
      input.classList.toggle('masked', setup.isMasked);
      input.type = setup.isMasked && !canMask() ? 'password' : plain;
    },
    describe(text) {
      error.textContent = text;
      setFlag(input, 'aria-invalid', text !== null);
      if (text === null) input.removeAttribute('aria-describedby');
      else input.setAttribute('aria-describedby', error.id);
    },
  };
}

/** The setup before the first message of a page; nothing is posted with it. */
const unset = (field: FrameField): FrameSetup => ({ ...emptySetup, field, label: field, style: {}, placeholderStyle: {} });

/** A page without an origin cannot be addressed by name. It has our key, and receives no card data. */
const addressee = (origin: string): string => (origin === 'null' ? '*' : origin);

/** Greets the page around, if the browser tells its origin; otherwise the page notices the load event. */
function sendSetup({ window, key }: FrameContext): void {
  const [parentOrigin = 'null'] = window.location.ancestorOrigins ?? [];
  const hello: Envelope<FromFrame> = { turnpike: 1, key, message: { is: 'hello' } };
  if (parentOrigin !== 'null') window.parent.postMessage(hello, parentOrigin);
}

/** Connects a field with the page around its frame. Digits go from here to the gateway and nowhere else. */
export function openFrame(place: FrameContext): void {
  const { window, input, field, group, key, mayLackOrigin } = place;
  const { document, parent } = window;
  const kind = fields[field];
  const styler = createStyler(document);
  const look = createInputView(document, input, kind);
  let setup = unset(field);
  let origin: string | null = null;

  function send(message: FromFrame): void {
    const envelope: Envelope<FromFrame> = { turnpike: 1, key, message };
    if (origin !== null) parent.postMessage(envelope, addressee(origin));
  }
  const editor = createEditor({ window, input, kind, send, setup: () => setup, today });
  const ownPart = (): FieldPart => ({ isValid: setup.isUnchecked === true || editor.state().isValid, values: editor.values() });
  answerSiblings(window, group, ownPart);

  function applySetup(next: FrameSetup): void {
    setup = next;
    look.applyTheme(setup);
    styler.input(setup.style);
    styler.placeholder(setup.placeholderStyle);
    editor.reformat();
  }

  const handlers: { readonly [Is in ToFrame['is']]: (message: Extract<ToFrame, { readonly is: Is }>) => void } = {
    setup(message) {
      applySetup(message.setup);
      send({ is: 'ready' });
      editor.report(true);
      if (setup.autofocus) input.focus();
    },
    change(message) {
      applySetup({ ...setup, ...message.setup });
      editor.report();
    },
    focus: () => input.focus(),
    clear: () => editor.clear(),
    describe: ({ error }) => look.describe(error),
    validate({ turn }) {
      const { isValid, isEmpty, fault } = editor.state();
      send({ is: 'validated', turn, isValid, isEmpty, fault });
    },
    seal: (message) => void sealGroup(place, ownPart(), message).then(send),
  };

  window.addEventListener('message', (event) => {
    const message = acceptMessage(event, { parent, key, field, origin, mayLackOrigin });
    if (!message) return;
    origin ??= event.origin;
    // The row is that of the message's own name.
    (handlers[message.is] as (message: ToFrame) => void)(message);
  });
  sendSetup(place);
}

/** The values that one frame of a form gives to the sealing frame. Both have our own origin; the page around them has not. */
type FieldPart = { readonly isValid: boolean; readonly values: Readonly<Record<string, string>> };

type FindSibling = (group: string, asker: Window) => FieldPart | null;

/** The same symbol in every frame of our origin. A page of another origin gets an error for looking. */
const mark = Symbol.for('turnpike.field');
const FRAMES_MAX = 200;

type MarkedField = { [mark]?: unknown };

/** Throws if the other window has another origin. */
const isSibling = (own: Window, other: Window): boolean =>
  other !== own && other.parent === own.parent && other.location.origin === own.location.origin;

/** Lets only the other frames of the same form read this one's value. */
function answerSiblings(own: Window, group: string, part: () => FieldPart): void {
  const answer: FindSibling = (asked, asker) => {
    try {
      return asked === group && isSibling(own, asker) ? part() : null;
    } catch {
      return null;
    }
  };
  Object.defineProperty(own, mark, { value: answer });
}

/** The values of the other frames of this form. */
function askSiblings(own: Window, group: string): readonly FieldPart[] {
  const parts: FieldPart[] = [];
  for (let at = 0; at < Math.min(own.parent.length, FRAMES_MAX); at += 1) {
    try {
      const other = own.parent.frames[at];
      if (!other || !isSibling(own, other)) continue;
      const ask = (other as MarkedField)[mark];
      const part = typeof ask === 'function' ? (ask as FindSibling)(group, own) : null;
      if (part) parts.push(part);
    } catch {
      // Frames of other origins cannot be asked.
    }
  }
  return parts;
}

/** The parameters in a frame's address, and its window. */
type FrameContext = {
  readonly window: Window;
  readonly input: HTMLInputElement;
  readonly field: FrameField;
  readonly checkoutId: string;
  readonly group: string;
  readonly key: string;
  readonly mayLackOrigin: boolean;
};

/** The time zone where a day ends last: a card is valid until its month has ended there. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** The current month at the latest place on earth. */
function today(): Today {
  const date = new Date(now() - LAST_ZONE_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}
