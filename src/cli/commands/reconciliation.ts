import { createPrivateKey } from 'node:crypto';
import { OperatorError } from '../../app/operatorError.ts';
import type { EntityRow, MerchantStore } from '../../merchants/ports.ts';
import { csvChunks } from '../../reports/reconciliation/csv.ts';
import { reportRows } from '../../reports/reconciliation/reportRows.ts';
import { reconciliationSettingFaults, saveDeliverySecret } from '../../reports/reconciliation/settings.ts';
import { columnNames, defaultColumns } from '../../spec/reconciliation.ts';
import type { FolderSecret } from '../../spec/remoteFolder.ts';
import type { SecretStore, Vault } from '../../vault/ports.ts';
import { type Command, type Context, parseFlaggedOptions, parseOptions, requiredOption, UsageError } from '../command.ts';
import { findMerchant } from '../context.ts';

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

/** Sets up the server that a merchant's reconciliation files are delivered to, and seals its password or key. */
export const reconciliationSetupCommand: Command = {
  name: 'reconciliation-setup',
  summary: 'set up the server that a merchant’s reconciliation files go to, and seal its password or key',
  usage: [
    'reconciliation-setup --entity id [options]',
    '  --entity id           the merchant',
    '  --file setup.json     kind, host, user, hostKey, since and so on, without the secret',
    '  --password file       a file with the password',
    '  --key private.pem     the private key to sign in with (sftp)',
    '  --remove              nothing is delivered any more, and the secret is gone',
  ].join('\n'),
  run: (words, context) => reconciliationSetup(words, context),
};

type SetupNeeds = {
  store(): Promise<Pick<MerchantStore, 'entities' | 'setSettings'> & SecretStore>;
  vault(): Promise<Pick<Vault, 'ready' | 'seal' | 'open'>>;
} & Pick<Context, 'readText' | 'print'>;

const SOON = 'A running gateway knows it within ten seconds.';

/** Returns the exit code. Throws an `OperatorError` for what the operator can correct. */
export async function reconciliationSetup(words: readonly string[], context: SetupNeeds): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['entity', 'file', 'password', 'key'], ['remove']);
  const store = await context.store();
  const { row, entity } = await findMerchant(store, requiredOption(texts.entity, 'entity'));
  if (row.kind !== 'merchant')
    throw new OperatorError(`--entity: ${row.name} is a ${row.kind}; files are delivered to merchants`);
  const access = { secrets: store, vault: await context.vault() };
  if (flags.remove) {
    await store.setSettings(row.id, withoutDelivery(row));
    await saveDeliverySecret(access, row.id, null);
    context.print(`nothing is delivered to ${row.name} any more. ${SOON}`);
    return 0;
  }
  const secret = secretIn(texts, context);
  const setup = texts.file === undefined ? null : setupIn(context.readText(texts.file));
  if (setup === null && secret === null) throw new UsageError('give --file, --password, --key or --remove');
  const settings = setup ?? entity.settings.reconciliation ?? {};
  if (secret?.kind === 'privateKey' && settings.kind !== 'sftp') throw new OperatorError('--key: only sftp signs in with a key');
  // The secret first: without it, every delivery would fail.
  if (secret !== null) await saveDeliverySecret(access, row.id, secret);
  if (setup !== null) await store.setSettings(row.id, { ...row.settings, reconciliation: setup });
  context.print(`the reconciliation files of ${row.name} are set up. ${SOON}`);
  return 0;
}

function withoutDelivery({ settings }: EntityRow): EntityRow['settings'] {
  const { reconciliation: _, ...others } = settings;
  return others;
}

function setupIn(text: string): Readonly<Record<string, unknown>> {
  let setup: unknown;
  try {
    setup = JSON.parse(text);
  } catch {
    throw new OperatorError('--file: this is no JSON');
  }
  const faults = reconciliationSettingFaults(setup);
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  return setup as Readonly<Record<string, unknown>>;
}

function secretIn(
  texts: { readonly password?: string; readonly key?: string },
  { readText }: Pick<Context, 'readText'>,
): FolderSecret | null {
  if (texts.password !== undefined && texts.key !== undefined) throw new UsageError('give --password or --key, not both');
  if (texts.password !== undefined) {
    const password = readText(texts.password).replace(/\r?\n$/, '');
    if (password === '' || /\p{Cc}/u.test(password))
      throw new OperatorError('--password: the file holds no password on one line');
    return { kind: 'password', password };
  }
  if (texts.key === undefined) return null;
  const privateKey = readText(texts.key);
  if (!isPrivateKey(privateKey)) throw new OperatorError('--key: this is no private key, or it is sealed with a passphrase');
  return { kind: 'privateKey', privateKey };
}

function isPrivateKey(text: string): boolean {
  // OpenSSH has its own format, which the SFTP library reads.
  if (text.includes('BEGIN OPENSSH PRIVATE KEY')) return true;
  try {
    createPrivateKey(text);
    return true;
  } catch {
    return false;
  }
}
