import type { Mounted, MountOptions, Options, Wpwl } from '../options.ts';
import type { Given } from '../runtime/contract.ts';
import type { WalletDevice, WalletOf } from '../runtime/forms/walletDevice.ts';
import type { ScriptPolicy } from './trusted.ts';

/** What the runtime offers to loaders once it has arrived. */
export interface Engine {
  load(given: Given, wpwl: Wpwl): void;
  mount(given: Given, element: Element, options: MountOptions): Mounted;
  execute(container: string): Promise<boolean>;
  update(given: Given, options: Options): void;
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
  /** Loads a checkout, at once or as soon as the runtime is here. */
  add(given: Given, wpwl: Wpwl): void;
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
  wallets?: Record<string, Readonly<Record<WalletName, (of: WalletOf) => WalletDevice>>>;
};

export const registryKey = Symbol.for('turnpike');

/** Returns the registry of a page. */
export const registryOf = (window: Window): Registry =>
  // A symbol on the window has no type of its own.
  ((window as unknown as Record<symbol, Registry>)[registryKey] ??= { slots: {}, instances: [] });
