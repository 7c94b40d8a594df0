import { registryOf } from '../../loader/registry.ts';
import { appleDevice } from './apple.ts';
import { googleDevice } from './google.ts';

/** A script of its own: only pages with a wallet load it. */
const registry = registryOf(window);
const build = (document.currentScript as HTMLScriptElement | null)?.dataset.build;
registry.wallets ??= {};
if (build !== undefined) registry.wallets[build] = { APPLEPAY: appleDevice, GOOGLEPAY: googleDevice };
