/** Heights of the parts of a form as our own styles make them, in pixels. */
const ROW = 44;
const LABEL = 19;
const GAP = 20;

const HIDDEN_MS = 150;

/** What stands where the forms will be, of about their size and without a word, so that nothing on the page jumps when they come. */
export function createSkeleton(document: Document, rows: number): HTMLElement {
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
