import { brands } from '../../spec/cards/brands.ts';
import { brandName } from '../runtime/forms/brandNames.ts';

/**
 * Badges of all brands, drawn by us: plain letters in neutral colours, no network's artwork. They stand in one picture, eight in a row of
 * 64 × 40 each, in the order of the table of brands; a rule of the style sheet shows the part that belongs to a brand.
 */
export const badgeGrid = { columns: 8, width: 64, height: 40 } as const;

const names: readonly string[] = Object.keys(brands);
const rows = Math.ceil(names.length / badgeGrid.columns);

const INK = '#2b333f';
const EDGE = '#b4bdca';
const GROUND = '#ffffff';
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Widths of letters as parts of their height, in the widest of such faces. */
const widths: readonly (readonly [letters: RegExp, width: number])[] = [
  [/[MW]/, 0.98],
  [/[A-Z]/, 0.78],
  [/[fijlrt .-]/, 0.46],
  [/[mw]/, 0.98],
];
const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (widths.find(([letters]) => letters.test(letter))?.[1] ?? 0.7), 0);
/** The height of letters by the number of lines. */
const SIZES = [16, 13.5, 11.5] as const;
/** Letters smaller than this cannot be read at the size of a badge. Long lines are made narrower instead. */
export const SIZE_MIN = 11;
const ROOM = 57;

/** Brands that people know by a shorter word than their name, and long words with the place where they are parted. */
const shorter: Readonly<Record<string, string>> = {
  MASTER: 'Master card',
  MASTERDEBIT: 'Master card Debit',
  AMEX: 'AMEX',
  BCMC: 'Bancon tact',
  DIRECTDEBIT_SEPA: 'SEPA Debit',
  PAYSAFECARD: 'paysafe card',
  PF_KARTE_DIRECT: 'Post Finance',
  RATENKAUF: 'Raten kauf',
  PAYOLUTION_INVOICE: 'Payo lution',
  PAYOLUTION_INS: 'Payo lution Instal.',
  PAYOLUTION_ELV: 'Payo lution Debit',
};

/** A text in one to three lines. */
function partitions(words: readonly string[], lines: number): readonly (readonly string[])[] {
  if (lines === 1) return [[words.join(' ')]];
  return words
    .slice(1)
    .flatMap((_, at) => partitions(words.slice(at + 1), lines - 1).map((rest) => [words.slice(0, at + 1).join(' '), ...rest]));
}

type Drawn = { readonly lines: readonly string[]; readonly size: number };

const wideness = (lines: readonly string[]): number => Math.max(...lines.map(widthOf));

/** The largest letters that fit, by as few lines as they need. */
export function lettersOf(name: string): Drawn {
  const words = (shorter[name] ?? brandName(name)).split(' ');
  const choices = SIZES.flatMap((height, at) =>
    partitions(words, at + 1).map((lines) => ({ lines, size: Math.min(height, ROOM / wideness(lines)) })),
  );
  const [best = { lines: words, size: SIZE_MIN }] = choices.toSorted((one, other) => other.size - one.size);
  return { lines: best.lines, size: rounded(Math.max(SIZE_MIN, best.size)) };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Where a brand stands in the picture. */
function placeOf(name: string): readonly [x: number, y: number] {
  const at = names.indexOf(name);
  return [(at % badgeGrid.columns) * badgeGrid.width, Math.floor(at / badgeGrid.columns) * badgeGrid.height];
}

function badge(name: string): string {
  const { width, height } = badgeGrid;
  const [x, y] = placeOf(name);
  const { lines, size } = lettersOf(name);
  const texts = lines.map((line, index) => {
    const middle = y + height / 2 + (index - (lines.length - 1) / 2) * (size + 0.5) + size * 0.36;
    const squeezed = widthOf(line) * size > ROOM + 0.5 ? ` textLength="${ROOM}" lengthAdjust="spacingAndGlyphs"` : '';
    return `<text x="${x + width / 2}" y="${rounded(middle)}" font-size="${size}"${squeezed}>${escaped(line)}</text>`;
  });
  const box = `<rect x="${x + 0.5}" y="${y + 0.5}" width="${width - 1}" height="${height - 1}" rx="5"/>`;
  return `<symbol id="${name}" viewBox="${x} ${y} ${width} ${height}">${box}${texts.join('')}</symbol><use href="#${name}" x="${x}" y="${y}" width="${width}" height="${height}"/>`;
}

const { columns, width, height } = badgeGrid;
const SIZE = `width="${columns * width}" height="${rows * height}" viewBox="0 0 ${columns * width} ${rows * height}"`;

/** The picture. */
export function drawBadges(): string {
  const style = `rect{fill:${GROUND};stroke:${EDGE}}text{fill:${INK};font-family:${FONT};font-weight:650;text-anchor:middle}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${SIZE}><title>Payment brands</title><style>${style}</style>\n${names.map(badge).join('\n')}\n</svg>\n`;
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

/** An image, as a data address, in the place of a brand's badge; null: there is no such brand. */
export function badgeFrom(name: string, image: string): string | null {
  if (!names.includes(name)) return null;
  const [x, y] = placeOf(name);
  return `<svg xmlns="http://www.w3.org/2000/svg" ${SIZE}><image href="${image}" x="${x}" y="${y}" width="${width}" height="${height}"/></svg>\n`;
}

const percent = (index: number, count: number): string => `${rounded((1000 * index) / (count - 1)) / 10}%`;

/** The rules that show each brand its part, at any size of the element and for a picture of the same grid. */
export function badgeRules(): string {
  const places = names.map(
    (name, at) =>
      `:where(.wpwl-brand-${name}) {\n  background-image: url("../img/brand.${name}.svg");\n` +
      `  background-position: ${percent(at % columns, columns)} ${percent(Math.floor(at / columns), rows)};\n}\n`,
  );
  const shared = `:where(.wpwl-brand, .wpwl-mark) {\n  background-size: ${columns * 100}% ${rows * 100}%;\n}\n`;
  return `${shared}${places.join('')}`;
}
