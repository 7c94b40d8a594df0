import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import type { KeyRow } from '../../vault/ports.ts';
import { type Command, parseOptions } from '../command.ts';
import { counted, formatTable } from '../output.ts';

/** Lists the keys, never their bytes. */
export const keysCommand: Command = {
  name: 'keys',
  summary: 'list the keys: owner, purpose, version, state, master key, age and uses',
  usage: 'keys [--owner id]\n  --owner id   only the keys of this merchant or entity; gateway: those that belong to none',
  async run(words, context) {
    const { owner } = parseOptions(words, ['owner']);
    const store = await context.store();
    const [{ id: masterId }] = context.masters();
    const rows = await store.keys(owner ?? null);
    const head = ['OWNER', 'PURPOSE', 'VERSION', 'STATE', 'MASTER KEY', 'AGE', 'USES'];
    const now = context.clock.now();
    for (const line of formatTable([head, ...rows.map((row) => cellsOf(row, now))])) context.print(line);
    const foreign = rows.filter((row) => row.wrapped !== null && row.masterId !== masterId).length;
    context.printError(`${counted(rows.length, 'key')}; the current master key is ${masterId}`);
    if (foreign > 0) context.printError(`${foreign} of them need another master key: run turnpike rotate-master`);
    return 0;
  },
};

/** Only data keys are counted: a fingerprint is not worn out. */
const cellsOf = (row: KeyRow, now: number): readonly string[] => [
  row.owner,
  row.purpose,
  String(row.version),
  row.state,
  row.wrapped === null ? '-' : row.masterId,
  ageOf(now - row.createdAt),
  row.purpose === 'data' ? `≤ ${row.reserved}` : '-',
];

const units = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', 60_000],
] as const;

function ageOf(ms: number): string {
  const [unit, size] = units.find(([, its]) => ms >= 2 * its) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}
