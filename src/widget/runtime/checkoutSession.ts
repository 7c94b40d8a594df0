import type { PaymentForm } from './contract.ts';
import { widgetError } from './errors.ts';
import type { FormController, Placed } from './formController.ts';
import { createLifetime, type Lifetime } from './lifetime.ts';
import type { LoadedCheckout } from './loadCheckout.ts';
import { clearMessage, showMessage } from './message.ts';
import type { ShopHooks } from './readOptions.ts';
import { wrap } from './readOptions.ts';
import { type ResultWatcher, watchResults } from './resultWatcher.ts';
import { resultUrlOf } from './shopForms.ts';
import { Submission, type SubmissionDeps } from './submission.ts';
import { TargetFrame } from './targetFrame.ts';

/** After a violation the browser shortly loads its own error page into the blocked frame. */
const SOON_MS = 1_000;

type Blocking = {
  readonly lifetime: Lifetime;
  readonly window: Window;
  readonly origin: string;
  /** A frame of ours waits for the answer to a form. */
  readonly isWaiting: () => boolean;
  /** The policy blocks frames with our own pages. */
  readonly onOurs: () => void;
  /** The policy blocks the page that our frame was about to load. */
  readonly onForeign: () => void;
  /** The policy blocks form posts to us. */
  readonly onForm: () => void;
};

/** Detects that the shop's Content-Security-Policy blocks our frames or form posts. Returns the callback for a frame's load event. */
function watchPolicy({ lifetime, window, origin, isWaiting, onOurs, onForeign, onForm }: Blocking): () => void {
  let cancel: (() => void) | null = null;
  lifetime.listen(window.document, 'securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI, disposition } = event as SecurityPolicyViolationEvent;
    if (disposition !== 'enforce') return;
    const isOurs = blockedURI.startsWith(origin);
    if (effectiveDirective === 'form-action' && isOurs) onForm();
    if (effectiveDirective !== 'frame-src') return;
    if (isOurs) onOurs();
    if (!isWaiting()) return;
    // Other parts of the page have frames, too: ours was blocked if it loads the browser's error page, or nothing.
    cancel = lifetime.after(SOON_MS, () => {
      cancel = null;
      if (isWaiting()) onForeign();
    });
  });
  return () => {
    if (cancel === null) return;
    cancel();
    cancel = null;
    onForeign();
  };
}

const STILL_WORKING_MS = 15_000;
const GIVE_UP_MS = 60_000;
const LEAVING_MS_MAX = 30_000;

/** The parts of a checkout that its session needs. */
export type SessionDeps = {
  readonly lifetime: Lifetime;
  readonly hooks: ShopHooks;
  readonly checkout: LoadedCheckout;
  readonly forms: () => readonly FormController[];
  readonly expire: () => void;
  /** Loads the session again: the checkout may have been paid elsewhere meanwhile. */
  readonly reload: () => void;
};

/** Submits the forms of a checkout, one at a time. */
export class CheckoutSession {
  readonly #deps: SessionDeps;
  readonly #results: ResultWatcher;
  readonly #onFrameFilled: () => void;
  readonly #later: (() => void)[] = [];
  #underway: PaymentForm | null = null;
  #sentTo: string | null = null;
  #isBlocked = false;
  #isHeld = false;
  #cancel: (() => void)[] = [];

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const { lifetime, hooks, checkout, expire, reload } = deps;
    const { environment } = checkout;
    this.#results = watchResults({
      lifetime,
      hooks,
      environment,
      placed: () => this.#all(),
      release: () => this.#release(),
      expire,
    });
    this.#onFrameFilled = watchPolicy({
      lifetime,
      window: environment.window,
      origin: environment.config.origin,
      isWaiting: () => this.#isWaiting(),
      onOurs: () => this.#block(),
      onForeign: () => this.#useWholeTab(),
      onForm: () => this.#onFormRefused(),
    });
    // The shopper came back from the bank by the browser's back button: the page is as it was left.
    lifetime.listen(environment.window, 'pageshow', (event) => {
      if (!(event as PageTransitionEvent).persisted) return;
      this.#release();
      reload();
    });
  }

  #all(): readonly Placed[] {
    return this.#deps.forms().flatMap(({ placed }) => placed);
  }

  #isWaiting(): boolean {
    return this.#underway !== null && this.#sentTo === this.#underway.container.id;
  }

  #stopWaiting(): void {
    for (const stop of this.#cancel.splice(0)) stop();
  }

  /** Disables the other forms while one is being submitted. */
  #setOthersInert(isInert: boolean): void {
    for (const { form } of this.#all()) form.container.inert = isInert && form !== this.#underway;
  }

  #release(): void {
    this.#stopWaiting();
    this.#setOthersInert(false);
    this.#underway?.setBusy(false);
    this.#underway = null;
    this.#sentTo = null;
    const later = this.#later.splice(0);
    if (!this.#deps.lifetime.isOver) for (const act of later) act();
  }

  #block(): void {
    this.#isBlocked = true;
    if (this.#underway === null) for (const { submission } of this.#all()) submission.complete();
  }

  /** Sends the form again with the whole tab as its target: the gateway answers with the page of the same payment. */
  #useWholeTab(): void {
    const placed = this.#all().find(({ form }) => form === this.#underway);
    if (!placed || !this.#isWaiting()) return;
    this.#isBlocked = true;
    this.#sentTo = '_top';
    placed.frame()?.hide();
    placed.submission.sendToTab();
  }

  #onFormRefused(): void {
    const { hooks, checkout } = this.#deps;
    const message = `The page's form-action must allow ${checkout.environment.config.origin}`;
    hooks.fail(widgetError('WidgetError', message, { event: 'form-action' }));
    this.#release();
  }

  #onSent(form: PaymentForm, target: string): void {
    const { lifetime, checkout } = this.#deps;
    this.#sentTo = target;
    this.#setOthersInert(true);
    const working = (): void => showMessage(form.container, { text: checkout.environment.text('stillWorking'), isError: false });
    if (target === form.container.id) {
      this.#cancel.push(
        lifetime.after(STILL_WORKING_MS, working),
        lifetime.after(GIVE_UP_MS, () => this.#useWholeTab()),
      );
    } else if (target === '' || target.startsWith('_')) this.#cancel.push(lifetime.after(LEAVING_MS_MAX, () => this.#release()));
  }

  #onFrameClosed(placed: Placed): void {
    const { hooks, reload } = this.#deps;
    placed.frame()?.hide();
    placed.frame()?.empty();
    placed.form.resetForRetry();
    this.#release();
    hooks.call('onLightboxCancel', { $form: wrap(placed.form.form), $container: wrap(placed.form.container) });
    reload();
  }

  #reportFailure(form: PaymentForm, error: Parameters<SubmissionDeps['reportFailure']>[0]): void {
    const { hooks, checkout, expire } = this.#deps;
    hooks.fail(error);
    if (error.name === 'InvalidCheckoutIdError') expire();
    else
      showMessage(form.container, {
        text: checkout.environment.text(error.code ? 'resultError' : 'networkTrouble'),
        isError: true,
      });
  }

  #begin(form: PaymentForm): boolean {
    if (this.#underway !== null || this.#isHeld) return false;
    this.#underway = form;
    form.setBusy(true);
    clearMessage(form.container);
    return true;
  }

  get isBusy(): boolean {
    return this.#underway !== null;
  }

  /** While it is held, no form can be submitted. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    for (const { form } of this.#all()) form.setBusy(isHeld);
  }

  /** Immediately, or when the current submission has ended. */
  whenFree(act: () => void): void {
    if (this.#underway === null) act();
    else this.#later.push(act);
  }

  /** Connects a form with the session, so that it can be submitted. */
  attach(form: PaymentForm, controller: FormController): Placed {
    const { hooks, checkout } = this.#deps;
    const { environment } = checkout;
    const lifetime = createLifetime();
    let frame: TargetFrame | null = null;
    form.container.id ||= newId(form.key);
    const submission = new Submission(
      {
        lifetime,
        hooks,
        environment,
        isBlocked: () => this.#isBlocked,
        shopperResultUrl: () =>
          environment.session.shopperResultUrl ??
          resultUrlOf(environment.options().shopperResultUrl ?? controller.action, environment.document),
        frame: () =>
          (frame ??= new TargetFrame(environment, form, {
            onLoad: () => this.#onFrameLoad(placed),
            onClose: () => this.#onFrameClosed(placed),
          })),
        begin: () => this.#begin(form),
        release: () => this.#release(),
        sent: (target) => this.#onSent(form, target),
        reportFailure: (error) => this.#reportFailure(form, error),
      },
      form,
    );
    const placed: Placed = {
      form,
      submission,
      frame: () => frame,
      pay: handleSubmits(lifetime, form, submission),
      remove: () => {
        lifetime.end();
        if (this.#underway === form) this.#release();
        frame?.remove();
        form.unmount();
      },
    };
    submission.complete();
    return placed;
  }

  #onFrameLoad(placed: Placed): void {
    this.#stopWaiting();
    this.#onFrameFilled();
    this.#results.frameLoaded(placed);
  }
}

/** The browser's own submission of a form, however it was begun, becomes ours. Returns how to begin one as the form's button does. */
function handleSubmits(lifetime: Lifetime, { form }: PaymentForm, submission: Submission): () => Promise<boolean> {
  let latest = Promise.resolve(false);
  lifetime.listen(form, 'submit', (event) => {
    event.preventDefault();
    // A form of the shop around ours is not being sent.
    if (form.parentElement?.closest('form')) event.stopPropagation();
    latest = submission.submit(event);
  });
  return () => {
    latest = Promise.resolve(false);
    HTMLFormElement.prototype.requestSubmit.call(form);
    return latest;
  };
}

/** `card_123456789012`: pages cut the number off to get the method. */
function newId(key: string): string {
  const digits = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte % 10).join('');
  return `${key.split('-')[0]}_${digits}`;
}
