import type { Registry } from './registry.ts';

/** As much of the browser's Trusted Types as is needed here. */
export type ScriptPolicy = { createScriptURL(url: string): string };
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
