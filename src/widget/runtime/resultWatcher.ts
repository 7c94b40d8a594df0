import type { WidgetResult } from '../../spec/widget.ts';
import type { Environment } from './contract.ts';
import type { Placed } from './formController.ts';
import type { Lifetime } from './lifetime.ts';
import { showMessage } from './message.ts';
import type { ShopHooks } from './readOptions.ts';
import { wrap } from './readOptions.ts';
import { readResult, redirect, resultTarget } from './results.ts';

/** A result page posts its message as soon as it loads. A page that has posted nothing for this long is meant to be seen. */
const GRACE_MS = 300;
const STILL_HERE_MS = 2_000;

export interface ResultDeps {
  readonly lifetime: Lifetime;
  readonly hooks: ShopHooks;
  readonly environment: Environment;
  placed(): readonly Placed[];
  /** Makes the form usable again. */
  release(): void;
  /** The gateway reports that the checkout has expired. */
  expire(): void;
}

/** Follows a submitted form to its result. */
export interface ResultWatcher {
  /** A form's own frame has loaded something. */
  frameLoaded(placed: Placed): void;
}

const isGood = ({ outcome }: WidgetResult): boolean => outcome === 'success' || outcome === 'pending';

/** Finds the form whose frame sent a message: our own frame, or the frame that the shop has named for its payments. */
function findSender(deps: ResultDeps, source: MessageEventSource | null): Placed | null {
  if (source === null) return null;
  const own = deps.placed().find((one) => one.frame()?.iframe.contentWindow === source);
  if (own) return own;
  const { document } = deps.environment;
  const name = [...document.querySelectorAll('iframe')].find((frame) => frame.contentWindow === source)?.name;
  return (name && deps.placed().find(({ form }) => form.form.getAttribute('target') === name)) || null;
}

/** Keeps the shopper on the page: the form is enabled again, with the reason above it. */
function showResult(deps: ResultDeps, placed: Placed, result: WidgetResult): void {
  const frame = placed.frame();
  frame?.hide();
  frame?.empty();
  if (!isGood(result)) deps.release();
  const otherwise = deps.environment.text(isGood(result) ? 'resultSuccess' : 'resultDeclined');
  showMessage(placed.form.container, { text: result.text || otherwise, isError: !isGood(result) });
}

function redirectToShop(
  { lifetime, environment }: ResultDeps,
  placed: Placed,
  result: WidgetResult & { readonly url: string },
): void {
  const target = resultTarget(environment.options());
  placed.frame()?.expect(false);
  redirect(environment.window, result.url, target);
  // A framed page may not be allowed to navigate the top window without a click.
  lifetime.after(STILL_HERE_MS, () => {
    const action = { text: environment.text('continueToShop'), url: result.url, target };
    placed.frame()?.hide();
    showMessage(placed.form.container, { text: result.text, isError: !isGood(result), action });
  });
}

async function handleResult(deps: ResultDeps, placed: Placed, result: WidgetResult): Promise<void> {
  const { hooks, lifetime } = deps;
  const hasHook = hooks.has('onResult');
  const self = { $form: wrap(placed.form.form), $container: wrap(placed.form.container) };
  const answer = await Promise.resolve(hooks.call('onResult', self, result)).catch(reportError);
  if (lifetime.isOver) return;
  // Security codes belong to this attempt alone.
  placed.form.resetForRetry();
  if (answer === false) {
    placed.frame()?.hide();
    placed.frame()?.empty();
    if (!isGood(result)) deps.release();
  } else if (result.outcome === 'expired') {
    showResult(deps, placed, result);
    deps.expire();
  } else if (result.url !== null && (isGood(result) || !hasHook)) redirectToShop(deps, placed, { ...result, url: result.url });
  else showResult(deps, placed, result);
}

/** Listens for results until the checkout is unloaded. */
export function watchResults(deps: ResultDeps): ResultWatcher {
  const { lifetime, hooks, environment } = deps;
  const finishing = new WeakSet<Placed>();
  lifetime.listen(environment.window, 'message', (event) => {
    const message = event as MessageEvent;
    const placed = findSender(deps, message.source);
    const result = placed && readResult(message, environment.config.origin, environment.config.checkoutId);
    if (!result || finishing.has(placed)) return;
    // One submission has one result, and the next one has its own.
    finishing.add(placed);
    void handleResult(deps, placed, result).finally(() => finishing.delete(placed));
  });
  return {
    frameLoaded(placed) {
      lifetime.after(GRACE_MS, () => {
        const frame = placed.frame();
        if (!frame?.isExpecting || frame.isShown || finishing.has(placed)) return;
        frame.show(environment.options());
        hooks.call('onLoadThreeDIframe', frame.iframe);
      });
    },
  };
}
