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
import { wrap } from '../readOptions.ts';
import { randomName } from './draw.ts';
import { inputStyleOf, placeholderStyleOf, watchStyle } from './frameStyle.ts';

/** A frame with one input in it, seen from the page. */
export interface FrameClient {
  readonly iframe: HTMLIFrameElement;
  /** The frame has been moved to its final place. */
  onMounted(): void;
  state(): FieldState;
  /** Applies now and after every reload. */
  change(setup: Partial<FrameSetup>): void;
  focus(): void;
  clear(): void;
  describe(error: string | null): void;
  validate(): Promise<FieldState>;
  /** Makes the frame collect the values of its group and have them sealed. */
  seal(fields: Readonly<Record<string, string>>): Promise<string>;
}

type FrameOptions = {
  readonly iframe: HTMLIFrameElement;
  readonly field: FrameField;
  readonly group: string;
  /** Without the styles, which are computed from the element. */
  readonly setup: Omit<FrameSetup, 'field' | 'style' | 'placeholderStyle'>;
  readonly onMessage: (message: FromFrame) => void;
  /** A frame that the loader has created already, under its own key. */
  readonly early: EarlyFrame | null;
};

const READY_MS_MAX = 15_000;
const ANSWER_MS_MAX = 5_000;
const RESTYLE_MS = 300;
/** Time for the browser to move the focus. */
const LEAVE_MS = 80;
/** Sealing goes to the gateway and back. */
const SEAL_MS_MAX = 30_000;

const because = {
  invalid: ['PciIframeSubmitError', 'The fields are not complete'],
  network: ['PciIframeCommunicationError', 'The gateway could not be reached'],
  session: ['InvalidCheckoutIdError', 'No payment session found'],
} as const;

/** Loads the frame and keeps in contact with it, also after the page has moved it and the browser has reloaded it. */
export function createFrameClient(environment: Environment, lifetime: Lifetime, options: FrameOptions): FrameClient {
  const { iframe, field, group, early } = options;
  const requests = createPendingRequests(lifetime);
  const status = initialStatus(early);
  const onMessage = (message: FromFrame): void => {
    onFrameMessage(connection, message);
    if ('turn' in message) requests.answer(message);
    options.onMessage(message);
  };
  const key = early?.key ?? randomName();
  const channel = createChannel(environment, lifetime, { iframe, key, onMessage });
  const connection: FrameConnection = { environment, lifetime, options, channel, status };
  watchFrame(connection);
  const { origin, checkoutId } = environment.config;
  if (!early) iframe.src = `${origin}${framePath}?${new URLSearchParams({ checkoutId, field, group, key })}`;
  const client: FrameClient = {
    iframe,
    onMounted: () => setUpEarlyFrame(connection),
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

/** The state of one frame as the page knows it. */
type FrameStatus = {
  state: FieldState;
  error: string | null;
  /** Changes that apply on top of the setup that the frame was created with. */
  wantedSetup: Partial<FrameSetup>;
  /** The part of `wantedSetup` that the last complete setup had. */
  sentSetup: Partial<FrameSetup>;
  /** The frame has answered since it last loaded. */
  isReady: boolean;
  isSetUp: boolean;
  /** The frame's script has reported, so its load event is ignored. */
  hasSaidHello: boolean;
  isFocused: boolean;
  /** The styles that it was sent last, as JSON. */
  styles: string;
  readonly readyListeners: (() => void)[];
};

type FrameConnection = {
  readonly environment: Environment;
  readonly lifetime: Lifetime;
  readonly options: FrameOptions;
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
  styles: '',
  isFocused: false,
  readyListeners: [],
});

const whenFrameReady = ({ status, lifetime }: FrameConnection): Promise<void> =>
  status.isReady
    ? Promise.resolve()
    : new Promise((resolve, reject) => {
        status.readyListeners.push(resolve);
        lifetime.after(ANSWER_MS_MAX, () =>
          reject(widgetError('PciIframeCommunicationError', 'A field of the form has not loaded')),
        );
      });

/** Sends the setup whenever the frame has loaded, and the styles whenever they have changed. */
function watchFrame(connection: FrameConnection): void {
  const { lifetime, options, status, environment } = connection;
  lifetime.listen(options.iframe, 'load', () => {
    if (!status.hasSaidHello) onDocumentLoaded(connection);
    status.hasSaidHello = false;
  });
  let isDue = false;
  watchStyle(options.iframe, lifetime.signal, () => {
    if (isDue) return;
    isDue = true;
    lifetime.after(0, () => {
      isDue = false;
      sendStyles(connection);
    });
  });
  lifetime.after(READY_MS_MAX, () => {
    if (!options.iframe.dataset.tpReady && options.iframe.isConnected)
      environment.fail(
        widgetError('PciIframeCommunicationError', `The frame of ${options.field} has not loaded${inSandbox(environment)}`),
      );
  });
}

/** In a sandbox frames lose their own origin with that of the page, and then hold nothing. */
const inSandbox = ({ window }: Environment): string =>
  window.origin === 'null' ? ': a sandbox around it must have allow-same-origin' : '';

/** Handles the messages that all frames share, whatever field they hold. */
function onFrameMessage(connection: FrameConnection, message: FromFrame): void {
  const { environment, status, options } = connection;
  const { iframe } = options;
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

function onReady(connection: FrameConnection): void {
  const { environment, options, status, channel } = connection;
  if (!status.isSetUp) sendSetup(connection);
  if (status.isReady) return;
  status.isReady = true;
  // Changes that arrived while the setup was on its way.
  if (status.wantedSetup !== status.sentSetup) channel.post({ is: 'change', setup: status.wantedSetup });
  // The page is notified once per frame, however often the frame is moved.
  if (!options.iframe.dataset.tpReady) environment.call('onReadyIframeCommunication', { $iframe: wrap(options.iframe) });
  options.iframe.dataset.tpReady = 'true';
  // Pages change classes around it shortly after onReady.
  connection.lifetime.after(RESTYLE_MS, () => sendStyles(connection));
  // A frame that is moved does not take the focus a second time.
  status.wantedSetup = { ...status.wantedSetup, autofocus: false };
  for (const go of status.readyListeners.splice(0)) go();
}

/** Our document has loaded in the frame; earlier input is gone. */
function onDocumentLoaded(connection: FrameConnection): void {
  const { status } = connection;
  if (status.isReady) status.state = EMPTY_STATE;
  status.isReady = false;
  sendSetup(connection);
}

/** Sends the complete setup. */
function sendSetup(connection: FrameConnection): void {
  const { options, channel, status } = connection;
  const styles = stylesOf(connection);
  status.isSetUp = true;
  status.styles = JSON.stringify(styles);
  status.sentSetup = status.wantedSetup;
  channel.post({ is: 'setup', setup: { ...options.setup, ...status.wantedSetup, field: options.field, ...styles } });
  if (status.error !== null) channel.post({ is: 'describe', error: status.error });
}

/** Sends the styles if they have changed. */
function sendStyles(connection: FrameConnection): void {
  const { channel, status } = connection;
  const styles = stylesOf(connection);
  const text = JSON.stringify(styles);
  if (!status.isSetUp || text === status.styles) return;
  status.styles = text;
  channel.post({ is: 'change', setup: styles });
}

/** A frame of the loader may have been ready for long. If the page has moved it meanwhile, it reloads and reports again. */
function setUpEarlyFrame(connection: FrameConnection): void {
  const { options, status, lifetime } = connection;
  const { contentWindow } = options.iframe;
  if (!options.early?.progress.hello && !options.early?.progress.load) return;
  // The page handles the new form first: its changes may be visible in the frame.
  queueMicrotask(() => {
    if (!status.isSetUp && !lifetime.isOver && options.iframe.contentWindow === contentWindow) sendSetup(connection);
  });
}

/** The names by which a shop styles placeholders. */
const placeholderNames: Readonly<Record<FrameField, string>> = {
  'card.number': 'card-number-placeholder',
  'card.cvv': 'cvv-placeholder',
  'card.holder': 'card-holder-placeholder',
  'card.expiry': 'expiry-placeholder',
};

const stylesOf = ({
  environment,
  options: { iframe, field },
}: FrameConnection): Pick<FrameSetup, 'style' | 'placeholderStyle'> => ({
  style: inputStyleOf(iframe),
  placeholderStyle: placeholderStyleOf(iframe, environment.options().iframeStyles?.[placeholderNames[field]]),
});

/** The message channel between the page and one frame. */
interface FrameChannel {
  post(message: ToFrame): void;
}

/**
 * Messages go to the gateway's origin only. A message is accepted only from this frame's window, from that origin, and with the frame's
 * random `key`, which is in its address.
 */
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
        const onTimeout = (): void => reject(widgetError('PciIframeCommunicationError', 'A field of the form does not answer'));
        const cancelTimeout = lifetime.after(ms, onTimeout);
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

/** Most browsers move the focus out of a frame by themselves; this covers the others. */
function leave({ environment, lifetime, options: { iframe }, status }: FrameConnection, isBackward: boolean): void {
  lifetime.after(LEAVE_MS, () => {
    if (status.isFocused && environment.document.activeElement === iframe)
      moveFocus(iframe, isBackward, (next) => enter(environment.window, next));
  });
}

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
  // A key moves the focus, so the focus ring is shown, unlike after a script.
  else if (!(next instanceof HTMLIFrameElement) || !enter(next)) next.focus({ focusVisible: true });
}

/** Focuses the input of one of our frames; false: it is another frame. */
function enter(window: Window, iframe: HTMLIFrameElement): boolean {
  const focus = registryOf(window).frames?.get(iframe);
  focus?.();
  return focus !== undefined;
}
