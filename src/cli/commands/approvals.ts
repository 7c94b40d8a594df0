import { OperatorError } from '../../app/operatorError.ts';
import { withValue } from '../../merchants/accounts.ts';
import type { VersionedEntity } from '../../merchants/ports.ts';
import { settingFaults } from '../../merchants/settings.ts';
import { isCurrency } from '../../spec/currencies.ts';
import { type Command, type Context, parseOptions, requiredOption, UsageError } from '../command.ts';

/** Approval limits, set on the machine: the way out when no approver is left. */
export const approvalsCommand: Command = {
  name: 'approvals',
  summary: 'show or change the amounts above which a second person must approve, without an approval of the change itself',
  usage: [
    'approvals show|set|off --entity id [options]',
    '  --entity id      a PSP, division, merchant or channel',
    '  --currency code  set: such as EUR',
    '  --amount amount  set: such as 500.00; everything above it needs a second person',
    'off removes the limits of this entity; limits of entities above it still hold. Changes are written into the audit log.',
  ].join('\n'),
  run: (words, context) => approvals(words, context),
};

type Texts = Readonly<Partial<Record<'entity' | 'currency' | 'amount', string>>>;
type Limits = Readonly<Record<string, string>>;

const RACES_MAX = 8;

export async function approvals([action = '', ...words]: readonly string[], context: Context): Promise<number> {
  if (!['show', 'set', 'off'].includes(action)) throw new UsageError('say show, set or off');
  const names = action === 'set' ? (['entity', 'currency', 'amount'] as const) : (['entity'] as const);
  const texts: Texts = parseOptions(words, names);
  const id = requiredOption(texts.entity, 'entity');
  const change = action === 'show' ? null : action === 'off' ? () => undefined : limitSet(texts);
  const row = change ? await changed(context, id, change) : await entity(context, id);
  const rows = Object.entries(limitsOf(row));
  for (const [currency, amount] of rows) context.print(`${currency} ${amount}`);
  context.printError(rows.length === 0 ? `${row.name} has no limits of its own` : `limits of ${row.name}`);
  return 0;
}

const limitsOf = ({ settings }: Pick<VersionedEntity, 'settings'>): Limits => (settings.approvals ?? {}) as Limits;

async function entity({ store }: Context, id: string): Promise<VersionedEntity> {
  const row = (await (await store()).entities()).find((one) => one.id === id);
  if (!row) throw new OperatorError(`--entity: there is no entity ${JSON.stringify(id)}`);
  return row;
}

function limitSet({ currency, amount }: Texts): (limits: Limits) => Limits {
  const [code, text] = [requiredOption(currency, 'currency'), requiredOption(amount, 'amount')];
  if (!isCurrency(code)) throw new OperatorError('--currency: must be an ISO 4217 currency such as EUR');
  if (settingFaults({ approvals: { [code]: text } }).length > 0)
    throw new OperatorError('--amount: must be an amount such as 500.00');
  return (limits) => ({ ...limits, [code]: text });
}

async function changed(context: Context, id: string, change: (limits: Limits) => Limits | undefined): Promise<VersionedEntity> {
  const store = await context.store();
  for (let races = 0; races < RACES_MAX; races += 1) {
    const row = await entity(context, id);
    const after = { ...row, settings: withValue(row.settings, 'approvals', change(limitsOf(row))), revision: row.revision + 1 };
    if (await store.saveEntity({ id, name: row.name, settings: after.settings, revision: after.revision })) return after;
  }
  throw new OperatorError('--entity: its settings are being changed; try again');
}
