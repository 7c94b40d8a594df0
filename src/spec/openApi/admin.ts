import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AdminEndpointName, fieldsOf, isAdmin, takesFile } from '../admin/admin.ts';
import { id } from '../admin/kinds.ts';
import { type Endpoint, type EndpointName, endpoints } from '../endpoints.ts';
import { SCENARIO_NAME, scenarioShape } from '../scenarios/shape.ts';
import type { Json, JsonObject } from './schemas.ts';

/** The administration API in the OpenAPI document. */

const places: Readonly<Record<string, string>> = {
  id: 'The object.',
  delivery: 'The delivery.',
  scenario: 'The name of the scenario.',
  payment: 'The payment.',
};
const scenarioName = { type: 'string', pattern: SCENARIO_NAME.source };

/** The places of the path, and the fields of a request without a body. */
export function adminParameters(name: AdminEndpointName): readonly Json[] {
  const { path, method } = endpoints[name];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => ({
    name: place,
    in: 'path',
    required: true,
    description: places[place] ?? '',
    schema: place === 'scenario' ? scenarioName : id.schema,
  }));
  if (method === 'POST' && !takesFile(name)) return inPath;
  const inQuery = Object.entries(fieldsOf(name)).map(([field, { isRequired, description, kind, example }]) => ({
    name: field,
    in: 'query',
    required: isRequired,
    description,
    schema: kind.schema,
    example: example as Json,
  }));
  return [...inPath, ...inQuery];
}

/** Fields that exclude the one in the example. */
const unshown: Readonly<Partial<Record<AdminEndpointName, readonly string[]>>> = { moveClock: ['freeze', 'to', 'real'] };

/** The JSON object that a POST carries. */
export function adminBody(name: AdminEndpointName): JsonObject {
  if (takesFile(name))
    return { required: true, content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } };
  const fields = Object.entries(fieldsOf(name));
  const required = fields.flatMap(([field, { isRequired }]) => (isRequired ? [field] : []));
  const properties = fields.map(([field, { description, kind, isSecret }]): [string, Json] => [
    field,
    { ...kind.schema, description, ...(isSecret && { writeOnly: true, 'x-secrecy': 'never' }) },
  ]);
  const example = fields.flatMap(([field, one]) =>
    one.isSecret || field === 'ids' || unshown[name]?.includes(field) ? [] : [[field, one.example as Json] as const],
  );
  const shown = Object.fromEntries(example);
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false },
        // Without a secret that is required an example would be a wrong one.
        ...(required.length > 0 && required.every((field) => Object.hasOwn(shown, field)) && { example: shown }),
      },
    },
  };
}

/** The replies of the administration API as JSON Schemas. */
export type AnswerSchemas = {
  /** The reply of each endpoint; a plain string is a CSV file. */
  readonly byEndpoint: Readonly<Partial<Record<EndpointName, JsonObject>>>;
  /** The components that these schemas refer to. */
  readonly components: JsonObject;
};

type Media = { readonly schema: JsonObject };
type Operation = { readonly responses: { readonly 200?: { readonly content: Readonly<Record<string, Media>> } } };
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: JsonObject };
};

/**
 * The schemas as docs/openapi.json has them. `npm run docs` derives them from the types in src/spec/answers, which takes a compiler; a
 * gateway has none. An endpoint that was added since has no schema yet.
 */
export function documentedAnswers(): AnswerSchemas {
  const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json');
  const { paths, components } = JSON.parse(readFileSync(path, 'utf8')) as Document;
  const replies = Object.entries<Endpoint>(endpoints).flatMap(([name, { path, method }]): [string, JsonObject][] => {
    const [media] = Object.values(paths[path]?.[method.toLowerCase()]?.responses[200]?.content ?? {});
    return media && isAdmin(name as EndpointName) ? [[name, media.schema]] : [];
  });
  return { byEndpoint: Object.fromEntries(replies), components: components.schemas };
}

/** The reply of an endpoint: JSON by its schema, or a CSV file. */
export function adminContent(name: AdminEndpointName, { byEndpoint }: AnswerSchemas): JsonObject {
  const schema = byEndpoint[name] ?? {};
  return schema.type === 'string' ? { 'text/csv': { schema } } : { 'application/json': { schema } };
}

const text = { type: 'string' } as const;
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The components of the administration API, except its replies. */
export const adminSchemas = (): JsonObject => ({
  Scenario: scenarioShape.schema,
  Refusal: {
    type: 'object',
    properties: {
      result: {
        type: 'object',
        properties: {
          code: ref('ResultCode'),
          description: text,
          parameterErrors: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: text, value: { type: ['string', 'null'] }, message: text },
              required: ['name', 'value', 'message'],
            },
          },
        },
        required: ['code', 'description'],
      },
      buildNumber: text,
      timestamp: text,
      ndc: text,
    },
    required: ['result', 'buildNumber', 'timestamp', 'ndc'],
  },
});
