import { type Engine, registryOf } from '../loader/registry.ts';
import type { Mounted, MountOptions, Options } from '../options.ts';
import { takeOver } from './claim.ts';
import type { FormsMaker, Given } from './contract.ts';
import { widgetError } from './errors.ts';
import { createHooks } from './hooks.ts';
import { Running } from './instance.ts';
import { createLife } from './life.ts';
import { pageOptions } from './readOptions.ts';

/** Pages insert and remove many nodes at once; one look afterwards is enough. */
const LOOK_MS = 30;

const unknown = (container: string): Error =>
  widgetError('WidgetError', `There is no container ${container || 'at all'}`, { event: 'executePayment' });

function mount(window: Window, makeForms: FormsMaker, { given, element, options }: MountCall): Mounted {
  const registry = registryOf(window);
  const own = { ...given, checkoutId: options.checkoutId || given.checkoutId };
  const instance = new Running({ window, registry, given: own, makeForms, options: () => options, wpwl: null });
  registry.instances.push(instance);
  const { brands, action = null } = options;
  const names = typeof brands === 'string' ? brands.split(/[\s,]+/).filter(Boolean) : (brands ?? []);
  instance.place([{ anchor: element, isHolder: true, brands: names, action }]);
  return {
    update: (changed) => instance.update(changed),
    unmount: () => instance.unload(),
    executePayment(key) {
      const paying = key === undefined ? instance.executeAny() : instance.execute(key);
      if (paying === null) instance.fail(unknown(key ?? '') as Parameters<Running['fail']>[0]);
      return paying ?? Promise.resolve(false);
    },
  };
}

type MountCall = { readonly given: Given; readonly element: HTMLElement; readonly options: MountOptions };

/** Watches the page for forms that come and go, for all checkouts of this build. */
function watchForms(window: Window, instances: () => readonly Running[]): void {
  const life = createLife();
  let isLooking = false;
  const look = (): void => {
    isLooking = false;
    for (const instance of instances()) instance.scan();
  };
  new MutationObserver(() => {
    if (isLooking || instances().length === 0) return;
    isLooking = true;
    life.after(LOOK_MS, look);
  }).observe(window.document, { childList: true, subtree: true });
}

function createEngine(window: Window, makeForms: FormsMaker): Engine {
  const registry = registryOf(window);
  const running = (): readonly Running[] => registry.instances.filter((one) => one instanceof Running);
  const ready = whenReady(window);
  void ready.then(() => watchForms(window, running));
  const loaded = (given: Given): Running | undefined =>
    running().find((one) => !one.isMounted && one.checkoutId() === given.checkoutId);
  return {
    load(given, wpwl) {
      const there = loaded(given);
      if (there) {
        given.early?.end();
        void ready.then(() => there.join(wpwl));
        return;
      }
      const instance = new Running({ window, registry, given, makeForms, options: pageOptions, wpwl });
      registry.instances.push(instance);
      void ready.then(() => {
        if (!registry.instances.includes(instance)) return;
        takeOver(registry, instance, window.document);
        instance.start();
      });
    },
    mount: (given, element, options) => mount(window, makeForms, { given, element: element as HTMLElement, options }),
    execute(container) {
      for (const instance of [...registry.instances].reverse()) {
        const paying = instance.execute(String(container));
        if (paying) return paying;
      }
      createHooks(pageOptions).fail(unknown(String(container)) as Parameters<Running['fail']>[0]);
      return Promise.resolve(false);
    },
    update(given: Given, options: Options) {
      loaded(given)?.update(options);
    },
  };
}

/** Answers the loaders of this page that wait for this build of the runtime. */
export function startRuntime(makeForms: FormsMaker): void {
  const { slots } = registryOf(window);
  const { currentScript } = document;
  const build = currentScript instanceof HTMLScriptElement ? currentScript.dataset.build : undefined;
  const waiting = build === undefined ? Object.values(slots) : [slots[build]];
  const engine = createEngine(window, makeForms);
  for (const slot of waiting) slot?.arrive(engine);
}

/** Whether the page's handlers for a parsed document have had their turn. */
function isReady(window: Window): boolean {
  const { readyState } = window.document;
  if (readyState !== 'interactive') return readyState === 'complete';
  const [navigation] = window.performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return (navigation?.domContentLoadedEventEnd ?? 1) > 0;
}

/** When the document is parsed and the page's own handlers of that moment are through, also those that run a little after it. */
function whenReady(window: Window): Promise<void> {
  return new Promise((resolve) => {
    const life = createLife();
    const soon = (): void => void life.after(0, () => life.after(0, resolve));
    if (isReady(window)) resolve();
    else window.document.addEventListener('DOMContentLoaded', soon, { once: true });
  });
}
