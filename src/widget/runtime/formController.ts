import type { PaymentForm } from './contract.ts';
import { brandsIn, hide } from './shopForms.ts';
import type { Submission } from './submission.ts';
import type { TargetFrame } from './targetFrame.ts';

/** Heights of the parts of a form as our own styles make them, in pixels. */
const ROW = 44;
const LABEL = 19;
const GAP = 20;

const HIDDEN_MS = 150;

/** A placeholder of about the forms' size and without text, so that nothing on the page jumps when they arrive. */
function createSkeleton(document: Document, rows: number): HTMLElement {
  const skeleton = document.createElement('div');
  skeleton.className = 'wpwl-skeleton';
  skeleton.setAttribute('aria-busy', 'true');
  skeleton.style.setProperty('display', 'grid');
  skeleton.style.setProperty('gap', `${GAP}px`);
  // No sheet is there yet, and a page may want none: the little there is to see is set here.
  for (let row = 0; row < rows; row += 1) skeleton.append(bar(document, row === rows - 1 ? ROW : ROW + LABEL));
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  // Most forms are there before it is seen: a browser that has to paint it, and to paint it again, loads them later.
  skeleton.animate?.({ visibility: ['hidden', 'hidden'] }, { delay: HIDDEN_MS, duration: 1, fill: 'backwards' });
  const pulse = { delay: HIDDEN_MS, duration: 1600, iterations: Number.POSITIVE_INFINITY };
  if (!isStill) skeleton.animate?.({ opacity: [1, 0.5, 1] }, pulse);
  return skeleton;
}

function bar(document: Document, height: number): HTMLElement {
  const element = document.createElement('div');
  element.className = 'wpwl-skeleton-bar';
  element.style.setProperty('height', `${height}px`);
  element.style.setProperty('border-radius', '6px');
  element.style.setProperty('background', 'currentColor');
  element.style.setProperty('opacity', '0.07');
  return element;
}

/** A form in its place. */
export type Placed = {
  readonly form: PaymentForm;
  readonly submission: Submission;
  frame(): TargetFrame | null;
  /** Submits the form as its own button would. Resolves to whether anything was sent. */
  pay(): Promise<boolean>;
  remove(): void;
};

/** The place of the widget for one of the shop's forms, or for one element that it was mounted in. */
export interface FormController {
  readonly anchor: HTMLElement;
  readonly wrapper: HTMLElement;
  readonly brands: readonly string[];
  readonly action: string | null;
  readonly placed: readonly Placed[];
  /** Replaces the content by forms. */
  place(forms: readonly PaymentForm[], equip: (form: PaymentForm) => Placed): void;
  /** Shows a skeleton of the size of the coming forms. */
  wait(): void;
  clear(): void;
  /** Inserts itself again when the page has removed everything but its own form. */
  stay(): void;
  remove(): void;
}

export type FormPlace = {
  readonly anchor: HTMLElement;
  /** The anchor holds the widget; otherwise it is the shop's own form, which stays where it is and is hidden. */
  readonly isHolder: boolean;
  readonly brands: readonly string[];
  readonly action: string | null;
};

/** Only a guess about the size, for a moment: the gateway says what the brands really are. */
const cardLike = /^(?:VISA|MASTER|AMEX|MAESTRO|MADA|DINERS|DISCOVER|JCB|BCMC|CARTEBANCAIRE|ALIA|UNIONPAY|ELO|HIPERCARD)/i;
const CARD_ROWS = 6;

const rowsFor = (brands: readonly string[]): number => {
  const others = brands.filter((brand) => !cardLike.test(brand)).length;
  return others + (others < brands.length || brands.length === 0 ? CARD_ROWS : 0);
};

/** A form is handed over inside whatever its maker has put around it. */
function outermost(element: HTMLElement): HTMLElement {
  let top = element;
  while (top.parentElement) top = top.parentElement;
  return top;
}

/** The place that the shop's own form marks. */
export const shopFormController = (shopForm: HTMLElement): FormPlace => ({
  anchor: shopForm,
  isHolder: false,
  brands: brandsIn(shopForm),
  action: shopForm.getAttribute('action') ?? shopForm.getAttribute('data-action'),
});

/** Creates the place with a skeleton in it. */
export function createFormController({ anchor, isHolder, brands, action }: FormPlace): FormController {
  const { ownerDocument: document } = anchor;
  const wrapper = document.createElement('div');
  wrapper.className = 'wpwl-widget';
  const show = isHolder ? (): void => {} : hide(anchor);
  const enter = (): void => (isHolder ? anchor.append(wrapper) : anchor.after(wrapper));
  enter();
  let placed: readonly Placed[] = [];
  function clear(): void {
    for (const one of placed) one.remove();
    placed = [];
    wrapper.replaceChildren();
  }
  const controller: FormController = {
    anchor,
    wrapper,
    brands,
    action,
    get placed() {
      return placed;
    },
    place(forms, equip) {
      clear();
      wrapper.append(...new Set(forms.map(({ container }) => outermost(container))));
      for (const form of forms) form.onMounted?.();
      placed = forms.map(equip);
    },
    wait() {
      clear();
      wrapper.append(createSkeleton(document, rowsFor(brands)));
    },
    clear,
    stay() {
      if (!wrapper.isConnected) enter();
    },
    remove() {
      clear();
      wrapper.remove();
      show();
    },
  };
  controller.wait();
  return controller;
}
