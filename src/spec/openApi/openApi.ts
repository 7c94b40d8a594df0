import { type AdminEndpointName, isAdmin } from '../admin/admin.ts';
import { type Endpoint, type EndpointName, endpoints } from '../endpoints.ts';
import { languageCodes } from '../languages.ts';
import { type SectionName, sections } from '../parameters.ts';
import { type ResultEntry, resultCodes } from '../resultCodes.ts';
import { rules } from '../rules/rules.ts';
import { type Tag, type TagName, tags } from '../tags.ts';
import { CHECKOUT_ID } from '../widget.ts';
import { type AnswerSchemas, adminBody, adminContent, adminParameters, adminSchemas, documentedAnswers } from './admin.ts';
import { openApiExamples, operationIdOf } from './examples.ts';
import {
  aggregationsSchema,
  brandsSchema,
  type Json,
  type JsonObject,
  listSchema,
  parameterSchema,
  paymentSchema,
  registrationSchema,
  registrationsSchema,
  resultCodesSchema,
  sectionSchema,
  settlementSchema,
} from './schemas.ts';
import { webhookPayloadSchema, webhooks, webhookTestSchema } from './webhooks.ts';

/** The meaning of each status at every endpoint. Document 1, Errors. */
const statuses: Readonly<Record<number, string>> = {
  200: 'Success or pending, see result.code.',
  303: 'For a browser: the page that comes next.',
  400: 'A parameter is wrong, or the payment was declined: result.code and result.description say why.',
  401: 'The Authorization header is missing or malformed.',
  403: 'The access token is unknown, or the entity does not belong to it.',
  404: 'Nothing has this id.',
  429: 'Too many requests: try again later.',
  503: 'Not ready: the store does not answer.',
};

const headers: Readonly<Record<number, JsonObject>> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string', pattern: '^[0-9]+$' } } },
};

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** A refusal has the same shape everywhere. */
const refusal: JsonObject = { 'application/json': { schema: ref('Refusal') } };

const mediaOf: Readonly<Record<Exclude<Endpoint['answers'], 'page' | 'admin'>, (path: string) => JsonObject>> = {
  payment: () => ({ 'application/json': { schema: ref('Payment') } }),
  payments: () => ({ 'application/json': { schema: ref('Payments') } }),
  records: () => ({ 'application/json': { schema: ref('Records') } }),
  aggregations: () => ({ 'application/json': { schema: ref('Aggregations') } }),
  settlement: () => ({ 'application/json': { schema: ref('Settlement') } }),
  csv: () => ({ 'text/csv': { schema: { type: 'string' } } }),
  registration: () => ({ 'application/json': { schema: ref('Registration') } }),
  registrations: () => ({ 'application/json': { schema: ref('Registrations') } }),
  checkout: () => ({ 'application/json': { schema: ref('Checkout') } }),
  schedule: () => ({ 'application/json': { schema: ref('Schedule') } }),
  resultCodes: () => ({ 'application/json': { schema: ref('ResultCodes') } }),
  brands: () => ({ 'application/json': { schema: ref('Brands') } }),
  form: () => ({ 'application/json': { schema: ref('Payment') }, 'text/html': { schema: { type: 'string' } } }),
  script: () => ({ 'text/javascript': { schema: { type: 'string' } } }),
  health: () => ({ 'application/json': { schema: { type: 'object' } } }),
  document: (path) => ({
    ...(path.endsWith('.json')
      ? { 'application/json': { schema: { type: 'object' } } }
      : { [path === '/docs' ? 'text/html' : 'text/plain']: { schema: { type: 'string' } } }),
  }),
};

type Described = Endpoint & { readonly answers: Exclude<Endpoint['answers'], 'page'> };
/** The back office has a port of its own, and pages that know what to ask there. */
const isDescribed = (endpoint: Endpoint): endpoint is Described =>
  endpoint.answers !== 'page' && endpoint.access !== 'session' && endpoint.access !== 'signIn';

const isOfCheckout = ({ path }: Endpoint): boolean => path.startsWith('/v1/checkouts');

const lists: readonly string[] = ['payments', 'records', 'aggregations', 'settlement'];
const isList = ({ answers }: Endpoint): boolean => lists.includes(answers);
const asked: readonly string[] = ['form', 'payment', 'registration', 'registrations', 'checkout', 'schedule', 'csv'];

/** An SPDX name: generators write it into the manifests of their packages, and pip and others refuse any other name. */
const license: JsonObject = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' };

/** Endpoints that answer 404. A payment with unknown stored details, or for an unknown checkout, is refused with 400. */
const mayBeNowhere = (endpoint: Endpoint): boolean =>
  isList(endpoint) ||
  (endpoint.path.includes('{id}') &&
    !isOfCheckout(endpoint) &&
    (endpoint.method === 'GET' || endpoint.path.startsWith('/v1/payments')));

function statusesOf(endpoint: Endpoint): number[] {
  const { answers, access, path } = endpoint;
  if (answers === 'admin') return [200, 400, 401, 403, 404, 429];
  if (answers === 'health') return path.endsWith('ready') ? [200, 503] : [200];
  if (!asked.includes(answers) && !isList(endpoint)) return [200];
  const refusals = access === 'token' || answers === 'form' ? [401, 403] : [];
  return [200, ...(answers === 'form' ? [303] : []), 400, ...refusals, ...(mayBeNowhere(endpoint) ? [404] : []), 429];
}

const takesKey = ({ method, access }: Endpoint): boolean => method === 'POST' && access === 'token';

const replayed: JsonObject = {
  'Idempotency-Replayed': {
    description: 'true: an earlier request with the same Idempotency-Key has earned this reply.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const reported: JsonObject = {
  'Risk-In-Live': {
    description:
      'On a channel whose risk checks only report: the result code with which enforced ones would have refused the payment.',
    schema: { type: 'string', example: '800.110.100' },
  },
};

function responses(name: EndpointName, endpoint: Described, answers: AnswerSchemas): JsonObject {
  if (isAdmin(name)) return adminResponses(name, endpoint, answers);
  const content = mediaOf[endpoint.answers as keyof typeof mediaOf](endpoint.path);
  const example = openApiExamples[name]?.answer;
  const shown = example ? { 'application/json': { ...(content['application/json'] as JsonObject), example } } : content;
  return Object.fromEntries(
    statusesOf(endpoint).map((status) => [
      String(status),
      {
        description: statuses[status] ?? '',
        ...headersAt(endpoint, status),
        ...(status === 303 ? {} : { content: status === 200 ? shown : endpoint.answers === 'csv' ? refusal : content }),
      },
    ]),
  );
}

/** A stored refusal or decline is replayed too. */
function headersAt(endpoint: Endpoint, status: number): JsonObject {
  const found = takesKey(endpoint) && (status === 200 || status === 400) ? replayed : headers[status];
  if (!found) return {};
  return { headers: status === 200 && endpoint.path.startsWith('/v1/payments') ? { ...found, ...reported } : found };
}

function adminResponses(name: AdminEndpointName, endpoint: Described, answers: AnswerSchemas): JsonObject {
  return Object.fromEntries(
    statusesOf(endpoint).map((status) => [
      String(status),
      {
        description:
          status === 200
            ? 'Done.'
            : status === 400
              ? 'A field is wrong: result.parameterErrors says which.'
              : (statuses[status] ?? ''),
        ...(headers[status] ? { headers: headers[status] } : {}),
        content: status === 200 ? adminContent(name, answers) : refusal,
      },
    ]),
  );
}

/** The sections of a shopper's form: the instrument, and the details that the merchant leaves to the shopper. */
const formSections: readonly SectionName[] = [
  ...(['authentication', 'card', 'bankAccount', 'virtualAccount', 'giftCard', 'wallets'] as const),
  ...(['customer', 'billing', 'shipping', 'tokenization', 'customParameters'] as const),
];

type Unread = { readonly ignored: readonly string[]; readonly refused: readonly string[] };

/** Parameters that an endpoint ignores or refuses, whatever else is sent. */
function unreadAt(name: EndpointName): Unread {
  const always = rules.filter(({ on, is, isNot, unless, from }) => on?.includes(name) && !is && !isNot && !unless && !from);
  return {
    ignored: always.flatMap(({ ignores = [] }) => ignores),
    refused: always.flatMap(({ refuses, when }) => (refuses === undefined ? [] : when)),
  };
}

function queryParameters(endpointName: EndpointName, { sections: names, required }: Endpoint): JsonObject[] {
  const { ignored, refused } = unreadAt(endpointName);
  const examples = openApiExamples[endpointName]?.request ?? {};
  return names
    .flatMap((section) => Object.entries(sections[section].rows))
    .filter(([name]) => !ignored.includes(name) && !refused.includes(name) && !name.includes('['))
    .map(([name, row]): JsonObject => {
      const { description = '', deprecated = false, ...schema } = parameterSchema(row);
      const example: JsonObject = examples[name] === undefined ? {} : { example: examples[name] };
      return { name, in: 'query', required: required.includes(name), description, deprecated, schema, ...example };
    });
}

/** The meaning of `{id}` in a path. */
function idIn(endpoint: Endpoint): JsonObject {
  if (isOfCheckout(endpoint)) return { description: 'The checkout.', schema: { type: 'string', pattern: CHECKOUT_ID.source } };
  const description = endpoint.path.startsWith('/v1/registrations') ? 'The stored payment details.' : 'The payment.';
  return { description, schema: { type: 'string', pattern: '^[a-f0-9]{32}$' } };
}

/** Parameters of the query that belong to no section. */
const ownParameters: Partial<Readonly<Record<EndpointName, readonly JsonObject[]>>> = {
  widgetScript: [
    {
      name: 'checkoutId',
      in: 'query',
      required: true,
      description: 'The checkout; with /registration behind it where details are stored without a charge.',
      schema: { type: 'string' },
    },
  ],
  resultCodes: [
    {
      name: 'language',
      in: 'query',
      required: false,
      description: 'The language of shopperText; default en.',
      schema: { type: 'string', enum: languageCodes },
    },
  ],
};

function parametersOf(name: EndpointName, endpoint: Endpoint): JsonObject[] {
  const id = { name: 'id', in: 'path', required: true, ...idIn(endpoint) };
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The same key with the same body returns the same reply, marked with Idempotency-Replayed, and never takes a second payment. ' +
      'The same key with another body is refused with 200.200.107.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  const others = endpoint.method === 'POST' ? (takesKey(endpoint) ? [key] : []) : queryParameters(name, endpoint);
  return [...(endpoint.path.includes('{id}') ? [id] : []), ...(ownParameters[name] ?? []), ...others];
}

function requestBody(name: EndpointName, endpoint: Endpoint): JsonObject {
  const { required } = endpoint;
  const names = endpoint.answers === 'form' ? formSections : endpoint.sections;
  const schema = { allOf: names.map(ref), required };
  const example = openApiExamples[name]?.request;
  const { ignored, refused } = unreadAt(name);
  const about = [
    ignored.length > 0 ? `Not read: ${ignored.join(', ')}.` : '',
    refused.length > 0 ? `Refused: ${refused.join(', ')}.` : '',
  ];
  const description = about.filter(Boolean).join(' ');
  return {
    ...(description ? { description } : {}),
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema, ...(example ? { example } : {}) } },
  };
}

/** In the test environment either token will do. */
const eitherToken: readonly Json[] = [{ bearer: [] }, { operator: [] }];

function operation(name: EndpointName, endpoint: Described, answers: AnswerSchemas): JsonObject {
  if (isAdmin(name)) {
    return {
      operationId: operationIdOf(name),
      tags: [tags[endpoint.tag].title],
      summary: endpoint.summary,
      security: eitherToken,
      parameters: adminParameters(name),
      ...(endpoint.method === 'POST' && { requestBody: adminBody(name) }),
      responses: responses(name, endpoint, answers),
    };
  }
  return {
    operationId: operationIdOf(name),
    tags: [tags[endpoint.tag].title],
    summary: endpoint.summary,
    security: endpoint.access === 'token' ? [{ bearer: [] }] : endpoint.answers === 'form' ? [{}, { bearer: [] }] : [],
    parameters: parametersOf(name, endpoint),
    ...(endpoint.method === 'POST' ? { requestBody: requestBody(name, endpoint) } : {}),
    responses: responses(name, endpoint, answers),
  };
}

function paths(answers: AnswerSchemas): JsonObject {
  const byPath: Record<string, Record<string, Json>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    if (!isDescribed(endpoint)) continue;
    byPath[endpoint.path] ??= {};
    (byPath[endpoint.path] as Record<string, Json>)[endpoint.method.toLowerCase()] = operation(
      name as EndpointName,
      endpoint,
      answers,
    );
  }
  return byPath;
}

/** The groups in the order of their table, without groups that have pages only. */
function tagList(): JsonObject[] {
  const used = new Set<TagName>([
    'webhookEvents',
    ...Object.values<Endpoint>(endpoints)
      .filter(isDescribed)
      .map(({ tag }) => tag),
  ]);
  const all = Object.entries(tags) as [TagName, Tag][];
  return all.filter(([name]) => used.has(name)).map(([, { title, description }]) => ({ name: title, description }));
}

/** New codes may be added at any time, so the codes stand beside the schema and not as its only values. */
function resultCodeSchema(): JsonObject {
  const known = Object.entries<ResultEntry>(resultCodes).map(([code, { means, http, text, advice, group }]): [string, Json] => [
    code,
    { text, means, http, advice, group },
  ]);
  return { type: 'string', pattern: '^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$', 'x-resultCodes': Object.fromEntries(known) };
}

function checkoutSchema(): JsonObject {
  const text = { type: 'string' };
  return {
    type: 'object',
    properties: {
      result: { type: 'object', properties: { code: ref('ResultCode'), description: text }, required: ['code', 'description'] },
      buildNumber: text,
      timestamp: text,
      ndc: text,
      id: { type: 'string', pattern: CHECKOUT_ID.source },
      integrity: { type: 'string', description: 'Hash of the widget script, if integrity=true was sent.', pattern: '^sha384-' },
    },
    required: ['result', 'buildNumber', 'timestamp', 'ndc'],
  };
}

function scheduleSchema(): JsonObject {
  const text = { type: 'string' };
  const plan = {
    type: 'object',
    properties: {
      id: text,
      active: { type: 'boolean' },
      state: { type: 'string', enum: ['active', 'ending', 'over'] },
      timeZone: text,
      description: { type: 'string', description: 'When it runs, as a sentence.' },
      nextRuns: { type: 'array', items: text, maxItems: 5 },
      endsAt: text,
    },
  };
  const job = { type: 'object', description: 'The job with every default filled in.', additionalProperties: text };
  return {
    allOf: [
      ref('Payment'),
      { type: 'object', properties: { job, plan, schedules: { type: 'array', items: { type: 'object' } } } },
    ],
  };
}

/** Generators of clients make wrong programs of a constant that is true or false: such a member is any boolean in the document. */
function withoutBooleanConstants(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutBooleanConstants);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] =>
    name === 'const' && typeof member === 'boolean' ? ['type', 'boolean'] : [name, withoutBooleanConstants(member)],
  );
  return Object.fromEntries(members);
}

/** The API as an OpenAPI 3.1 document, derived from endpoints, rows and result codes. `base` is where the gateway is reached. */
export const openApi = (base = '/', answers = documentedAnswers()): JsonObject =>
  withoutBooleanConstants(documentOf(base, answers)) as JsonObject;

function documentOf(base: string, answers: AnswerSchemas): JsonObject {
  const used = new Set([
    ...Object.values<Endpoint>(endpoints).flatMap((endpoint) => (endpoint.method === 'POST' ? endpoint.sections : [])),
    ...formSections,
  ]);
  const bySection = [...used].map((name): [string, Json] => [name, sectionSchema(sections[name])]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnpike',
      version: '1',
      description:
        'A payment gateway. Requests are forms in UTF-8, those of the administration API JSON; answers are JSON, and clients must ' +
        'accept fields they do not know.',
      license,
    },
    servers: [{ url: base }],
    tags: tagList(),
    paths: paths(answers),
    webhooks: webhooks(ref('WebhookPayload'), ref('WebhookTest')),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: "An access token of the merchant's account." },
        operator: {
          type: 'http',
          scheme: 'bearer',
          description: "The operator's own token (ADMIN_TOKEN): in live the only one for the administration API.",
        },
      },
      schemas: withComponents(answers.components, {
        ...adminSchemas(),
        ...Object.fromEntries(bySection),
        Payment: paymentSchema(),
        Payments: listSchema('payments'),
        Records: listSchema('records'),
        Aggregations: aggregationsSchema(),
        Settlement: settlementSchema(),
        Registration: registrationSchema(),
        Registrations: registrationsSchema(),
        Checkout: checkoutSchema(),
        Schedule: scheduleSchema(),
        ResultCode: resultCodeSchema(),
        ResultCodes: resultCodesSchema(ref('ResultCode')),
        Brands: brandsSchema(),
        WebhookPayload: webhookPayloadSchema(ref('Payment')),
        WebhookTest: webhookTestSchema(),
      }),
    },
  };
}

/** Components of replies, then all others. A document holds both, so the same name means the same component. */
const withComponents = (ofReplies: JsonObject, others: JsonObject): JsonObject => ({
  ...Object.fromEntries(Object.entries(ofReplies).filter(([name]) => !Object.hasOwn(others, name))),
  ...others,
});
