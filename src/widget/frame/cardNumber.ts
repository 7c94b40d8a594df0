import { brandsOf, cardRanges, fitsBrand, hasCheckDigit, passesLuhn } from '../../spec/cards/cardRanges.ts';
import { DIGITS_MAX, type Layout } from './edit.ts';

/** Brands of the form, and the one that is chosen; null: whichever the number tells. */
export type Choice = { readonly brands: readonly string[]; readonly brand: string | null; readonly isGrouped: boolean };

const DIGITS_MIN = 12;
/** Numbers of this length are whole for nearly every brand: the shopper may be taken on. */
const USUAL = 16;

const isPublished = (brand: string): boolean => cardRanges.some((range) => range.brand === brand);

/**
 * The form's brands that a number, or its beginning, may be of, the most likely first. A brand with unpublished numbers is meant only
 * when none of the others is.
 */
export function candidatesOf(number: string, brands: readonly string[]): readonly string[] {
  if (number === '') return [];
  const known = brandsOf(number).filter((brand) => brands.includes(brand));
  return known.length > 0 ? known : brands.filter((brand) => !isPublished(brand));
}

const FOURS = [4, 4, 4, 4, 3];
/** As it is printed on the card. */
const printed: Readonly<Record<string, readonly number[]>> = { AMEX: [4, 6, 5], DINERS: [4, 6, 4], AIRPLUS: [4, 5, 6] };

function lengthsOf(brand: string | undefined): readonly number[] {
  return cardRanges.filter((range) => range.brand === brand).flatMap(({ lengths }) => lengths);
}

const likely = (number: string, { brands, brand }: Choice): readonly string[] =>
  brand === null ? candidatesOf(number, brands) : [brand];

/** How a number is shown and how long it may grow. */
export function layoutOf(number: string, choice: Choice): Layout {
  const candidates = likely(number, choice);
  const limit = Math.max(0, ...candidates.flatMap(lengthsOf)) || DIGITS_MAX;
  const groups = printed[candidates[0] ?? ''] ?? FOURS;
  // A long number of Diners Club is not grouped like the usual one of fourteen digits.
  const isUsual = groups.reduce((sum, size) => sum + size, 0) >= number.length;
  return { limit, groups: choice.isGrouped ? (isUsual ? groups : FOURS) : [] };
}

/** Whether it can be the number of a card that this form takes. */
export function isCardNumber(number: string, { brands, brand }: Choice): boolean {
  if (number.length < DIGITS_MIN || number.length > DIGITS_MAX) return false;
  const wanted = brand === null ? brands : [brand];
  const isOf = (name: string): boolean => fitsBrand(name, number) && (!hasCheckDigit(name) || passesLuhn(number));
  return wanted.length > 0 ? wanted.some(isOf) : passesLuhn(number);
}

/** Whether digits are missing: it is shorter than such a number usually is. */
export function isShortNumber(number: string, choice: Choice): boolean {
  const usual = printed[likely(number, choice)[0] ?? '']?.reduce((sum, size) => sum + size, 0) ?? USUAL;
  return number.length < Math.min(usual, layoutOf(number, choice).limit);
}

/** Whether nothing more is expected: another digit would make it wrong, or hardly any card is longer. */
export const isWholeNumber = (number: string, choice: Choice): boolean =>
  isCardNumber(number, choice) && number.length >= Math.min(USUAL, layoutOf(number, choice).limit);
