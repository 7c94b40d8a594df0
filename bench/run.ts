import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgainstRow, againstSettings, measureAgainst } from './against.ts';
import { stopOnSignals } from './children.ts';
import { type CostRow, costSettings, measureCost } from './cost.ts';
import { createProgress } from './progress.ts';
import { measure, type Report } from './report.ts';
import { type Options, optionsOf } from './settings.ts';
import { print, printAgainst, printCost } from './table.ts';

/** `npm run bench`: measures the gateway against what the same machine can do at most, prints a table and keeps the figures. */
const options = optionsOf(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(options);
  process.exit(2);
}
stopOnSignals();
const progress = createProgress();
try {
  const report = await made(options);
  progress.end();
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const json = JSON.stringify(report, null, 2);
  const file = join(folder, `${report.date.replace(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${json}\n`);
  console.log(options.json ? json : `${textOf(report)}\n\nall figures: ${file}`);
  process.exit(0);
} catch (error) {
  progress.end();
  console.error(error);
  process.exit(1);
}

type Made =
  | Report
  | { readonly date: string; readonly cost: readonly CostRow[] }
  | { readonly date: string; readonly against: readonly AgainstRow[] };

async function made(options: Options): Promise<Made> {
  const { against, isCostOnly, stores, threads } = options;
  const date = new Date().toISOString();
  if (against !== null) {
    const store = stores[0] ?? 'sqlite';
    return { date, against: await measureAgainst(against, { ...againstSettings, store, threads }, progress) };
  }
  if (isCostOnly) return { date, cost: await measureCost({ ...costSettings, stores }, progress) };
  return measure(options, progress);
}

function textOf(report: Made): string {
  if ('against' in report) return printAgainst(report.against);
  return 'cost' in report ? printCost(report.cost) : print(report);
}
