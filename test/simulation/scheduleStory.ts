import { check } from '../../src/form/check.ts';
import type { Checked } from '../../src/form/checked.ts';
import { decode } from '../../src/form/decode.ts';
import type { Channel } from '../../src/merchants/channel.ts';
import { amountText } from '../../src/money/amount.ts';
import { changeSchedule, createSchedule, endSchedule, type ScheduleOutcome } from '../../src/schedules/change.ts';
import { UNCOVERED } from './acquirer.ts';
import type { Street } from './bankEvents.ts';
import type { Client } from './client.ts';
import { cardMeans, fulfil, type Telling, waitForEnd } from './orders.ts';
import { dateText, nextAfter, rhythms } from './scheduleTimes.ts';
import { reach } from './secureShoppers.ts';
import { cards, channels } from './shops.ts';
import { breaks, note, type Sim } from './sim.ts';

/** Regular payments: a merchant makes a plan with stored details, changes it, ends it, and others try to. */

export type Planner = Street & { readonly client: Client };
type Fields = Readonly<Record<string, string>>;
type Verb = 'schedule' | 'reschedule' | 'deschedule';

const INITIAL: Fields = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
};
const INSTANTS_MAX = 8;
const CHANGES_MAX = 3;

export async function tellPlan(planner: Planner): Promise<void> {
  const { sim, client } = planner;
  const { chance, scheduler, weather } = sim;
  await scheduler.sleep(chance.below(Math.min(weather.chaosMs * 0.3, 600_000)));
  const channel = chance.pick(channels);
  let registrationId = null;
  for (let tries = 0; tries < 3 && registrationId === null; tries += 1)
    registrationId = await stored({ sim, client, channel, targets: [] });
  if (registrationId === null) return;
  const asking = { planner, channel, verb: 'schedule', id: '' } as const;
  let wish = wishOf(sim);
  const made = await ask({ ...asking, fields: { registrationId, ...wish } });
  if (made === null) return;
  for (let changes = chance.below(CHANGES_MAX + 1); changes > 0; changes -= 1) {
    await (chance.hits(0.7) ? waitForInstant(sim, wish) : pause(sim));
    wish = wishOf(sim);
    await ask({ ...asking, verb: 'reschedule', id: made, fields: wish });
  }
  await pause(sim);
  await meddle(planner, channel, made);
  const roll = chance.below(10);
  if (roll < 4) await ask({ ...asking, verb: 'deschedule', id: made, fields: {} });
  else if (roll === 4) await gone({ sim, client, channel, targets: [] }, registrationId);
}

/** Some come in the very moment in which something is due. */
async function pause({ chance, scheduler }: Sim): Promise<void> {
  await scheduler.sleep(chance.below(90_000));
  if (chance.hits(0.5)) await scheduler.sleep(nextAfter(60_000, scheduler.now()) - scheduler.now() + chance.below(2_000));
}

/** A schedule changes soon after an instant of it, while the run may still be due. */
async function waitForInstant({ chance, scheduler }: Sim, wish: Fields): Promise<void> {
  const stepMs = rhythms[wish['job.expression'] ?? ''] ?? 0;
  await scheduler.sleep(nextAfter(stepMs, scheduler.now()) - scheduler.now() + chance.below(2_000));
}

async function stored(telling: Telling): Promise<string | null> {
  const { sim, client, channel } = telling;
  const { number, fields } = cardMeans(sim.chance.pick(cards));
  const nothing = { amount: null, currency: 'EUR', token: null, id: null } as const;
  const reply = await fulfil(telling, {
    ...nothing,
    operation: 'RG',
    endpoint: 'register',
    channel,
    number,
    fields: { ...fields, ...INITIAL },
  });
  const id = reply?.body.id;
  if (typeof id !== 'string') return null;
  await waitForEnd(telling, id);
  return (client.known.get(id)?.code ?? '').startsWith('000.1') ? id : null;
}

const gone = (telling: Telling, registrationId: string) =>
  fulfil(telling, {
    amount: null,
    currency: 'EUR',
    number: null,
    token: null,
    fields: {},
    operation: 'DR',
    endpoint: 'deregister',
    channel: telling.channel,
    id: registrationId,
  });

const NOTICES: readonly Fields[] = [
  {},
  {},
  { 'job.noticeNumber': '70', 'job.noticeUnit': 'SECOND', 'job.noticeCallable': 'ANYTIME' },
  {
    'job.durationNumber': '2',
    'job.durationUnit': 'MINUTE',
    'job.noticeNumber': '30',
    'job.noticeUnit': 'SECOND',
    'job.noticeCallable': 'DURATION_END',
  },
];

/** Few instants, some of which may lie behind the trouble. */
function wishOf({ chance, scheduler }: Sim): Fields {
  const [expression, stepMs] = chance.pick(Object.entries(rhythms));
  const endsAt = scheduler.now() + chance.between(2, INSTANTS_MAX) * stepMs + chance.below(stepMs);
  return {
    paymentType: 'DB',
    amount: amountText(chance.hits(0.3) ? UNCOVERED : BigInt(chance.between(300, 40_000))),
    currency: 'EUR',
    'job.expression': expression,
    'job.endDate': dateText(endsAt),
    ...chance.pick(NOTICES),
  };
}

type Asking = {
  readonly planner: Planner;
  readonly channel: Channel;
  readonly verb: Verb;
  /** Of the plan that is meant. */
  readonly id: string;
  readonly fields: Fields;
};

const verbs: Readonly<Record<Verb, typeof changeSchedule>> = {
  schedule: (service, request) => createSchedule(service, request),
  reschedule: changeSchedule,
  deschedule: endSchedule,
};

/** Sent until there is an answer, each time with the same key; the id of the plan, or null when nothing came of it. */
async function ask(asking: Asking): Promise<string | null> {
  const { planner, channel, verb, id, fields } = asking;
  const { chance, scheduler } = planner.sim;
  const body = new URLSearchParams({ entityId: channel.entityId, ...fields }).toString();
  const claim = { entityId: channel.entityId, key: `plan-${chance.hex(8)}`, bodyHash: `${verb} ${id} ${body}` };
  for (let tries = chance.between(2, 5); tries > 0; tries -= 1) {
    const answer = await reach(planner, 'schedule', (_world, _entryPoints, _service, { schedules }) =>
      verbs[verb](schedules, { channel, checked: checkedForm(verb, channel, body), idempotencyKey: claim }, id),
    );
    if (answer) return heard(asking, answer.done);
    await scheduler.sleep(chance.pick([0, 500, 5_000, chance.below(40_000)]));
  }
  return null;
}

function checkedForm(endpoint: Verb, { isLenient }: Channel, body: string): Checked {
  const checked = check(decode(body), { endpoint, isLenient, source: 'server', environment: 'test' });
  if (checked.is === 'faulty') throw new Error(`the request is faulty: ${JSON.stringify(checked.faults)}`);
  return checked;
}

function heard({ planner: { sim }, channel, verb, id }: Asking, done: ScheduleOutcome): string | null {
  note(sim, `${channel.name} ${verb}: ${done.is}`);
  if (done.is === 'otherBody') breaks(sim, 'I5', `the same ${verb} was taken for another`);
  if (done.is !== 'done') return null;
  if (done.schedule.merchantId !== channel.merchantId) breaks(sim, 'I11', `${channel.name} was shown a plan of another merchant`);
  if (id !== '' && done.schedule.id !== id) breaks(sim, 'I5', `${verb} of ${id} was answered with ${done.schedule.id}`);
  return done.schedule.id;
}

/** Another merchant tries to end it. */
async function meddle({ sim, nodes }: Planner, { merchantId }: Channel, id: string): Promise<void> {
  const otherMerchant = sim.chance.hits(0.1) ? channels.find((channel) => channel.merchantId !== merchantId) : undefined;
  if (!otherMerchant) return;
  const body = new URLSearchParams({ entityId: otherMerchant.entityId }).toString();
  const answer = await reach({ sim, nodes }, 'schedule', (_world, _entryPoints, _service, { schedules }) =>
    endSchedule(
      schedules,
      { channel: otherMerchant, checked: checkedForm('deschedule', otherMerchant, body), idempotencyKey: null },
      id,
    ),
  );
  if (answer?.done.is === 'done') breaks(sim, 'I11', `${otherMerchant.name} could end the plan ${id} of another`);
}
