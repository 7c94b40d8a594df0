import { amountText } from '../../../money/amount.ts';
import { instantShown } from '../../../payments/reply/paymentView.ts';
import {
  type AccountMandate,
  type AccountMandateCursor,
  findMandates,
  type KnownMandate,
  type MandateCollection,
  type NamedBook,
} from '../../../registrations/mandate.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { CollectionView, MandateDetail, MandateView } from '../../../spec/answers/stored.ts';
import { preNotification } from '../../../spec/sepa.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { authorizeEntity, faulty, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { PAGE } from './reach.ts';

/** Direct debit mandates of the accounts that collect by them. */

/** A mandate's id may have any character that banks accept, so addresses have it and its account in hexadecimal digits. */
const keyOf = (account: string, mandateId: string): string => Buffer.from(`${account}/${mandateId}`, 'utf8').toString('hex');

function readKey(key: string): { readonly account: string; readonly mandateId: string } | null {
  if (!/^(?:[0-9a-f]{2}){3,300}$/.test(key)) return null;
  const text = Buffer.from(key, 'hex').toString('utf8');
  const end = text.indexOf('/');
  return end < 1 ? null : { account: text.slice(0, end), mandateId: text.slice(end + 1) };
}

function readCursor(after: string | undefined): AccountMandateCursor | null {
  const [, at = '', key = ''] = /^([0-9]{1,16})-([0-9a-f]+)$/.exec(after ?? '') ?? [];
  const read = readKey(key);
  return read && { createdAt: Number(at), ...read };
}

const cursorText = ({ createdAt, account, mandateId }: AccountMandateCursor): string =>
  `${createdAt}-${keyOf(account, mandateId)}`;

type Language = 'en' | 'de';

function collectionView(mandate: KnownMandate, collection: MandateCollection, language: Language): CollectionView {
  const { paymentId, dueOn, sequence, noticeBy } = collection;
  const amount = amountText(collection.amount);
  const { id: mandateId, last4, creditorId, creditorName, next } = mandate;
  const isToCome = next !== null && dueOn >= next.dueOn;
  const announced = { amount, currency: 'EUR', dueOn, last4, mandateId, creditorId, creditorName };
  const notice = isToCome ? preNotification(announced, language) : null;
  return { paymentId, amount, currency: 'EUR', dueOn, sequence, noticeBy, notice };
}

function mandateView({ account, mandate }: AccountMandate, language: Language): MandateView {
  const { id, merchantId, scheme, state, signedOn, createdAt, lastDueOn, lapsesOn, uses, next } = mandate;
  return {
    id: keyOf(account, id),
    merchantId,
    mandateId: id,
    account,
    scheme,
    state,
    signedOn,
    createdAt: instantShown(createdAt),
    lastDueOn,
    lapsesOn,
    uses,
    next: next && collectionView(mandate, next, language),
    last4: mandate.last4,
    customerId: mandate.customerId,
    registrationId: mandate.registrationId,
  };
}

function mandateDetail(found: AccountMandate, language: Language): MandateDetail {
  const { creditorId, creditorName, endedAt, collections } = found.mandate;
  return {
    ...mandateView(found, language),
    creditorId,
    creditorName,
    endedAt: endedAt === null ? null : instantShown(endedAt),
    collections: collections.map((one) => collectionView(found.mandate, one, language)),
  };
}

const NOT_A_MERCHANT = 'must be a merchant: only merchants have mandates';

const listMandates = query(
  'listMandates',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'mandates' | 'replies'>, { entity, values }) => {
    const { mandateId, customerId, last4, state, upcoming, after, limit = PAGE, language = 'en' } = values;
    if (services.directory.entity(entity.id)?.kind !== 'merchant')
      return faulty(services, entity.id, { name: 'entityId', value: entity.id, message: NOT_A_MERCHANT });
    const filters = { mandateId, customerId, last4, state, isUpcoming: upcoming };
    const { found, next } = await findMandates(services.mandates(entity.id), entity.id, {
      filters,
      after: readCursor(after),
      limit,
    });
    const body: AdminAnswer<'listMandates'> = {
      mandates: found.map((one) => mandateView(one, language)),
      next: next && cursorText(next),
    };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

/** The account of a mandate's address, at the merchant; null: there is none. */
function bookOf(
  { mandates }: Pick<Services, 'mandates'>,
  merchantId: string,
  key: string | null,
): (NamedBook & { readonly mandateId: string }) | null {
  const read = readKey(key ?? '');
  const found = read && mandates(merchantId).find(({ account }) => account === read.account);
  return found ? { ...found, mandateId: read.mandateId } : null;
}

const seeMandate = query(
  'seeMandate',
  authorizeEntity,
  async (services: Pick<Services, 'mandates' | 'replies'>, { entity, values }, request) => {
    const named = bookOf(services, entity.id, request.id);
    const mandate = named && (await named.book.find(entity.id, named.mandateId));
    if (!named || !mandate) return noSuch(services, 'mandate');
    const body = mandateDetail({ account: named.account, mandate }, values.language ?? 'en');
    return services.replies.json(200, body satisfies AdminAnswer<'seeMandate'>, { entityId: entity.id });
  },
);

const endMandate = command(
  'endMandate',
  authorizeEntity,
  async (services: Pick<Services, 'mandates' | 'replies'>, { entity }, request): Promise<CommandResult> => {
    const acted = (reply: Reply): CommandResult => ({ reply, objectId: request.id });
    const named = bookOf(services, entity.id, request.id);
    const mandate = named && (await named.book.end(entity.id, named.mandateId));
    if (!named || !mandate) return acted(noSuch(services, 'mandate'));
    const body = mandateDetail({ account: named.account, mandate }, 'en');
    return acted(services.replies.json(200, body satisfies AdminAnswer<'endMandate'>, { entityId: entity.id }));
  },
);

export const mandateHandlers = { listMandates, seeMandate, endMandate };
