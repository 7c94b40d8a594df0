import type { Point, StatisticsAnswer } from '../../../spec/answers/statistics.ts';

/** Where a point or a bar leads: the payments behind it. */
export type Drill = Readonly<Record<string, string | undefined>>;

const TYPES = 'DB,PA';

export const stretchOf = ({ from, to }: Pick<StatisticsAnswer, 'from' | 'to'> | Point): Drill => ({ from, to, types: TYPES });

export const drillTo = (stretch: Pick<StatisticsAnswer, 'from' | 'to'> | Point, more: Drill = {}): Drill => ({
  ...stretchOf(stretch),
  ...more,
});
