import type { Fault } from '../../../form/checked.ts';
import { codeOf } from '../../../payments/commitPayment.ts';
import { isOpen } from '../../../payments/payment.ts';
import type { AdminEndpointName } from '../../../spec/admin/admin.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { Scenario } from '../../../spec/scenarios/language.ts';
import { logOf, logOfPayment } from '../../../spec/scenarios/log.ts';
import { draw, playedIn } from '../../../spec/scenarios/played.ts';
import { readyScenario, readyScenarios } from '../../../spec/scenarios/ready.ts';
import {
  type ScenarioSettings,
  scenarioNamed,
  scenarioReferenceText,
  scenarioSettings,
} from '../../../spec/scenarios/scenarioReference.ts';
import { parseScenario } from '../../../spec/scenarios/shape.ts';
import type { Request } from '../../request.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { type AuthorizedAdmin, authorizeEntity, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import type { ScenarioService } from '../ports.ts';

/** Scenarios of the test environment. */

/** The most scenarios of one entity: they are loaded with the directory, every few seconds. */
const OWN_MAX = 20;
const CARDS_MAX = 50;

type OneEntity = Pick<AuthorizedAdmin<AdminEndpointName, null>, 'entity'>;

const inLive = ({ replies }: Pick<Services, 'replies'>, { entity }: OneEntity): Reply =>
  replies.result('700.400.580', entity.id, { status: 404, remark: 'live plays no scenarios' });

const faulty = ({ replies }: Pick<Services, 'replies'>, { entity }: OneEntity, ...faults: readonly Fault[]): Reply =>
  replies.result('200.300.404', entity.id, { faults });

const scenarioReply = ({ replies }: Pick<Services, 'replies'>, { entity }: OneEntity, body: object): Reply =>
  replies.json(200, body, { entityId: entity.id });

/** The scenarios that an entity can play and those attached to it, with the inherited ones. */
const seen = ({ directory }: Pick<Services, 'directory'>, { entity }: OneEntity): ScenarioSettings =>
  scenarioSettings(directory.entity(entity.id)?.settings.scenarios);

/** The name in the path after `scenarios`. */
const nameInPath = ({ path }: Request): string => path.split('/')[4] ?? '';

const attachedShown = ({ channel, cards }: ScenarioSettings) =>
  ({ attached: { channel, cards: Object.values(cards) } }) satisfies AdminAnswer<'attachScenario'>;

/** Lists the scenarios that an entity can play. */
export const listScenarios = query(
  'listScenarios',
  authorizeEntity,
  (services: Pick<Services, 'directory' | 'replies' | 'scenarios'>, about) => {
    if (services.scenarios === null) return inLive(services, about);
    const settings = seen(services, about);
    const ready = readyScenarios.map(({ name, says, with: tried, ends }) => ({ name, says, isReady: true, with: tried, ends }));
    const own = Object.values(settings.own).map(({ name, says }) => ({ name, says, isReady: false, with: null, ends: null }));
    return scenarioReply(services, about, {
      scenarios: [...ready, ...own],
      ...attachedShown(settings),
    } satisfies AdminAnswer<'listScenarios'>);
  },
);

/** Reads a scenario. */
export const readScenario = query(
  'readScenario',
  authorizeEntity,
  (services: Pick<Services, 'directory' | 'replies' | 'scenarios'>, about, request) => {
    if (services.scenarios === null) return inLive(services, about);
    const scenario = scenarioNamed(seen(services, about), nameInPath(request));
    return scenario ? shown(services, about, scenario) : noSuch(services, 'scenario');
  },
);

const shown = (services: Pick<Services, 'replies'>, about: OneEntity, scenario: Scenario): Reply =>
  scenarioReply(services, about, {
    isReady: readyScenario(scenario.name) !== undefined,
    scenario,
  } satisfies AdminAnswer<'readScenario'>);

/** Shows what a scenario leads to. */
export const readScenarioLog = query(
  'readScenarioLog',
  authorizeEntity,
  (services: Pick<Services, 'directory' | 'replies' | 'scenarios'>, about, request) => {
    if (services.scenarios === null) return inLive(services, about);
    const scenario = scenarioNamed(seen(services, about), nameInPath(request));
    if (!scenario) return noSuch(services, 'scenario');
    const seed = about.values.seed ?? scenario.seed ?? 0;
    return scenarioReply(services, about, {
      name: scenario.name,
      seed,
      log: logOf(draw(scenario, seed)),
    } satisfies AdminAnswer<'readScenarioLog'>);
  },
);

/** Shows the scenario that a payment plays. */
export const readPlayed = query(
  'readPlayed',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'scenarios' | 'world'>, about, request) => {
    if (services.scenarios === null) return inLive(services, about);
    const { directory, world } = services;
    const merchantId = directory.entity(about.entity.id)?.merchantId ?? '';
    const payment = await world.store.payment(merchantId, request.path.split('/').at(-1) ?? '');
    const isSeen = payment !== null && (directory.entity(payment.entityId)?.path ?? []).includes(about.entity.id);
    const played = isSeen ? playedIn(payment.fields) : null;
    if (!isSeen || !played) return noSuch(services, 'payment that plays a scenario');
    const { scenario: name, seed, attempt, acts } = played;
    const log = logOfPayment(played, payment.amount);
    const body: AdminAnswer<'readPlayed'> = {
      id: payment.id,
      name,
      seed,
      attempt,
      acts,
      code: codeOf(payment),
      isOpen: isOpen(payment),
      log,
    };
    return scenarioReply(services, about, body);
  },
);

/** A command about scenarios, which live does not have. */
function changing<Name extends 'putScenario' | 'removeScenario' | 'attachScenario' | 'detachScenario'>(
  endpoint: Name,
  change: (
    service: ScenarioService,
    services: Services,
    authorized: AuthorizedAdmin<Name, null> & { readonly name: string },
  ) => Promise<Reply>,
) {
  return command(endpoint, authorizeEntity<Name>, async (services, authorized, request): Promise<CommandResult> => {
    const { scenarios: service } = services;
    const reply =
      service === null
        ? inLive(services, authorized)
        : await change(service, services, { ...authorized, name: nameInPath(request) });
    return { reply, objectId: null };
  });
}

/** Saves a scenario of the entity. */
export const putScenario = changing('putScenario', async (service, services: Pick<Services, 'replies'>, about) => {
  const read = parseScenario(about.values.scenario);
  if (read.is === 'faulty') {
    const faults = read.faults.map(({ at, message }) => ({
      name: at === '' ? 'scenario' : `scenario.${at}`,
      value: null,
      message,
    }));
    return faulty(services, about, ...faults);
  }
  const { scenario } = read;
  const { name } = scenario;
  const refused = (message: string): Reply => faulty(services, about, { name: 'scenario.name', value: name, message });
  if (readyScenario(name)) return refused('is the name of a ready scenario');
  const { own } = await service.current(about.entity.id);
  if (!Object.hasOwn(own, name) && Object.keys(own).length >= OWN_MAX) {
    return refused(`would be one more than ${OWN_MAX}; remove another one first`);
  }
  await service.change(about.entity.id, (kept) => ({ ...kept, own: { ...kept.own, [name]: scenario } }));
  return shown(services, about, scenario);
});

/** Removes a scenario, and detaches it. */
export const removeScenario = changing('removeScenario', async (service, services: Pick<Services, 'replies'>, about) => {
  const { name } = about;
  const { own } = await service.current(about.entity.id);
  if (!Object.hasOwn(own, name)) return noSuch(services, 'scenario of your own');
  const isOther = (reference: string): boolean => reference.split('#')[0] !== name;
  await service.change(about.entity.id, ({ own: { [name]: _, ...others }, cards, channel }) => ({
    own: others,
    cards: Object.fromEntries(Object.entries(cards).filter(([, reference]) => isOther(reference))),
    channel: channel !== null && isOther(channel) ? channel : null,
  }));
  return scenarioReply(services, about, { name, removed: true } satisfies AdminAnswer<'removeScenario'>);
});

/** The keyed hash of the card that a request names; null when it names none. */
async function cardOf(
  service: ScenarioService,
  { directory }: Pick<Services, 'directory'>,
  about: OneEntity & { readonly values: { readonly card?: string } },
) {
  const { card } = about.values;
  const merchantId = directory.entity(about.entity.id)?.merchantId ?? null;
  if (card === undefined) return null;
  if (merchantId !== null) return service.fingerprint(merchantId, card);
  return { name: 'entityId', value: about.entity.id, message: 'must be a merchant or a channel, where a card is named' };
}

/** Attaches a scenario: payments play it without naming it. */
export const attachScenario = changing(
  'attachScenario',
  async (service, services: Pick<Services, 'directory' | 'replies'>, about) => {
    const { name, entity, values } = about;
    if (!scenarioNamed(seen(services, about), name)) return noSuch(services, 'scenario');
    const card = await cardOf(service, services, about);
    if (card !== null && typeof card !== 'string') return faulty(services, about, card);
    const { cards } = await service.current(entity.id);
    if (card !== null && !Object.hasOwn(cards, card) && Object.keys(cards).length >= CARDS_MAX) {
      return faulty(services, about, {
        name: 'card',
        value: null,
        message: `would be one more than ${CARDS_MAX}; detach another one first`,
      });
    }
    const reference = scenarioReferenceText({ name, seed: values.seed ?? null });
    await service.change(entity.id, (kept) =>
      card === null ? { ...kept, channel: reference } : { ...kept, cards: { ...kept.cards, [card]: reference } },
    );
    return scenarioReply(services, about, attachedShown(seen(services, about)));
  },
);

/** Detaches a scenario. */
export const detachScenario = changing(
  'detachScenario',
  async (service, services: Pick<Services, 'directory' | 'replies'>, about) => {
    const { name, entity } = about;
    const card = await cardOf(service, services, about);
    if (card !== null && typeof card !== 'string') return faulty(services, about, card);
    const kept = await service.current(entity.id);
    const attached = card === null ? kept.channel : (kept.cards[card] ?? null);
    if (attached === null || attached.split('#')[0] !== name) return noSuch(services, 'attachment');
    await service.change(entity.id, ({ cards, channel, own }) => {
      if (card === null) return { own, cards, channel: null };
      const { [card]: _, ...others } = cards;
      return { own, cards: others, channel };
    });
    return scenarioReply(services, about, attachedShown(seen(services, about)));
  },
);
