import type { WidgetBrand } from '../../../spec/widget.ts';
import type { Environment } from '../contract.ts';
import { wrap } from '../readOptions.ts';
import { brandName } from './brandNames.ts';
import { setShown } from './draw.ts';
import { drawGroup } from './field.ts';
import type { Field, FormBuilder } from './formBuilder.ts';

/** The brand of a card: chosen from a list, or detected from its number. */
export interface BrandChoice extends Field {
  readonly control: HTMLSelectElement;
  /** The brands of a number that may be of several, to be shown below it. */
  readonly candidates: HTMLElement;
  /** '' while nothing is known. */
  current(): string;
  /** The number's frame has detected brands. */
  detected(brands: readonly string[], bin: string | null): void;
  /** No brand of this form fits the typed number. */
  isForeign(): boolean;
  /** Reports the initial brand to the page. */
  begin(): void;
}

type Choosing = {
  readonly brands: readonly WidgetBrand[];
  readonly onChange: (brand: string) => void;
};

/** The detected brands, in the shop's order where it gives one. */
export function inPriority(found: readonly string[], priority: unknown): readonly string[] {
  if (!Array.isArray(priority)) return found;
  const place = (brand: string): number => (priority.includes(brand) ? priority.indexOf(brand) : priority.length);
  return found.toSorted((one, other) => place(one) - place(other));
}

function drawBadge({ draw }: FormBuilder, brand: string): HTMLElement {
  return draw('div', `wpwl-brand wpwl-brand-card wpwl-brand-${brand}`, { 'aria-hidden': 'true' });
}

/** Co-branded cards: the shopper may choose the brand. */
function drawCandidates(
  builder: FormBuilder,
  found: readonly string[],
  pick: (brand: string) => void,
  current: string,
): HTMLElement[] {
  const { draw, id } = builder;
  return found.map((brand) => {
    const radio = draw('input', 'wpwl-candidate-radio', { type: 'radio', name: `${id}_candidate`, value: brand });
    radio.checked = brand === current;
    radio.addEventListener('change', () => pick(brand));
    const badge = draw('span', `wpwl-mark wpwl-brand-${brand}`, { 'aria-hidden': 'true' });
    return draw('label', 'wpwl-candidate', {}, radio, badge, draw('span', 'wpwl-candidate-name', {}, brandName(brand)));
  });
}

const isDetecting = ({ flag, options }: Environment): boolean => flag(options().brandDetection, false);

type Drawn = {
  readonly group: HTMLElement;
  readonly select: HTMLSelectElement;
  readonly badge: HTMLElement;
  readonly several: HTMLElement;
};

function drawChoice(builder: FormBuilder, brands: readonly WidgetBrand[]): Drawn {
  const { environment, draw } = builder;
  const detecting = isDetecting(environment) && brands.length > 1;
  const options = brands.map(({ name }) => draw('option', '', { value: name }, brandName(name)));
  if (detecting) options.unshift(draw('option', '', { value: '' }, ''));
  const select = draw('select', 'wpwl-control wpwl-control-brand', { name: 'paymentBrand' }, ...options);
  const focus = (): void => select.focus();
  const group = drawGroup(builder, { name: 'brand', label: environment.text('brand'), control: select, focus });
  const badge = drawBadge(builder, select.value);
  const several = draw('div', 'wpwl-candidates', { role: 'radiogroup', 'aria-label': environment.text('brand') });
  setShown(several, false);
  group.append(badge);
  group.classList.toggle('wpwl-group-single', brands.length === 1);
  if (detecting) {
    group.classList.add('wpwl-group-detected');
    for (const part of group.querySelectorAll<HTMLElement>('.wpwl-label, .wpwl-wrapper')) setShown(part, false);
  }
  return { group, select, badge, several };
}

type BrandState = {
  /** The shopper's own choice. */
  readonly picked: string | null;
  readonly found: readonly string[];
  readonly detecting: boolean;
  readonly current: string;
};

/** The number overrides the list only if its first six digits rule out the brand that is chosen there. */
export function bestBrand({ picked, found, detecting, current }: BrandState, bin: string | null): string {
  if (picked !== null && (found.includes(picked) || (!detecting && bin === null))) return picked;
  if (detecting) return found[0] ?? '';
  return bin === null || found.includes(current) ? current : (found[0] ?? current);
}

/** Draws the list, and keeps list, badge and page in sync. */
export function createBrandChoice(builder: FormBuilder, { brands, onChange }: Choosing): BrandChoice {
  const { environment, lifetime, form } = builder;
  const { group, select, badge, several } = drawChoice(builder, brands);
  const detecting = group.classList.contains('wpwl-group-detected');
  let picked: string | null = null;
  let found: readonly string[] = [];
  let lastBin: string | null = null;
  let reported: string | null = null;

  function show(): void {
    badge.className = `wpwl-brand wpwl-brand-card${select.value ? ` wpwl-brand-${select.value}` : ''}`;
    const isOpen = detecting && found.length > 1;
    several.replaceChildren(...(isOpen ? drawCandidates(builder, found, pick, select.value) : []));
    setShown(several, isOpen);
    if (reported === select.value) return;
    reported = select.value;
    onChange(reported);
    environment.call('onChangeBrand', { value: reported, $form: wrap(form) }, reported);
  }
  function set(brand: string): void {
    if (select.value !== brand) select.value = brand;
    show();
  }
  function pick(brand: string): void {
    picked = brand;
    const hadFocus = several.contains(environment.document.activeElement);
    set(brand);
    if (hadFocus) several.querySelector<HTMLInputElement>('input:checked')?.focus();
  }
  lifetime.listen(select, 'change', () => {
    picked = select.value;
    show();
  });
  return {
    name: 'brand',
    label: environment.text('brand'),
    group,
    control: select,
    candidates: several,
    errors: ['brandError'],
    fault: async () => null,
    focus: () => select.focus(),
    current: () => select.value,
    isForeign: () => lastBin !== null && found.length === 0 && brands.length > 0,
    detected(brands, bin) {
      const before = found.join();
      found = inPriority(brands, environment.options().brandDetectionPriority);
      set(bestBrand({ picked, found, detecting, current: select.value }, bin));
      if (before !== found.join()) environment.call('onDetectBrand', { $form: wrap(form) }, found, select.value);
      const isListed = environment.options().brandDetectionType === 'binlist';
      if (isListed && bin !== null && bin !== lastBin)
        environment.call('onDetectBin', { $form: wrap(form) }, { bin, brand: select.value, brands: found });
      lastBin = bin;
    },
    begin() {
      reported = null;
      show();
    },
  };
}
