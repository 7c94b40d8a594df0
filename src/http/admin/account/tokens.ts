import type { TokenRow } from '../../../merchants/ports.ts';
import { endOf, hasEnded, issueToken, TOKENS_MAX, tokenId, tokenSeen, tokensOf } from '../../../merchants/tokens.ts';
import type { RightEndpointName } from '../../../spec/admin/admin.ts';
import type { IssuedToken, SeenToken, SeenTokens } from '../../../spec/answers/account.ts';
import type { Reply } from '../../server/reply.ts';
import type { Request } from '../../server/request.ts';
import type { Rooms } from '../../services.ts';
import { type Acted, acting, enterEntity, enterThing, looking } from '../authorize.ts';

/** Access tokens: issued, told once, exchanged with both good side by side, ended. */

/** The door of requests about a token that the path names. */
const enterToken = <Name extends RightEndpointName>(rooms: Rooms, request: Request, endpoint: Name) =>
  enterThing<Name, TokenRow>(rooms, request, {
    endpoint,
    what: 'access token',
    find: async (id) => (await rooms.accounts.store.tokens()).find((row) => tokenId(row) === id) ?? null,
    entityIdOf: ({ entityId }) => entityId,
  });

async function seen({ accounts }: Rooms, row: TokenRow): Promise<SeenToken> {
  const issuer = row.createdBy === undefined ? null : await accounts.nameOf(row.createdBy);
  return tokenSeen(row, issuer, accounts.now());
}

const refused = ({ respond }: Rooms, entityId: string, message: string, name = 'entityId'): Reply =>
  respond.result('200.300.404', entityId, { faults: [{ name, value: null, message }] });

const tooMany = (rooms: Rooms, entityId: string): Reply =>
  refused(rooms, entityId, `has ${TOKENS_MAX} tokens that are good; end one first`);

const listTokens = looking('listTokens', enterEntity, async (rooms, { entity }) => {
  const rows = tokensOf(await rooms.accounts.store.tokens(), entity.id, rooms.accounts.now());
  const body: SeenTokens = { tokens: await Promise.all(rows.map((row) => seen(rooms, row))), most: TOKENS_MAX };
  return rooms.respond.json(200, body, { entityId: entity.id });
});

const issue = acting('issueToken', enterEntity, async (rooms, asked): Promise<Acted> => {
  const { accounts, respond } = rooms;
  const { entity, values } = asked;
  const wanted = { entityId: entity.id, name: values.name, createdBy: asked.who };
  const issued = await issueToken({ ...accounts, now: accounts.now() }, wanted);
  if (!issued) return { reply: tooMany(rooms, entity.id), objectId: null };
  await accounts.reload();
  const body: IssuedToken = { token: issued.token, issued: await seen(rooms, issued.row), before: null };
  return { reply: respond.json(200, body, { entityId: entity.id }), objectId: tokenId(issued.row) };
});

/** The new one is good before the old one ends: no moment lies between in which a payment is refused. */
const rotate = acting('rotateToken', enterToken<'rotateToken'>, async (rooms, asked): Promise<Acted> => {
  const { accounts, respond } = rooms;
  const { thing, values } = asked;
  const now = accounts.now();
  if (hasEnded(thing, now))
    return { reply: refused(rooms, thing.entityId, 'has ended; issue another one', 'id'), objectId: tokenId(thing) };
  const name = values.name ?? thing.name ?? 'Token';
  const wanted = { entityId: thing.entityId, name, createdBy: asked.who, before: thing };
  const issued = await issueToken({ ...accounts, now }, wanted);
  if (!issued) return { reply: tooMany(rooms, thing.entityId), objectId: null };
  const endsAt = endOf(values.end, now);
  await accounts.store.endToken(thing, endsAt, now);
  await accounts.reload();
  const { endsAt: _, ...before } = thing;
  const body: IssuedToken = {
    token: issued.token,
    issued: await seen(rooms, issued.row),
    before: await seen(rooms, endsAt === null ? before : { ...before, endsAt }),
  };
  return { reply: respond.json(200, body, { entityId: thing.entityId }), objectId: tokenId(issued.row) };
});

const end = acting('endToken', enterToken<'endToken'>, async (rooms, { thing, values }): Promise<Acted> => {
  const { accounts, respond } = rooms;
  const now = accounts.now();
  const objectId = tokenId(thing);
  const endsAt = endOf(values.end, now);
  if (!(await accounts.store.endToken(thing, endsAt, now))) {
    return { reply: refused(rooms, thing.entityId, 'has ended already', 'id'), objectId };
  }
  await accounts.reload();
  const { endsAt: _, ...before } = thing;
  const ended = await seen(rooms, endsAt === null ? before : { ...before, endsAt });
  return { reply: respond.json(200, ended, { entityId: thing.entityId }), objectId };
});

export const tokenHandlers = { listTokens, issueToken: issue, rotateToken: rotate, endToken: end } as const;
