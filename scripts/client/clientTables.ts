import { shopperTextKey } from '../../src/http/shopper/checkoutReply.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { amountOf } from '../../src/money/amount.ts';
import { type AdminEndpointName, fieldsOf, isAdmin, takesFile } from '../../src/spec/admin/admin.ts';
import { testCards } from '../../src/spec/cards/testCards.ts';
import { type Endpoint, type EndpointName, endpoints, paymentSections } from '../../src/spec/endpoints.ts';
import { languageCodes, languages } from '../../src/spec/languages.ts';
import { operationIdOf } from '../../src/spec/openApi/examples.ts';
import { openApi } from '../../src/spec/openApi/openApi.ts';
import { type SectionName, sections } from '../../src/spec/parameters.ts';
import { reconciliationColumns } from '../../src/spec/reconciliation.ts';
import { adviceTexts } from '../../src/spec/resultCodes/advice.ts';
import { type ResultCode, type ResultEntry, resultCodes, resultGroups } from '../../src/spec/resultCodes.ts';
import type { Row } from '../../src/spec/row.ts';
import { readyScenarios } from '../../src/spec/scenarios/ready.ts';
import { CHECKOUT_ID } from '../../src/spec/widget.ts';
import { allTexts } from '../../src/widget/allTexts.ts';
import { commentText, literal, memberName, quoted, type Schema, typeText } from './typeText.ts';

/** The tables of the typed client (`src/client/generated/`), made from those of `src/spec/`. */

const HEAD = '// Generated from the tables of src/spec by scripts/client: change those.\n\n';

type Media = { readonly schema?: Schema };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const document = openApi() as unknown as Document;
const isSection = (name: string): name is SectionName => Object.hasOwn(sections, name);
const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A parameter as a program writes it. An amount is also a count of hundredths, a flag also a boolean. */
function parameterType({ format }: Row<unknown>): string {
  const { values, parse, label } = format;
  if (parse === amountOf) return 'Amount';
  if (values?.includes('true')) return 'Flag';
  if (values) return values.map(quoted).join(' | ');
  return /^N\s?\d/.test(label) && typeof parse(format.good[0] ?? '') === 'number' ? 'string | number' : 'string';
}

/** `cart.items[n].name` stands for every index, `customParameters[name]` for every name. */
function parameterMember([name, row]: readonly [string, Row<unknown>]): string {
  const { format, note } = row;
  const comment = commentText([`${format.label}.`, note].filter(Boolean).join(' '), '  ', note?.startsWith('Deprecated'));
  const type = parameterType(row);
  if (!/\[[a-z]+\]/.test(name)) return `${comment}  readonly ${memberName(name)}?: ${type} | undefined;\n`;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a template type
  const pattern = name.replaceAll('[n]', '[${number}]').replace(/\[[a-z]+\]/g, '[${string}]');
  return `${comment}  readonly [name: \`${pattern}\`]: ${type} | undefined;\n`;
}

/** Sections that endpoints share, under one name. */
const groupsOfSections: Readonly<Record<string, readonly SectionName[]>> = {
  PaymentParameters: paymentSections,
  CheckoutParameters: endpoints.createCheckout.sections,
};

function parametersText(): string {
  const types = Object.entries(sections).map(
    ([name, { heading, rows }]) =>
      `/** ${heading}. */\nexport type ${capital(name)}Parameters = {\n${Object.entries(rows).map(parameterMember).join('')}};\n`,
  );
  const groups = Object.entries(groupsOfSections).map(
    ([name, names]) => `export type ${name} =\n${names.map((one) => `  & ${capital(one)}Parameters\n`).join('')};\n`,
  );
  return `${HEAD}/** An amount as \`92.00\`, or as a count of hundredths: \`9200n\`. */
export type Amount = string | bigint;
/** A flag as a boolean, or as the API writes it. */
export type Flag = boolean | 'true' | 'false';

${[...types, ...groups].join('\n')}`;
}

function answersText(): string {
  const types = Object.entries(document.components.schemas)
    .filter(([name]) => !isSection(name))
    .map(([name, schema]) => `${commentText(schema.description ?? '', '')}export type ${name} = ${typeText(schema)};\n`);
  return `${HEAD}${types.join('\n')}`;
}

type Described = { readonly name: EndpointName; readonly endpoint: Endpoint; readonly operation: Operation };
const UNUSED: readonly Endpoint['answers'][] = ['page', 'document', 'health', 'script'];

/** What a client calls: not the pages, and not the port of the back office. */
function described(): readonly Described[] {
  return Object.entries<Endpoint>(endpoints).flatMap(([name, endpoint]) => {
    const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    return operation === undefined || UNUSED.includes(endpoint.answers)
      ? []
      : [{ name: name as EndpointName, endpoint, operation }];
  });
}

const pathNames = ({ path }: Endpoint): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function answerOf({ operation }: Described): { readonly type: string; readonly isText: boolean } {
  const content = operation.responses['200']?.content ?? {};
  const json = content['application/json']?.schema;
  return json ? { type: typeText(json, '  '), isText: false } : { type: 'string', isText: true };
}

/** Sections whose parameters are read, with those that must be there. The client adds entityId itself. */
function sectionParameters({ endpoint, operation }: Described): string {
  const content = operation.requestBody?.content['application/x-www-form-urlencoded']?.schema;
  const names = content?.allOf
    ? content.allOf.map(({ $ref = '' }) => $ref.slice($ref.lastIndexOf('/') + 1))
    : [...endpoint.sections];
  const [shared] = Object.entries(groupsOfSections).find(([, group]) => group.join() === names.join()) ?? [];
  const types = shared === undefined ? names.map((name) => `${capital(name)}Parameters`) : [shared];
  const own = operation.parameters?.filter(({ in: place, name }) => place === 'query' && !isSectionRow(endpoint, name)) ?? [];
  const others = own.map(
    ({ name, schema, required }) => `{ readonly ${memberName(name)}${required ? '' : '?'}: ${typeText(schema)} }`,
  );
  const needed = endpoint.required.filter((name) => name !== 'entityId').map(quoted);
  const all = [...types, ...others].join(' & ') || 'Readonly<Record<string, never>>';
  return needed.length === 0 ? all : `Needing<${all}, ${needed.join(' | ')}>`;
}

const isSectionRow = ({ sections: names }: Endpoint, name: string): boolean =>
  names.some((section) => Object.hasOwn(sections[section].rows, name));

function adminFields(name: AdminEndpointName, { operation }: Described): string {
  const body = operation.requestBody?.content['application/json']?.schema;
  const query = operation.parameters?.filter(({ in: place }) => place === 'query') ?? [];
  const schema: Schema = body ?? {
    type: 'object',
    properties: Object.fromEntries(query.map((one) => [one.name, { ...one.schema, description: one.description ?? '' }])),
    required: query.flatMap((one) => (one.required ? [one.name] : [])),
  };
  const required = (schema.required ?? []).filter((field) => field !== 'entityId');
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  return isEmpty && fieldsOf(name) ? 'Readonly<Record<string, never>>' : typeText({ ...schema, required }, '  ');
}

const requiredOf = ({ name, endpoint }: Described): readonly string[] =>
  isAdmin(name)
    ? Object.entries(fieldsOf(name)).flatMap(([field, { isRequired }]) => (isRequired ? [field] : []))
    : endpoint.required;

function methodText(one: Described): string {
  const { name, endpoint } = one;
  const parameters = isAdmin(name) ? adminFields(name, one) : sectionParameters(one);
  const isOptional = requiredOf(one).every((field) => field === 'entityId');
  const path = pathNames(endpoint).map((place) => `${place}: string`);
  const file = isAdmin(name) && takesFile(name) ? ['file: Uint8Array | string'] : [];
  const rest = [`parameters${isOptional ? '?' : ''}: ${parameters}`, 'options?: CallOptions'];
  return `${commentText(`${endpoint.summary} ${endpoint.method} ${endpoint.path}`, '  ')}  ${methodName(name)}(${[...path, ...file, ...rest].join(', ')}): Promise<${answerOf(one).type}>;\n`;
}

/** Those of the administration API stand apart, under the names of the table. */
const methodName = (name: EndpointName): string => (isAdmin(name) ? name : operationIdOf(name));

/** How the runtime sends an operation, in words: `form`, `query`, `json` or `file`, then what else applies. */
function operationText(one: Described): string {
  const { name, endpoint } = one;
  const isJson = isAdmin(name);
  const file = isAdmin(name) && takesFile(name);
  const sent = endpoint.method !== 'POST' ? 'query' : file ? 'file' : isJson ? 'json' : 'form';
  const words = [
    sent,
    ...(endpoint.access === 'none' && endpoint.answers !== 'form' ? ['public'] : []),
    ...(endpoint.method === 'POST' && endpoint.access === 'token' ? ['keyed'] : []),
    ...((isJson ? requiredOf(one).includes('entityId') : endpoint.access === 'token' || endpoint.answers === 'form')
      ? ['entity']
      : []),
    ...(answerOf(one).isText ? ['text'] : []),
  ];
  return `  ${methodName(name)}: [${[endpoint.method, endpoint.path, words.join(' ')].map(quoted).join(', ')}],\n`;
}

function operationsText(): string {
  const all = described();
  const [merchant, admin] = [all.filter(({ name }) => !isAdmin(name)), all.filter(({ name }) => isAdmin(name))];
  const text = [...all].map(methodText).join('');
  const used = (names: Iterable<string>) => [...names].filter((name) => new RegExp(`\\b${name}\\b`).test(text)).toSorted();
  const answers = used(Object.keys(document.components.schemas).filter((name) => !isSection(name)));
  const parameters = used([
    ...Object.keys(groupsOfSections),
    ...Object.keys(sections).map((name) => `${capital(name)}Parameters`),
  ]);
  return `${HEAD}import type { CallOptions } from '../send.ts';
import type {\n${answers.map((name) => `  ${name},\n`).join('')}} from './answers.ts';
import type {\n${parameters.map((name) => `  ${name},\n`).join('')}} from './parameters.ts';

/** Parameters of which some are required. */
type Needing<Parameters, Names extends keyof Parameters> = Parameters & {
  readonly [Name in Names]-?: NonNullable<Parameters[Name]>;
};

/** The API of merchants. */
export type Operations = {
${merchant.map(methodText).join('')}};

/** The administration API. In live it takes the operator's token alone. */
export type AdminOperations = {
${admin.map(methodText).join('')}};

/** Method, path, and how it is sent. */
type Row = readonly [method: string, path: string, how: string];

export const operations: { readonly [Name in keyof Operations]: Row } = {
${merchant.map(operationText).join('')}};

export const adminOperations: { readonly [Name in keyof AdminOperations]: Row } = {
${admin.map(operationText).join('')}};
`;
}

/** Codes that share everything stand in one row. */
function resultsText(): string {
  const rows = new Map<string, string[]>();
  for (const [code, { means, advice, retry }] of Object.entries<ResultEntry>(resultCodes)) {
    const { again, afterDays, triesMax } = retry;
    const facts = [quoted(means), quoted(advice), quoted(again), afterDays, triesMax, quoted(shopperTextKey(code as ResultCode))];
    const key = facts.join(', ');
    rows.set(key, [...(rows.get(key) ?? []), code]);
  }
  const keys = [
    ...new Set([...Object.keys(resultCodes).map((code) => shopperTextKey(code as ResultCode)), 'resultStored' as const]),
  ];
  const texts = keys.map((key) => {
    const lines = languageCodes.map((language) => `    ${language}: ${quoted(allTexts[language].labels[key])},\n`);
    return `  ${key}: {\n${lines.join('')}  },\n`;
  });
  const groups = Object.entries(resultGroups).map(([name, pattern]) => `  ${memberName(name)}: ${pattern},\n`);
  const advices = Object.entries(adviceTexts).map(([name, text]) => `  ${memberName(name)}: ${quoted(text)},\n`);
  const names = Object.entries(languages).map(([code, others]) => `  ${code}: [${others.map(quoted).join(', ')}],\n`);
  const lines = [...rows].map(([facts, codes]) => `  [${facts}, ${quoted(codes.join(' '))}],\n`);
  return `${HEAD}/** What the merchant should do before the same purchase is tried again, as a sentence. */
export const adviceTexts = {
${advices.join('')}} as const;

export type Advice = keyof typeof adviceTexts;
export type Meaning = 'approved' | 'pending' | 'declined' | 'refused' | 'chargeback';

type Row = readonly [
  means: Meaning,
  advice: Advice,
  again: 'later' | 'advised' | 'never',
  afterDays: number,
  triesMax: number,
  textId: keyof typeof shopperTexts,
  codes: string,
];

/** Every result code, those with the same facts in one row. */
export const resultRows: readonly Row[] = [
${lines.join('')}];

/** The groups that clients know, by pattern; a code that is not listed is judged by them. */
export const resultGroups = {
${groups.join('')}} as const;

/** Languages, and other codes for them. */
export const languages = {
${names.join('')}} as const;

/** The texts for shoppers. */
export const shopperTexts = {
${texts.join('')}} as const;
`;
}

const AMOUNTS: readonly string[] = ['Amount', 'SettlementAmount', 'SettlementFee'];

function reconciliationText(): string {
  const members = reconciliationColumns.map(({ column, kind, format, says }) => {
    const values = kind === 'code' ? format.split(', ').map(quoted).join(' | ') : 'string';
    const type = AMOUNTS.includes(column) ? 'bigint | null' : /^[A-Z_', |]+$/.test(values) ? `${values} | ''` : 'string';
    return `${commentText(`${says} ${format}.`, '  ')}  readonly ${column}?: ${type};\n`;
  });
  return `${HEAD}/** A line of a reconciliation file: the columns that the file has. Amounts are counts of hundredths. */
export type ReconciliationRecord = {
${members.join('')}};

export const columnKinds: Readonly<Record<string, 'amount' | 'text' | 'other'>> = {
${reconciliationColumns.map(({ column, kind }) => `  ${column}: '${AMOUNTS.includes(column) ? 'amount' : kind === 'text' ? 'text' : 'other'}',\n`).join('')}};
`;
}

function sandboxText(): string {
  const { demoShop } = sandbox;
  const facts = { entityId: demoShop.channelId, merchantId: demoShop.merchantId, token: demoShop.token };
  const cards = testCards.map(
    ({ brand, number, threeDSecure }) =>
      `  { brand: ${quoted(brand)}, number: ${quoted(number)}, threeDSecure: ${literal(threeDSecure)} },\n`,
  );
  return `${HEAD}/** The public credentials of the sandbox's demo shop. */
export const demoShop = {
${Object.entries(facts)
  .map(([name, value]) => `  ${name}: ${quoted(value)},\n`)
  .join('')}} as const;

/** The pattern of a checkout's id. */
export const CHECKOUT_ID = ${CHECKOUT_ID};

/** The scenarios that every gateway of the test environment has. */
export type ScenarioName =
${readyScenarios.map(({ name }) => `  | ${quoted(name)}\n`).join('')};

/** Cards that the simulator accepts, with what 3D Secure does for them. */
export const testCards = [
${cards.join('')}] as const;
`;
}

/** The files of `src/client/generated`, by name. */
export function clientTables(): Readonly<Record<string, string>> {
  return {
    'parameters.ts': parametersText(),
    'answers.ts': answersText(),
    'operations.ts': operationsText(),
    'results.ts': resultsText(),
    'reconciliation.ts': reconciliationText(),
    'sandbox.ts': sandboxText(),
  };
}
