import type { WidgetSession } from '../../spec/widget.ts';
import type { Instance, Registry } from '../loader/registry.ts';
import { developerLog } from './errors.ts';

/** The elements a shop marks as the place of the widget: a form, or any element where the page is one big form already. */
export const shopForms = (document: Document): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('.paymentWidgets'),
];

/** Brands as the shop wrote them: in the attribute, on old pages as the text of the form. */
export function brandsIn(shopForm: Element): readonly string[] {
  const text = shopForm.getAttribute('data-brands') || shopForm.textContent || '';
  return text.split(/[\s,]+/).filter(Boolean);
}

/** The shop's brands in its order, without brands that the checkout does not offer; all of the checkout where the shop names none. */
export function knownBrands(wanted: readonly string[], session: WidgetSession): readonly string[] {
  const names = session.brands.map(({ name }) => name);
  if (wanted.length === 0) return names;
  const found = wanted.map((brand) => names.find((name) => name === brand || name === brand.toUpperCase()) ?? null);
  const missing = wanted.filter((_, at) => found[at] === null);
  if (missing.length > 0) developerLog.mistake(`no form for ${missing.join(', ')} in this checkout`);
  return [...new Set(found.filter((name) => name !== null))];
}

/**
 * The shop's result page by the action of its form; null without an action. An empty action is the page itself, whatever part
 * of it is shown; one that is named keeps its fragment, since pages of one document tell their parts apart by it.
 */
export function resultUrlOf(action: string | null, document: Document): string | null {
  if (action === null) return null;
  try {
    return new URL(action || document.URL.replace(/#.*$/, ''), document.baseURI).href;
  } catch {
    return null;
  }
}

/** Hides an element whatever the page's styles are. Returns a function that shows it again exactly as it was. */
export function hide(element: HTMLElement): () => void {
  const { style } = element;
  const hadStyle = element.hasAttribute('style');
  const before = [style.getPropertyValue('display'), style.getPropertyPriority('display')] as const;
  style.setProperty('display', 'none', 'important');
  return () => {
    if (before[0]) style.setProperty('display', ...before);
    else style.removeProperty('display');
    // Chromium writes the attribute late; one that was never read could not be removed.
    if (!hadStyle && element.getAttribute('style') === '') element.removeAttribute('style');
  };
}

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
