import type { PaymentForm } from './contract.ts';
import { widgetError } from './errors.ts';
import { type Following, follow } from './following.ts';
import type { FormController, Placed } from './formController.ts';
import type { ShopHooks } from './hooks.ts';
import { createLife, type Life } from './life.ts';
import type { LoadedCheckout } from './loadCheckout.ts';
import { hush, say } from './message.ts';
import { resultUrlOf } from './shopForms.ts';
import { type Counter, Submission } from './submission.ts';
import { TargetFrame } from './targetFrame.ts';
import { wrap } from './wrapped.ts';

/** After a violation the browser soon puts its own page into the frame that was meant. */
const SOON_MS = 1_000;

type Blocking = {
  readonly life: Life;
  readonly window: Window;
  readonly origin: string;
  /** A frame of ours waits for what was sent. */
  readonly isWaiting: () => boolean;
  /** Our own pages may not be framed by this page at all. */
  readonly onOurs: () => void;
  /** The page that was to come into our frame may not. */
  readonly onForeign: () => void;
  /** The page may not send forms to us. */
  readonly onForm: () => void;
};

/** Notices when the page's own policy keeps frames or forms from us. Answers whom to tell when something came into a frame. */
function watchPolicy({ life, window, origin, isWaiting, onOurs, onForeign, onForm }: Blocking): () => void {
  let callOff: (() => void) | null = null;
  life.listen(window.document, 'securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI, disposition } = event as SecurityPolicyViolationEvent;
    if (disposition !== 'enforce') return;
    const isOurs = blockedURI.startsWith(origin);
    if (effectiveDirective === 'form-action' && isOurs) onForm();
    if (effectiveDirective !== 'frame-src') return;
    if (isOurs) onOurs();
    if (!isWaiting()) return;
    // Other parts of the page have frames too: it was ours if the browser's own page turns up in it, or nothing does.
    callOff = life.after(SOON_MS, () => {
      callOff = null;
      if (isWaiting()) onForeign();
    });
  });
  return () => {
    if (callOff === null) return;
    callOff();
    callOff = null;
    onForeign();
  };
}

const STILL_WORKING_MS = 15_000;
const GIVE_UP_MS = 60_000;
const LEAVING_MS_MAX = 30_000;

/** What the session needs of the checkout. */
export type TillOf = {
  readonly life: Life;
  readonly hooks: ShopHooks;
  readonly checkout: LoadedCheckout;
  readonly boards: () => readonly FormController[];
  readonly expire: () => void;
  /** The checkout may have been paid elsewhere meanwhile. */
  readonly look: () => void;
};

/** Where the forms of a checkout are paid: one at a time. */
export class CheckoutSession {
  readonly #of: TillOf;
  readonly #following: Following;
  readonly #policyTold: () => void;
  readonly #later: (() => void)[] = [];
  #underway: PaymentForm | null = null;
  #sentTo: string | null = null;
  #isBlocked = false;
  #isHeld = false;
  #callOff: (() => void)[] = [];

  constructor(of: TillOf) {
    this.#of = of;
    const { life, hooks, checkout, expire, look } = of;
    const { around } = checkout;
    this.#following = follow({ life, hooks, around, placed: () => this.#all(), free: () => this.#free(), expire });
    this.#policyTold = watchPolicy({
      life,
      window: around.window,
      origin: around.given.origin,
      isWaiting: () => this.#isWaiting(),
      onOurs: () => this.#block(),
      onForeign: () => this.#takeTab(),
      onForm: () => this.#refused(),
    });
    // Back from the bank by the browser's own button: the page is as it was left.
    life.listen(around.window, 'pageshow', (event) => {
      if (!(event as PageTransitionEvent).persisted) return;
      this.#free();
      look();
    });
  }

  #all(): readonly Placed[] {
    return this.#of.boards().flatMap(({ placed }) => placed);
  }

  #isWaiting(): boolean {
    return this.#underway !== null && this.#sentTo === this.#underway.container.id;
  }

  #stopWaiting(): void {
    for (const stop of this.#callOff.splice(0)) stop();
  }

  /** While one form is being paid the others cannot be used. */
  #setOthersInert(isInert: boolean): void {
    for (const { form } of this.#all()) form.container.inert = isInert && form !== this.#underway;
  }

  #free(): void {
    this.#stopWaiting();
    this.#setOthersInert(false);
    this.#underway?.setBusy(false);
    this.#underway = null;
    this.#sentTo = null;
    const later = this.#later.splice(0);
    if (!this.#of.life.isOver) for (const act of later) act();
  }

  #block(): void {
    this.#isBlocked = true;
    if (this.#underway === null) for (const { submission } of this.#all()) submission.complete();
  }

  /** What was sent is under way at the gateway: sent again, it is answered with the page of that very payment. */
  #takeTab(): void {
    const placed = this.#all().find(({ form }) => form === this.#underway);
    if (!placed || !this.#isWaiting()) return;
    this.#isBlocked = true;
    this.#sentTo = '_top';
    placed.frame()?.hide();
    placed.submission.sendToTab();
  }

  #refused(): void {
    const { hooks, checkout } = this.#of;
    const message = `The page's form-action must allow ${checkout.around.given.origin}`;
    hooks.fail(widgetError('WidgetError', message, { event: 'form-action' }));
    this.#free();
  }

  #sent(form: PaymentForm, target: string): void {
    const { life, checkout } = this.#of;
    this.#sentTo = target;
    this.#setOthersInert(true);
    const working = (): void => say(form.container, { text: checkout.around.text('stillWorking'), isError: false });
    if (target === form.container.id) {
      this.#callOff.push(
        life.after(STILL_WORKING_MS, working),
        life.after(GIVE_UP_MS, () => this.#takeTab()),
      );
    } else if (target === '' || target.startsWith('_')) this.#callOff.push(life.after(LEAVING_MS_MAX, () => this.#free()));
  }

  #closed(placed: Placed): void {
    const { hooks, look } = this.#of;
    placed.frame()?.hide();
    placed.frame()?.empty();
    placed.form.renew();
    this.#free();
    hooks.call('onLightboxCancel', { $form: wrap(placed.form.form), $container: wrap(placed.form.container) });
    look();
  }

  #trouble(form: PaymentForm, error: Parameters<Counter['trouble']>[0]): void {
    const { hooks, checkout, expire } = this.#of;
    hooks.fail(error);
    if (error.name === 'InvalidCheckoutIdError') expire();
    else say(form.container, { text: checkout.around.text(error.code ? 'resultError' : 'networkTrouble'), isError: true });
  }

  #begin(form: PaymentForm): boolean {
    if (this.#underway !== null || this.#isHeld) return false;
    this.#underway = form;
    form.setBusy(true);
    hush(form.container);
    return true;
  }

  get isBusy(): boolean {
    return this.#underway !== null;
  }

  /** While it is held nothing can be paid. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    for (const { form } of this.#all()) form.setBusy(isHeld);
  }

  /** At once, or when what is under way has come to its end. */
  whenFree(act: () => void): void {
    if (this.#underway === null) act();
    else this.#later.push(act);
  }

  /** Gives a form everything it needs to be sent. */
  equip(form: PaymentForm, controller: FormController): Placed {
    const { hooks, checkout } = this.#of;
    const { around } = checkout;
    const life = createLife();
    let frame: TargetFrame | null = null;
    form.container.id ||= newId(form.key);
    const submission = new Submission(
      {
        life,
        hooks,
        around,
        isBlocked: () => this.#isBlocked,
        shopperResultUrl: () =>
          around.session.shopperResultUrl ?? resultUrlOf(around.options().shopperResultUrl ?? controller.action, around.document),
        frame: () =>
          (frame ??= new TargetFrame(around, form, { onLoad: () => this.#arrived(placed), onClose: () => this.#closed(placed) })),
        begin: () => this.#begin(form),
        free: () => this.#free(),
        sent: (target) => this.#sent(form, target),
        trouble: (error) => this.#trouble(form, error),
      },
      form,
    );
    const placed: Placed = {
      form,
      submission,
      frame: () => frame,
      remove: () => {
        life.end();
        if (this.#underway === form) this.#free();
        frame?.remove();
        form.unmount();
      },
    };
    listenTo(life, placed);
    submission.complete();
    return placed;
  }

  #arrived(placed: Placed): void {
    this.#stopWaiting();
    this.#policyTold();
    this.#following.arrived(placed);
  }
}

/** The browser's own submission of a form, however it was begun, becomes ours. */
function listenTo(life: Life, { form, submission }: Placed): void {
  life.listen(form.form, 'submit', (event) => {
    event.preventDefault();
    // A form of the shop around us is not what is being sent.
    if (form.form.parentElement?.closest('form')) event.stopPropagation();
    running.set(form.form, submission.submit(event));
  });
}

const running = new WeakMap<HTMLFormElement, Promise<boolean>>();

/** Submits a form as its own button would. Whether anything was sent. */
export function pay(form: HTMLFormElement): Promise<boolean> {
  running.delete(form);
  HTMLFormElement.prototype.requestSubmit.call(form);
  return running.get(form) ?? Promise.resolve(false);
}

/** `card_123456789012`: pages cut the number off to learn the method. */
function newId(key: string): string {
  const digits = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte % 10).join('');
  return `${key.split('-')[0]}_${digits}`;
}
