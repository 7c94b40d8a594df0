import type { Mounted, MountOptions, Options, Wpwl } from '../options.ts';
import type { LoaderConfig } from '../runtime/contract.ts';
import type { WalletContext, WalletDevice } from '../runtime/wallets/device.ts';

/** As much of the browser's Trusted Types as is needed here. */
type ScriptPolicy = { createScriptURL(url: string): string };
type Factory = { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };

/**
 * The address of a script as a page wants it that takes no bare texts: made by the policy `turnpike`, which knows addresses under `root`
 * and no other. A page allows a policy of one name once, so all loaders share it. Where there is none to be had, the text has to do.
 */
export function trusted(registry: Registry, root: string, path: string): string {
  const { trustedTypes } = window as { readonly trustedTypes?: Factory };
  const createScriptURL = (url: string): string => {
    if (!url.startsWith(root)) throw new TypeError(`not an address of ${root}`);
    return url;
  };
  try {
    registry.policy ??= trustedTypes?.createPolicy('turnpike', { createScriptURL });
    return registry.policy?.createScriptURL(root + path) ?? root + path;
  } catch {
    return root + path;
  }
}

/** The runtime's interface for loaders. */
export interface Engine {
  load(config: LoaderConfig, wpwl: Wpwl): void;
  mount(config: LoaderConfig, element: Element, options: MountOptions): Mounted;
  execute(container: string): Promise<boolean>;
  update(config: LoaderConfig, options: Options): void;
}

/** One checkout at work on the page, whatever build of the runtime drives it. */
export interface Instance {
  checkoutId(): string;
  /** Made by `mount`: it has a life of its own. */
  readonly isMounted: boolean;
  owns(shopForm: Element): boolean;
  /** Gives a form of the shop back as it was. */
  release(shopForm: Element): void;
  /** Null: no such container here. */
  execute(container: string): Promise<boolean> | null;
  unload(): void;
}

/** One build of the runtime, on its way or here. */
export interface Slot {
  readonly engine: Promise<Engine>;
  /** Loads a checkout, immediately or as soon as the runtime has arrived. */
  add(config: LoaderConfig, wpwl: Wpwl): void;
  /** Drops what still waits. */
  forget(): void;
  /** False: one has arrived before. */
  arrive(engine: Engine): boolean;
}

export type WalletName = 'APPLEPAY' | 'GOOGLEPAY';

/** The registry that all loaders and runtimes of a page share. Its key is a symbol, so that no page overwrites it by accident. */
export type Registry = {
  readonly slots: Record<string, Slot>;
  readonly instances: Instance[];
  policy?: ScriptPolicy | undefined;
  /** By build of the runtime, once their script has been loaded. */
  wallets?: Record<string, Readonly<Record<WalletName, (context: WalletContext) => WalletDevice>>>;
  /** Pending and finished loads of the script of the wallets, by build. */
  walletScripts?: Record<string, Promise<void>>;
  googleScript?: Promise<void> | undefined;
  /** Focuses the input inside each field frame of the page, so that the focus can move from one frame to the next. */
  frames?: WeakMap<HTMLIFrameElement, () => void>;
};

const registryKey = Symbol.for('turnpike');

/** Returns the registry of a page. */
export const registryOf = (window: Window): Registry =>
  // A symbol on the window has no type of its own.
  ((window as unknown as Record<symbol, Registry>)[registryKey] ??= { slots: {}, instances: [] });
