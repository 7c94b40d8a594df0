import { type Registry, registryOf, type WalletName } from '../../loader/registry.ts';
import { trusted } from '../../loader/trusted.ts';
import type { Surroundings } from '../contract.ts';
import type { WalletDevice, WalletOf } from './walletDevice.ts';

/** Filled in when the widget is built. */
declare const WALLETS_INTEGRITY: string;

const TRIES_MAX = 3;
const PAUSE_MS = 700;

const names: Readonly<Record<WalletName, true>> = { APPLEPAY: true, GOOGLEPAY: true };
export const isKnownWallet = (name: string): name is WalletName => Object.hasOwn(names, name);

/** The wallets of this build of the widget, loaded once for all forms of a page. */
let arrival: Promise<unknown> | null = null;

function loadScript(around: Surroundings, registry: Registry, triesLeft: number): Promise<void> {
  const { document, given, window } = around;
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trusted(registry, `${given.origin}/v1/static/`, `${given.cacheVersion}/js/wallets.min.js`);
    script.async = true;
    script.crossOrigin = 'anonymous';
    script.integrity = WALLETS_INTEGRITY;
    // By this the script knows which of several builds it is.
    script.dataset.build = given.cacheVersion;
    if (given.nonce) script.nonce = given.nonce;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      if (triesLeft > 1) window.setTimeout(() => loadScript(around, registry, triesLeft - 1).then(resolve, reject), PAUSE_MS);
      else reject(new Error('the script of the wallets could not be loaded'));
    };
    (document.head ?? document.documentElement).append(script);
  });
}

/** The wallet of the device. Its button is shown when its script is here, so that a click finds it. Without the script it is not there. */
export function loadDevice(name: WalletName, of: WalletOf): WalletDevice {
  const registry = registryOf(of.around.window);
  let device: WalletDevice | null = null;
  return {
    async isThere() {
      arrival ??= loadScript(of.around, registry, TRIES_MAX);
      try {
        await arrival;
      } catch {
        arrival = null;
        return false;
      }
      device = registry.wallets?.[of.around.given.cacheVersion]?.[name](of) ?? null;
      return (await device?.isThere()) ?? false;
    },
    button: (press) => device?.button(press) ?? null,
    open: async (events) => device?.open(events) ?? null,
    end: (isGood) => device?.end(isGood),
    drop: () => device?.drop(),
  };
}
