import { registryOf } from '../../loader/registry.ts';
import {
  type Envelope,
  type FieldState,
  type FrameField,
  type FrameSetup,
  type FromFrame,
  framePath,
  type ToFrame,
} from '../../protocol.ts';
import type { EarlyFrame, Environment } from '../contract.ts';
import { widgetError } from '../errors.ts';
import type { Lifetime } from '../lifetime.ts';
import { wrap } from '../wrapped.ts';
import { randomName } from './draw.ts';
import { inputStyleOf, placeholderStyleOf, watchStyle } from './frameStyle.ts';

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
  /** Makes the frame collect the values of its group and have them sealed. */
  seal(fields: Readonly<Record<string, string>>): Promise<string>;
}

const UP_MS_MAX = 15_000;
const ANSWER_MS_MAX = 5_000;
const REPAINT_MS = 300;
/** Time for the browser to move the focus. */
const LEAVE_MS = 80;
/** Sealing goes to the gateway and back. */
const SEAL_MS_MAX = 30_000;

const because = {
  invalid: ['PciIframeSubmitError', 'The fields are not complete'],
  network: ['PciIframeCommunicationError', 'The gateway could not be reached'],
  session: ['InvalidCheckoutIdError', 'No payment session found'],
} as const;

function onReady(connection: FrameConnection): void {
  const { environment, of, status, channel } = connection;
  if (!status.isSetUp) sendSetup(connection);
  if (status.isReady) return;
  status.isReady = true;
  // Wanted while the greeting was on its way.
  if (status.wantedSetup !== status.sentSetup) channel.post({ is: 'change', setup: status.wantedSetup });
  // The page hears of a frame once, however often it is moved.
  if (!of.iframe.dataset.tpReady) environment.call('onReadyIframeCommunication', { $iframe: wrap(of.iframe) });
  of.iframe.dataset.tpReady = 'true';
  // Pages change classes around it shortly after onReady.
  connection.lifetime.after(REPAINT_MS, () => sendStyles(connection));
  // A frame that is moved does not take the focus a second time.
  status.wantedSetup = { ...status.wantedSetup, autofocus: false };
  for (const go of status.readyListeners.splice(0)) go();
}

/** Handles the messages that all frames share, whatever field they hold. */
function onFrameMessage(connection: FrameConnection, message: FromFrame): void {
  const { environment, status, of } = connection;
  const { iframe } = of;
  if (message.is === 'hello') {
    status.hasSaidHello = true;
    onDocumentLoaded(connection);
  }
  if (message.is === 'ready') onReady(connection);
  if (message.is === 'change' || message.is === 'blur' || message.is === 'validated')
    status.state = { isValid: message.isValid, isEmpty: message.isEmpty, fault: message.fault };
  if (message.is === 'focus' || message.is === 'blur') {
    status.isFocused = message.is === 'focus';
    iframe.classList.toggle('wpwl-focus', status.isFocused);
    const hook = message.is === 'focus' ? 'onFocusIframeCommunication' : 'onBlurIframeCommunication';
    environment.call(hook, { $iframe: wrap(iframe) });
  }
  if (message.is === 'leave') leave(connection, message.isBackward);
}

/** Most browsers move the focus out of a frame by themselves; this covers the others. */
function leave({ environment, lifetime, of: { iframe }, status }: FrameConnection, isBackward: boolean): void {
  lifetime.after(LEAVE_MS, () => {
    if (status.isFocused && environment.document.activeElement === iframe)
      moveFocus(iframe, isBackward, (next) => enter(environment.window, next));
  });
}

/** In a sandbox frames lose their own origin with that of the page, and then hold nothing. */
const inSandbox = ({ window }: Environment): string =>
  window.origin === 'null' ? ': a sandbox around it must have allow-same-origin' : '';

/** Sends the setup whenever the frame has loaded, and the styles whenever they have changed. */
function watchFrame(connection: FrameConnection): void {
  const { lifetime, of, status, environment } = connection;
  lifetime.listen(of.iframe, 'load', () => {
    if (!status.hasSaidHello) onDocumentLoaded(connection);
    status.hasSaidHello = false;
  });
  let isDue = false;
  watchStyle(of.iframe, lifetime.signal, () => {
    if (isDue) return;
    isDue = true;
    lifetime.after(0, () => {
      isDue = false;
      sendStyles(connection);
    });
  });
  lifetime.after(UP_MS_MAX, () => {
    if (!of.iframe.dataset.tpReady && of.iframe.isConnected)
      environment.fail(
        widgetError('PciIframeCommunicationError', `The frame of ${of.field} has not loaded${inSandbox(environment)}`),
      );
  });
}

const whenFrameReady = ({ status, lifetime }: FrameConnection): Promise<void> =>
  status.isReady
    ? Promise.resolve()
    : new Promise((resolve, reject) => {
        status.readyListeners.push(resolve);
        lifetime.after(ANSWER_MS_MAX, () =>
          reject(widgetError('PciIframeCommunicationError', 'A field of the form has not loaded')),
        );
      });

/** Loads the frame and keeps in contact with it, also after the page has moved it and the browser has reloaded it. */
export function createFrameClient(environment: Environment, lifetime: Lifetime, of: FrameOptions): FrameClient {
  const { iframe, field, group, early } = of;
  const requests = createPendingRequests(lifetime);
  const status = initialStatus(early);
  const onMessage = (message: FromFrame): void => {
    onFrameMessage(connection, message);
    if ('turn' in message) requests.answer(message);
    of.onMessage(message);
  };
  const key = early?.key ?? randomName();
  const channel = createChannel(environment, lifetime, { iframe, key, onMessage });
  const connection: FrameConnection = { environment, lifetime, of, channel, status };
  watchFrame(connection);
  const { origin, checkoutId } = environment.config;
  if (!early) iframe.src = `${origin}${framePath}?${new URLSearchParams({ checkoutId, field, group, key })}`;
  const client: FrameClient = {
    iframe,
    arrive: () => setUpEarlyFrame(connection),
    state: () => status.state,
    change(setup) {
      status.wantedSetup = { ...status.wantedSetup, ...setup };
      if (status.isReady) channel.post({ is: 'change', setup });
    },
    focus() {
      iframe.focus();
      channel.post({ is: 'focus' });
    },
    clear() {
      status.state = EMPTY_STATE;
      channel.post({ is: 'clear' });
    },
    describe(error) {
      if (error === status.error) return;
      status.error = error;
      channel.post({ is: 'describe', error });
    },
    async validate() {
      await whenFrameReady(connection);
      await requests.ask(ANSWER_MS_MAX, (turn) => channel.post({ is: 'validate', turn }));
      return status.state;
    },
    async seal(fields) {
      await whenFrameReady(connection);
      const now = environment.config.checkoutId;
      const answer = await requests.ask(SEAL_MS_MAX, (turn) =>
        channel.post({ is: 'seal', turn, group, fields, checkoutId: now }),
      );
      if (answer.is === 'sealed') return answer.sealed;
      const [name, text] = because[answer.is === 'unsealed' ? answer.because : 'invalid'];
      throw widgetError(name, text);
    },
  };
  const registry = registryOf(environment.window);
  registry.frames ??= new WeakMap();
  registry.frames.set(iframe, () => client.focus());
  return client;
}

/** Focuses the input of one of our frames; false: it is another frame. */
function enter(window: Window, iframe: HTMLIFrameElement): boolean {
  const focus = registryOf(window).frames?.get(iframe);
  focus?.();
  return focus !== undefined;
}

type FrameOptions = {
  readonly iframe: HTMLIFrameElement;
  readonly field: FrameField;
  readonly group: string;
  /** Without its looks, which are taken from the element. */
  readonly setup: Omit<FrameSetup, 'field' | 'style' | 'placeholderStyle'>;
  readonly onMessage: (message: FromFrame) => void;
  /** It was begun before, under its own key, and is where it is to be at the latest when the page sees it. */
  readonly early: EarlyFrame | null;
};

/** Under which a shop styles a placeholder. */
const placeholderNames: Readonly<Record<FrameField, string>> = {
  'card.number': 'card-number-placeholder',
  'card.cvv': 'cvv-placeholder',
  'card.holder': 'card-holder-placeholder',
  'card.expiry': 'expiry-placeholder',
};

/** The state of one frame as the page knows it. */
type FrameStatus = {
  state: FieldState;
  error: string | null;
  /** Changes that apply on top of the setup that the frame was created with. */
  wantedSetup: Partial<FrameSetup>;
  /** As much of that as it was greeted with. */
  sentSetup: Partial<FrameSetup>;
  /** The channel works, since the last load. */
  isReady: boolean;
  isSetUp: boolean;
  /** It has said itself that it is there, so that its load says nothing more. */
  hasSaidHello: boolean;
  isFocused: boolean;
  /** The styles it was given. */
  look: string;
  readonly readyListeners: (() => void)[];
};

type FrameConnection = {
  readonly environment: Environment;
  readonly lifetime: Lifetime;
  readonly of: FrameOptions;
  readonly channel: FrameChannel;
  readonly status: FrameStatus;
};

/** The state of a field in which nothing was typed. */
const EMPTY_STATE: FieldState = { isValid: false, isEmpty: true, fault: 'empty' };

/** The state of a frame before its first message. */
const initialStatus = (early: EarlyFrame | null): FrameStatus => ({
  state: EMPTY_STATE,
  error: null,
  wantedSetup: {},
  sentSetup: {},
  isReady: false,
  isSetUp: false,
  hasSaidHello: early?.progress.hello === true && !early.progress.load,
  look: '',
  isFocused: false,
  readyListeners: [],
});

const stylesOf = ({ environment, of: { iframe, field } }: FrameConnection): Pick<FrameSetup, 'style' | 'placeholderStyle'> => ({
  style: inputStyleOf(iframe),
  placeholderStyle: placeholderStyleOf(iframe, environment.options().iframeStyles?.[placeholderNames[field]]),
});

/** Sends the complete setup. */
function sendSetup(connection: FrameConnection): void {
  const { of, channel, status } = connection;
  const look = stylesOf(connection);
  status.isSetUp = true;
  status.look = JSON.stringify(look);
  status.sentSetup = status.wantedSetup;
  channel.post({ is: 'setup', setup: { ...of.setup, ...status.wantedSetup, field: of.field, ...look } });
  if (status.error !== null) channel.post({ is: 'describe', error: status.error });
}

/** Sends the styles if they have changed. */
function sendStyles(connection: FrameConnection): void {
  const { channel, status } = connection;
  const look = stylesOf(connection);
  const text = JSON.stringify(look);
  if (!status.isSetUp || text === status.look) return;
  status.look = text;
  channel.post({ is: 'change', setup: look });
}

/** Our document has loaded in the frame; earlier input is gone. */
function onDocumentLoaded(connection: FrameConnection): void {
  const { status } = connection;
  if (status.isReady) status.state = EMPTY_STATE;
  status.isReady = false;
  sendSetup(connection);
}

/** One that was begun before the form may have been ready for long. Has the page moved it meanwhile, then it loads anew and says so. */
function setUpEarlyFrame(connection: FrameConnection): void {
  const { of, status, lifetime } = connection;
  const { contentWindow } = of.iframe;
  if (!of.early?.progress.hello && !of.early?.progress.load) return;
  // The page handles the new form first: its changes may be visible in the frame.
  queueMicrotask(() => {
    if (!status.isSetUp && !lifetime.isOver && of.iframe.contentWindow === contentWindow) sendSetup(connection);
  });
}

/** The message channel between the page and one frame. */
interface FrameChannel {
  post(message: ToFrame): void;
}

/** By its random name `key`, which is in its address and around every message. Messages go to the gateway's origin only; what comes is believed from this very window, that origin and with this frame's key. */
function createChannel(
  environment: Environment,
  lifetime: Lifetime,
  on: { iframe: HTMLIFrameElement; key: string; onMessage: (m: FromFrame) => void },
): FrameChannel {
  const { iframe, key, onMessage } = on;
  const gateway = new URL(environment.config.origin, environment.document.baseURI).origin;
  lifetime.listen(environment.window, 'message', (event) => {
    const { source, origin, data } = event as MessageEvent<Partial<Envelope<FromFrame>> | null>;
    if (origin !== gateway || source === null || source !== iframe.contentWindow) return;
    if (data?.turnpike === 1 && data.key === key && typeof data.message?.is === 'string') onMessage(data.message);
  });
  return {
    post(message) {
      const envelope: Envelope<ToFrame> = { turnpike: 1, key, message };
      iframe.contentWindow?.postMessage(envelope, gateway);
    },
  };
}

type Answer = Extract<FromFrame, { readonly turn: number }>;

/** Requests to a frame that wait for their answers. */
interface PendingRequests {
  ask(ms: number, send: (turn: number) => void): Promise<Answer>;
  answer(message: Answer): void;
}

/** A request without an answer in time is rejected. */
function createPendingRequests(lifetime: Lifetime): PendingRequests {
  const open = new Map<number, (answer: Answer) => void>();
  let last = 0;
  return {
    ask: (ms, send) =>
      new Promise((resolve, reject) => {
        last += 1;
        const turn = last;
        const silent = (): void => reject(widgetError('PciIframeCommunicationError', 'A field of the form does not answer'));
        const cancelTimeout = lifetime.after(ms, silent);
        open.set(turn, (answer) => {
          cancelTimeout();
          resolve(answer);
        });
        send(turn);
      }),
    answer(message) {
      open.get(message.turn)?.(message);
      open.delete(message.turn);
    },
  };
}
