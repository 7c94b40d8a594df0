import type { Instance, Registry } from '../loader/registry.ts';
import { shopForms } from './shopForms.ts';

/**
 * The forms of the shop that are an instance's to fill. A form that names its checkout is that checkout's; all others go to the checkout
 * that was loaded last.
 */
export function claim(registry: Registry, self: Instance, document: Document): readonly HTMLElement[] {
  const loaded = registry.instances.filter(({ isMounted }) => !isMounted);
  const isLast = loaded.at(-1) === self;
  return shopForms(document).filter((shopForm) => {
    if (registry.instances.some((other) => other.owns(shopForm))) return false;
    const named = shopForm.dataset.checkoutId;
    return named ? named === self.checkoutId() : isLast;
  });
}

/** A checkout that is loaded where every form is taken takes them over: a page that swaps its script wants the new one. */
export function takeOver(registry: Registry, self: Instance, document: Document): void {
  const open = shopForms(document).filter(({ dataset }) => !dataset.checkoutId);
  const others = registry.instances.filter((other) => other !== self && !other.isMounted);
  if (open.some((shopForm) => !others.some((other) => other.owns(shopForm)))) return;
  for (const other of others) {
    const taken = open.filter((shopForm) => other.owns(shopForm));
    for (const shopForm of taken) other.release(shopForm);
    // One that never had a form may still wait for the one that names it.
    if (taken.length > 0 && !shopForms(document).some((shopForm) => other.owns(shopForm))) other.unload();
  }
}
