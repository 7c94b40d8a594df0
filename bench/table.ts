import type { AgainstRow } from './against.ts';
import { type CostRow, costSettings, threadGain } from './cost.ts';
import type { Report } from './report.ts';
import { type Speed, share, type Used } from './speed.ts';
import type { Stage } from './stage.ts';

/** From this share on, other work takes more from a gateway of few threads than from a limit that runs in many processes. */
const BUSY = 0.2;

/** The targets of the project; all other figures are shown without a verdict. */
const AIM_BARE = 0.2;
const AIM_PGBENCH = 0.6;
const AIM_ONE_CLICK = 1.3;

type Cell = string | number;

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const digits = (value: number | null | undefined, places: number): string =>
  value === null || value === undefined
    ? '–'
    : value.toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places });
const ms = (value: number | null | undefined): string =>
  digits(value, value !== null && value !== undefined && value < 10 ? 2 : 0);
const ratio = (of: Speed, to: Speed | undefined): string => (to ? digits(share(of, to), 2) : '–');
const mebibytes = (bytes: number | null): string => (bytes === null ? '–' : `${whole(bytes / 1024 / 1024)} MiB`);

/** Lines of equal columns, the first to the left and the rest to the right. */
function table(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  const text = lines.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
  return [text[0], widths.map((width) => '─'.repeat(width)).join('──'), ...text.slice(1)].join('\n');
}

/** The whole report as text. */
export function print(report: Report): string {
  const parts = [machineText(report), firstText(report)];
  if (report.sqlite)
    parts.push(
      payText(`SQLite: durable payments (aim: ≥ ${AIM_BARE} of the bare server)`, report.sqlite, ['bare', 'raw']),
      usedText(report.sqlite),
      costText(report.sqlite),
      oneClickText(report.sqlite),
    );
  if (report.postgres) {
    const { pgbench, stages, twoNodes } = report.postgres;
    const title = pgbench
      ? `PostgreSQL: durable payments (aim: ≥ ${AIM_PGBENCH} of pgbench)`
      : 'PostgreSQL: durable payments (pgbench is not installed, so there is no ratio to it)';
    parts.push(payText(title, stages, ['pgbench']), usedText(stages), costText(stages), oneClickText(stages));
    const two = twoNodes.map(({ connections, speed }) => `${whole(speed.perSecond)}/s on ${connections} connections`).join(', ');
    parts.push(`Two nodes on one database at ${whole(stages[0]?.rows ?? 0)} stored: ${two}`);
  }
  parts.push(microText(report));
  return parts.join('\n\n');
}

function machineText({ machine, date, seconds, busyAfter }: Report): string {
  const { cores, processor, memoryBytes, node, busyBefore, syncMs } = machine;
  const busy = busyBefore === null ? '' : `, ${digits(busyBefore * 100, 0)} % busy with other work before the start`;
  const after = busyAfter === null ? '' : `, ${digits(busyAfter * 100, 0)} % after the end`;
  const warning =
    Math.max(busyBefore ?? 0, busyAfter ?? 0) > BUSY
      ? '\nThe machine was not idle: run it again when it is, above all for the ratio to pgbench.'
      : '';
  return `${date}, ${seconds} s: ${cores} × ${processor}, ${mebibytes(memoryBytes)}, Node ${node}, disk sync ${ms(syncMs)} ms${busy}${after}${warning}`;
}

function firstText({ first, group }: Report): string {
  const rows = Object.entries(first.ceiling).map(([connections, speed]) => [
    `load generator, ${connections} connections`,
    `${whole(speed.perSecond)}/s`,
    `against a socket that answers without reading`,
  ]);
  const text = (name: string, one: string, other: string) => [name, one, other];
  return table(
    ['Fresh gateway', 'gateway', 'bare node:http server'],
    [
      text('from start to ready', `${whole(first.readyMs)} ms`, `${whole(first.bareReadyMs)} ms`),
      text('resident memory', mebibytes(first.residentBytes), mebibytes(first.bareResidentBytes)),
      text(
        'bytes of request / answer',
        `${first.requestBytes} / ${first.answerBytes}`,
        `${first.requestBytes} / ${first.bareAnswerBytes}`,
      ),
      ...Object.entries(group).map(([connections, size]) =>
        text(`payments per SQLite transaction, ${connections} connections`, String(size), ''),
      ),
      ...rows,
    ],
  );
}

function payText(title: string, stages: readonly Stage[], limits: readonly string[]): string {
  const rows = stages.flatMap(({ rows: stored, pay }) =>
    pay.map(({ connections, gateway, limits: found }) => [
      whole(stored),
      connections,
      whole(gateway.perSecond),
      ...limits.flatMap((name) => [found[name] ? whole(found[name].perSecond) : '–', ratio(gateway, found[name])]),
      ms(gateway.p50Ms),
      ms(gateway.p99Ms),
      ms(gateway.maxMs),
      digits(gateway.cpuMicros, 0),
      ...(found.bare ? [ms(found.bare.p50Ms), ms(found.bare.p99Ms), digits(found.bare.cpuMicros, 0)] : []),
    ]),
  );
  const head = ['stored', 'conn.', 'payments/s', ...limits.flatMap((name) => [`${name}/s`, '÷'])];
  const bare = limits.includes('bare') ? ['bare p50', 'bare p99', 'bare µs'] : [];
  return `${title}\n${table([...head, 'p50 ms', 'p99 ms', 'max ms', 'CPU µs', ...bare], rows)}${growthText(stages, limits[0] ?? '')}`;
}

/** How the same figures change with the number of stored payments; the share of the limit does so whatever the machine does. */
function growthText(stages: readonly Stage[], limit: string): string {
  const [few] = stages;
  const many = stages.at(-1);
  if (!few || !many || few === many) return '';
  const changes = few.pay.flatMap((before, at) => {
    const after = many.pay[at];
    const limits = [before.limits[limit], after?.limits[limit]];
    if (!after) return [];
    const rates = digits(after.gateway.perSecond / before.gateway.perSecond, 2);
    const shares = limits[0] && limits[1] ? share(after.gateway, limits[1]) / share(before.gateway, limits[0]) : null;
    return [`× ${rates} (share of ${limit} × ${digits(shares, 2)}) on ${before.connections} connections`];
  });
  return `\nfrom ${whole(few.rows)} to ${whole(many.rows)} stored: payments/s ${changes.join(', ')}`;
}

/** The threads with names of their own in the table; the others are added up. */
const namedThreads = ['main', 'writer', 'checkpoint'] as const;

/** CPU time by thread, in units of a bare answer measured in turn with it, and bytes written. */
function usedText(stages: readonly Stage[]): string {
  const rows = stages.flatMap(({ rows: stored, pay, read, capture, oneClick }) => {
    const kinds: readonly (readonly [string, Speed, Speed | undefined])[] = [
      ...pay.map(({ connections, gateway, bare }) => [`payment, ${connections} conn.`, gateway, bare] as const),
      ['GET', read.gateway, read.bare],
      ['capture', capture.gateway, capture.bare],
      ['one-click', oneClick.stored, pay[0]?.bare],
    ];
    return kinds.map(([kind, { used }, bare]) => [whole(stored), kind, ...usedCells(used, bare?.used ?? null)]);
  });
  return table(['stored', ...usedHead], rows);
}

const usedHead = ['CPU in bare answers', 'bare µs', 'all', ...namedThreads, 'others', 'KiB written', 'write calls'];

function usedCells(used: Used | null, bare: Used | null): readonly Cell[] {
  const unit = bare ? sumOf(bare.threads) : null;
  if (!used) return Array.from({ length: usedHead.length - 1 }, () => '–');
  const units = (micros: number | undefined) => (unit === null || micros === undefined ? '–' : digits(micros / unit, 2));
  const named = namedThreads.map((name) => used.threads[name]);
  const rest = sumOf(used.threads) - named.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const written = [digits(used.writtenBytes / 1024, 1), digits(used.writeCalls, 1)];
  return [digits(unit, 0), ...[sumOf(used.threads), ...named, rest].map(units), ...written];
}

/** The report of `--cost` as text. */
export const printCost = (rows: readonly CostRow[]): string => `${costTable(rows)}${gainText(rows)}`;

function gainText(rows: readonly CostRow[]): string {
  const { threads } = costSettings;
  const gain = threadGain(rows, threads);
  return gain === null ? '' : `\n\n${threads} request threads ÷ 1, by the busiest thread: ${digits(gain, 2)}`;
}

const costTable = (rows: readonly CostRow[]): string =>
  table(
    [...usedHead, 'p50 ms', 'p99 ms', '/s'],
    rows.map(({ kind, speed, bare }) => [
      kind,
      ...usedCells(speed.used, bare.used),
      ms(speed.p50Ms),
      ms(speed.p99Ms),
      whole(speed.perSecond),
    ]),
  );

/** The report of `--against` as text. */
export const printAgainst = (rows: readonly AgainstRow[]): string =>
  table(
    ['CPU µs', 'bare', 'this', 'of it main', 'writer', 'the other', 'of it main', 'writer', 'this ÷ other'],
    rows.map(({ kind, bareMicros, here, there, ratio: found }) => [
      kind,
      digits(bareMicros, 0),
      ...[here, there].flatMap((threads) => [sumOf(threads), threads.main, threads.writer].map((micros) => digits(micros, 0))),
      digits(found, 2),
    ]),
  );

const sumOf = (threads: Readonly<Record<string, number>>): number =>
  Object.values(threads).reduce((sum, micros) => sum + micros, 0);

function costText(stages: readonly Stage[]): string {
  const first = stages[0];
  const rows = stages.map((stage) => [
    whole(stage.rows),
    `${whole(stage.readyMs)} ms`,
    ms(stage.read.gateway.p50Ms),
    ms(stage.read.gateway.p99Ms),
    ms(stage.read.bare.p50Ms),
    digits((stage.read.gateway.p50Ms ?? 0) / (first?.read.gateway.p50Ms ?? 1), 2),
    ms(stage.capture.gateway.p50Ms),
    ms(stage.capture.gateway.p99Ms),
    digits((stage.capture.gateway.p50Ms ?? 0) / (first?.capture.gateway.p50Ms ?? 1), 2),
    mebibytes(stage.residentBytes.start),
    mebibytes(stage.residentBytes.end),
  ]);
  const head = [
    'stored',
    'ready',
    'GET p50',
    'p99',
    'bare p50',
    '÷ first',
    'capture p50',
    'p99',
    '÷ first',
    'RSS start',
    'after load',
  ];
  return table(head, rows);
}

/** The cost of a payment by stored details compared with one by card: the time that the same connections need for it, and the CPU. */
function oneClickText(stages: readonly Stage[]): string {
  const rows = stages.map(({ rows: stored, oneClick: { stored: click, card } }) => [
    whole(stored),
    whole(click.perSecond),
    whole(card.perSecond),
    digits(share(card, click), 2),
    digits((click.cpuMicros ?? 0) / (card.cpuMicros ?? 1), 2),
    ms(click.p50Ms),
    ms(card.p50Ms),
  ]);
  const title = `One click: a payment by stored details beside one by card (aim: ≤ ${AIM_ONE_CLICK} ×)`;
  return `${title}\n${table(['stored', 'one-click/s', 'card/s', 'cost ×', 'CPU ×', 'p50 ms', 'card p50'], rows)}`;
}

function microText({ micro, sqlite }: Report): string {
  const cpu = sqlite?.[0]?.pay[0]?.gateway.cpuMicros ?? null;
  const part = (micros: number) => (cpu === null ? '–' : `${digits((micros / cpu) * 100, 0)} %`);
  const rows = Object.entries(micro).map(([name, micros]) => [name, digits(micros, 1), part(micros)]);
  const sum = Object.values(micro).reduce((total, micros) => total + micros, 0);
  return table(
    ['µs of one thread, in process', 'each', `of ${cpu === null ? 'a payment' : `${whole(cpu)} µs a payment`}`],
    [...rows, ['together', digits(sum, 1), part(sum)]],
  );
}
