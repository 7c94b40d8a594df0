import type { ListAsked, ListPlace } from '../../../merchants/listing.ts';
import { placeText } from '../../../merchants/listing.ts';
import { deregister } from '../../../payments/changeRegistration.ts';
import { instantShown, instrumentSeen, paymentSeen } from '../../../payments/summary.ts';
import { last4Of, type RegistrationsAsked } from '../../../registrations/listing.ts';
import { isRegistrationId, type Registration } from '../../../registrations/registration.ts';
import { planSeen } from '../../../schedules/summary.ts';
import type { RegistrationDetail, RegistrationPage, SeenRegistration, UsePage } from '../../../spec/answers/stored.ts';
import type { Reply } from '../../server/reply.ts';
import type { Rooms } from '../../services.ts';
import { type Acted, acting, enterEntity, looking, noSuch } from '../authorize.ts';
import { beginOf, foundBy, nextOf, PAGE, reachOf } from './reach.ts';

/** Stored payment details. Their numbers are sealed, and nobody is shown them. */

const registrationSeen = (one: Registration): SeenRegistration => ({
  ...{ id: one.id, merchantId: one.merchantId, entityId: one.entityId, state: one.state },
  instrument: instrumentSeen(one.instrument, one.paymentBrand),
  createdAt: instantShown(one.createdAt),
  usedAt: instantShown(one.usedAt),
});

/** How many are looked at for one page of those with a name: the page ends there, and says where to go on. */
const LOOKED_MAX = 5_000;
const PORTION = 500;

type Found = { readonly found: readonly Registration[]; readonly next: string | null };

async function pageOf({ stored }: Rooms, asked: RegistrationsAsked, holder: string | null): Promise<Found> {
  const isMeant = (one: Registration): boolean => asked.last4Digits === null || last4Of(one) === asked.last4Digits;
  if (holder === null) {
    const listed = await stored.registrationsListed(asked);
    return { found: listed.filter(isMeant), next: nextOf(listed, asked.limit) };
  }
  const wanted = holder.toLowerCase();
  const isHeld = ({ instrument }: Registration): boolean =>
    'holder' in instrument && (instrument.holder ?? '').toLowerCase().includes(wanted);
  const found: Registration[] = [];
  let before: ListPlace | null = asked.before;
  for (let looked = 0; looked < LOOKED_MAX; looked += PORTION) {
    const portion: readonly Registration[] = await stored.registrationsListed({ ...asked, before, limit: PORTION });
    for (const one of portion) {
      if (isMeant(one) && isHeld(one)) found.push(one);
      if (found.length === asked.limit) return { found, next: placeText(one) };
    }
    const last = portion.at(-1);
    if (!last || portion.length < PORTION) return { found, next: null };
    before = { createdAt: last.createdAt, id: last.id };
  }
  return { found, next: before && placeText(before) };
}

const listRegistrations = looking('listRegistrations', enterEntity, async (rooms, { entity, values }) => {
  const { id, last4 = null, holder = null, state = null, after, limit = PAGE } = values;
  const reach = reachOf(rooms, entity.id);
  const asked: ListAsked = { reach, before: beginOf(after), limit };
  const named = id === undefined ? null : await registrationIn(rooms, entity.id, id);
  const { found, next } =
    id === undefined
      ? await pageOf(rooms, { ...asked, state, last4Digits: last4 }, holder)
      : { found: named ? [named] : [], next: null };
  const body: RegistrationPage = { registrations: found.map(registrationSeen), next };
  return rooms.respond.json(200, body, { entityId: entity.id });
});

/** Stored details within reach of a node, by their id. */
async function registrationIn(rooms: Rooms, entityId: string, id: string): Promise<Registration | null> {
  if (!isRegistrationId(id)) return null;
  return foundBy(
    reachOf(rooms, entityId),
    async (merchantId) => (await rooms.world.store.registration(merchantId, id))?.registration ?? null,
  );
}

const PLANS_MAX = 20;

async function detailOf(rooms: Rooms, one: Registration, language: 'en' | 'de'): Promise<RegistrationDetail> {
  const plans = await rooms.schedules.store.plansOf(one.merchantId, one.id, PLANS_MAX);
  const zoneOf = (entityId: string): string => rooms.world.channel(entityId)?.timeZone ?? 'UTC';
  const { networkToken, series } = one;
  return {
    ...registrationSeen(one),
    ...{ code: one.code, mode: one.mode, paymentId: one.paymentId },
    expiresAt: instantShown(one.expiresAt),
    extendedUntil: one.extendedUntil === null ? null : instantShown(one.extendedUntil),
    series: series && { type: series.type, initialTransactionId: series.initialTransactionId },
    networkToken: networkToken && {
      last4: networkToken.last4Digits,
      expiry: `${networkToken.expiryMonth}/${networkToken.expiryYear}`,
    },
    schedules: plans.map((plan) => planSeen(plan, { zone: zoneOf(plan.entityId), language })),
  };
}

const seeRegistration = looking('seeRegistration', enterEntity, async (rooms, { entity }, request) => {
  const one = await registrationIn(rooms, entity.id, request.id ?? '');
  if (!one) return noSuch(rooms, 'registration');
  return rooms.respond.json(200, await detailOf(rooms, one, 'en'), { entityId: entity.id });
});

const listUses = looking('listUses', enterEntity, async (rooms, { entity, values }, request) => {
  const one = await registrationIn(rooms, entity.id, request.id ?? '');
  if (!one) return noSuch(rooms, 'registration');
  const { after, limit = PAGE } = values;
  const { merchantId, id } = one;
  const uses = await rooms.stored.usesOf({ merchantId, registrationId: id, before: beginOf(after), limit });
  const own = uses.filter(({ registrationId }) => registrationId === id);
  const body: UsePage = { payments: own.map(paymentSeen), next: nextOf(uses, limit) };
  return rooms.respond.json(200, body, { entityId: entity.id });
});

const removeRegistration = acting('removeRegistration', enterEntity, async (rooms, { entity }, request): Promise<Acted> => {
  const acted = (reply: Reply): Acted => ({ reply, objectId: request.id });
  const one = await registrationIn(rooms, entity.id, request.id ?? '');
  if (!one) return acted(noSuch(rooms, 'registration'));
  const { world, environment } = rooms.at(one.merchantId);
  const { merchantId, id: registrationId } = one;
  const tended = await deregister(world, { merchantId, registrationId, entityId: null, environment, claim: null });
  if (tended.is === 'refused') return acted(rooms.respond.result(tended.refusal, entity.id));
  const after = await registrationIn(rooms, entity.id, registrationId);
  return acted(rooms.respond.json(200, await detailOf(rooms, after ?? one, 'en'), { entityId: entity.id }));
});

export const registrationOfficeHandlers = { listRegistrations, seeRegistration, listUses, removeRegistration };
