import type { WidgetResult } from '../../spec/widget.ts';
import type { Surroundings } from './contract.ts';
import type { Placed } from './formController.ts';
import type { ShopHooks } from './hooks.ts';
import type { Life } from './life.ts';
import { say } from './message.ts';
import { redirect, resultTarget } from './redirect.ts';
import { readResult } from './results.ts';
import { wrap } from './wrapped.ts';

/** A result page speaks as soon as it is there: what stays silent for so long wants to be seen. */
const GRACE_MS = 300;
const STILL_HERE_MS = 2_000;

export interface Follower {
  readonly life: Life;
  readonly hooks: ShopHooks;
  readonly around: Surroundings;
  placed(): readonly Placed[];
  /** The form can be used again. */
  free(): void;
  /** The time of the checkout is over, says the gateway. */
  expire(): void;
}

/** What becomes of a form that was sent. */
export interface Following {
  /** Something has come into a form's own frame. */
  arrived(placed: Placed): void;
}

const isGood = ({ outcome }: WidgetResult): boolean => outcome === 'success' || outcome === 'pending';

/** Whose frame it is that speaks: one of ours, or the one that the shop has named for its payments. */
function speaker(follower: Follower, source: MessageEventSource | null): Placed | null {
  if (source === null) return null;
  const own = follower.placed().find((one) => one.frame()?.iframe.contentWindow === source);
  if (own) return own;
  const { document } = follower.around;
  const name = [...document.querySelectorAll('iframe')].find((frame) => frame.contentWindow === source)?.name;
  return (name && follower.placed().find(({ form }) => form.form.getAttribute('target') === name)) || null;
}

/** The shopper stays: the form is enabled again, with the reason above it. */
function stay(follower: Follower, placed: Placed, result: WidgetResult): void {
  const frame = placed.frame();
  frame?.hide();
  frame?.empty();
  if (!isGood(result)) follower.free();
  const otherwise = follower.around.text(isGood(result) ? 'resultSuccess' : 'resultDeclined');
  say(placed.form.container, { text: result.text || otherwise, isError: !isGood(result) });
}

function leave({ life, around }: Follower, placed: Placed, result: WidgetResult & { readonly url: string }): void {
  const target = resultTarget(around.options());
  placed.frame()?.expect(false);
  redirect(around.window, result.url, target);
  // A page inside another one may not be allowed to leave it without being pressed.
  life.after(STILL_HERE_MS, () => {
    const action = { text: around.text('continueToShop'), url: result.url, target };
    placed.frame()?.hide();
    say(placed.form.container, { text: result.text, isError: !isGood(result), action });
  });
}

async function finish(follower: Follower, placed: Placed, result: WidgetResult): Promise<void> {
  const { hooks, life } = follower;
  const hasHook = hooks.has('onResult');
  const self = { $form: wrap(placed.form.form), $container: wrap(placed.form.container) };
  const answer = await Promise.resolve(hooks.call('onResult', self, result)).catch(reportError);
  if (life.isOver) return;
  // Whatever its outcome, its codes were for this attempt alone.
  placed.form.renew();
  if (answer === false) {
    placed.frame()?.hide();
    placed.frame()?.empty();
    if (!isGood(result)) follower.free();
  } else if (result.outcome === 'expired') {
    stay(follower, placed, result);
    follower.expire();
  } else if (result.url !== null && (isGood(result) || !hasHook)) leave(follower, placed, { ...result, url: result.url });
  else stay(follower, placed, result);
}

/** Listens for results as long as the checkout lives. */
export function follow(follower: Follower): Following {
  const { life, hooks, around } = follower;
  const finishing = new WeakSet<Placed>();
  life.listen(around.window, 'message', (event) => {
    const message = event as MessageEvent;
    const placed = speaker(follower, message.source);
    const result = placed && readResult(message, around.given.origin, around.given.checkoutId);
    if (!result || finishing.has(placed)) return;
    // One submission has one result, and the next one has its own.
    finishing.add(placed);
    void finish(follower, placed, result).finally(() => finishing.delete(placed));
  });
  return {
    arrived(placed) {
      life.after(GRACE_MS, () => {
        const frame = placed.frame();
        if (!frame?.isExpecting || frame.isShown || finishing.has(placed)) return;
        frame.show(around.options());
        hooks.call('onLoadThreeDIframe', frame.iframe);
      });
    },
  };
}
