import type { Entity } from '../../../merchants/directory.ts';
import type { VersionedEntity } from '../../../merchants/ports.ts';
import { paymentView } from '../../../payments/reply/paymentView.ts';
import type { Assessment, FiredRule } from '../../../risk/assess.ts';
import { treeWith } from '../../../risk/backtest/ruleSelector.ts';
import { namedFacts } from '../../../risk/conditions/namedFacts.ts';
import { rulesOf } from '../../../risk/ruleBook.ts';
import type { Rule } from '../../../risk/rules.ts';
import { type PlacedFault, placedFaults, type RiskSettings, resolveRiskSettings } from '../../../risk/settings.ts';
import { type WordsLanguage, wordsOf } from '../../../risk/wording/wording.ts';
import { isRecord } from '../../../runtime/json.ts';
import type { RiskChecked, RiskExplained, RiskRules, RuleAbout, RuleView } from '../../../spec/answers/risk.ts';
import type { riskEndpoints } from '../../../spec/areas/risk.ts';
import type { Handler } from '../../handler.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { authorizeEntity, faulty, noSuch, overtaken } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { paymentWithin, reachOf } from '../listings/reach.ts';
import { backtestHandlers } from './backtest.ts';
import { listHandlers } from './lists.ts';
import { reviewHandlers } from './reviews.ts';

type Risk = Readonly<Record<string, unknown>>;

/** The setting of a node itself, and the inherited one. */
async function ofNode({ accounts, directory }: Pick<Services, 'accounts' | 'directory'>, id: string) {
  const row = (await accounts.store.lineages([id])).find((one) => one.id === id);
  const above = directory.entity(row?.parentId ?? '');
  return row ? { row, own: ownOf(row), inherited: above ? (above.settings.risk as Risk) : {} } : null;
}

const ownOf = ({ settings }: Pick<VersionedEntity, 'settings'>): Risk | null => (isRecord(settings.risk) ? settings.risk : null);

const idsIn = (risk: Risk | null): ReadonlySet<string> =>
  new Set(Array.isArray(risk?.rules) ? risk.rules.map((rule: Rule) => rule.id) : []);

const readRiskRules = query(
  'readRiskRules',
  authorizeEntity,
  async (services: Pick<Services, 'accounts' | 'directory' | 'replies'>, { entity, values }) => {
    const node = await ofNode(services, entity.id);
    return node ? shownRules(services, node, values.language ?? 'en') : noSuch(services, 'entity');
  },
);

type Node = NonNullable<Awaited<ReturnType<typeof ofNode>>>;

function shownRules(
  { replies, directory }: Pick<Services, 'directory' | 'replies'>,
  { row, own, inherited }: Node,
  language: WordsLanguage,
): Reply {
  const settings = resolveRiskSettings({ ...inherited, ...own });
  const [ownIds, aboveIds] = [idsIn(own), own?.rules === undefined ? idsIn(inherited) : new Set<string>()];
  const seen = (rule: Rule): RuleView => ({
    rule,
    from: ownIds.has(rule.id) ? 'own' : aboveIds.has(rule.id) ? 'inherited' : 'builtIn',
    words: wordsOf(rule, language),
  });
  const body: RiskRules = {
    entityId: row.id,
    revision: row.revision,
    own,
    inherited,
    mode: settings.mode,
    thresholds: settings.thresholds,
    rules: rulesOf(settings).map(seen),
    ruleSets: Object.keys(settings.ruleSets),
    names: Object.entries(namedFacts).map(([name, { kind }]) => ({ name, kind })),
    canBeTried: directory.entity(row.id)?.merchantId !== null,
  };
  return replies.json(200, body, { entityId: row.id });
}

/** An entity with those above it, and every one below it that has a setting of its own. */
function rowsWithRisk({ accounts, directory }: Pick<Services, 'accounts' | 'directory'>, entityId: string) {
  const owners = directory.ownersOf('risk').filter((id) => directory.entity(id)?.path.includes(entityId));
  return accounts.store.lineages([entityId, ...owners]);
}

/** Every fault of a setting with its path, including faults of several members together. */
async function faultsOf(
  { accounts, directory }: Pick<Services, 'accounts' | 'directory'>,
  entityId: string,
  risk: Risk,
): Promise<readonly PlacedFault[]> {
  const faults = placedFaults(risk);
  if (faults.length > 0) return faults;
  const whole = treeWith(await rowsWithRisk({ accounts, directory }, entityId), entityId, risk as Partial<RiskSettings>);
  return whole.is === 'invalid' ? [{ place: '', character: null, says: whole.fault }] : [];
}

const checkRiskRules = query(
  'checkRiskRules',
  authorizeEntity,
  async (services: Pick<Services, 'accounts' | 'directory' | 'replies'>, { entity, values }) => {
    const { risk, language = 'en' } = values;
    const rules: readonly unknown[] = Array.isArray(risk.rules) ? risk.rules : [];
    const body: RiskChecked = {
      faults: await faultsOf(services, entity.id, risk),
      words: rules.map((rule) => (isSpoken(rule) ? wordsOf(rule, language) : null)),
    };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

/** Whether a rule is complete enough to be put into words. */
function isSpoken(rule: unknown): rule is Rule {
  if (!isRecord(rule) || typeof rule.when !== 'string' || !isRecord(rule.gives)) return false;
  const { verdict, score, code } = rule.gives;
  return (
    ['accept', 'review', 'challenge', 'decline'].includes(String(verdict)) &&
    (score === undefined || Number.isSafeInteger(score)) &&
    (code === undefined || typeof code === 'string')
  );
}

const saveRiskRules = command(
  'saveRiskRules',
  authorizeEntity,
  async (services: Pick<Services, 'accounts' | 'directory' | 'replies'>, { entity, values }): Promise<CommandResult> => {
    const acted = (reply: Reply): CommandResult => ({ reply, objectId: entity.id });
    const { accounts } = services;
    const faults = await faultsOf(services, entity.id, values.risk);
    if (faults.length > 0) {
      const shownFaults = faults.map(({ place, says }) => ({
        name: place === '' ? 'risk' : `risk.${place}`,
        value: null,
        message: says,
      }));
      return acted(faulty(services, entity.id, ...shownFaults));
    }
    const node = await ofNode(services, entity.id);
    if (!node) return acted(noSuch(services, 'entity'));
    const { row } = node;
    const { risk: _, ...others } = row.settings;
    const settings = Object.keys(values.risk).length === 0 ? others : { ...others, risk: values.risk };
    const isKept =
      row.revision === values.revision &&
      (await accounts.store.saveEntity({ id: row.id, name: row.name, settings, revision: row.revision + 1 }));
    if (!isKept) return acted(overtaken(services, entity.id));
    await accounts.reload();
    const after = await ofNode(services, entity.id);
    return acted(after ? shownRules(services, after, 'en') : noSuch(services, 'entity'));
  },
);

const explainRisk = query(
  'explainRisk',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'replies' | 'risk'>, { entity, values }, request) => {
    const payment = await paymentWithin(services, reachOf(services, entity.id), request.id ?? '');
    if (!payment) return noSuch(services, 'payment');
    const channel = services.directory.entity(payment.entityId);
    const body: RiskExplained = {
      payment: paymentView(payment),
      assessment: payment.risk && explained(payment.risk, channel, values.language ?? 'en'),
    };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

/** The stored verdict, and the present rules that did not fire. */
function explained(risk: Assessment, channel: Entity | null, language: WordsLanguage): RiskExplained['assessment'] {
  const rules = channel ? rulesOf(resolveRiskSettings(channel.settings.risk)) : [];
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const ruleView =
    (is: 'fired' | 'shadow') =>
    (fired: FiredRule): RuleAbout => {
      const rule = byId.get(fired.rule);
      const { says, verdict, code, score, values } = fired;
      return { id: fired.rule, is, says, verdict, code, score, values, words: rule ? wordsOf(rule, language) : null };
    };
  const heard = new Set([...risk.fired, ...risk.shadow].map(({ rule }) => rule));
  const quiet = rules.filter(({ id }) => !heard.has(id));
  return {
    ruleSet: risk.ruleSet,
    verdict: risk.verdict.is,
    code: risk.verdict.is === 'decline' ? risk.verdict.code : null,
    asksReview: risk.asksReview,
    score: risk.score,
    rules: [
      ...risk.fired.map(ruleView('fired')),
      ...risk.shadow.map(ruleView('shadow')),
      ...quiet.map((rule): RuleAbout => ({ ...quietOf(rule), words: wordsOf(rule, language) })),
    ],
  };
}

const quietOf = ({ id, says, mode, gives }: Rule): Omit<RuleAbout, 'words'> => ({
  id,
  says,
  is: mode === 'off' ? 'off' : 'quiet',
  verdict: gives.verdict,
  code: gives.code ?? null,
  score: gives.score ?? 0,
  values: {},
});

/** The handlers about risk. */
export const riskHandlers: Readonly<Record<keyof typeof riskEndpoints, Handler>> = {
  readRiskRules,
  checkRiskRules,
  saveRiskRules,
  explainRisk,
  ...backtestHandlers,
  ...listHandlers,
  ...reviewHandlers,
};
