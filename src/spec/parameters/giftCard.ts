import { AN, lines, oneOf } from '../formats.ts';
import { ACCOUNT_NUMBER, NEVER_STORED, row, type Section } from '../row.ts';

const occasions = [
  ...([
    'ANNIVERSARY',
    'BIRTHDAY',
    'CONGRATULATIONS',
    'APRIL_FOOLS_DAY',
    'EASTER',
    'FATHERS_DAY',
    'GRADUATION',
    'HOLIDAY',
  ] as const),
  ...(['SEASONS_GREETINGS', 'PASSOVER', 'KWANZAA', 'HALLOWEEN', 'MOTHERS_DAY', 'NEW_YEARS_DAY', 'BOSSES_DAY'] as const),
  ...(['ST_PATRICKS_DAY', 'SWEETEST_DAY', 'CHRISTMAS', 'BABY_SHOWER', 'THANKSGIVING', 'OTHER', 'VALENTINES_DAY'] as const),
  ...(['WEDDING', 'SECRETARYS_DAY', 'CHINESE_NEW_YEAR', 'HANUKKAH', 'CELEBRATE_FALL', 'GRANDPARENTS_DAY'] as const),
  'INDEPENDENCE_DAY',
] as const;

/** Document 3, Gift card. */
export const giftCard = {
  'giftCard.number': row('O', AN(2, 255), { secret: ACCOUNT_NUMBER }),
  'giftCard.pin': row('O', AN(2, 255), { secret: NEVER_STORED }),
  'giftCard.holder': row('O', AN(2, 255), { lenient: true }),
  'giftCard.message': row('O', lines(2, 160), { lenient: true }),
  'giftCard.type': row('O', oneOf(`AN16: ${occasions.join(', ')}`, occasions), { note: 'The occasion.' }),
} satisfies Section['rows'];
