import type { Options } from '../options.ts';
import type { Environment, PaymentForm } from './contract.ts';
import { createLifetime } from './lifetime.ts';
import { hide } from './shopForms.ts';

/** Below this width of the place a bank's page gets the whole window. */
const SHEET_PX = 600;
const SETTLE_MS_MAX = 3_000;
/** When its first page is asked for at the latest. */
const BEGIN_MS = 1_500;

/** Whether there is too little room beside a form for a bank's page. Styles may keep the form itself narrow on a wide page. */
export function hasSheet(container: HTMLElement): boolean {
  const place = container.closest('.wpwl-widget')?.parentElement ?? container;
  return place.getBoundingClientRect().width < SHEET_PX;
}

type FrameEvents = {
  /** Something that was expected has come into the frame. */
  readonly onLoad: () => void;
  /** The shopper has closed it, and said yes when asked. */
  readonly onClose: () => void;
};

const styles = (element: HTMLElement, values: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value);
};

function button(environment: Environment, kind: string, act: () => void): HTMLButtonElement {
  const element = environment.document.createElement('button');
  element.type = 'button';
  element.className = `wpwl-target-button wpwl-target-${kind}`;
  element.addEventListener('click', act);
  return element;
}

/**
 * The bar above the frame: a close button, and the question whether to cancel, since a payment that a bank is asking about is not
 * to be lost by a slip of the finger. It is there only while the frame is seen: pages style and count the buttons of our forms.
 */
function createBar(environment: Environment, onYes: () => void): { readonly element: HTMLElement; ask(isAsked: boolean): void } {
  const element = environment.document.createElement('div');
  element.className = 'wpwl-target-bar';
  styles(element, { display: 'flex', gap: '8px 12px', padding: '8px 12px', 'align-items': 'center' });
  const words = environment.document.createElement('strong');
  words.textContent = environment.text('cancelQuestion');
  styles(words, { flex: '1 0 100%' });
  const close = button(environment, 'close', () => ask(true));
  const stay = button(environment, 'stay', () => ask(false));
  const leave = button(environment, 'leave', onYes);
  close.textContent = environment.text('close');
  stay.textContent = environment.text('keepGoing');
  leave.textContent = environment.text('cancelPayment');
  element.setAttribute('aria-label', words.textContent);
  function ask(isAsked: boolean): void {
    element.classList.toggle('wpwl-target-question', isAsked);
    element.role = isAsked ? 'alertdialog' : null;
    styles(element, { 'flex-wrap': 'wrap', 'justify-content': isAsked ? 'flex-start' : 'flex-end' });
    element.replaceChildren(...(isAsked ? [words, stay, leave] : [close]));
    (isAsked ? stay : close).focus();
  }
  ask(false);
  return { element, ask };
}

const blankPage = ({ config }: Environment): string => `${config.origin}/v1/widgetTarget.html`;

function createIframe(environment: Environment, name: string): HTMLIFrameElement {
  const iframe = environment.document.createElement('iframe');
  iframe.className = 'wpwl-target';
  iframe.name = name;
  iframe.title = environment.text('challengeTitle');
  // Not before it is wanted: the fields of the form come first.
  iframe.loading = 'lazy';
  iframe.src = blankPage(environment);
  iframe.allow = 'publickey-credentials-get *; payment *';
  styles(iframe, { width: '100%', height: '580px', border: '0', background: 'transparent', display: 'block' });
  return iframe;
}

const inline = {
  display: 'block',
  position: 'static',
  inset: 'auto',
  width: '100%',
  height: 'auto',
  'max-width': '100%',
  'max-height': 'none',
  margin: '0',
  padding: '0',
  border: '0',
  background: 'transparent',
};
const sheet = {
  ...inline,
  display: 'flex',
  'flex-direction': 'column',
  position: 'fixed',
  inset: '0',
  height: '100dvh',
  background: 'var(--tp-ground, Canvas)',
};

/**
 * The frame beside a form into which its answer comes, in a dialog: the browser itself then keeps the focus in it and lifts it above
 * everything else. It is never moved in the document, since a frame that is moved loads anew.
 */
export class TargetFrame {
  readonly iframe: HTMLIFrameElement;
  readonly #around: Environment;
  readonly #form: PaymentForm;
  readonly #events: FrameEvents;
  readonly #lifetime = createLifetime();
  readonly #dialog: HTMLDialogElement;
  #bar: ReturnType<typeof createBar> | null = null;
  #isShown = false;
  #isExpecting = false;
  #isSettled = false;
  /** Null until its first page was asked for, or never will be as something else came first. */
  #settled: Promise<void> | null = null;
  #unhideForm = (): void => {};

  constructor(environment: Environment, form: PaymentForm, events: FrameEvents) {
    this.#around = environment;
    this.#form = form;
    this.#events = events;
    this.iframe = createIframe(environment, form.container.id);
    this.#dialog = environment.document.createElement('dialog');
    this.#dialog.className = 'wpwl-target-dialog';
    this.#dialog.setAttribute('aria-label', environment.text('challengeTitle'));
    this.#dialog.append(this.iframe);
    this.#listen();
    form.container.append(this.#dialog);
    this.#lifetime.after(BEGIN_MS, () => void this.settled);
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  /** Something was sent into it, and how it ended is not known yet. */
  get isExpecting(): boolean {
    return this.#isExpecting;
  }

  /** Settles when the frame's first page has loaded or failed: it could overtake a form that is sent earlier. */
  get settled(): Promise<void> {
    this.#settled ??= this.#settle();
    return this.#settled;
  }

  expect(isExpecting: boolean): void {
    // A page may send a form itself before the first page was asked for, and then it is not to be asked for any more.
    if (isExpecting && this.#settled === null) this.#settled = this.#waitForLoad(true);
    this.#isExpecting = isExpecting;
  }

  #settle(): Promise<void> {
    const settled = this.#waitForLoad(false);
    this.iframe.loading = 'eager';
    return settled;
  }

  #waitForLoad(isSettled: boolean): Promise<void> {
    return new Promise((resolve) => {
      const sync = (): void => {
        this.#isSettled = true;
        resolve();
      };
      if (isSettled) sync();
      this.#lifetime.listen(this.iframe, 'load', () => {
        if (!this.#isSettled) sync();
        else if (this.#isExpecting) this.#events.onLoad();
      });
      this.#lifetime.after(SETTLE_MS_MAX, sync);
      this.#lifetime.onEnd(resolve);
    });
  }

  #listen(): void {
    const ask = (event: Event): void => {
      event.preventDefault();
      this.#bar?.ask(true);
    };
    // Without the key the browser would close it at the second press, whatever is said to the event of closing.
    this.#lifetime.listen(this.#dialog, 'keydown', (event) => {
      if ((event as KeyboardEvent).key === 'Escape') ask(event);
    });
    this.#lifetime.listen(this.#dialog, 'cancel', ask);
  }

  show(options: Options): void {
    if (this.#isShown) return;
    this.#isShown = true;
    const isSheet = hasSheet(this.#form.container);
    const { width = '100%', height = '580px' } = options.threeDIframeSize ?? {};
    styles(this.#dialog, isSheet ? sheet : inline);
    styles(this.iframe, isSheet ? { width: '100%', height: 'auto', flex: '1' } : { width, height, 'max-width': '100%' });
    this.#dialog.classList.toggle('wpwl-target-sheet', isSheet);
    this.#bar = createBar(this.#around, this.#events.onClose);
    this.#dialog.prepend(this.#bar.element);
    if (isSheet) this.#dialog.showModal();
    else this.#dialog.show();
    this.#unhideForm = hide(this.#form.form);
    this.iframe.focus();
    if (!isSheet) this.#dialog.scrollIntoView({ block: 'nearest' });
  }

  hide(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#bar?.element.remove();
    this.#bar = null;
    this.#dialog.close();
    this.#dialog.style.removeProperty('display');
    this.#unhideForm();
  }

  /** Discards the page inside. */
  empty(): void {
    this.#isExpecting = false;
    this.iframe.contentWindow?.location.replace(blankPage(this.#around));
  }

  remove(): void {
    this.#lifetime.end();
    this.#dialog.remove();
    if (this.#isShown) this.#unhideForm();
  }
}
