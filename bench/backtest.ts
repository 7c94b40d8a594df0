import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { filled, fillPayments } from './backtestFill.ts';
import { stopOnSignals } from './children.ts';
import { foreignLoad } from './machine.ts';
import { cpuSecondsOf, peakBytesOf } from './proc.ts';
import { createProgress, type Progress } from './progress.ts';

/**
 * How long `turnpike backtest` takes on stored payments, reading included: the command is run as an operator runs it, on a file that was
 * made for it.
 */
const usage = 'bench/backtest.ts [--quick: 100,000 payments instead of 1,000,000] [--rows n] [--rounds n]';

type Round = {
  readonly seconds: number;
  readonly cpuSeconds: number | null;
  readonly peakBytes: number | null;
  readonly busyBefore: number | null;
};

/** The rules that are tried: a limit, and a rule of its own, over the usual ones. */
const rules = {
  limits: { EUR: { amountMax: '150.00', cardDayMax: '400.00' } },
  rules: [
    {
      id: 'bench.gift',
      says: 'The first payment of a card, for goods that go abroad.',
      when: 'shipping.country != billing.country and count(card, 31d, approved) = 0',
      gives: { verdict: 'challenge' },
      mode: 'shadow',
    },
  ],
};

const LOOK_MS = 50;

async function round(dataDir: string, rulesFile: string): Promise<Round & { readonly payments: number }> {
  const busyBefore = await foreignLoad();
  const beganAt = performance.now();
  const words = ['backtest', '--entity', filled.merchantId, '--rules', rulesFile, '--json'];
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'src', 'cli', 'main.ts'), ...words], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, MASTER_KEY: '11'.repeat(32) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let [out, cpuSeconds, peakBytes]: [string, number | null, number | null] = ['', null, null];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const looking = setInterval(() => {
    cpuSeconds = cpuSecondsOf(child.pid) ?? cpuSeconds;
    peakBytes = peakBytesOf(child.pid) ?? peakBytes;
  }, LOOK_MS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(looking);
  if (code !== 0) throw new Error(`the back-test ended with ${code}`);
  const { all } = JSON.parse(out) as { all: Record<string, { count: number }> };
  const payments = Object.values(all).reduce((sum, { count }) => sum + count, 0);
  return { seconds: (performance.now() - beganAt) / 1000, cpuSeconds, peakBytes, busyBefore, payments };
}

async function measure(
  rows: number,
  rounds: number,
  { dataDir, progress }: { dataDir: string; progress: Progress },
): Promise<Round[]> {
  progress.step(`storing ${rows} payments`);
  await fillPayments(dataDir, { rows, endMs: Date.now(), onProgress: progress.at });
  const rulesFile = join(dataDir, 'rules.json');
  writeFileSync(rulesFile, JSON.stringify(rules));
  const found: Round[] = [];
  for (let at = 0; at < rounds; at += 1) {
    progress.step(`judging them, round ${at + 1} of ${rounds}`);
    const { payments, ...figures } = await round(dataDir, rulesFile);
    if (payments !== rows) throw new Error(`${payments} of ${rows} payments were judged`);
    found.push(figures);
  }
  return found;
}

const shown = (value: number | null, unit: string, per = 1): string =>
  value === null ? '-' : `${(value / per).toFixed(1)} ${unit}`;

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, rows: { type: 'string' }, rounds: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
stopOnSignals();
const rows = Number(values.rows ?? (values.quick ? 100_000 : 1_000_000));
const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-bench-backtest-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const progress = createProgress();
const rounds = await measure(rows, Number(values.rounds ?? 2), { dataDir, progress });
progress.end();
for (const { seconds, cpuSeconds, peakBytes, busyBefore } of rounds) {
  const rate = `${Math.round(rows / seconds).toLocaleString('en')} payments/s`;
  const others = busyBefore === null ? '' : `, others used ${Math.round(busyBefore * 100)} % of the machine before`;
  console.log(
    `${rows.toLocaleString('en')} payments: ${shown(seconds, 's')}, ${rate}, ${shown(cpuSeconds, 's of CPU')}, ${shown(peakBytes, 'MB', 1e6)}${others}`,
  );
}
