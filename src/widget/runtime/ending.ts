import type { CheckoutSession } from './checkoutSession.ts';
import { widgetError } from './errors.ts';
import type { FormController } from './formController.ts';
import type { ShopHooks } from './hooks.ts';
import { type Life, now } from './life.ts';
import type { LoadedCheckout } from './loadCheckout.ts';
import { hush, say } from './message.ts';
import { resultTarget } from './redirect.ts';
import { resultUrl } from './results.ts';
import { resultUrlOf } from './shopForms.ts';

const MINUTE_MS = 60_000;
/** A computer that slept is noticed by then. */
const TICK_MS = 15_000;

type Expiring = {
  readonly life: Life;
  readonly leftMs: number;
  /** Read anew each time, as all options are. */
  readonly warningMinutes: () => number;
  /** At first when little time is left, and then every minute. */
  readonly onWarning: (minutes: number) => void;
  readonly onEnd: () => void;
};

/** Watches the end of a checkout; answers how to stop watching. */
function watchExpiry({ life, leftMs, warningMinutes, onWarning, onEnd }: Expiring): () => void {
  const endAt = now() + leftMs;
  let said = Number.POSITIVE_INFINITY;
  let stop = (): void => {};
  function look(): void {
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
    stop = life.after(Math.min(TICK_MS, left), look);
  }
  stop = life.after(0, look);
  return () => stop();
}

const WARNING_MINUTES = 3;

/** What the end of a checkout needs to know of it. */
export type EndingOf = {
  readonly life: Life;
  readonly hooks: ShopHooks;
  readonly checkout: LoadedCheckout;
  readonly session: () => CheckoutSession | null;
  readonly boards: () => readonly FormController[];
  /** Another checkout has taken the place of the first, or it has changed. */
  readonly changed: () => void;
};

/** How a checkout ends: by its time, or because it is paid. */
export class Ending {
  readonly #of: EndingOf;
  #stop = (): void => {};
  #isExpiring = false;

  constructor(of: EndingOf) {
    this.#of = of;
  }

  /** Watches the clock, from what the gateway has said last. */
  watch(): void {
    const { life, checkout } = this.#of;
    const { around } = checkout;
    this.#stop();
    this.#stop = watchExpiry({
      life,
      leftMs: around.session.leftMs,
      warningMinutes: () => around.options().expiryWarningMinutes ?? WARNING_MINUTES,
      onWarning: (minutes) => this.#warn(minutes),
      onEnd: () => this.expire(),
    });
  }

  #warn(minutes: number): void {
    const { boards, session, checkout } = this.#of;
    if (session()?.isBusy) return;
    const text = checkout.around.text('expiresSoon', { minutes: String(minutes) });
    for (const { wrapper } of boards()) say(wrapper, { text, isError: false });
  }

  /** The time is over. What is under way is not disturbed: it is the gateway's by now. */
  expire(): void {
    const { session } = this.#of;
    if (this.#isExpiring) return;
    this.#isExpiring = true;
    const act = (): void => void this.#ask().finally(() => (this.#isExpiring = false));
    if (session()) session()?.whenFree(act);
    else act();
  }

  async #ask(): Promise<void> {
    const { hooks, life, session } = this.#of;
    const isAsked = hooks.has('onExpired');
    this.#stop();
    session()?.hold(true);
    try {
      const next = await hooks.call('onExpired', {});
      if (life.isOver) return;
      if (typeof next === 'string' && next !== '') {
        await this.#swap(next);
        if (!life.isOver) session()?.hold(false);
        return;
      }
      if (!isAsked) hooks.fail(widgetError('InvalidCheckoutIdError', 'No payment session found: the checkout has expired'));
    } catch (error) {
      hooks.fail(widgetError('InvalidCheckoutIdError', `No payment session found: ${(error as Error).message}`));
    }
    this.#showExpired();
  }

  async #swap(checkoutId: string): Promise<void> {
    const { checkout, boards, changed } = this.#of;
    await checkout.swap(checkoutId);
    for (const { wrapper, placed } of boards()) {
      hush(wrapper);
      for (const { submission } of placed) submission.complete();
    }
    changed();
    this.watch();
  }

  #showExpired(): void {
    const { boards, checkout, life } = this.#of;
    if (life.isOver) return;
    const { around } = checkout;
    const text = `${around.text('expired')}. ${around.text('expiredHint')}`;
    for (const { wrapper } of boards()) say(wrapper, { text, isError: true });
  }

  /** Asks how the checkout stands, and shows it when it is done. */
  look(): void {
    const { checkout, life, changed } = this.#of;
    checkout.refresh().then(
      ({ isDone }) => {
        if (life.isOver) return;
        changed();
        this.watch();
        if (isDone) this.showDone();
      },
      (error) => {
        if (!life.isOver && error?.name === 'InvalidCheckoutIdError') this.expire();
      },
    );
  }

  /** Nothing more can be done with it: the shopper is shown the way on. */
  showDone(): void {
    const { boards, checkout } = this.#of;
    const { around } = checkout;
    const { session, document } = around;
    this.#stop();
    for (const controller of boards()) {
      const url = session.shopperResultUrl ?? resultUrlOf(around.options().shopperResultUrl ?? controller.action, document);
      const target = resultTarget(around.options());
      const text = around.text(session.endpoint === '/registration' ? 'resultStored' : 'resultSuccess');
      const action = url && {
        text: around.text('continueToShop'),
        url: resultUrl(url, session.id, session.resourcePath),
        target,
      };
      controller.clear();
      say(controller.wrapper, { text, isError: false, ...(action && { action }) });
    }
  }
}
