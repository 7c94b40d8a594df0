/** Which card numbers belong to a brand, as far as it is public knowledge. Pure and small: the payment page uses it too. */
type CardRange = {
  readonly brand: string;
  /** Beginnings of numbers and ranges of beginnings of one length, blanks between them. */
  readonly starts: string;
  readonly lengths: readonly number[];
  /** False where cards exist whose last digit is no check digit after Luhn. */
  readonly luhn: boolean;
  /** The brand shares the numbers of another one, which is the one to detect. */
  readonly rides: boolean;
};

const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, step) => first + step);
const own = { lengths: [16], luhn: true, rides: false } as const;
const riding = { ...own, rides: true } as const;

const VISA = '4';
const MASTER = '51-55 2221-2720';
const MAESTRO = '493698 50 56-58 5893 600 61 63 66-69';
const ALIA = '504997 505874 505878 601030 601073';

export const cardRanges: readonly CardRange[] = [
  { ...own, brand: 'VISA', starts: VISA, lengths: [13, 16, 19] },
  { ...own, brand: 'VISAELECTRON', starts: '4026 417500 4405 4508 4844 4913 4917' },
  { ...riding, brand: 'VISADEBIT', starts: VISA },
  { ...riding, brand: 'VPAY', starts: VISA, lengths: from(13, 19) },
  { ...own, brand: 'MASTER', starts: MASTER },
  { ...riding, brand: 'MASTERDEBIT', starts: MASTER },
  { ...own, brand: 'MAESTRO', starts: MAESTRO, lengths: from(12, 19) },
  { ...own, brand: 'AMEX', starts: '34 37', lengths: [15] },
  { ...own, brand: 'DINERS', starts: '300-305 3095 36 38-39', lengths: from(14, 19) },
  { ...own, brand: 'DISCOVER', starts: '6011 644-649 65', lengths: from(16, 19) },
  // One network in two countries: UnionPay's numbers, accepted as Discover in America.
  { ...riding, brand: 'DISCOVER', starts: '622126-622925', lengths: from(16, 19) },
  { ...own, brand: 'JCB', starts: '3088-3094 3096-3102 3112-3120 3158-3159 3337-3349 3528-3589', lengths: from(16, 19) },
  { ...own, brand: 'UNIONPAY', starts: '62 81', lengths: from(16, 19), luhn: false },
  { ...riding, brand: 'UNIONPAY_SMS', starts: '62 81', lengths: from(16, 19), luhn: false },
  {
    ...own,
    brand: 'MADA',
    starts:
      '22337902 22337986 22402030 242030 403024 406136 406996 407197 407395 407520 409201 410621 410685 410834 412565 417633 ' +
      '419593 420132 421141 422817-422819 42689700 428331 428671-428673 431361 432328 434107 439954 440533 440647 440795 ' +
      '442463 445564 446393 446404 446672 455036 455708 457865 457997 458456 462220 468540-468543 474491 483010-483012 484783 ' +
      '486094-486096 489318-489319 504300 513213 520058 521076 524130 524514 529415 529741 530060 530906 531095 531196 532013 ' +
      '535825 535989 536023 537767 543085 543357 549760 554180 558563 588845 588848 588850 588982 589005 589206 604906 605141 ' +
      '636120 968201-968211',
  },
  { ...own, brand: 'DANKORT', starts: '5019' },
  { ...riding, brand: 'DANKORT', starts: '4571' },
  { ...own, brand: 'BCMC', starts: '479658 606005 6703', lengths: from(16, 19) },
  { ...riding, brand: 'CARTEBANCAIRE', starts: `${VISA} ${MASTER} ${MAESTRO}`, lengths: from(13, 19) },
  { ...riding, brand: 'CARTEBLEUE', starts: VISA },
  { ...riding, brand: 'SERVIRED', starts: `${VISA} ${MASTER} ${MAESTRO}`, lengths: from(13, 19) },
  { ...own, brand: 'AIRPLUS', starts: '122 192', lengths: [15] },
  { ...own, brand: 'ALIA', starts: ALIA, luhn: false },
  { ...riding, brand: 'ALIADEBIT', starts: ALIA, luhn: false },
  { ...own, brand: 'ARGENCARD', starts: '501105 532362' },
  { ...own, brand: 'CABAL', starts: '589657 603522 604201-604400 650087 650272' },
  {
    ...own,
    brand: 'CARNET',
    starts: '286900 502275 506199-506499 588772 60462203-60462204 606333 627535 636318 636379 639388 639484 639559',
  },
  { ...own, brand: 'CENCOSUD', starts: '603493' },
  {
    ...own,
    brand: 'ELO',
    starts:
      '401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509 627780 636297 636368 650031-650033 ' +
      '650035-650051 650405-650439 650485-650538 650541-650598 650700-650718 650720-650727 650901-650978 651652-651679 ' +
      '655000-655019 655021-655058',
  },
  { ...own, brand: 'HIPERCARD', starts: '384100 384140 384160 606282', lengths: [13, 16, 19], luhn: false },
  { ...own, brand: 'NARANJA', starts: '589562', luhn: false },
  { ...riding, brand: 'NATIVA', starts: '487017 520053 527601 546553' },
  { ...own, brand: 'TARJETASHOPPING', starts: '279 603488 606488', luhn: false },
];

type Span = CardRange & { readonly first: string; readonly last: string };

function spansOf(range: CardRange): Span[] {
  return range.starts.split(' ').map((start) => {
    const [first = '', last = first] = start.split('-');
    return { ...range, first, last };
  });
}

type Index = {
  readonly spans: readonly Span[];
  readonly byBrand: ReadonlyMap<string, readonly Span[]>;
  /** The few to look through, by the first two digits of a number; filled as they are asked for. */
  readonly byStart: Map<string, readonly Span[]>;
};

function createIndex(): Index {
  const spans = cardRanges
    .flatMap(spansOf)
    .sort((one, other) => Number(one.rides) - Number(other.rides) || other.first.length - one.first.length);
  // By hand and not by Map.groupBy: this runs in shoppers' browsers too, and some of them are older.
  const byBrand = new Map<string, Span[]>();
  for (const span of spans) byBrand.set(span.brand, [...(byBrand.get(span.brand) ?? []), span]);
  return { spans, byBrand, byStart: new Map() };
}

/** Built for the first number, so that it does not delay the start of the card field. */
function createLazyIndex(): () => Index {
  let made: Index | null = null;
  return () => {
    made ??= createIndex();
    return made;
  };
}

const index = createLazyIndex();

/** Digits of one length compare as text as they do as numbers. */
function holds({ first, last }: Span, number: string): boolean {
  const start = number.slice(0, first.length);
  return start.length === first.length && start >= first && start <= last;
}

function candidates(number: string): readonly Span[] {
  const { spans, byStart } = index();
  const start = number.slice(0, 2);
  if (!/^\d\d$/.test(start)) return spans;
  const found = byStart.get(start);
  if (found) return found;
  const mayHold = ({ first, last }: Span) => first.slice(0, 2) <= start && start.slice(0, last.length) <= last.slice(0, 2);
  const holding = spans.filter(mayHold);
  byStart.set(start, holding);
  return holding;
}

/** Every brand the beginning of a number may belong to, the most specific first; a part of a number is enough. */
export function brandsOf(number: string): readonly string[] {
  const holding = candidates(number).filter((span) => holds(span, number));
  return [...new Set(holding.map(({ brand }) => brand))];
}

/** The brand of a number or of its beginning; null when unknown. */
export function detectBrand(number: string): string | null {
  return candidates(number).find((span) => holds(span, number))?.brand ?? null;
}

/** Whether a whole number can be of the brand. A brand without published ranges fits any number. */
export function fitsBrand(brand: string, number: string): boolean {
  const spans = index().byBrand.get(brand);
  return !spans || spans.some((span) => holds(span, number) && span.lengths.includes(number.length));
}

/** The ranges in which issuers have numbers; a brand that shares the ranges of another adds none. */
export const issuedRanges = (): readonly Pick<Span, 'first' | 'last' | 'lengths'>[] =>
  index().spans.filter(({ rides }) => !rides);

/** Whether the last digit of the brand's numbers is a check digit; true for an unknown brand. */
export function hasCheckDigit(brand: string): boolean {
  return (
    index()
      .byBrand.get(brand)
      ?.every(({ luhn }) => luhn) ?? true
  );
}

/** The check digit after Luhn: every second digit from the right doubled, digits summed, a multiple of ten. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let index = 0; index < number.length; index += 1) {
    const digit = number.charCodeAt(number.length - 1 - index) - 48;
    if (digit < 0 || digit > 9) return false;
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return number.length > 0 && sum % 10 === 0;
}
