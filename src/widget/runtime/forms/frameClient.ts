import { type FieldState, type FrameSetup, type FromFrame, framePath } from '../../protocol.ts';
import type { Surroundings } from '../contract.ts';
import { widgetError } from '../errors.ts';
import type { Life } from '../life.ts';
import { wrap } from '../wrapped.ts';
import { randomName } from './draw.ts';
import { begin, type FrameOf, firstSeen, greet, greetEarly, repaint, type Talk, untyped } from './frameGreeting.ts';
import { createLine, createTurns } from './frameLine.ts';
import { watchLook } from './frameStyle.ts';

const FOCUSABLE = 'a[href], button, input, select, textarea, iframe, summary, [tabindex], [contenteditable]';

function canTakeFocus(element: HTMLElement): boolean {
  if (element.matches(':disabled, [type=hidden]') || element.tabIndex < 0 || element.closest('[inert]')) return false;
  if (!element.checkVisibility({ visibilityProperty: true })) return false;
  // Of a group of radio buttons only one is a stop.
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.checked) return true;
  const others = [...element.ownerDocument.querySelectorAll<HTMLInputElement>('input[type=radio]:checked')];
  return !others.some(({ name, form }) => name === element.name && form === element.form);
}

/** Moves the focus on from an element as the tab key does; a frame of ours is entered through its own input. */
function moveFocus(from: HTMLElement, isBackward: boolean, enter: (iframe: HTMLIFrameElement) => boolean): void {
  const stops = [...from.ownerDocument.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element === from || canTakeFocus(element),
  );
  const next = stops[stops.indexOf(from) + (isBackward ? -1 : 1)];
  if (!next) from.blur();
  // A key moves the focus, so it is shown, whatever a browser does after a script.
  else if (!(next instanceof HTMLIFrameElement) || !enter(next)) next.focus({ focusVisible: true });
}

/** A frame with one input in it, seen from the page. */
export interface FrameClient {
  readonly iframe: HTMLIFrameElement;
  /** It stands where it belongs. */
  arrive(): void;
  state(): FieldState;
  /** Is kept for the day the frame loads anew. */
  change(setup: Partial<FrameSetup>): void;
  focus(): void;
  clear(): void;
  describe(error: string | null): void;
  validate(): Promise<FieldState>;
  /** Asks it to gather the frames of its group and to have their values sealed. */
  seal(fields: Readonly<Record<string, string>>): Promise<string>;
}

const UP_MS_MAX = 15_000;
const ANSWER_MS_MAX = 5_000;
const REPAINT_MS = 300;
/** Time for the browser to move the focus. */
const LEAVE_MS = 80;
/** Sealing goes to the gateway and back. */
const SEAL_MS_MAX = 30_000;

/** The frames of the page by their elements, so that the focus can be handed from one to the next. */
const clients = new WeakMap<HTMLIFrameElement, FrameClient>();

const because = {
  invalid: ['PciIframeSubmitError', 'The fields are not complete'],
  network: ['PciIframeCommunicationError', 'The gateway could not be reached'],
  session: ['InvalidCheckoutIdError', 'No payment session found'],
} as const;

function onReady(talk: Talk): void {
  const { around, of, seen, line } = talk;
  if (!seen.isGreeted) greet(talk);
  if (seen.isUp) return;
  seen.isUp = true;
  // Wanted while the greeting was on its way.
  if (seen.wanted !== seen.sent) line.post({ is: 'change', setup: seen.wanted });
  // The page hears of a frame once, however often it is moved.
  if (!of.iframe.dataset.tpReady) around.call('onReadyIframeCommunication', { $iframe: wrap(of.iframe) });
  of.iframe.dataset.tpReady = 'true';
  // Pages change classes around it shortly after onReady.
  talk.life.after(REPAINT_MS, () => repaint(talk));
  // A frame that is moved does not take the focus a second time.
  seen.wanted = { ...seen.wanted, autofocus: false };
  for (const go of seen.waiting.splice(0)) go();
}

/** What every frame's messages mean, whatever field it holds. */
function take(talk: Talk, message: FromFrame): void {
  const { around, seen, of } = talk;
  const { iframe } = of;
  if (message.is === 'hello') {
    seen.hasSaidHello = true;
    begin(talk);
  }
  if (message.is === 'ready') onReady(talk);
  if (message.is === 'change' || message.is === 'blur' || message.is === 'validated')
    seen.state = { isValid: message.isValid, isEmpty: message.isEmpty, fault: message.fault };
  if (message.is === 'focus' || message.is === 'blur') {
    seen.isFocused = message.is === 'focus';
    iframe.classList.toggle('wpwl-focus', seen.isFocused);
    const hook = message.is === 'focus' ? 'onFocusIframeCommunication' : 'onBlurIframeCommunication';
    around.call(hook, { $iframe: wrap(iframe) });
  }
  if (message.is === 'leave') leave(talk, message.isBackward);
}

/** Browsers move the focus out of a frame by themselves; this covers those that do not. */
function leave({ around, life, of: { iframe }, seen }: Talk, isBackward: boolean): void {
  life.after(LEAVE_MS, () => {
    if (seen.isFocused && around.document.activeElement === iframe) moveFocus(iframe, isBackward, enter);
  });
}

/** In a sandbox frames lose their own origin with that of the page, and then hold nothing. */
const inSandbox = ({ window }: Surroundings): string =>
  window.origin === 'null' ? ': a sandbox around it must have allow-same-origin' : '';

/** Greets it whenever it has loaded, and again when its look has changed. */
function keepUp(talk: Talk): void {
  const { life, of, seen, around } = talk;
  life.listen(of.iframe, 'load', () => {
    if (!seen.hasSaidHello) begin(talk);
    seen.hasSaidHello = false;
  });
  let isDue = false;
  watchLook(of.iframe, life.signal, () => {
    if (isDue) return;
    isDue = true;
    life.after(0, () => {
      isDue = false;
      repaint(talk);
    });
  });
  life.after(UP_MS_MAX, () => {
    if (!of.iframe.dataset.tpReady && of.iframe.isConnected)
      around.fail(widgetError('PciIframeCommunicationError', `The frame of ${of.field} has not loaded${inSandbox(around)}`));
  });
}

const whenUp = ({ seen, life }: Talk): Promise<void> =>
  seen.isUp
    ? Promise.resolve()
    : new Promise((resolve, reject) => {
        seen.waiting.push(resolve);
        life.after(ANSWER_MS_MAX, () => reject(widgetError('PciIframeCommunicationError', 'A field of the form has not loaded')));
      });

/** Loads the frame and keeps talking to it, also after the page has moved it, which makes the browser load it anew. */
export function createFrameClient(around: Surroundings, life: Life, of: FrameOf): FrameClient {
  const { iframe, field, group, early } = of;
  const turns = createTurns(life);
  const seen = firstSeen(early);
  const onMessage = (message: FromFrame): void => {
    take(talk, message);
    if ('turn' in message) turns.answer(message);
    of.onMessage(message);
  };
  const key = early?.key ?? randomName();
  const line = createLine(around, life, { iframe, key, onMessage });
  const talk: Talk = { around, life, of, line, seen };
  keepUp(talk);
  const { origin, checkoutId } = around.given;
  if (!early) iframe.src = `${origin}${framePath}?${new URLSearchParams({ checkoutId, field, group, key })}`;
  const client: FrameClient = {
    iframe,
    arrive: () => greetEarly(talk),
    state: () => seen.state,
    change(setup) {
      seen.wanted = { ...seen.wanted, ...setup };
      if (seen.isUp) line.post({ is: 'change', setup });
    },
    focus() {
      iframe.focus();
      line.post({ is: 'focus' });
    },
    clear() {
      seen.state = untyped;
      line.post({ is: 'clear' });
    },
    describe(error) {
      if (error === seen.error) return;
      seen.error = error;
      line.post({ is: 'describe', error });
    },
    async validate() {
      await whenUp(talk);
      await turns.ask(ANSWER_MS_MAX, (turn) => line.post({ is: 'validate', turn }));
      return seen.state;
    },
    async seal(fields) {
      await whenUp(talk);
      const now = around.given.checkoutId;
      const answer = await turns.ask(SEAL_MS_MAX, (turn) => line.post({ is: 'seal', turn, group, fields, checkoutId: now }));
      if (answer.is === 'sealed') return answer.sealed;
      const [name, text] = because[answer.is === 'unsealed' ? answer.because : 'invalid'];
      throw widgetError(name, text);
    },
  };
  clients.set(iframe, client);
  return client;
}

/** Focuses the input of one of our frames; false: it is another frame. */
function enter(iframe: HTMLIFrameElement): boolean {
  const client = clients.get(iframe);
  client?.focus();
  return client !== undefined;
}
