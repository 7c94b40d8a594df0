import type { CheckoutSession } from './checkoutSession.ts';
import { widgetError } from './errors.ts';
import type { FormController } from './formController.ts';
import { type Lifetime, now } from './lifetime.ts';
import type { LoadedCheckout } from './loadCheckout.ts';
import { clearMessage, showMessage } from './message.ts';
import type { ShopHooks } from './readOptions.ts';
import { resultTarget, resultUrl } from './results.ts';
import { resultUrlOf } from './shopForms.ts';

const MINUTE_MS = 60_000;
/** The interval of checks, so that the wake-up of a computer is noticed. */
const TICK_MS = 15_000;

type Expiring = {
  readonly lifetime: Lifetime;
  readonly leftMs: number;
  /** Read each time, like all options. */
  readonly warningMinutes: () => number;
  /** First when little time is left, then every minute. */
  readonly onWarning: (minutes: number) => void;
  readonly onEnd: () => void;
};

/** Watches the expiry of a checkout. Returns a function that stops it. */
function watchExpiry({ lifetime, leftMs, warningMinutes, onWarning, onEnd }: Expiring): () => void {
  const endAt = now() + leftMs;
  let said = Number.POSITIVE_INFINITY;
  let stop = (): void => {};
  function reload(): void {
    const left = endAt - now();
    if (left <= 0) {
      onEnd();
      return;
    }
    const minutes = Math.ceil(left / MINUTE_MS);
    if (left <= warningMinutes() * MINUTE_MS && minutes < said) {
      said = minutes;
      onWarning(minutes);
    }
    stop = lifetime.after(Math.min(TICK_MS, left), reload);
  }
  stop = lifetime.after(0, reload);
  return () => stop();
}

const WARNING_MINUTES = 3;

/** The parts of a checkout that its end needs. */
export type CheckoutEndDeps = {
  readonly lifetime: Lifetime;
  readonly hooks: ShopHooks;
  readonly checkout: LoadedCheckout;
  readonly session: () => CheckoutSession | null;
  readonly forms: () => readonly FormController[];
  /** Another checkout has replaced the first, or the checkout has changed. */
  readonly changed: () => void;
};

/** Ends a checkout when it expires or is paid. */
export class CheckoutEnd {
  readonly #deps: CheckoutEndDeps;
  #stop = (): void => {};
  #isExpiring = false;

  constructor(deps: CheckoutEndDeps) {
    this.#deps = deps;
  }

  /** Watches the clock, by the remaining time of the latest session. */
  watch(): void {
    const { lifetime, checkout } = this.#deps;
    const { environment } = checkout;
    this.#stop();
    this.#stop = watchExpiry({
      lifetime,
      leftMs: environment.session.leftMs,
      warningMinutes: () => environment.options().expiryWarningMinutes ?? WARNING_MINUTES,
      onWarning: (minutes) => this.#warn(minutes),
      onEnd: () => this.expire(),
    });
  }

  #warn(minutes: number): void {
    const { forms, session, checkout } = this.#deps;
    if (session()?.isBusy) return;
    const text = checkout.environment.text('expiresSoon', { minutes: String(minutes) });
    for (const { wrapper } of forms()) showMessage(wrapper, { text, isError: false });
  }

  /** The time is over. A submission that is under way goes on: the gateway has it by now. */
  expire(): void {
    const { session } = this.#deps;
    if (this.#isExpiring) return;
    this.#isExpiring = true;
    const act = (): void => void this.#ask().finally(() => (this.#isExpiring = false));
    if (session()) session()?.whenFree(act);
    else act();
  }

  async #ask(): Promise<void> {
    const { hooks, lifetime, session } = this.#deps;
    const isAsked = hooks.has('onExpired');
    this.#stop();
    session()?.hold(true);
    try {
      const next = await hooks.call('onExpired', {});
      if (lifetime.isOver) return;
      if (typeof next === 'string' && next !== '') {
        await this.#swap(next);
        if (!lifetime.isOver) session()?.hold(false);
        return;
      }
      if (!isAsked) hooks.fail(widgetError('InvalidCheckoutIdError', 'No payment session found: the checkout has expired'));
    } catch (error) {
      hooks.fail(widgetError('InvalidCheckoutIdError', `No payment session found: ${(error as Error).message}`));
    }
    this.#showExpired();
  }

  async #swap(checkoutId: string): Promise<void> {
    const { checkout, forms, changed } = this.#deps;
    await checkout.swap(checkoutId);
    for (const { wrapper, placed } of forms()) {
      clearMessage(wrapper);
      for (const { submission } of placed) submission.complete();
    }
    changed();
    this.watch();
  }

  #showExpired(): void {
    const { forms, checkout, lifetime } = this.#deps;
    if (lifetime.isOver) return;
    const { environment } = checkout;
    const text = `${environment.text('expired')}. ${environment.text('expiredHint')}`;
    for (const { wrapper } of forms()) showMessage(wrapper, { text, isError: true });
  }

  /** Loads the session again, and shows the checkout as done if it is. */
  reload(): void {
    const { checkout, lifetime, changed } = this.#deps;
    checkout.refresh().then(
      ({ isDone }) => {
        if (lifetime.isOver) return;
        changed();
        this.watch();
        if (isDone) this.showDone();
      },
      (error) => {
        if (!lifetime.isOver && error?.name === 'InvalidCheckoutIdError') this.expire();
      },
    );
  }

  /** The checkout is paid: shows the shopper the way back to the shop. */
  showDone(): void {
    const { forms, checkout } = this.#deps;
    const { environment } = checkout;
    const { session, document } = environment;
    this.#stop();
    for (const controller of forms()) {
      const url = session.shopperResultUrl ?? resultUrlOf(environment.options().shopperResultUrl ?? controller.action, document);
      const target = resultTarget(environment.options());
      const text = environment.text(session.endpoint === '/registration' ? 'resultStored' : 'resultSuccess');
      const action = url && {
        text: environment.text('continueToShop'),
        url: resultUrl(url, session.id, session.resourcePath),
        target,
      };
      controller.clear();
      showMessage(controller.wrapper, { text, isError: false, ...(action && { action }) });
    }
  }
}
