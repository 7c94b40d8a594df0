import { cursorText, type ListCursor, type ListQuery } from '../../../merchants/listing.ts';
import { deregister } from '../../../payments/registration/changeRegistration.ts';
import { instantShown, instrumentView, paymentView } from '../../../payments/reply/paymentView.ts';
import { readFamilies } from '../../../payments/search/search.ts';
import type { RegistrationListQuery } from '../../../registrations/ports.ts';
import { isRegistrationId, last4Of, type Registration } from '../../../registrations/registration.ts';
import { scheduleView } from '../../../schedules/project.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { RegistrationDetail, RegistrationPage, RegistrationView, UsePage } from '../../../spec/answers/stored.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { authorizeEntity, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { cursorOf, foundBy, nextCursor, PAGE, reachOf } from './reach.ts';

/** Registrations. Their numbers are sealed and never shown. */

/** A registration in a list. */
export const registrationSeen = (one: Registration): RegistrationView => ({
  id: one.id,
  merchantId: one.merchantId,
  entityId: one.entityId,
  state: one.state,
  instrument: instrumentView(one.instrument, one.paymentBrand),
  createdAt: instantShown(one.createdAt),
  usedAt: instantShown(one.usedAt),
});

/** How many rows one page by name may scan: the page ends there with a cursor to continue. */
const LOOKED_MAX = 5_000;
const PORTION = 500;

type RegistrationPart = { readonly found: readonly Registration[]; readonly next: string | null };

async function pageOf(
  { listings }: Pick<Services, 'listings'>,
  listQuery: RegistrationListQuery,
  holder: string | null,
): Promise<RegistrationPart> {
  const matches = (one: Registration): boolean =>
    listQuery.last4Digits === null || last4Of(one.instrument) === listQuery.last4Digits;
  if (holder === null) {
    const listed = await listings.registrationsListed(listQuery);
    return { found: listed.filter(matches), next: nextCursor(listed, listQuery.limit) };
  }
  const wanted = holder.toLowerCase();
  const hasHolder = ({ instrument }: Registration): boolean =>
    'holder' in instrument && (instrument.holder ?? '').toLowerCase().includes(wanted);
  const found: Registration[] = [];
  let before: ListCursor | null = listQuery.before;
  for (let looked = 0; looked < LOOKED_MAX; looked += PORTION) {
    const portion: readonly Registration[] = await listings.registrationsListed({ ...listQuery, before, limit: PORTION });
    for (const one of portion) {
      if (matches(one) && hasHolder(one)) found.push(one);
      if (found.length === listQuery.limit) return { found, next: cursorText(one) };
    }
    const last = portion.at(-1);
    if (!last || portion.length < PORTION) return { found, next: null };
    before = { createdAt: last.createdAt, id: last.id };
  }
  return { found, next: before && cursorText(before) };
}

const listRegistrations = query(
  'listRegistrations',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'listings' | 'replies' | 'world'>, { entity, values }) => {
    const { id, last4 = null, holder = null, state = null, after, limit = PAGE } = values;
    const reach = reachOf(services, entity.id);
    const listQuery: ListQuery = { scope: reach, before: cursorOf(after), limit };
    const named = id === undefined ? null : await registrationIn(services, entity.id, id);
    const { found, next } =
      id === undefined
        ? await pageOf(services, { ...listQuery, state, last4Digits: last4 }, holder)
        : { found: named ? [named] : [], next: null };
    const body: RegistrationPage = { registrations: found.map(registrationSeen), next };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

/** A registration within reach of a node, by its id. */
export async function registrationIn(
  services: Pick<Services, 'directory' | 'world'>,
  entityId: string,
  id: string,
): Promise<Registration | null> {
  if (!isRegistrationId(id)) return null;
  return foundBy(
    reachOf(services, entityId),
    async (merchantId) => (await services.world.store.registration(merchantId, id))?.registration ?? null,
  );
}

const SCHEDULES_MAX = 20;

async function detailOf(
  services: Pick<Services, 'schedules' | 'world'>,
  one: Registration,
  language: 'en' | 'de',
): Promise<RegistrationDetail> {
  const schedules = await services.schedules.store.schedulesOf(one.merchantId, one.id, SCHEDULES_MAX);
  const zoneOf = (entityId: string): string => services.world.channel(entityId)?.timeZone ?? 'UTC';
  const { networkToken, series } = one;
  return {
    ...registrationSeen(one),
    code: one.code,
    mode: one.mode,
    customerId: one.fields['customer.merchantCustomerId'] ?? null,
    paymentId: one.paymentId,
    expiresAt: instantShown(one.expiresAt),
    extendedUntil: one.extendedUntil === null ? null : instantShown(one.extendedUntil),
    series: series && { type: series.type, initialTransactionId: series.initialTransactionId },
    networkToken: networkToken && {
      last4: networkToken.last4Digits,
      expiry: `${networkToken.expiryMonth}/${networkToken.expiryYear}`,
    },
    schedules: schedules.map((schedule) => scheduleView(schedule, { zone: zoneOf(schedule.entityId), language })),
  };
}

const seeRegistration = query(
  'seeRegistration',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'schedules' | 'world'>, { entity, values }, request) => {
    const one = await registrationIn(services, entity.id, request.id ?? '');
    if (!one) return noSuch(services, 'registration');
    const body = await detailOf(services, one, values.language ?? 'en');
    return services.replies.json(200, body satisfies AdminAnswer<'seeRegistration'>, { entityId: entity.id });
  },
);

const listUses = query(
  'listUses',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'listings' | 'queries' | 'replies' | 'world'>, { entity, values }, request) => {
    const one = await registrationIn(services, entity.id, request.id ?? '');
    if (!one) return noSuch(services, 'registration');
    const { after, limit = PAGE } = values;
    const { merchantId, id } = one;
    const uses = await services.listings.usesOf({ merchantId, registrationId: id, before: cursorOf(after), limit });
    const own = uses.filter(({ registrationId }) => registrationId === id);
    const familyOf = await readFamilies(services.queries, own);
    const body: UsePage = {
      payments: own.map((payment) => paymentView(payment, familyOf(payment))),
      next: nextCursor(uses, limit),
    };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

const removeRegistration = command(
  'removeRegistration',
  authorizeEntity,
  async (
    services: Pick<Services, 'directory' | 'forMerchant' | 'replies' | 'schedules' | 'world'>,
    { entity },
    request,
  ): Promise<CommandResult> => {
    const acted = (reply: Reply): CommandResult => ({ reply, objectId: request.id });
    const one = await registrationIn(services, entity.id, request.id ?? '');
    if (!one) return acted(noSuch(services, 'registration'));
    const { world, environment } = services.forMerchant(one.merchantId);
    const { merchantId, id: registrationId } = one;
    const deregistered = await deregister(world, {
      merchantId,
      registrationId,
      entityId: null,
      environment,
      idempotencyKey: null,
    });
    if (deregistered.is === 'refused') return acted(services.replies.result(deregistered.refusal, entity.id));
    const after = await registrationIn(services, entity.id, registrationId);
    return acted(
      services.replies.json(200, (await detailOf(services, after ?? one, 'en')) satisfies AdminAnswer<'removeRegistration'>, {
        entityId: entity.id,
      }),
    );
  },
);

export const registrationHandlers = { listRegistrations, seeRegistration, listUses, removeRegistration };
