import { hash } from 'node:crypto';
import { drawBadges } from '../src/widget/images/badges.ts';

/** Stands in the bitmap of the badges, so that one that was drawn from other badges is noticed. */
export const badgeMark = (): string => `Source\0${hash('sha256', drawBadges())}`;
