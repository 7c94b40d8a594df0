import type { FrameStyle } from '../protocol.ts';
import { allowedStyles } from './allowedStyles.ts';

/** Puts a page's styles on the input and on its placeholder. */
export interface Paint {
  input(style: FrameStyle): void;
  placeholder(style: FrameStyle): void;
}

/** What belongs to the whole document: variables, and the scheme, without which the frame would get a ground of its own. */
const isOfRoot = (name: string): boolean => name.startsWith('--') || name === 'color-scheme';

/** An input that is not there cannot be filled in, digits run one way, and where the text begins is the page's direction to say. */
const isOurs = (name: string, value: string): boolean =>
  name === 'display' || name === 'direction' || (name === 'text-align' && value === 'start');

function fill(rule: CSSStyleRule, entries: readonly (readonly [string, string])[]): void {
  for (const name of [...rule.style]) rule.style.removeProperty(name);
  for (const [name, value] of entries) rule.style.setProperty(name, value);
}

/** By rules of a sheet that scripts hold: a policy without inline styles lets them pass, and a value can only be a value there. */
export function createPaint(document: Document): Paint {
  const sheet = new CSSStyleSheet();
  const rule = (selector: string): CSSStyleRule => {
    sheet.insertRule(`${selector} {}`, sheet.cssRules.length);
    return sheet.cssRules[sheet.cssRules.length - 1] as CSSStyleRule;
  };
  const [root, field, hint] = [rule(':root'), rule('form > input'), rule('form > input::placeholder')];
  document.adoptedStyleSheets = [sheet];
  return {
    input(style) {
      const allowed = allowedStyles(style);
      const own = allowed.filter(([name, value]) => !isOfRoot(name) && !isOurs(name, value));
      const text = own.filter(([name]) => name === 'color').map(([, value]) => ['--tp-text', value] as const);
      fill(root, [...allowed.filter(([name]) => isOfRoot(name)), ...text]);
      fill(field, own);
    },
    placeholder: (style) =>
      fill(
        hint,
        allowedStyles(style).filter(([name]) => !isOfRoot(name)),
      ),
  };
}
