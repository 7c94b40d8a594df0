import type { FrameStyle } from '../../protocol.ts';

/** Properties that the input inside takes over from the frame's element, which pages style. */
const COPIED = [
  'color',
  'background-color',
  'caret-color',
  'direction',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'font-variant-numeric',
  'letter-spacing',
  'line-height',
  'text-align',
  'text-transform',
  'color-scheme',
] as const;

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The look of a frame's element at this moment. Its inner distance is a variable: a real one would swallow the pointer. */
export function inputStyleOf(iframe: HTMLIFrameElement): FrameStyle {
  const computed = getComputedStyle(iframe);
  const style: Record<string, string> = {};
  for (const name of COPIED) style[name] = computed.getPropertyValue(name);
  style.padding = computed.getPropertyValue('--tp-frame-padding').trim() || '0 2px';
  // Digits run from left to right everywhere, and stand where the language begins.
  if (style.direction === 'rtl' && style['text-align'] === 'start') style['text-align'] = 'right';
  return style;
}

/** The look of its placeholder, with what the shop wants over it. */
export function placeholderStyleOf(iframe: HTMLIFrameElement, wanted: FrameStyle | undefined): FrameStyle {
  const computed = getComputedStyle(iframe);
  // Our sheets keep the colour in a property that a frame has no other use for: a variable would not be resolved here.
  const colour = computed.getPropertyValue('--tp-placeholder') ? computed.getPropertyValue('column-rule-color') : '';
  const own = Object.entries(wanted ?? {}).map(([name, value]) => [kebab(name), String(value)] as const);
  return { ...(colour ? { color: colour } : {}), opacity: '1', ...Object.fromEntries(own) };
}

/** Calls whenever the look may have changed: sheets and fonts that come late, another colour scheme, classes and styles that pages set. */
export function watchStyle(element: HTMLElement, signal: AbortSignal, onChange: () => void): void {
  const { ownerDocument: document } = element;
  const observer = new MutationObserver(onChange);
  observer.observe(element, { attributes: true, attributeFilter: ['class', 'style', 'disabled'] });
  signal.addEventListener('abort', () => observer.disconnect());
  const onLoad = (event: Event): void => {
    if (event.target instanceof HTMLLinkElement || event.target instanceof HTMLStyleElement) onChange();
  };
  document.addEventListener('load', onLoad, { capture: true, signal });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onChange, { signal });
}
