import { backtestInThreads } from '../../app/backtest/backtest.ts';
import { OperatorError } from '../../app/operatorError.ts';
import { type BacktestRun, BacktestStopped, type RunBacktest } from '../../payments/backtest/run.ts';
import { reportJson } from '../../risk/backtest/reportJson.ts';
import { COMMIT_DELAY_MS, createBacktestJob } from '../../risk/backtest/ruleSelector.ts';
import { type Command, type Context, parseFlaggedOptions, requiredOption } from '../command.ts';
import { findMerchant } from '../context.ts';
import { formatBacktest } from './backtestPrint.ts';
import { riskFile, withRisk } from './riskRules.ts';

/** The exit code of what Ctrl-C ended, as shells know it. */
const STOPPED = 130;

/** Judges the stored payments by other rules, and tells what would have been different. */
export const backtestCommand: Command = {
  name: 'backtest',
  summary: 'try risk rules on the stored payments: whom they would have blocked, and what they would have caught',
  usage: [
    'backtest --entity id --rules file.json [--from date] [--to date] [--json]',
    '  --entity id        a merchant with all its channels, or one channel',
    '  --rules file.json  the setting risk as it would be on this entity; turnpike risk-rules prints the present one',
    '  --from date        from the beginning of this day on, in the time zone of the entity; the month before is remembered',
    '  --to date          until the beginning of this day',
    '  --json             for machines',
  ].join('\n'),
  run: (words, context) => backtest(words, context, backtestInThreads),
};

export async function backtest(words: readonly string[], context: Context, judge: RunBacktest): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['entity', 'rules', 'from', 'to'], ['json']);
  const [entityId, path] = [requiredOption(texts.entity, 'entity'), requiredOption(texts.rules, 'rules')];
  const store = await context.store();
  const named = await findMerchant(store, entityId);
  const changed = withRisk(named.rows, entityId, riskFile(context, 'rules', path));
  const { timeZone } = named.entity.settings;
  const now = context.clock.now();
  const span = {
    from: texts.from === undefined ? null : dayOf('from', texts.from, timeZone),
    before: Math.min(now - COMMIT_DELAY_MS, texts.to === undefined ? now : dayOf('to', texts.to, timeZone)),
  };
  if (span.from !== null && span.from >= span.before) throw new OperatorError('--from: nothing lies between it and --to');
  const entries = await store.listEntries(now, named.merchantId);
  const job = createBacktestJob({ ...named, trees: { before: named.tree, after: changed }, span, entries });
  const beganAt = context.clock.now();
  try {
    const onStep: BacktestRun['onStep'] = ({ done, firstAt, at }) => {
      const part = (at - firstAt) / Math.max(1, span.before - firstAt);
      context.progress({ phase: 'judging', done, total: part > 0 ? Math.max(done, Math.round(done / part)) : null });
    };
    const report = await judge({ job, signal: context.signal(), onStep });
    const ms = context.clock.now() - beganAt;
    const about = { entity: named.entity, span, timeZone, ms };
    if (flags.json) context.print(JSON.stringify(reportJson(report, about), null, 2));
    else for (const line of formatBacktest(report, about)) context.print(line);
    return 0;
  } catch (error) {
    if (error instanceof BacktestStopped) {
      context.printError('Stopped. Nothing was changed: a back-test only reads.');
      return STOPPED;
    }
    throw error;
  }
}

function dayOf(option: string, text: string, timeZone: string): number {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toZonedDateTime(timeZone).epochMilliseconds;
  } catch {
    throw new OperatorError(`--${option}: ${JSON.stringify(text)} is no date such as 2026-03-31`);
  }
}
