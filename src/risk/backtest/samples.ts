import type { Worth } from './backtest.ts';
import { idAt, type PaymentLabels, worthAt } from './joinTraces.ts';
import { type Trace, verdicts } from './trace.ts';

/** A payment whose verdict changes. */
export type Sample = { readonly id: string; readonly worth: Worth };

/** Examples of payments whose verdict changes, the newest first. */
export type Samples = Readonly<Record<'blockedNow' | 'freedNow' | 'reviewedNow', readonly Sample[]>>;

const SAMPLES_MAX = 20;

export function samplesOf([before, after]: readonly [Trace, Trace], labels: PaymentLabels): Samples {
  const [decline, review] = [verdicts.indexOf('decline'), verdicts.indexOf('review')];
  const found: Record<keyof Samples, Sample[]> = { blockedNow: [], freedNow: [], reviewedNow: [] };
  for (let at = labels.worths.length - 1; at >= 0; at -= 1) {
    const [then, now] = [before.verdicts[at], after.verdicts[at]];
    if (then === now) continue;
    const kind = now === decline ? 'blockedNow' : then === decline ? 'freedNow' : now === review ? 'reviewedNow' : null;
    if (kind && found[kind].length < SAMPLES_MAX) found[kind].push({ id: idAt(labels, at), worth: worthAt(labels, at) });
  }
  return found;
}
