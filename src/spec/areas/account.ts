import { ENTITY, free, limit, needed } from '../admin/field.ts';
import { count, id, type Kind, matching, name, oneOf } from '../admin/kinds.ts';
import { isRecord } from '../json.ts';
import { NETWORK_OR_PARCEL } from '../row.ts';
import { admin } from './row.ts';

/** Account data: the hierarchy, its settings, access tokens, and the keys that are kept for it. */

const REVISION_MAX = 1_000_000_000;
const SETTINGS_MAX = 60;

const path = '[A-Za-z]{1,40}(?:\\.[A-Za-z]{1,40})?';
const NAME = new RegExp(`^${path}$`);

/** Settings by their names; whether each of them is right is told by its own name. */
const settings: Kind<Readonly<Record<string, unknown>>> = {
  // Acquirers' numbers of merchants stand here, which are as long as cards' now and then.
  scan: NETWORK_OR_PARCEL,
  says: `must be an object of 1 to ${SETTINGS_MAX} settings by their names, such as timeZone or risk.mode`,
  schema: { type: 'object', minProperties: 1, maxProperties: SETTINGS_MAX, propertyNames: { pattern: NAME.source } },
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const names = Object.keys(value);
    return names.length >= 1 && names.length <= SETTINGS_MAX && names.every((one) => NAME.test(one)) ? value : undefined;
  },
  good: [{ timeZone: 'Europe/Vienna' }, { 'risk.mode': 'report', brands: null }],
  bad: ['', [], {}, null, 1, { 'a.b.c': 1 }, { '': 1 }, { __proto__x1: 1 }],
};

/** Names of settings, each of which may stand there once. */
const settingList: Kind<readonly string[]> = {
  says: `must be a list of 1 to ${SETTINGS_MAX} names of settings`,
  schema: { type: 'array', items: { type: 'string', pattern: NAME.source }, minItems: 1, maxItems: SETTINGS_MAX },
  read: (value) => {
    if (!Array.isArray(value) || value.length < 1 || value.length > SETTINGS_MAX) return undefined;
    return value.every((one) => typeof one === 'string' && NAME.test(one)) ? [...new Set(value as string[])] : undefined;
  },
  good: [['timeZone'], ['risk.mode', 'brands']],
  bad: [[], '', 'timeZone', null, [1], ['a.b.c'], Array.from({ length: SETTINGS_MAX + 1 }, () => 'brands')],
};

/** A sample that looks like a key and opens nothing. */
const PEM = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';

const privateKey: Kind<string> = {
  ...matching(
    /^\s*-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[A-Za-z0-9+/=\s]{1,16000}-----END [A-Z ]{0,20}PRIVATE KEY-----\s*$/,
    'must be a private key in PEM, without a passphrase',
    { good: [PEM], bad: ['', 'x', PEM.slice(1), PEM.replace('AAAA', 'Proc-Type: 4,ENCRYPTED'), 7, null] },
  ),
  isSecret: true,
};

const password: Kind<string> = {
  ...matching(/^[^\p{Cc}]{1,512}$/u, 'must be 1 to 512 characters on one line', {
    good: ['x', ' with blanks '],
    bad: ['', 'x'.repeat(513), 'two\nlines', 7, null],
  }),
  isSecret: true,
};

const keyId = matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, lines and underscores', {
  good: ['2026', 'spring-2026'],
  bad: ['', '-x', 'a/b', 'x'.repeat(65), null],
});

const wallet = oneOf(['walletA', 'walletB', 'walletC']);
const server = oneOf(['reconciliation', 'settlement']);
const end = oneOf(['now', '1h', '24h', '7d', 'byHand']);
const revision = count(1, REVISION_MAX);
const use = oneOf(['tokens', 'identity']);

const stepUp = { stepUp: true } as const;
const entities = '/admin/v1/entities';

export const accountEndpoints = {
  listEntities: admin(
    'GET',
    entities,
    'readSettings',
    'Read a node of the hierarchy and what stands directly below it, by name.',
  ),
  addEntity: admin('POST', entities, 'entities', 'Add a division or a merchant. Nothing of the hierarchy is ever removed.'),
  addChannel: admin('POST', '/admin/v1/channels', 'settings', 'Add a channel to a merchant.'),
  readEntity: admin(
    'GET',
    `${entities}/{id}`,
    'readSettings',
    'Read a node with every setting: its own value, what it inherits and from whom.',
  ),
  changeEntity: admin(
    'POST',
    `${entities}/{id}`,
    'settings',
    'Rename a node, open or close it, change its own settings, or let it inherit them again.',
  ),
  listTokens: admin('GET', '/admin/v1/tokens', 'tokens', 'List the access tokens of an entity; never a token itself.'),
  issueToken: admin(
    'POST',
    '/admin/v1/tokens',
    'tokens',
    'Issue an access token. It is told in this answer and never again.',
    stepUp,
  ),
  rotateToken: admin(
    'POST',
    '/admin/v1/tokens/{id}/rotate',
    'tokens',
    'Issue a token in the place of one that stays good until the chosen end. It is told in this answer and never again.',
    stepUp,
  ),
  endToken: admin(
    'POST',
    '/admin/v1/tokens/{id}/end',
    'tokens',
    'End an access token, now or later. One that has ended stays so.',
    stepUp,
  ),
  keepWalletKey: admin(
    'POST',
    `${entities}/{id}/walletKeys`,
    'keys',
    'Seal a private key of a wallet. It is never shown.',
    stepUp,
  ),
  dropWalletKey: admin(
    'DELETE',
    `${entities}/{id}/walletKeys`,
    'keys',
    'Destroy a private key that no setup names any more.',
    stepUp,
  ),
  keepServerSecret: admin(
    'POST',
    `${entities}/{id}/serverSecrets`,
    'keys',
    'Seal the password or the private key that signs us in at a server. It is never shown.',
    stepUp,
  ),
  dropServerSecret: admin(
    'DELETE',
    `${entities}/{id}/serverSecrets`,
    'keys',
    'Destroy it; nothing is brought or fetched without.',
    stepUp,
  ),
} as const;

const keyFields = {
  wallet: needed(wallet, 'Of which wallet.'),
  keyId: needed(keyId, 'How the setup of the wallet names it.', '2026'),
  use: free(use, 'What it is for: to open tokens, or to be known to the servers of the wallet. tokens where nothing is said.'),
};

export const accountFields = {
  listEntities: {
    entityId: needed(id, 'The node.', ENTITY),
    after: free(id, 'Only what comes behind this one: `next` of the page before.'),
    limit,
  },
  addEntity: {
    entityId: needed(id, 'Below which node: a division stands below a PSP, a merchant below a division.', ENTITY),
    name: needed(name, 'For people.', 'Corner Shop'),
  },
  addChannel: {
    entityId: needed(id, 'Of which merchant.', ENTITY),
    name: needed(name, 'For people.', 'Corner Shop online'),
  },
  readEntity: {},
  changeEntity: {
    revision: needed(revision, 'The revision that was read: when somebody was faster, nothing is changed.', 3),
    name: free(name, 'Another name.', 'Corner Shop'),
    set: free(settings, 'Own values by the names of settings.', { timeZone: 'Europe/Vienna' }),
    inherit: free(settingList, 'What the node shall inherit again.', ['brands']),
  },
  listTokens: { entityId: needed(id, 'Whose tokens are listed.', ENTITY) },
  issueToken: {
    entityId: needed(id, 'What it opens: this entity and everything below it.', ENTITY),
    name: needed(name, 'For people: where it is used.', 'Shop server'),
  },
  rotateToken: {
    end: needed(end, 'When the one before ends; byHand: when somebody ends it.', '24h'),
    name: free(name, 'Another name; the one before where nothing is said.', 'Shop server'),
  },
  endToken: { end: needed(end, 'When; byHand: it does not end by itself any more.', 'now') },
  keepWalletKey: { ...keyFields, privateKey: needed(privateKey, 'The key.') },
  dropWalletKey: keyFields,
  keepServerSecret: {
    server: needed(server, 'Where reconciliation files go, or where settlement files come from.'),
    password: free(password, 'The password.'),
    privateKey: free(privateKey, 'The private key, for SFTP.'),
  },
  dropServerSecret: { server: needed(server, 'Which one.') },
} as const;
