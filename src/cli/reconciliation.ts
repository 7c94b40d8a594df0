import { csvChunks } from '../reports/reconciliation/csv.ts';
import { reportRows } from '../reports/reconciliation/reportRows.ts';
import { columnNames, defaultColumns } from '../spec/reconciliation.ts';
import { type Command, type Context, UsageError } from './command.ts';
import { findMerchant } from './entities.ts';
import { parseOptions, requiredOption } from './options.ts';

/** Writes the reconciliation file of some days to standard output. */
export const reconciliationCommand: Command = {
  name: 'reconciliation',
  summary: 'write the reconciliation file of some days as CSV',
  usage: [
    'reconciliation --entity id --from yyyy-MM-dd --to yyyy-MM-dd [--columns a,b] > file.csv',
    '  --entity id     a merchant, or one of its channels',
    '  --from, --to    days of settlement, both included',
    '  --columns list  the columns in this order; default: those of the specification',
  ].join('\n'),
  run: (words, context) => reconciliation(words, context),
};

type Needs = Pick<Context, 'store' | 'write' | 'printError' | 'progress'>;

/** Returns the exit code. Throws an `OperatorError` for what the operator can correct. */
export async function reconciliation(words: readonly string[], context: Needs): Promise<number> {
  const { entity: id, from: first, to: last, columns } = parseOptions(words, ['entity', 'from', 'to', 'columns']);
  const [from, to] = [dayOf(first, 'from'), dayOf(last, 'to')];
  const names = columns === undefined ? defaultColumns : namesOf(columns);
  const store = await context.store();
  const { entity, merchantId, tree } = await findMerchant(store, requiredOption(id, 'entity'));
  const query = { merchantId, from, to, ...(entity.channel && { entityId: entity.channel.entityId }) };
  const total = await store.countRecords(query);
  let done = 0;
  const counted = (): boolean => {
    done += 1;
    return true;
  };
  const records = reportRows({ store, entity: (one) => tree.get(one) ?? null }, query, counted);
  for await (const chunk of csvChunks(names, records)) {
    await context.write(chunk);
    context.progress({ phase: 'writing', done, total });
  }
  context.printError(`${done} records of ${entity.name} from ${from} to ${to}`);
  return 0;
}

function dayOf(text: string | undefined, option: string): string {
  const day = requiredOption(text, option);
  const at = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day)
    throw new UsageError(`--${option}: write a day as yyyy-MM-dd`);
  return day;
}

function namesOf(columns: string): readonly string[] {
  const names = columns.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !columnNames.includes(name));
  if (unknown !== undefined) throw new UsageError(`--columns: there is no column ${JSON.stringify(unknown)}`);
  return names;
}
