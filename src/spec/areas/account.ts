import { isRecord } from '../../runtime/json.ts';
import { addressBlock } from '../addressBlocks.ts';
import {
  admin,
  count,
  ENTITY,
  id,
  instant,
  type Kind,
  limit,
  matching,
  name,
  oneOf,
  optional,
  required,
  tagged,
} from '../admin/kinds.ts';
import { NETWORK_OR_PARCEL } from '../row.ts';

/** Account data: the hierarchy, its settings, access tokens, and the keys that are kept for it. */

const REVISION_MAX = 1_000_000_000;
const SETTINGS_MAX = 60;

const path = '[A-Za-z]{1,40}(?:\\.[A-Za-z]{1,40})?';
const NAME = new RegExp(`^${path}$`);

/** Settings by their names. The handler reports the faults of each one under its own name. */
const settings: Kind<Readonly<Record<string, unknown>>> = {
  // Acquirers' numbers of merchants stand here, which are as long as cards' now and then.
  scan: NETWORK_OR_PARCEL,
  message: `must be an object of 1 to ${SETTINGS_MAX} settings by their names, such as timeZone or risk.mode`,
  schema: { type: 'object', minProperties: 1, maxProperties: SETTINGS_MAX, propertyNames: { pattern: NAME.source } },
  parse: (value) => {
    if (!isRecord(value)) return undefined;
    const names = Object.keys(value);
    return names.length >= 1 && names.length <= SETTINGS_MAX && names.every((one) => NAME.test(one)) ? value : undefined;
  },
  good: [{ timeZone: 'Europe/Vienna' }, { 'risk.mode': 'report', brands: null }],
  bad: ['', [], {}, null, 1, { 'a.b.c': 1 }, { '': 1 }, { __proto__x1: 1 }],
};

/** Names of settings, each of which may stand there once. */
const settingList: Kind<readonly string[]> = {
  message: `must be a list of 1 to ${SETTINGS_MAX} names of settings`,
  schema: { type: 'array', items: { type: 'string', pattern: NAME.source }, minItems: 1, maxItems: SETTINGS_MAX },
  parse: (value) => {
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

/** Names that are looked up later: two that are shortened could become the same. */
const keyId: Kind<string> = {
  ...matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, lines and underscores', {
    good: ['2026', 'spring-2026'],
    bad: ['', '-x', 'a/b', 'x'.repeat(65), null],
  }),
  scan: { refuses: true },
};

const accountName: Kind<string> = {
  ...matching(/^[a-z][a-zA-Z0-9]{0,63}$/, 'must be 1 to 64 letters and digits and begin with a small letter', {
    good: ['stripeEU', 'apiKey'],
    bad: ['', 'Stripe', 'a/b', 'x'.repeat(65), null],
  }),
  scan: { refuses: true },
};
const secretText: Kind<string> = {
  ...matching(/^[\s\S]{1,16384}$/, 'must be 1 to 16384 characters', {
    good: ['0123456789abcdef'],
    bad: ['', 'x'.repeat(16_385), 'y'.repeat(20_000), null],
  }),
  isSecret: true,
};

const ADDRESSES_MAX = 50;

/** Each is written in one way, and stands there once. */
const addressList: Kind<readonly string[]> = {
  message: `must be a list of at most ${ADDRESSES_MAX} IP addresses and CIDR blocks, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32; a block has no bits after its prefix`,
  schema: { type: 'array', items: { type: 'string', minLength: 2, maxLength: 49 }, maxItems: ADDRESSES_MAX },
  parse: (value) => {
    if (!Array.isArray(value) || value.length > ADDRESSES_MAX) return undefined;
    const blocks = value.map((one) => (typeof one === 'string' ? addressBlock(one) : null));
    return blocks.every((block) => block !== null) ? [...new Set(blocks)] : undefined;
  },
  good: [['192.0.2.0/24', '2001:db8::/32'], [], ['192.0.2.7'], Array.from({ length: ADDRESSES_MAX }, (_, at) => `192.0.2.${at}`)],
  bad: [
    '',
    '192.0.2.7',
    null,
    {},
    [''],
    [7],
    ['192.0.2.7/24'],
    ['192.0.2.0/33'],
    ['0.0.0.0/0'],
    ['shop.example'],
    ['192.0.2.7', 'x'],
    ['fe80::1%eth0'],
    Array.from({ length: ADDRESSES_MAX + 1 }, (_, at) => `192.0.2.${at}`),
  ],
};

const wallet = oneOf(['walletA', 'walletB', 'walletC']);
const server = oneOf(['reconciliation', 'settlement']);
const end = oneOf(['now', '1h', '24h', '7d', 'byHand']);
const revision = count(1, REVISION_MAX);
const use = oneOf(['tokens', 'identity']);

/** Tokens and keys: the user confirms the identity, and others learn of it. */
const sensitive = { stepUp: true, notifies: true } as const;
const entities = '/admin/v1/entities';

export const accountEndpoints = {
  ...tagged('entities', {
    listEntities: admin('GET', entities, 'readSettings', 'Read an entity and its children, by name.'),
    addEntity: admin('POST', entities, 'entities', 'Add a PSP, a division or a merchant. Entities are never deleted.'),
    addChannel: admin('POST', '/admin/v1/channels', 'settings', 'Add a channel to a merchant.'),
    readEntity: admin(
      'GET',
      `${entities}/{id}`,
      'readSettings',
      'Read an entity with every setting: its own value, the inherited one and its source.',
    ),
    changeEntity: admin(
      'POST',
      `${entities}/{id}`,
      'settings',
      'Rename an entity, open or close it, change its settings, or reset them to inherited ones.',
    ),
  }),
  ...tagged('accessTokens', {
    listTokens: admin('GET', '/admin/v1/tokens', 'tokens', 'List the access tokens of an entity, without the tokens themselves.'),
    issueToken: admin('POST', '/admin/v1/tokens', 'tokens', 'Issue an access token. Only this reply contains it.', sensitive),
    rotateToken: admin(
      'POST',
      '/admin/v1/tokens/{id}/rotate',
      'tokens',
      'Rotate an access token: issue a new one; the old one stays valid until the chosen time. Only this reply contains the new token.',
      sensitive,
    ),
    endToken: admin(
      'POST',
      '/admin/v1/tokens/{id}/end',
      'tokens',
      'Revoke an access token, now or later. This cannot be undone.',
      sensitive,
    ),
    setTokenAddresses: admin(
      'POST',
      '/admin/v1/tokens/{id}/allowedAddresses',
      'tokens',
      'Set the addresses from which an access token is accepted. From other addresses it is refused like an unknown token.',
      sensitive,
    ),
  }),
  ...tagged('secrets', {
    keepWalletKey: admin(
      'POST',
      `${entities}/{id}/walletKeys`,
      'keys',
      'Store a private key of a wallet, encrypted. It is never shown.',
      sensitive,
    ),
    dropWalletKey: admin('DELETE', `${entities}/{id}/walletKeys`, 'keys', 'Delete a private key that no setup uses.', sensitive),
    keepServerSecret: admin(
      'POST',
      `${entities}/{id}/serverSecrets`,
      'keys',
      'Store the password or private key for a file server, encrypted. It is never shown.',
      sensitive,
    ),
    dropServerSecret: admin(
      'DELETE',
      `${entities}/{id}/serverSecrets`,
      'keys',
      'Delete it; files are no longer delivered or fetched.',
      sensitive,
    ),
    keepAccountSecret: admin(
      'POST',
      `${entities}/{id}/accountSecrets`,
      'keys',
      'Store a credential of an account at an acquirer, encrypted, or replace it. It is never shown, and counts at once.',
      sensitive,
    ),
    dropAccountSecret: admin(
      'DELETE',
      `${entities}/{id}/accountSecrets`,
      'keys',
      'Delete a credential of an account.',
      sensitive,
    ),
  }),
} as const;

const accountSecret = {
  account: required(accountName, 'The name of the account, as in the setting `accounts`.', 'stripeEU'),
  secret: required(accountName, 'The name of the credential.', 'apiKey'),
};

const keyFields = {
  wallet: required(wallet, 'The wallet.'),
  keyId: required(keyId, 'Its id in the wallet setup.', '2026'),
  use: optional(use, "Purpose: decrypt tokens (default), or authenticate at the wallet's servers."),
};

export const accountFields = {
  listEntities: {
    entityId: optional(id, "The entity. Without it, with the operator's token: the top of the hierarchy.", ENTITY),
    after: optional(id, 'Only children after this one: `next` of the previous page.'),
    limit,
  },
  addEntity: {
    entityId: optional(
      id,
      "The parent: a PSP for a division, a division for a merchant. Without it, with the operator's token: a PSP is added.",
      ENTITY,
    ),
    name: required(name, 'A display name.', 'Corner Shop'),
  },
  addChannel: {
    entityId: required(id, 'The merchant.', ENTITY),
    name: required(name, 'A display name.', 'Corner Shop online'),
  },
  readEntity: {},
  changeEntity: {
    revision: required(revision, 'The revision that you read; if it has changed meanwhile, nothing is changed.', 3),
    name: optional(name, 'A new name.', 'Corner Shop'),
    set: optional(settings, 'Values by setting.', { timeZone: 'Europe/Vienna' }),
    inherit: optional(settingList, 'Settings to inherit again.', ['brands']),
  },
  listTokens: { entityId: required(id, 'The entity.', ENTITY) },
  issueToken: {
    entityId: required(id, 'The entity: the token is valid for it and all entities below it.', ENTITY),
    name: required(name, 'A display name: where it is used.', 'Shop server'),
    allowedAddresses: optional(addressList, 'IP addresses and CIDR blocks from which it is accepted; default: from anywhere.'),
  },
  rotateToken: {
    end: required(end, 'When the old token expires; byHand: no expiry, a user revokes it.', '24h'),
    name: optional(name, 'A new name; default: the old one.', 'Shop server'),
  },
  endToken: { end: required(end, 'When; byHand: no expiry.', 'now') },
  setTokenAddresses: {
    allowedAddresses: required(addressList, 'IP addresses and CIDR blocks; an empty list: accepted from anywhere.'),
  },
  keepWalletKey: { ...keyFields, privateKey: required(privateKey, 'The key.') },
  dropWalletKey: keyFields,
  keepServerSecret: {
    server: required(server, 'The server: for reconciliation files or for settlement files.'),
    password: optional(password, 'The password.'),
    privateKey: optional(privateKey, 'The private key, for SFTP.'),
  },
  dropServerSecret: { server: required(server, 'The server.') },
  keepAccountSecret: { ...accountSecret, value: required(secretText, 'The credential.') },
  dropAccountSecret: accountSecret,
} as const;

/** Routing: rules are tried on past payments. */

/** The handler reports the place of each fault. */
const ruleList: Kind<readonly unknown[]> = {
  message: 'must be a list of rules as in the setting routing.rules',
  schema: { type: 'array', items: { type: 'object' } },
  parse: (value) => (Array.isArray(value) ? (value as readonly unknown[]) : undefined),
  good: [[], [{ when: { currencies: ['EUR'] }, to: ['stripeEU'] }]],
  bad: ['', 'on', 1, null, {}],
};

export const routingEndpoints = tagged('routing', {
  tryRouting: admin(
    'POST',
    '/admin/v1/routingBacktest',
    'readPayments',
    'Back-test routing rules on the stored payments of a channel, beside the present rules; nothing is stored.',
  ),
});

export const routingFields = {
  tryRouting: {
    entityId: required(id, 'The channel.', ENTITY),
    rules: optional(ruleList, 'The proposed rules; default: the present ones.'),
    from: optional(instant, 'Only payments created at or after this instant; default: 30 days before the end.'),
    to: optional(instant, 'Only payments created before this instant, at most 366 days after the start; default: now.'),
  },
} as const;
