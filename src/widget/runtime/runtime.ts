import { type Engine, registryOf } from '../loader/registry.ts';
import type { Mounted, MountOptions, Options } from '../options.ts';
import type { FormsMaker, LoaderConfig } from './contract.ts';
import { widgetError } from './errors.ts';
import { CheckoutInstance } from './instance.ts';
import { createLifetime } from './lifetime.ts';
import { createHooks, pageOptions } from './readOptions.ts';
import { takeOver } from './shopForms.ts';

/** Pages insert and remove many nodes together; one scan afterwards is enough. */
const SCAN_DELAY_MS = 30;

const unknown = (container: string): Error =>
  widgetError('WidgetError', `There is no container ${container || 'at all'}`, { event: 'executePayment' });

function mount(window: Window, makeForms: FormsMaker, { config, element, options }: MountCall): Mounted {
  const registry = registryOf(window);
  const own = { ...config, checkoutId: options.checkoutId || config.checkoutId };
  const instance = new CheckoutInstance({ window, registry, config: own, makeForms, options: () => options, wpwl: null });
  registry.instances.push(instance);
  const { brands, action = null } = options;
  const names = typeof brands === 'string' ? brands.split(/[\s,]+/).filter(Boolean) : (brands ?? []);
  instance.place([{ anchor: element, isHolder: true, brands: names, action }]);
  return {
    update: (changed) => instance.update(changed),
    unmount: () => instance.unload(),
    executePayment(key) {
      const paying = key === undefined ? instance.executeAny() : instance.execute(key);
      if (paying === null) instance.fail(unknown(key ?? '') as Parameters<CheckoutInstance['fail']>[0]);
      return paying ?? Promise.resolve(false);
    },
  };
}

type MountCall = { readonly config: LoaderConfig; readonly element: HTMLElement; readonly options: MountOptions };

/** Watches the page for forms that come and go, for all checkouts of this build. */
function watchForms(window: Window, instances: () => readonly CheckoutInstance[]): void {
  const lifetime = createLifetime();
  let isScanDue = false;
  const scan = (): void => {
    isScanDue = false;
    for (const instance of instances()) instance.scan();
  };
  new MutationObserver(() => {
    if (isScanDue || instances().length === 0) return;
    isScanDue = true;
    lifetime.after(SCAN_DELAY_MS, scan);
  }).observe(window.document, { childList: true, subtree: true });
}

function createEngine(window: Window, makeForms: FormsMaker): Engine {
  const registry = registryOf(window);
  const running = (): readonly CheckoutInstance[] => registry.instances.filter((one) => one instanceof CheckoutInstance);
  const ready = whenReady(window);
  void ready.then(() => watchForms(window, running));
  const loaded = (config: LoaderConfig): CheckoutInstance | undefined =>
    running().find((one) => !one.isMounted && one.checkoutId() === config.checkoutId);
  return {
    load(config, wpwl) {
      const there = loaded(config);
      if (there) {
        config.early?.end();
        void ready.then(() => there.join(wpwl));
        return;
      }
      const instance = new CheckoutInstance({ window, registry, config, makeForms, options: pageOptions, wpwl });
      registry.instances.push(instance);
      void ready.then(() => {
        if (!registry.instances.includes(instance)) return;
        takeOver(registry, instance, window.document);
        instance.start();
      });
    },
    mount: (config, element, options) => mount(window, makeForms, { config, element: element as HTMLElement, options }),
    execute(container) {
      for (const instance of [...registry.instances].reverse()) {
        const paying = instance.execute(String(container));
        if (paying) return paying;
      }
      createHooks(pageOptions).fail(unknown(String(container)) as Parameters<CheckoutInstance['fail']>[0]);
      return Promise.resolve(false);
    },
    update(config: LoaderConfig, options: Options) {
      loaded(config)?.update(options);
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

/** Whether the page's DOMContentLoaded handlers have run. */
function isReady(window: Window): boolean {
  const { readyState } = window.document;
  if (readyState !== 'interactive') return readyState === 'complete';
  const [navigation] = window.performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return (navigation?.domContentLoadedEventEnd ?? 1) > 0;
}

/** Resolves when the document is parsed and the page's own handlers for that moment have run, also the slightly delayed ones. */
function whenReady(window: Window): Promise<void> {
  return new Promise((resolve) => {
    const lifetime = createLifetime();
    const soon = (): void => void lifetime.after(0, () => lifetime.after(0, resolve));
    if (isReady(window)) resolve();
    else window.document.addEventListener('DOMContentLoaded', soon, { once: true });
  });
}
