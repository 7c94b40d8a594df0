import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopOnSignals } from './children.ts';
import { costSettings, measureCost } from './cost.ts';
import { createProgress } from './progress.ts';
import { measure } from './report.ts';
import { optionsOf } from './settings.ts';
import { print, printCost } from './table.ts';

/** `npm run bench`: measures the gateway against what the same machine can do at most, prints a table and keeps the figures. */
const options = optionsOf(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(options);
  process.exit(2);
}
stopOnSignals();
const progress = createProgress();
try {
  const cost = options.isCostOnly ? await measureCost({ ...costSettings, stores: options.stores }, progress) : null;
  const report = cost ? { date: new Date().toISOString(), cost } : await measure(options, progress);
  progress.end();
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const json = JSON.stringify(report, null, 2);
  const file = join(folder, `${report.date.replace(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${json}\n`);
  console.log(options.json ? json : `${'cost' in report ? printCost(report.cost) : print(report)}\n\nall figures: ${file}`);
  process.exit(0);
} catch (error) {
  progress.end();
  console.error(error);
  process.exit(1);
}
