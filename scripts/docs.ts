import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checks } from '../src/cli/commands/doctor/doctor.ts';
import { type Setting, settings } from '../src/config/settings.ts';
import { connectorKinds } from '../src/connectors/registry.ts';
import { directives, wrongAnswers } from '../src/connectors/simulator/directives.ts';
import { tokenRanges } from '../src/connectors/simulator/networkTokens.ts';
import { giftCards } from '../src/connectors/simulator/verdict.ts';
import { lifecyclePicture } from '../src/payments/lifecyclePicture.ts';
import { guides } from '../src/site/snippets/guides.ts';
import { languages, type Step } from '../src/site/snippets/languages.ts';
import { ONE_TIME_CODE, testBankAccounts, testCards } from '../src/spec/cards/testCards.ts';
import { type Endpoint, endpoints } from '../src/spec/endpoints.ts';
import { openApi } from '../src/spec/openApi/openApi.ts';
import { endOf, languageMembers } from '../src/spec/reference/scenarios.ts';
import type { RetryRule } from '../src/spec/resultCodes/retryRules.ts';
import { type ResultEntry, resultCodes } from '../src/spec/resultCodes.ts';
import { type RetentionRow, retention } from '../src/spec/retention.ts';
import { readyScenarios } from '../src/spec/scenarios/ready.ts';
import { type Tag, type TagName, tags } from '../src/spec/tags.ts';
import { validityRows } from '../src/spec/validity.ts';
import { limitsOf } from '../src/store/postgres/limits.ts';
import { drawBadges } from '../src/widget/images/badges.ts';
import { deriveAnswerSchemas } from './answerSchemas.ts';
import { assurancePage } from './assurancePage.ts';
import { compatibilityTables } from './compatibility.ts';
import { connectorPages, tableOf as rows, validityTable } from './connectorPages.ts';
import { DASHBOARD, dashboardText, monitoringTables, RULES, rulesText } from './monitoring/files.ts';
import { exampleDocuments } from './release/exampleLocks.ts';
import { noticeText } from './release/notice.ts';
import { isPublished, publicationFragments } from './release/publication.ts';

const root = join(import.meta.dirname, '..');

type Document = { readonly path: string; readonly text: string };

/** The generated documents: written by `npm run docs`, compared by a test. */
export function derivedDocuments(): readonly Document[] {
  const documents = [
    ...tableDocuments(),
    ...exampleDocuments((path) => (existsSync(join(root, path)) ? read(path) : null), isPublished),
  ];
  const paths = new Set(documents.map(({ path }) => path));
  const pages = Object.keys(publicationFragments(isPublished)).filter((path) => !paths.has(path));
  return [...documents, ...pages.map((path) => ({ path, text: read(path) }))].map(({ path, text }) => ({
    path,
    text: withPublication(path, text, isPublished),
  }));
}

/** A page as it reads before or after publication. */
export const withPublication = (path: string, text: string, published: boolean): string =>
  Object.entries(publicationFragments(published)[path] ?? {}).reduce((page, [mark, inner]) => between(page, mark, inner), text);

function tableDocuments(): readonly Document[] {
  return [
    { path: 'NOTICE', text: noticeText() },
    { path: 'docs/settings.md', text: between(read('docs/settings.md'), 'settings', settingRows()) },
    { path: 'docs/endpoints.md', text: between(read('docs/endpoints.md'), 'endpoints', endpointTables()) },
    { path: 'docs/openapi.json', text: `${JSON.stringify(openApi('/', deriveAnswerSchemas()), null, 2)}\n` },
    { path: 'docs/assurance.md', text: assurancePage() },
    { path: 'docs/retention.md', text: between(read('docs/retention.md'), 'retention', retentionRows()) },
    { path: 'docs/result-codes.md', text: resultCodePage() },
    { path: 'docs/authorisations.md', text: between(read('docs/authorisations.md'), 'validity', validityTable(validityRows)) },
    { path: 'docs/simulator.md', text: simulatorPage() },
    { path: 'docs/scenarios.md', text: scenarioPage() },
    {
      path: 'docs/operations.md',
      text: between(between(read('docs/operations.md'), 'limits', limitRows()), 'checks', checkRows()),
    },
    { path: 'docs/monitoring.md', text: monitoringPage() },
    { path: RULES, text: rulesText() },
    { path: DASHBOARD, text: dashboardText() },
    { path: 'docs/compatibility.md', text: compatibilityPage() },
    { path: 'src/widget/images/brand.svg', text: drawBadges() },
    ...connectorPages(root, connectorKinds.values()),
    ...guides.map(({ page, steps }) => ({ path: `docs/${page}.md`, text: guidePage(`docs/${page}.md`, steps) })),
    { path: 'ARCHITECTURE.md', text: between(read('ARCHITECTURE.md'), 'lifecycle', `\`\`\`\n${lifecyclePicture()}\`\`\``) },
  ];
}

const compatibilityPage = (): string =>
  Object.entries(compatibilityTables(read('src/widget/options.ts'))).reduce(
    (page, [mark, table]) => between(page, mark, table),
    read('docs/compatibility.md'),
  );

/** A guide with its requests as curl commands. The site shows them in every language. */
function guidePage(path: string, steps: readonly Step[]): string {
  const [curl] = languages;
  if (curl === undefined) throw new Error('there is no language');
  const block = (text: string) => `\`\`\`sh\n${text}\n\`\`\``;
  const start = between(read(path), 'set up', block(curl.setUp));
  return steps.reduce((text, step) => between(text, `step ${step.id}`, block(curl.step(step))), start);
}

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Replaces the text between two marks. */
function between(text: string, mark: string, inner: string): string {
  const [head, rest] = text.split(`<!-- ${mark} -->`);
  const tail = rest?.split(`<!-- /${mark} -->`)[1];
  if (head === undefined || tail === undefined) throw new Error(`the mark ${mark} is missing`);
  return `${head}<!-- ${mark} -->\n${inner}\n<!-- /${mark} -->${tail}`;
}

function settingRows(): string {
  const names = (name: string, kind?: string): string => (kind === 'secret' ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``);
  const lines = Object.entries<Setting>(settings).map(([name, { kind, otherwise, means }]) => [
    names(name, kind),
    otherwise,
    means,
  ]);
  return rows(['Name', 'Default', 'Meaning'], lines);
}

/** The page of `docs/` about the endpoints of a tag, without `.md`. */
const pageOfTag: Partial<Record<TagName, string>> = {
  payments: 'authorisations',
  queries: 'queries',
  registrations: 'guides/stored-cards',
  checkouts: 'checkouts',
  widget: 'widget',
  authentications: 'guides/3d-secure',
  riskChecks: 'risk',
  schedules: 'schedules',
  settlementReports: 'reconciliation',
  catalogues: 'result-codes',
  notifications: 'connectors/accounts',
  sandboxPages: 'sandbox',
  webhooks: 'webhooks',
  accessTokens: 'rotation',
  secrets: 'connectors/accounts',
  adminPayments: 'backoffice',
  approvals: 'users',
  riskRules: 'risk',
  routing: 'connectors/routing',
  settlement: 'settlement',
  ledger: 'ledger',
  users: 'users',
  audit: 'audit',
  developerTools: 'inspector',
  testClock: 'clock',
  scenarios: 'scenarios',
  operation: 'operations',
};

/** The endpoints by tag, the API for merchants first. */
function endpointTables(): string {
  const accessOf = ({ access, right }: Endpoint): string =>
    right === undefined
      ? { token: 'token', admin: 'token', session: 'signed in', signIn: 'signing in', none: 'open' }[access]
      : `\`${right}\``;
  const tableOf = ([name, { title, description }]: readonly [string, Tag]): string => {
    const own = Object.values<Endpoint>(endpoints).filter((one) => one.tag === name);
    const lines = own.map((one) => [`\`${one.method} ${one.path}\``, accessOf(one), one.summary.replaceAll('|', '\\|')]);
    const page = pageOfTag[name as TagName];
    const more = page === undefined ? '' : ` More: [${page}](${page}.md).`;
    return lines.length === 0 ? '' : `### ${title}\n\n${description}${more}\n\n${rows(['Endpoint', 'Access', 'Purpose'], lines)}`;
  };
  const partOf = (document: Tag['document']): string =>
    Object.entries<Tag>(tags)
      .filter(([, tag]) => tag.document === document)
      .map(tableOf)
      .filter((table) => table !== '')
      .join('\n\n');
  return `## For merchants\n\n${partOf('merchant')}\n\n## Administration\n\n${partOf('administration')}`;
}

/** What is kept how long, with the setting where an operator may choose. */
function retentionRows(): string {
  const keptFor = ({ days, since, tables }: RetentionRow): string =>
    days === null ? 'always' : tables.length === 0 ? 'never stored' : `${days === 0 ? 'until' : `${days} days after`} ${since}`;
  const choice = (name: string, { range, setting }: RetentionRow): string =>
    range ? `${range[0]} to ${range[1]} (\`${setting ?? `RETENTION_DAYS=${name}=…`}\`)` : '';
  const lines = Object.entries<RetentionRow>(retention).map(([name, row]) => [
    row.what,
    keptFor(row),
    choice(name, row),
    row.because,
    row.job ?? '',
  ]);
  return rows(['Data', 'Kept', 'Days you may choose', 'Because', 'Job'], lines);
}

function limitRows(): string {
  const spell = (ms: number): string =>
    ms % 3_600_000 === 0 ? `${ms / 3_600_000} h` : ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1_000} s`;
  const lines = Object.entries(limitsOf).map(([work, limits]) => [
    work,
    ...[limits.statementMs, limits.lockMs, limits.idleMs, limits.transactionMs].map(spell),
  ]);
  return rows(['Work', 'Statement', 'Lock', 'Idle in transaction', 'Transaction'], lines);
}

const monitoringPage = (): string =>
  Object.entries(monitoringTables(rows)).reduce((text, [mark, table]) => between(text, mark, table), read('docs/monitoring.md'));

/** The table of `npx turnpike doctor`. */
const checkRows = (): string =>
  rows(
    ['Check', 'Severity', 'Looks at', 'Remedy'],
    checks.map(({ id, severity, looksAt, remedy }) => [`\`${id}\``, severity, looksAt, remedy.replaceAll('|', '\\|')]),
  );

function scenarioPage(): string {
  const ready = readyScenarios.map((one) => [`\`${one.name}\``, one.says, one.with, endOf(one)]);
  const language = languageMembers.map(({ path, isRequired, description, message }) => [
    `\`${path}\`${isRequired ? ' (required)' : ''}`,
    `${description} It ${message}.`.replaceAll('|', '\\|'),
  ]);
  const listed = between(read('docs/scenarios.md'), 'ready', rows(['Name', 'Description', 'Instrument', 'Result'], ready));
  return between(listed, 'language', rows(['Member', 'Meaning'], language));
}

function resultCodePage(): string {
  const lines = Object.entries<ResultEntry>(resultCodes).map(([code, { means, http, text, advice, retry }]) => [
    code,
    means,
    String(http),
    text,
    advice,
    means === 'declined' || means === 'refused' ? retryText(retry) : '',
  ]);
  return `# Result codes

Generated by \`npm run docs\` from \`src/spec/resultCodes/\`. The last column has the retry rules ([routing](connectors/routing.md)); \`GET /v1/resultcodes\`
returns them as \`retry\`.

${rows(['Code', 'Outcome', 'HTTP', 'Text', 'Advice', 'Retry'], lines)}
`;
}

const AGAIN = { later: 'later', advised: 'when the issuer advises it', never: 'never' } as const;

function retryText({ otherAccount, again, afterDays, triesMax }: RetryRule): string {
  const limits = again === 'later' ? `${afterDays > 0 ? ` after ${afterDays} day` : ''}, at most ${triesMax} tries` : '';
  return `${otherAccount === 'no' ? '' : 'other account; '}${AGAIN[again]}${limits}`;
}

function simulatorPage(): string {
  const cards = testCards.map(({ brand, number, threeDSecure }) => [brand, number, threeDSecure]);
  const accounts = testBankAccounts.flatMap(({ country, iban, bic, brand }) =>
    brand === 'DIRECTDEBIT_SEPA' ? [[country, iban ?? '', bic ?? '']] : [],
  );
  return `# The simulator

Generated by \`npm run docs\`. The simulator is the acquirer of the test environment. Use any future expiry date and any CVV of the right length.

## Directives

Custom parameters tell the simulator what to do. [Scenarios](scenarios.md) combine them under a name.

${rows(
  ['Parameter', 'Values', 'Effect'],
  Object.values(directives).map(({ parameter, takes, effect }) => [`\`${parameter}\``, takes, effect]),
)}

## Throttling on purpose

The setting \`throttle\` of a channel or merchant limits each endpoint, by default at a few hundred to a few thousand requests a minute. To see
your client throttled, set a small limit in the back office (Administration, Limits) or by \`POST /admin/v1/entities/{id}\` with
\`{"revision":…,"set":{"throttle":{"pay":{"requests":2,"perSeconds":60}}}}\`: the third payment within a minute gets HTTP 429 with 800.120.100 and
a \`Retry-After\` header, and nothing is stored. The scenario \`throttled-then-paid\`, or \`customParameters[forceResultCode]=800.120.100\`, gives a
single payment the same status and code without a change of settings; that payment is stored as refused, and has no \`Retry-After\`.

## Connection problems

${rows(
  ['`customParameters[SIMULATOR_answer]`', 'Effect'],
  Object.entries(wrongAnswers).map(([name, what]) => [`\`${name}\``, what]),
)}

## Stored credentials

${storedCredentials()}

## Gift cards (GIFTCARD)

${rows(['PA or DB', 'Result'], Object.entries(giftCards))}

## Cards

The one-time code of every challenge is \`${ONE_TIME_CODE}\`; any other code is wrong.

${rows(['Brand', 'Number', '3D Secure'], cards)}

## Bank accounts (DIRECTDEBIT_SEPA)

${rows(['Country', 'IBAN', 'BIC'], accounts)}
`;
}

/** How the simulated schemes treat stored credentials. */
function storedCredentials(): string {
  return `An approved PA or DB by card with \`standingInstruction.mode=INITIAL\`, and a registration with it, returns a reference of 15
characters as \`standingInstruction.initialTransactionId\` and \`resultDetails.CardholderInitiatedTransactionID\`; with MASTER also
\`standingInstruction.agreementId\`. It is valid for that card at that merchant only, without expiry, on every node.

A merchant-initiated payment (\`source=MIT\` with \`mode=REPEATED\`, or an industry practice) must prove that the shopper agreed once:

${rows(
  ['Merchant-initiated PA or DB by card', 'Result'],
  [
    ['with the reference of this card, or with MASTER the agreement, sent or stored in its registration', 'approved'],
    ['of a migrated series (`recurringMigration.*` with its time or an id of the connector)', 'approved'],
    ['industry practice that references a payment of this card (`referenceUuid`)', 'approved'],
    ['RESUBMISSION of a payment without a series', 'approved'],
    ['without any proof', 'declined with 100.150.300'],
    ['with an unknown reference, or one of another card', 'declined with 800.100.167'],
    ['after `standingInstruction.expiry`', 'declined with 800.100.500'],
  ],
)}

A stored card of these brands gets a network token, valid three years longer than the card. Payments then use it with a new cryptogram,
and an approval has \`resultDetails.NetworkToken=used\`. A wrong cryptogram is declined with 800.100.154, an expired token with
100.100.303. The same applies to such a token sent as \`tokenAccount.number\` with type NETWORK; any other number there is accepted with
a well-formed cryptogram or dtvc.

${rows(
  ['Brand', 'Network tokens begin with'],
  Object.entries(tokenRanges).map(([brand, start]) => [brand, start]),
)}`;
}

if (import.meta.main)
  for (const { path, text } of derivedDocuments()) {
    const isNew = writeIfChanged(join(root, path), text);
    console.log(`${isNew ? 'written ' : 'as it was'} ${path}`);
  }

function writeIfChanged(path: string, text: string): boolean {
  try {
    if (readFileSync(path, 'utf8') === text) return false;
  } catch {
    // It is not there yet.
  }
  writeFileSync(path, text);
  return true;
}
