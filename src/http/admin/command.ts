import type { AuditAction } from '../../audit/entry.ts';
import type { AdminEndpointName, AdminValues, SessionEndpointName, SignInEndpointName } from '../../spec/admin/admin.ts';
import { HashQueueFull } from '../../users/passwordRules.ts';
import type { SignedInUser } from '../../users/service.ts';
import type { AuditedReply, AuditedResult, AuthorizedCall, Handler } from '../handler.ts';
import { unavailable } from '../replies.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { addressOf } from '../transport/clientAddress.ts';
import type { Reply } from '../transport/reply.ts';
import {
  type AuthorizedAdmin,
  isOwnPage,
  isRefused,
  isReply,
  type Refused,
  readValues,
  signedInUser,
  TOP,
  unauthorized,
} from './authorize.ts';

/** The kinds of handlers of the administration API: queries, audited commands, sign-in, and a user's own account. */

export type Authorize<Name extends AdminEndpointName, Resource> = (
  services: Services,
  request: Request,
  endpoint: Name,
) => Promise<AuthorizedAdmin<Name, Resource> | Refused>;

const authorizedCall = (
  { directory }: Pick<Services, 'directory'>,
  endpoint: AdminEndpointName,
  call: Omit<AuthorizedCall, 'kind' | 'limit'>,
): AuthorizedCall => ({
  kind: 'authorized',
  limit: directory.entity(call.entityId)?.settings.throttle[endpoint],
  ...call,
});

/** A handler of an endpoint that changes nothing. */
export const query =
  <Name extends AdminEndpointName, Resource>(
    endpoint: Name,
    authorize: Authorize<Name, Resource>,
    handle: (services: Services, authorized: AuthorizedAdmin<Name, Resource>, request: Request) => Reply | Promise<Reply>,
  ): Handler =>
  async (services, request) => {
    const authorized = await authorize(services, request, endpoint);
    if (isRefused(authorized)) return authorized.reply;
    const run = async () => handle(services, authorized, request);
    return authorizedCall(services, endpoint, { entityId: authorized.entity.id, run });
  };

/** The reply of a command, and what its audit entry says: the object, and a result where the status is not enough. */
export type CommandResult = { readonly reply: Reply; readonly objectId: string | null; readonly result?: string | undefined };

const resultOf = ({ status, code }: Reply): string => (status === 200 ? 'done' : (code ?? String(status)));

/** The caller, in the words of the audit log. */
const actorOf = ({ who, signed }: NonNullable<Refused['caller']>): Pick<AuditAction, 'who' | 'by' | 'whoName'> => {
  if (signed) return { who, by: 'user', whoName: `${signed.user.name} <${signed.user.email}>` };
  return { who, by: who === 'operator' ? 'operator' : 'token' };
};

const audited = (entry: AuditAction, result: AuditedResult, isRefusal = false): AuditedReply => ({
  kind: 'audited',
  entry,
  isRefusal,
  result,
});

const replied = (reply: Reply): AuditedResult => ({ is: 'replied', reply });

/** A handler of an endpoint that changes something. Its outcome carries the audit entry, also when it was refused or has failed. */
export const command =
  <Name extends AdminEndpointName, Resource>(
    endpoint: Name,
    authorize: Authorize<Name, Resource>,
    handle: (services: Services, authorized: AuthorizedAdmin<Name, Resource>, request: Request) => Promise<CommandResult>,
  ): Handler =>
  async (services, request) => {
    const from = addressOf(request.message, services.trust);
    const refuse = (reply: Reply, { caller, entityId }: Pick<Refused, 'caller' | 'entityId'>): AuditedReply => {
      const actor = caller ? actorOf(caller) : ({ who: '', by: 'nobody' } as const);
      const about = { what: endpoint, entityId: entityId ?? null, objectId: request.id, from };
      const entry = { ...actor, ...about, result: resultOf(reply) };
      return audited(entry, replied(reply), true);
    };
    const authorized = await authorize(services, request, endpoint);
    if (isRefused(authorized)) return refuse(authorized.reply, authorized);
    const { id: entityId } = authorized.entity;
    const about = { ...actorOf(authorized), what: endpoint, entityId: entityId === TOP.id ? null : entityId, from };
    const run = async (): Promise<AuditedReply> => {
      try {
        const { reply, objectId, result = resultOf(reply) } = await handle(services, authorized, request);
        return audited({ ...about, objectId, result }, replied(reply));
      } catch (error) {
        return audited({ ...about, objectId: request.id, result: 'failed' }, { is: 'failed', error });
      }
    };
    return authorizedCall(services, endpoint, {
      entityId,
      run,
      refuse: (reply) => refuse(reply, { caller: authorized, entityId }),
    });
  };

/** Replies 503 when too many passwords are being hashed: one more would only make everyone wait. */
const unlessBusy =
  (handler: Handler): Handler =>
  async (services, request) => {
    try {
      return await handler(services, request);
    } catch (error) {
      if (error instanceof HashQueueFull) return unavailable(services.replies);
      throw error;
    }
  };

/** The fields of a sign-in, and the address that it comes from. */
export type SignInCall<Name extends AdminEndpointName> = { readonly values: AdminValues<Name>; readonly from: string };

/** The audit entry of a sign-in. */
export type SignInResult = {
  readonly reply: Reply;
  readonly who: string;
  readonly result: string;
  readonly objectId?: string | null;
};

const isSignInResult = (outcome: SignInResult | Reply): outcome is SignInResult => 'who' in outcome;

/** A handler for a user who has not signed in yet, on a page of the back office. Every address has a pace. */
export const signInCommand = <Name extends SignInEndpointName>(
  endpoint: Name,
  handle: (services: Services, call: SignInCall<Name>, request: Request) => Promise<SignInResult | Reply>,
): Handler =>
  unlessBusy(async (services, request) => {
    if (!isOwnPage(request)) return unauthorized(services, { status: 403, why: 'not by a page of ours' });
    const values = readValues(services, request, endpoint);
    if (isReply(values)) return values;
    const from = addressOf(request.message, services.trust);
    const waitMs = services.users.rateLimit(from);
    if (waitMs > 0) {
      const headers = ['Retry-After', String(Math.ceil(waitMs / 1000))];
      return services.replies.result('800.120.100', null, { headers });
    }
    const outcome = await handle(services, { values, from }, request);
    if (!isSignInResult(outcome)) return outcome;
    const { reply, who, result, objectId = null } = outcome;
    // Failed sign-ins must not fill the disk: they are counted like refusals.
    return audited({ who, what: endpoint, entityId: null, objectId, result, from }, replied(reply), reply.status !== 200);
  });

/** A call of a signed-in user about the user's own account. */
export type OwnAccountCall<Name extends AdminEndpointName> = SignInCall<Name> & { readonly signed: SignedInUser };

/** A handler about a signed-in user's own account, whatever the user's roles are. Nothing is audited. */
export const ownAccount =
  <Name extends SessionEndpointName>(
    endpoint: Name,
    handle: (services: Services, call: OwnAccountCall<Name>, request: Request) => Promise<Reply | AuditedReply>,
  ): Handler =>
  async (services, request) => {
    const signed = await signedInUser(services, request, endpoint);
    if (isRefused(signed)) return signed.reply;
    const values = readValues(services, request, endpoint);
    if (isReply(values)) return values;
    return handle(services, { signed, values, from: addressOf(request.message, services.trust) }, request);
  };

type OwnAccountResult = { readonly reply: Reply; readonly result?: string; readonly objectId?: string | null };

/** A handler that changes a user's own account, with an audit entry. */
export const ownAccountCommand = <Name extends SessionEndpointName>(
  endpoint: Name,
  handle: (services: Services, call: OwnAccountCall<Name>, request: Request) => Promise<OwnAccountResult>,
): Handler =>
  unlessBusy(
    ownAccount(endpoint, async (services, call, request) => {
      const who = call.signed.user.id;
      const {
        reply,
        objectId = who,
        result = reply.status === 200 ? 'done' : (reply.code ?? 'failed'),
      } = await handle(services, call, request);
      return audited({ who, what: endpoint, entityId: null, objectId, result, from: call.from }, replied(reply));
    }),
  );
