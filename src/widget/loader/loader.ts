import type { Wpwl } from '../options.ts';
import type { LoaderConfig } from '../runtime/contract.ts';
import { pageOptions } from '../runtime/readOptions.ts';
import { headStart } from './headStart.ts';
import { type Engine, registryOf, type Slot, trusted } from './registry.ts';

/** Filled in by the gateway for one checkout. An array, because the minifier would fold the placeholders into the code. */
const [origin, checkoutId, mode, build, integrity] = [
  '__ORIGIN__',
  '__CHECKOUT__',
  '__MODE__',
  '__BUILD__',
  '__INTEGRITY__',
] as const;

const TRIES_MAX = 3;
const PAUSE_MS = 700;

const registry = registryOf(window);

// A page that fetches this text and runs it has no current script; its other scripts carry the same nonce.
const scripted = document.currentScript ?? document.querySelector<HTMLScriptElement>('script[nonce]');

const bare: LoaderConfig = {
  origin,
  checkoutId,
  isRegistration: (mode as string) === 'registration',
  cacheVersion: build,
  nonce: scripted?.nonce || null,
};

/** Tells the shop, by its options as they are then, that nothing of ours will come. */
function giveUp(): void {
  const error = Object.assign(new Error(`The payment widget could not be loaded from ${origin}`), {
    name: 'WidgetError' as const,
  });
  registry.slots[build]?.forget();
  delete registry.slots[build];
  pageOptions().onError?.(error);
}

function inject(triesLeft: number): void {
  const script = document.createElement('script');
  script.src = trusted(registry, `${origin}/v1/static/`, `${build}/js/static.min.js`);
  script.async = true;
  script.crossOrigin = 'anonymous';
  script.integrity = integrity;
  if (bare.nonce) script.nonce = bare.nonce;
  // Tells the runtime which of several builds it is.
  script.dataset.build = build;
  script.onerror = () => {
    script.remove();
    if (triesLeft > 1) setTimeout(inject, PAUSE_MS, triesLeft - 1);
    else giveUp();
  };
  (document.head ?? document.documentElement).append(script);
}

function newSlot(): Slot {
  const { promise, resolve } = resolvable<Engine>();
  let here: Engine | null = null;
  let waiting: (readonly [LoaderConfig, Wpwl])[] = [];
  return {
    engine: promise,
    add(...one) {
      if (here) here.load(...one);
      else waiting.push(one);
    },
    forget() {
      for (const [dropped] of waiting) dropped.early?.end();
      waiting = [];
    },
    arrive(engine) {
      if (here) return false;
      here = engine;
      for (const one of waiting) engine.load(...one);
      resolve(engine);
      return true;
    },
  };
}

function resolvable<Value>(): { readonly promise: Promise<Value>; resolve(value: Value): void } {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((sync) => {
    resolve = sync;
  });
  return { promise, resolve };
}

function unload(): void {
  for (const one of Object.values(registry.slots)) one.forget();
  for (const instance of [...registry.instances]) if (!instance.isMounted) instance.unload();
}

function describe(engine: Promise<Engine>): Wpwl {
  const endpoint = `/${mode}`;
  return {
    apiVersion: '1',
    minified: true,
    timestamp: new Date(performance.timeOrigin + performance.now()).toISOString(),
    ndc: checkoutId,
    cacheVersion: build,
    checkout: {
      id: checkoutId,
      endpoint,
      resourcePath: `/v1/checkouts/${checkoutId}${endpoint}`,
      config: { registrations: [], brandConfig: { brands: [] }, environmentConfig: { url: origin, cacheVersion: build } },
    },
    unload,
    executePayment: (container) => engine.then((there) => there.execute(container)),
    update: (options) => engine.then((there) => there.update(config, options)),
    mount(element, options) {
      const mounted = engine.then((there) => there.mount(config, element, options));
      return {
        update: (changed) => void mounted.then((there) => there.update(changed)),
        unmount: () => void mounted.then((there) => there.unmount()),
        executePayment: (key) => mounted.then((there) => there.executePayment(key)),
      };
    },
  };
}

const known = registry.slots[build];
const slot = known ?? newSlot();
registry.slots[build] = slot;
if (!known) inject(TRIES_MAX);
const isKnown = registry.instances.some((one) => !one.isMounted && one.checkoutId() === checkoutId);
const config = checkoutId && !isKnown ? { ...bare, early: headStart({ config: bare, options: pageOptions() }) } : bare;
const wpwl = describe(slot.engine);
Object.assign(window, { wpwl, turnpike: wpwl });
// Without a checkout the script only brings `turnpike.mount`.
if (checkoutId) slot.add(config, wpwl);
