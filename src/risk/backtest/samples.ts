import type { Worth } from './backtest.ts';
import { idAt, type Ledger, worthAt } from './join.ts';
import { type Trace, verdicts } from './trace.ts';

/** A payment with which something else would have happened. */
export type Sample = { readonly id: string; readonly worth: Worth };

/** Some of the payments that change hands, the newest first. */
export type Samples = Readonly<Record<'blockedNow' | 'freedNow' | 'reviewedNow', readonly Sample[]>>;

const SAMPLES_MAX = 20;

export function samplesOf([before, after]: readonly [Trace, Trace], ledger: Ledger): Samples {
  const [decline, review] = [verdicts.indexOf('decline'), verdicts.indexOf('review')];
  const found: Record<keyof Samples, Sample[]> = { blockedNow: [], freedNow: [], reviewedNow: [] };
  for (let at = ledger.worths.length - 1; at >= 0; at -= 1) {
    const [then, now] = [before.verdicts[at], after.verdicts[at]];
    if (then === now) continue;
    const kind = now === decline ? 'blockedNow' : then === decline ? 'freedNow' : now === review ? 'reviewedNow' : null;
    if (kind && found[kind].length < SAMPLES_MAX) found[kind].push({ id: idAt(ledger, at), worth: worthAt(ledger, at) });
  }
  return found;
}
