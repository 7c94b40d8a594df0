import { missingForPayments } from '../../../app/connectors/accountModule.ts';
import { moduleFaultsFor } from '../../../app/foundation.ts';
import { timers } from '../../../app/system.ts';
import { type AccountSetting, accountProbe } from '../../../connectors/accounts.ts';
import { connectorKinds } from '../../../connectors/registry.ts';
import { accountSecretName } from '../../../merchants/accounts.ts';
import { createDirectory, type Directory, fixedRows } from '../../../merchants/directory.ts';
import { createOutbound } from '../../../outbound/client.ts';
import { isRecord } from '../../../runtime/json.ts';
import { accountStatements, entityOf, type StoredEntity, type StoredToken, tokenOf } from '../../../store/areas/accounts.ts';
import { keyOf, type StoredKey, vaultStatements } from '../../../store/areas/vault.ts';
import type { Reader } from '../../../store/open.ts';
import { openReadOnlyVault } from '../../../vault/vault.ts';
import { type Check, type Exam, type Finding, findings } from './check.ts';

const ACCOUNTS_MAX = 50;
const SECRETS_MAX = 2_000;
const ANSWER_MS = 8_000;

const directoryOf = ({ database, now }: Exam): Promise<Directory> =>
  createDirectory(
    fixedRows(async () => ({
      entities: (await database.rows<StoredEntity>(accountStatements.entities)).map(entityOf),
      tokens: (await database.rows<StoredToken>(accountStatements.tokens)).map(tokenOf),
    })),
    { now },
    moduleFaultsFor(connectorKinds),
  );

type SecretRow = { readonly entity_id: string; readonly name: string; readonly sealed: Uint8Array };

function openOwnVault({ database, masters, now }: Exam) {
  const keys = async (owner: string | null) => {
    const rows = await database.rows<StoredKey>(
      owner === null ? vaultStatements.keys : vaultStatements.keysOf,
      owner === null ? [] : [owner],
    );
    return rows.map(keyOf);
  };
  return openReadOnlyVault({ keys, masters: masters(), now });
}

const secretOf = async (database: Reader, entityId: string, name: string): Promise<Uint8Array | null> => {
  const [row] = await database.rows<SecretRow>('SELECT entity_id, name, sealed FROM secret WHERE entity_id = ?1 AND name = ?2', [
    entityId,
    name,
  ]);
  return row ? new Uint8Array(row.sealed) : null;
};

const recordOf = (entityId: string, field: string) => ({ merchantId: entityId, entityId, recordId: entityId, field });

async function unopenedSecrets(exam: Exam): Promise<readonly Finding[]> {
  const rows = await exam.database.rows<SecretRow>(
    `SELECT entity_id, name, sealed FROM secret ORDER BY entity_id, name LIMIT ${SECRETS_MAX}`,
  );
  if (rows.length === 0) return [];
  const vault = await openOwnVault(exam);
  const found: Finding[] = [];
  for (const { entity_id, name, sealed } of rows) {
    await vault.open(recordOf(entity_id, name), new Uint8Array(sealed)).catch((error: Error) => {
      found.push({ says: `The secret ${name} of ${entity_id} does not open: ${error.message}.` });
    });
  }
  return found;
}

/** Asks each acquirer that offers a harmless request whether it accepts the credentials. */
async function refusedAccounts(exam: Exam): Promise<readonly Finding[]> {
  const { config, database } = exam;
  const rows = await database.rows<StoredEntity>(accountStatements.entities);
  const accounts = rows.map(entityOf).flatMap(({ id, settings }) =>
    Object.entries(isRecord(settings.accounts) ? settings.accounts : {}).flatMap(([name, setting]) => {
      const account = setting as AccountSetting;
      const probe = account.state === 'off' ? null : accountProbe(account, connectorKinds);
      return probe ? [{ id, name, probe }] : [];
    }),
  );
  if (accounts.length === 0) return [];
  const vault = await openOwnVault(exam);
  const reach = config.environment === 'test' ? 'loopback' : 'public';
  const { exchange } = createOutbound({ timers, reach, privateHosts: config.connectorHosts });
  const asked = accounts.slice(0, ACCOUNTS_MAX).map(async ({ id, name, probe }) => {
    const field = accountSecretName(name, probe.secret);
    const sealed = await secretOf(database, id, field);
    const secret = sealed && (await vault.open(recordOf(id, field), sealed).catch(() => null));
    if (secret === null) return [];
    const answer = await exchange({ ...probe.request(secret), books: false, withinMs: ANSWER_MS });
    if (answer.is !== 'replied')
      return findings(`The acquirer of the account ${name} of ${id} does not answer (${answer.reason}).`);
    const isRefused = probe.refusedBy.includes(answer.status);
    const remedy = `npx turnpike account --entity ${id} --name ${name} --secret ${probe.secret}=file`;
    return isRefused
      ? [{ says: `The acquirer refuses the ${probe.secret} of the account ${name} of ${id} (${answer.status}).`, remedy }]
      : [];
  });
  return (await Promise.all(asked)).flat();
}

export const accountChecks: readonly Check[] = [
  {
    id: 'accounts.missing',
    looksAt: 'merchants, channels, accounts and credentials that live payments need (docs/goingLive.md)',
    severity: 'error',
    remedy: 'the command at the end of the line',
    needs: 'schema',
    find: async (exam) => {
      if (exam.config.environment !== 'live') return [];
      const secret = (entityId: string, name: string) => secretOf(exam.database, entityId, name);
      return (await missingForPayments(await directoryOf(exam), { secret })).map(({ says }) => ({ says }));
    },
  },
  {
    id: 'accounts.refused',
    looksAt: 'whether acquirers accept the credentials of accounts, by a request that changes nothing (stripe, adyen, upstream)',
    severity: 'error',
    remedy: 'store the right credential: npx turnpike account --entity ID --name NAME --secret SECRET=file',
    needs: 'schema',
    withinMs: 15_000,
    find: refusedAccounts,
  },
  {
    id: 'secrets.damaged',
    looksAt: 'whether every stored credential opens under the master key',
    severity: 'error',
    remedy: 'store the credential again, or restore the right database for this master key',
    needs: 'schema',
    withinMs: 15_000,
    find: unopenedSecrets,
  },
];
