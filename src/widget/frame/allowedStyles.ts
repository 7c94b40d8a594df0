import type { FrameStyle } from '../protocol.ts';

/** Properties that change how a text looks and nothing else. None of them loads anything, none moves. */
const properties: ReadonlySet<string> = new Set(
  (
    'color caret-color background-color opacity direction text-align text-indent text-transform text-shadow letter-spacing word-spacing ' +
    'line-height font-family font-size font-style font-weight font-stretch font-variant font-variant-numeric font-kerning ' +
    'font-feature-settings font-optical-sizing font-synthesis -webkit-font-smoothing -moz-osx-font-smoothing ' +
    '-webkit-text-fill-color color-scheme display ' +
    'padding padding-top padding-right padding-bottom padding-left padding-inline padding-inline-start padding-inline-end ' +
    'padding-block padding-block-start padding-block-end'
  ).split(' '),
);

/** Functions that make a colour. */
const functions: ReadonlySet<string> = new Set('rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark'.split(' '));

const VALUE_MAX = 200;
const STYLES_MAX = 100;
/** The largest number that may stand before a unit; without a unit it is a weight or a part of a colour. */
const bounds: Readonly<Record<string, number>> = { '': 1000, px: 100, pt: 75, em: 6, rem: 6, ch: 12, ex: 12, '%': 400, deg: 360 };

/** No sign that could end a value or hide another one in it, no function but those of colours, no number out of bounds. */
export function isSafeValue(value: string): boolean {
  if (value.length === 0 || value.length > VALUE_MAX || !/^[-\w\s.,%#()'"+/]+$/.test(value) || value.includes('//')) return false;
  const calls = [...value.matchAll(/([-\w]*)\s*\(/g)];
  if (!calls.every(([, name = '']) => functions.has(name.toLowerCase()))) return false;
  // Names of fonts and colours by hex digits are no lengths.
  const bare = value.replace(/'[^']*'|"[^"]*"|#[0-9a-f]+/gi, ' ');
  return [...bare.matchAll(/(?<![\w.-])[-+]?(\d*\.?\d+(?:e[-+]?\d+)?)([a-z%]*)/gi)].every(([, size = '', unit = '']) => {
    const bound = bounds[unit.toLowerCase()];
    return bound !== undefined && Number(size) <= bound;
  });
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const isVariable = (name: string): boolean => /^--tp-[a-z0-9-]{1,40}$/.test(name);

/** What may be set of a page's wishes, by the names of CSS; a page may write them the way of scripts, too. */
export function allowedStyles(style: FrameStyle): readonly (readonly [name: string, value: string])[] {
  return Object.entries(style)
    .slice(0, STYLES_MAX)
    .map(([name, value]) => [name.startsWith('--') ? name : kebab(name), value] as const)
    .filter(([name, value]) => (properties.has(name) || isVariable(name)) && typeof value === 'string' && isSafeValue(value));
}
