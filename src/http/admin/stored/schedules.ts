import { check } from '../../../form/check.ts';
import { decode } from '../../../form/decode.ts';
import type { Plan, Run } from '../../../payments/plan.ts';
import { instantShown, instrumentSeen, paymentSeen } from '../../../payments/summary.ts';
import { deschedule } from '../../../schedules/change.ts';
import { endShown, expressionOf, planSeen, runsAhead } from '../../../schedules/summary.ts';
import type { ScheduleDetail, SchedulePage } from '../../../spec/answers/stored.ts';
import type { Reply } from '../../server/reply.ts';
import type { Rooms } from '../../services.ts';
import { type Acted, acting, enterEntity, looking, noSuch } from '../authorize.ts';
import { beginOf, foundBy, nextOf, PAGE, reachOf } from './reach.ts';

/** Plans of regular payments. */

const RUNS_AHEAD = 10;
const RUNS_MAX = 100;

const zoneOf = ({ world, directory }: Rooms, { entityId }: Plan): string =>
  world.channel(entityId)?.timeZone ?? directory.entity(entityId)?.settings.timeZone ?? 'UTC';

async function planIn(rooms: Rooms, entityId: string, id: string): Promise<Plan | null> {
  if (!/^[0-9a-f]{32}$/.test(id)) return null;
  return foundBy(reachOf(rooms, entityId), (merchantId) => rooms.schedules.store.plan(merchantId, id));
}

const listSchedules = looking('listSchedules', enterEntity, async (rooms, { entity, values }) => {
  const { id, state = null, after, limit = PAGE, language = 'en' } = values;
  const reach = reachOf(rooms, entity.id);
  const named = id === undefined ? null : await planIn(rooms, entity.id, id);
  const plans =
    id === undefined ? await rooms.stored.plansListed({ reach, before: beginOf(after), limit, state }) : named ? [named] : [];
  const body: SchedulePage = {
    schedules: plans.map((plan) => planSeen(plan, { zone: zoneOf(rooms, plan), language })),
    next: id === undefined ? nextOf(plans, limit) : null,
  };
  return rooms.respond.json(200, body, { entityId: entity.id });
});

async function runSeen({ world }: Rooms, { merchantId }: Plan, { dueAt, at, paymentId, skipped }: Run) {
  const payment = paymentId === null ? null : await world.store.payment(merchantId, paymentId);
  return { dueAt: instantShown(dueAt), doneAt: instantShown(at), payment: payment && paymentSeen(payment), skipped };
}

async function detailOf(rooms: Rooms, plan: Plan, language: 'en' | 'de'): Promise<ScheduleDetail> {
  const zone = zoneOf(rooms, plan);
  const { merchantId, registrationId, charge } = plan;
  const now = rooms.at(merchantId).world.clock.now();
  const registered = await rooms.world.store.registration(merchantId, registrationId);
  const runs = await rooms.schedules.store.runs(merchantId, plan.id, RUNS_MAX);
  return {
    ...planSeen(plan, { zone, language }),
    endsAt: endShown(plan),
    expression: expressionOf(plan, zone),
    nextRuns: runsAhead(plan, zone, { now, count: RUNS_AHEAD }),
    again: charge && { at: charge.againAt === null ? null : instantShown(charge.againAt), tries: charge.tries },
    instrument: registered && instrumentSeen(registered.registration.instrument, registered.registration.paymentBrand),
    runs: await Promise.all(runs.map((run) => runSeen(rooms, plan, run))),
  };
}

const seeSchedule = looking('seeSchedule', enterEntity, async (rooms, { entity, values }, request) => {
  const plan = await planIn(rooms, entity.id, request.id ?? '');
  if (!plan) return noSuch(rooms, 'schedule');
  return rooms.respond.json(200, await detailOf(rooms, plan, values.language ?? 'en'), { entityId: entity.id });
});

/** As a merchant would end it himself. */
const cancelSchedule = acting('cancelSchedule', enterEntity, async (rooms, { entity }, request): Promise<Acted> => {
  const acted = (reply: Reply): Acted => ({ reply, objectId: request.id });
  const plan = await planIn(rooms, entity.id, request.id ?? '');
  const channel = plan && rooms.world.channel(plan.entityId);
  if (!plan || !channel) return acted(noSuch(rooms, 'schedule'));
  const { schedules, environment } = rooms.at(plan.merchantId);
  const said = decode(new URLSearchParams({ entityId: plan.entityId }).toString());
  const checked = check(said, { endpoint: 'deschedule', isLenient: true, source: 'server', environment });
  if ('faults' in checked) return acted(rooms.respond.result('200.300.404', entity.id, { faults: checked.faults }));
  const done = await deschedule(schedules, { channel, checked, claim: null }, plan.transactionId);
  if (done.is === 'refused') return acted(rooms.respond.result(done.refusal, entity.id));
  const after = (await planIn(rooms, entity.id, plan.id)) ?? plan;
  return acted(rooms.respond.json(200, await detailOf(rooms, after, 'en'), { entityId: entity.id }));
});

export const scheduleOfficeHandlers = { listSchedules, seeSchedule, cancelSchedule };
