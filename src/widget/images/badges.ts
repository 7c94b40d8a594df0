import { brands } from '../../spec/brands.ts';
import { brandName } from '../runtime/forms/brandNames.ts';

/**
 * Badges of all brands, drawn by us: plain letters in neutral colours, no network's artwork. They stand in one picture, eight in a row of
 * 48 × 30 each, in the order of the table of brands; a rule of the style sheet shows the part that belongs to a brand.
 */
export const badgeGrid = { columns: 8, width: 48, height: 30 } as const;

const names: readonly string[] = Object.keys(brands);
const rows = Math.ceil(names.length / badgeGrid.columns);

const INK = '#39424f';
const EDGE = '#c3cad5';
const GROUND = '#f7f8fa';
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Widths of letters in such faces are about this part of their height. */
const LETTER = 0.72;
const SIZE_MAX = 11;
const ROOM = 41;

/** One line, or two of about the same length. */
function linesOf(name: string): readonly string[] {
  const words = name.split(' ');
  if (words.length === 1 || name.length <= 7) return [name];
  const cuts = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')] as const);
  return cuts.toSorted((one, other) => Math.max(...one.map(lengthOf)) - Math.max(...other.map(lengthOf)))[0] ?? [name];
}

const lengthOf = (text: string): number => text.length;
const rounded = (value: number): number => Math.round(value * 10) / 10;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function badge(name: string, at: number): string {
  const { columns, width, height } = badgeGrid;
  const [x, y] = [(at % columns) * width, Math.floor(at / columns) * height];
  const lines = linesOf(brandName(name));
  const longest = Math.max(...lines.map(lengthOf));
  const size = rounded(Math.min(SIZE_MAX - 2 * (lines.length - 1), ROOM / (longest * LETTER)));
  const texts = lines.map((line, index) => {
    const middle = y + height / 2 + (index - (lines.length - 1) / 2) * (size + 1.5) + size * 0.35;
    return `<text x="${x + width / 2}" y="${rounded(middle)}" font-size="${size}">${escaped(line)}</text>`;
  });
  const box = `<rect x="${x + 0.5}" y="${y + 0.5}" width="${width - 1}" height="${height - 1}" rx="4"/>`;
  return `<symbol id="${name}" viewBox="${x} ${y} ${width} ${height}">${box}${texts.join('')}</symbol><use href="#${name}" x="${x}" y="${y}" width="${width}" height="${height}"/>`;
}

/** The picture. */
export function drawBadges(): string {
  const { columns, width, height } = badgeGrid;
  const size = `width="${columns * width}" height="${rows * height}" viewBox="0 0 ${columns * width} ${rows * height}"`;
  const style = `rect{fill:${GROUND};stroke:${EDGE}}text{fill:${INK};font-family:${FONT};font-weight:600;text-anchor:middle}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><title>Payment brands</title><style>${style}</style>\n${names.map(badge).join('\n')}\n</svg>\n`;
}

/**
 * The same picture with one badge alone, in its place: a browser that shows two brands has two to draw and not a hundred. Null: it has no
 * badge of that name.
 */
export function badgeAlone(picture: string, name: string): string | null {
  const [head = '', ...lines] = picture.split('\n');
  const own = lines.find((line) => line.startsWith(`<symbol id="${name}" `));
  return own === undefined ? null : `${head}\n${own}\n</svg>\n`;
}

const percent = (index: number, count: number): string => `${rounded((1000 * index) / (count - 1)) / 10}%`;

/** The rules that show each brand its part, at any size of the element and for a picture of the same grid. */
export function badgeRules(): string {
  const { columns } = badgeGrid;
  const places = names.map(
    (name, at) =>
      `:where(.wpwl-brand-${name}) {\n  background-image: url("../img/brand.${name}.svg");\n` +
      `  background-position: ${percent(at % columns, columns)} ${percent(Math.floor(at / columns), rows)};\n}\n`,
  );
  const shared = `:where(.wpwl-brand, .wpwl-mark, .wpwl-candidate-mark) {\n  background-size: ${columns * 100}% ${rows * 100}%;\n}\n`;
  return `/* Made from src/widget/images/badges.ts: eight badges in a row, in the order of the table of brands. */\n${shared}${places.join('')}`;
}
