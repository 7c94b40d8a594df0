import type { TokenRow } from '../../../merchants/ports.ts';
import {
  hasEnded,
  issueToken,
  TOKENS_MAX,
  tokenEndsAt,
  tokenId,
  tokensListed,
  tokenView,
  tokenWithId,
} from '../../../merchants/tokens.ts';
import type { IssuedToken, TokensView, TokenView } from '../../../spec/answers/account.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { authorizeEntity, authorizeObject } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';

/** Access tokens: issued, shown once, limited to addresses, rotated with an overlap, ended. */

/** Authorises a request about the token that its path names. */
const authorizeToken = authorizeObject({
  what: 'access token',
  find: ({ accounts }, id): Promise<TokenRow | null> => tokenWithId(accounts.store, id),
  entityIdOf: ({ entityId }) => entityId,
});

async function seen({ accounts }: Pick<Services, 'accounts'>, row: TokenRow): Promise<TokenView> {
  const issuer = row.createdBy === undefined ? null : await accounts.nameOf(row.createdBy);
  return tokenView(row, issuer, accounts.now());
}

const refused = ({ replies }: Pick<Services, 'replies'>, entityId: string, message: string, name = 'entityId'): Reply =>
  replies.result('200.300.404', entityId, { faults: [{ name, value: null, message }] });

const tooMany = (services: Pick<Services, 'replies'>, entityId: string): Reply =>
  refused(services, entityId, `has ${TOKENS_MAX} tokens that are good; end one first`);

const listTokens = query('listTokens', authorizeEntity, async (services: Pick<Services, 'accounts' | 'replies'>, { entity }) => {
  const rows = tokensListed(await services.accounts.store.tokensOfEntity(entity.id), services.accounts.now());
  const body: TokensView = { tokens: await Promise.all(rows.map((row) => seen(services, row))), most: TOKENS_MAX };
  return services.replies.json(200, body, { entityId: entity.id });
});

const issue = command(
  'issueToken',
  authorizeEntity,
  async (services: Pick<Services, 'accounts' | 'replies'>, authorized): Promise<CommandResult> => {
    const { accounts, replies } = services;
    const { entity, values } = authorized;
    const { name, allowedAddresses = [] } = values;
    const wanted = { entityId: entity.id, name, createdBy: authorized.who, allowedAddresses };
    const issued = await issueToken({ ...accounts, now: accounts.now() }, wanted);
    if (!issued) return { reply: tooMany(services, entity.id), objectId: null };
    await accounts.reload();
    const body: IssuedToken = { token: issued.token, issued: await seen(services, issued.row), before: null };
    return { reply: replies.json(200, body, { entityId: entity.id }), objectId: tokenId(issued.row) };
  },
);

/** The new token works before the old one ends, so that no payment is refused in between. */
const rotate = command(
  'rotateToken',
  authorizeToken<'rotateToken'>,
  async (services: Pick<Services, 'accounts' | 'replies'>, authorized): Promise<CommandResult> => {
    const { accounts, replies } = services;
    const { resource, values } = authorized;
    const now = accounts.now();
    if (hasEnded(resource, now))
      return { reply: refused(services, resource.entityId, 'has ended; issue another one', 'id'), objectId: tokenId(resource) };
    const name = values.name ?? resource.name ?? 'Token';
    const wanted = { entityId: resource.entityId, name, createdBy: authorized.who, before: resource };
    const issued = await issueToken({ ...accounts, now }, wanted);
    if (!issued) return { reply: tooMany(services, resource.entityId), objectId: null };
    const endsAt = tokenEndsAt(values.end, now);
    await accounts.store.endToken(resource, endsAt, now);
    await accounts.reload();
    const { endsAt: _, ...before } = resource;
    const body: IssuedToken = {
      token: issued.token,
      issued: await seen(services, issued.row),
      before: await seen(services, endsAt === null ? before : { ...before, endsAt }),
    };
    return { reply: replies.json(200, body, { entityId: resource.entityId }), objectId: tokenId(issued.row) };
  },
);

const end = command(
  'endToken',
  authorizeToken<'endToken'>,
  async (services: Pick<Services, 'accounts' | 'replies'>, { resource, values }): Promise<CommandResult> => {
    const { accounts, replies } = services;
    const now = accounts.now();
    const objectId = tokenId(resource);
    const endsAt = tokenEndsAt(values.end, now);
    if (!(await accounts.store.endToken(resource, endsAt, now))) {
      return { reply: refused(services, resource.entityId, 'has ended already', 'id'), objectId };
    }
    await accounts.reload();
    const { endsAt: _, ...before } = resource;
    const ended = await seen(services, endsAt === null ? before : { ...before, endsAt });
    return { reply: replies.json(200, ended satisfies AdminAnswer<'endToken'>, { entityId: resource.entityId }), objectId };
  },
);

const setAddresses = command(
  'setTokenAddresses',
  authorizeToken<'setTokenAddresses'>,
  async (services: Pick<Services, 'accounts' | 'replies'>, { resource, values }): Promise<CommandResult> => {
    const { accounts, replies } = services;
    const objectId = tokenId(resource);
    const allowed = values.allowedAddresses.length > 0 ? values.allowedAddresses : null;
    if (!(await accounts.store.setTokenAddresses(resource, allowed, accounts.now()))) {
      return { reply: refused(services, resource.entityId, 'has ended already', 'id'), objectId };
    }
    await accounts.reload();
    const { allowedAddresses: _, ...others } = resource;
    const body = await seen(services, allowed === null ? others : { ...others, allowedAddresses: allowed });
    return {
      reply: replies.json(200, body satisfies AdminAnswer<'setTokenAddresses'>, { entityId: resource.entityId }),
      objectId,
    };
  },
);

export const tokenHandlers = {
  listTokens,
  issueToken: issue,
  rotateToken: rotate,
  endToken: end,
  setTokenAddresses: setAddresses,
} as const;
