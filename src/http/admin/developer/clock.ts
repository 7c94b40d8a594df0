import { type AdvanceSummary, isReal } from '../../../merchants/clocks.ts';
import type { AdminValues } from '../../../spec/admin/admin.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { type AuthorizedAdmin, authorizeEntity, faulty } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import type { ClockService } from '../ports.ts';

/** Test clocks of merchants. */

/** The longest single advance and the latest instant of a clock: years of cards and schedules begin with 20. */
const YEARS_MAX = 10;
const LAST = Date.UTC(2080, 0, 1);

const noClock = ({ replies }: Pick<Services, 'replies'>, entityId: string): Reply =>
  replies.result('700.400.580', entityId, { status: 404, remark: 'live has no clocks to move: its time is real' });

const instant = (ms: number): string => new Date(ms).toISOString();

function shown(
  { replies }: Pick<Services, 'replies'>,
  clocks: ClockService,
  { merchantId, did }: { merchantId: string; did?: AdvanceSummary },
): Reply {
  const row = clocks.row(merchantId);
  const target = targetOf(clocks, merchantId);
  const body: AdminAnswer<'moveClock'> = {
    merchantId,
    now: instant(clocks.now(merchantId)),
    isFrozen: row.frozenAt !== null,
    isReal: isReal(row),
    isMoving: target !== null,
    target: target === null ? null : instant(target),
    ...(did && { did }),
  };
  return replies.json(200, body, { entityId: merchantId });
}

type OneClock = { readonly kind: 'clock'; readonly clocks: ClockService; readonly merchantId: string };

/** The merchant whose clock a request means; a channel has that of its merchant. */
function clockOf(
  services: Pick<Services, 'clocks' | 'directory' | 'replies'>,
  { entity }: Pick<AuthorizedAdmin<'readClock', null>, 'entity'>,
): OneClock | Reply {
  const { clocks, directory } = services;
  if (clocks === null) return noClock(services, entity.id);
  const merchantId = directory.entity(entity.id)?.merchantId ?? null;
  if (merchantId !== null) return { kind: 'clock', clocks, merchantId };
  const message = 'must be a merchant or a channel: what stands above merchants has no clock';
  return faulty(services, entity.id, { name: 'entityId', value: entity.id, message });
}

/** Reads the clock of a merchant. */
export const readClock = query(
  'readClock',
  authorizeEntity,
  async (services: Pick<Services, 'clocks' | 'directory' | 'replies'>, about) => {
    const found = clockOf(services, about);
    if (found.kind === undefined) return found;
    await found.clocks.refresh();
    return shown(services, found.clocks, found);
  },
);

/** Sets the clock of a merchant. */
export const moveClock = command(
  'moveClock',
  authorizeEntity,
  async (services: Pick<Services, 'clocks' | 'directory' | 'replies'>, about): Promise<CommandResult> => {
    const found = clockOf(services, about);
    return { reply: found.kind === undefined ? found : await change(services, found, about.values), objectId: null };
  },
);

const changes = ['freeze', 'to', 'by', 'real'] as const;

async function change(
  services: Pick<Services, 'replies'>,
  { clocks, merchantId }: OneClock,
  values: AdminValues<'moveClock'>,
): Promise<Reply> {
  const [wanted, ...more] = changes.filter((name) => values[name] !== undefined);
  if (wanted === undefined || more.length > 0) {
    const message = `send exactly one of ${changes.join(', ')}`;
    return faulty(services, merchantId, { name: more[0] ?? 'to', value: null, message });
  }
  await clocks.refresh();
  if (wanted === 'freeze') await clocks.freeze(merchantId);
  if (wanted === 'real') await clocks.resetToReal(merchantId);
  if (wanted === 'freeze' || wanted === 'real') return shown(services, clocks, { merchantId });
  const now = clocks.now(merchantId);
  const target = values.by === undefined ? (values.to ?? now) : later(now, values.by);
  const fault = targetFault(now, target) ?? movingFault(clocks, merchantId);
  if (fault !== null) return faulty(services, merchantId, { name: wanted, value: textOf(values), message: fault });
  const did = await clocks.advance(merchantId, target ?? now);
  if (did) return shown(services, clocks, { merchantId, did });
  const message =
    movingFault(clocks, merchantId) ?? 'another request has set the clock at the same moment; read it and try again';
  return faulty(services, merchantId, { name: wanted, value: textOf(values), message });
}

const textOf = ({ by, to }: AdminValues<'moveClock'>): string | null => by ?? (to === undefined ? null : instant(to));

/** Months and years by the calendar; null: further than a calendar goes. */
function later(now: number, by: string): number | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').add(by).epochMilliseconds;
  } catch {
    return null;
  }
}

function targetFault(now: number, target: number | null): string | null {
  if (target !== null && target <= now) return `must lie ahead: the clock shows ${instant(now)} and goes only forward`;
  if (target === null || target > LAST) return `must not go beyond ${instant(LAST)}`;
  return target > (later(now, `P${YEARS_MAX}Y`) ?? now) ? `must not go further than ${YEARS_MAX} years at once` : null;
}

/** Where the clock is going. Where it has arrived, the work of that instant may still be going on. */
const targetOf = (clocks: ClockService, merchantId: string): number | null =>
  clocks.row(merchantId).target ?? (clocks.isAdvancing(merchantId) ? clocks.now(merchantId) : null);

function movingFault(clocks: ClockService, merchantId: string): string | null {
  const target = targetOf(clocks, merchantId);
  if (target === null) return null;
  return `the clock is on its way to ${instant(target)} already; wait until it is there, or stop it with freeze`;
}
