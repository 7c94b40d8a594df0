import { type Endpoint, endpoints } from './endpoints.ts';
import { type Json, type JsonObject, parameterSchema, paymentSchema, sectionSchema } from './openApiSchemas.ts';
import { sections } from './parameters.ts';
import { type ResultEntry, resultCodes } from './resultCodes.ts';

/** What each status says, whatever the endpoint. Document 1, Errors. */
const statuses: Readonly<Record<number, string>> = {
  200: 'Done, or pending: result.code says which.',
  400: 'A parameter is wrong, or the payment was declined: result.code and result.description say why.',
  401: 'The Authorization header is missing or cannot be read.',
  403: 'The access token is unknown, or the entity is not its own.',
  404: 'There is no such payment.',
  429: 'Too many requests: try again later.',
  503: 'Not ready: the store does not answer.',
};

const headers: Readonly<Record<number, JsonObject>> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string', pattern: '^[0-9]+$' } } },
};

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const mediaOf: Readonly<Record<Endpoint['answers'], (path: string) => JsonObject>> = {
  payment: () => ({ 'application/json': { schema: ref('Payment') } }),
  resultCodes: () => ({ 'application/json': { schema: ref('ResultCodes') } }),
  health: () => ({ 'application/json': { schema: { type: 'object' } } }),
  document: (path) => ({
    [path === '/docs' ? 'text/html' : path === '/metrics' ? 'text/plain' : 'application/json']: {},
  }),
};

function statusesOf({ answers, access, path }: Endpoint): number[] {
  if (answers === 'health') return path.endsWith('ready') ? [200, 503] : [200];
  if (answers !== 'payment') return [200];
  const refusals = access === 'token' ? [401, 403] : [];
  return [200, 400, ...refusals, ...(path.includes('{id}') ? [404] : []), 429];
}

function responses(endpoint: Endpoint): JsonObject {
  const content = mediaOf[endpoint.answers](endpoint.path);
  return Object.fromEntries(
    statusesOf(endpoint).map((status) => [
      String(status),
      { description: statuses[status] ?? '', ...(headers[status] ? { headers: headers[status] } : {}), content },
    ]),
  );
}

function queryParameters({ sections: names, required }: Endpoint): JsonObject[] {
  return names.flatMap((section) =>
    Object.entries(sections[section].rows).map(([name, row]): JsonObject => {
      const { description = '', deprecated = false, ...schema } = parameterSchema(row);
      return { name, in: 'query', required: required.includes(name), description, deprecated, schema };
    }),
  );
}

function parametersOf(endpoint: Endpoint): JsonObject[] {
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The payment.',
    schema: { type: 'string', pattern: '^[a-f0-9]{32}$' },
  };
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The same key with the same body gets the same answer again and never a second payment.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  return [...(endpoint.path.includes('{id}') ? [id] : []), ...(endpoint.method === 'POST' ? [key] : queryParameters(endpoint))];
}

function requestBody({ sections: names, required }: Endpoint): JsonObject {
  const schema = { allOf: names.map(ref), required };
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema } } };
}

function operation(name: string, endpoint: Endpoint): JsonObject {
  return {
    operationId: name,
    summary: endpoint.summary,
    security: endpoint.access === 'token' ? [{ bearer: [] }] : [],
    parameters: parametersOf(endpoint),
    ...(endpoint.method === 'POST' ? { requestBody: requestBody(endpoint) } : {}),
    responses: responses(endpoint),
  };
}

function paths(): JsonObject {
  const byPath: Record<string, Record<string, Json>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    byPath[endpoint.path] ??= {};
    (byPath[endpoint.path] as Record<string, Json>)[endpoint.method.toLowerCase()] = operation(name, endpoint);
  }
  return byPath;
}

/** New codes may come at any time, so the codes are told beside the schema and not as its only values. */
function resultCodeSchema(): JsonObject {
  const known = Object.entries<ResultEntry>(resultCodes).map(([code, { means, http, text, advice, group }]): [string, Json] => [
    code,
    { text, means, http, advice, group },
  ]);
  return { type: 'string', pattern: '^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$', 'x-resultCodes': Object.fromEntries(known) };
}

function resultCodesSchema(): JsonObject {
  const entry = {
    type: 'object',
    properties: { code: ref('ResultCode'), description: { type: 'string' } },
    required: ['code', 'description'],
  };
  return { type: 'object', properties: { resultCodes: { type: 'array', items: entry } }, required: ['resultCodes'] };
}

/** The API as an OpenAPI 3.1 document, derived from endpoints, rows and result codes. `base` is where the gateway is reached. */
export function openApi(base = '/'): JsonObject {
  const used = new Set(
    Object.values<Endpoint>(endpoints).flatMap((endpoint) => (endpoint.method === 'POST' ? endpoint.sections : [])),
  );
  const bySection = [...used].map((name): [string, Json] => [name, sectionSchema(sections[name])]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnpike',
      version: '1',
      description:
        'A payment gateway. Requests are forms in UTF-8, answers are JSON; clients must accept fields they do not know.',
    },
    servers: [{ url: base }],
    paths: paths(),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: "An access token of the merchant's account." } },
      schemas: {
        ...Object.fromEntries(bySection),
        Payment: paymentSchema(),
        ResultCode: resultCodeSchema(),
        ResultCodes: resultCodesSchema(),
      },
    },
  };
}
