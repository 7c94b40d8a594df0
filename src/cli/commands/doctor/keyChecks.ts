import { secretPathNames } from '../../../config/settings.ts';
import { DAY_MS } from '../../../spec/time.ts';
import { keyOf, type StoredKey } from '../../../store/areas/vault.ts';
import { createKeyOpener, WrongMasterKey } from '../../../vault/masterKey.ts';
import { VaultRefused } from '../../../vault/sealedText.ts';
import { counted } from '../../output.ts';
import { type Check, type Exam, type Finding, findings, spanText } from './check.ts';

/** Few different bytes, or the same step from each byte to the next: chance does not draw such a key. */
export function isWeakKey(key: Uint8Array): boolean {
  const bytes = [...key];
  const steps = new Set(bytes.slice(1).map((byte, at) => (byte - (bytes[at] ?? 0) + 256) % 256));
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return new Set(bytes).size < 12 || steps.size < 4 || isText;
}

/** So many different characters at least. */
const CHARACTERS_MIN = 10;
const isWeakText = (text: string): boolean =>
  new Set(text).size < CHARACTERS_MIN || /^(.{1,8})\1+$/.test(text) || /changeme|password|example|secret/i.test(text);

const isZero = (key: Uint8Array): boolean => key.every((byte) => byte === 0);

/** The operator's token, from the environment or from its file, as the configuration read it. */
function adminTokenOf({ config, env, probes }: Omit<Exam, 'database'>): string {
  if (config.operatorHash === null) return '';
  return (env.ADMIN_TOKEN || probes.readText(env.ADMIN_TOKEN_FILE ?? '')).trim();
}

async function weakKeys(exam: Omit<Exam, 'database'>): Promise<readonly Finding[]> {
  const { masterKey, previousMasterKeys } = exam.config;
  const named: (readonly [string, Uint8Array | null])[] = [
    ['The master key', masterKey],
    ...previousMasterKeys.map((key) => ['A previous master key', key] as const),
  ];
  const token = adminTokenOf(exam);
  return findings(
    ...named.map(([name, key]) => key !== null && isWeakKey(key) && `${name} ${isZero(key) ? 'is all zeros' : 'is not random'}.`),
    token !== '' && isWeakText(token) && 'ADMIN_TOKEN is easy to guess.',
  );
}

/** The permissions that a file with a secret must not give to others. A server's key may be readable by a group such as ssl-cert. */
const refusedModeOf = (name: string): number => (name === 'TLS_KEY' ? 0o007 : 0o077);

type KeyCount = { readonly master_id: string; readonly count: string | number };
const wrappedKeys =
  'SELECT master_id, COUNT(*) AS count FROM data_key WHERE wrapped IS NOT NULL GROUP BY master_id ORDER BY master_id';

/** The key of the gateway comes first: without it nothing starts. */
const openable = `SELECT * FROM data_key WHERE wrapped IS NOT NULL
  ORDER BY CASE owner WHEN 'gateway' THEN 0 ELSE 1 END, owner, purpose, version LIMIT 10000`;

/** A key of another master key is the finding of keys.foreign. */
async function damagedKeys({ database, masters }: Exam): Promise<readonly Finding[]> {
  const open = createKeyOpener(masters());
  const found: Finding[] = [];
  for (const row of await database.rows<StoredKey>(openable)) {
    const opened = open(keyOf(row)).then((clear) => void clear.fill(0));
    await opened.catch((error) => {
      if (error instanceof WrongMasterKey) return;
      if (!(error instanceof VaultRefused)) throw error;
      const { owner, purpose, version } = keyOf(row);
      found.push({ says: `The ${purpose} key ${version} of ${owner} (table data_key) does not open under its master key.` });
    });
  }
  return found;
}

const YEAR_MS = 365 * DAY_MS;

export const keyChecks: readonly Check[] = [
  {
    id: 'keys.weak',
    looksAt: 'master keys and ADMIN_TOKEN: all zeros, repeated, counted up, typed',
    severity: 'error',
    remedy: '(umask 077; openssl rand -hex 32 > master.key), then MASTER_KEY_FILE=master.key and npx turnpike rotate-master',
    needs: 'configuration',
    find: weakKeys,
  },
  {
    id: 'keys.readable',
    looksAt: 'files with keys that other users can read',
    severity: 'error',
    remedy: 'chmod 600 the file',
    needs: 'environment',
    find: async ({ env, probes }) =>
      secretPathNames.flatMap((name) => {
        const path = env[name];
        const file = path ? probes.file(path) : null;
        if (file === null || (file.mode & refusedModeOf(name)) === 0) return [];
        const says = `${name}: ${path} can be read by other users (mode ${file.mode.toString(8).padStart(3, '0')}).`;
        return [{ says, remedy: `chmod 600 ${path}` }];
      }),
  },
  {
    id: 'keys.foreign',
    looksAt: 'keys in the database that no configured master key opens',
    severity: 'error',
    remedy: 'give the master key of this database; while it is rotated, name it as MASTER_KEY_PREVIOUS',
    needs: 'schema',
    find: async ({ database, masters }) => {
      const given = new Set(masters().map(({ id }) => id));
      const rows = await database.rows<KeyCount>(wrappedKeys);
      return rows
        .filter(({ master_id }) => !given.has(master_id))
        .map(({ master_id, count }) => ({
          says: `${counted(Number(count), 'key belongs', 'keys belong')} to another master key, whose id is ${master_id}.`,
        }));
    },
  },
  {
    id: 'keys.damaged',
    looksAt: 'wrapped keys that do not open under their master key',
    severity: 'error',
    remedy: 'stop the gateway, then npx turnpike restore --overwrite: docs/backup.md',
    needs: 'schema',
    withinMs: 15_000,
    find: damagedKeys,
  },
  {
    id: 'keys.rotation',
    looksAt: 'a rotation of the master key that has not been finished, or a previous key that is no longer needed',
    severity: 'warning',
    remedy: 'npx turnpike rotate-master',
    needs: 'schema',
    find: async ({ database, masters, config }) => {
      const [current, ...previous] = masters();
      if (previous.length === 0 || config.masterKey === null) return [];
      const rows = await database.rows<KeyCount>(wrappedKeys);
      const old = rows.filter(({ master_id }) => previous.some(({ id }) => id === master_id));
      if (old.length === 0)
        return [
          {
            says: 'MASTER_KEY_PREVIOUS is set, and no key needs it.',
            remedy: 'unset MASTER_KEY_PREVIOUS and MASTER_KEY_PREVIOUS_FILE',
          },
        ];
      return findings(
        `${old.reduce((sum, { count }) => sum + Number(count), 0)} keys are not wrapped by master key ${current.id} yet.`,
      );
    },
  },
  {
    id: 'keys.age',
    looksAt: 'data keys that have been in use for more than a year',
    severity: 'note',
    remedy: 'npx turnpike rotate-data',
    needs: 'schema',
    find: async ({ database, now }) => {
      const [row] = await database.rows<{ readonly count: string | number; readonly oldest: string | number | null }>(
        `SELECT COUNT(*) AS count, MIN(created_at) AS oldest FROM data_key
          WHERE purpose = 'data' AND state = 'current' AND created_at < ?1`,
        [now() - YEAR_MS],
      );
      const count = Number(row?.count ?? 0);
      return findings(count > 0 && `${count} data keys are in use for up to ${spanText(now() - Number(row?.oldest))}.`);
    },
  },
];
