import assert from 'node:assert/strict';
import { route } from '../../src/http/route.ts';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { openApi } from '../../src/spec/openApi/openApi.ts';

/** Every 200 reply that a test gets from the administration API is compared with its schema in OpenAPI. */

type Schema = {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
};
type Operation = { readonly operationId: string; readonly responses: Readonly<Record<string, Content>> };
type Content = { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };

const document = openApi() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The operation of an endpoint, by its place: its name may differ from that of the endpoint. */
const operationOf = (endpoint: EndpointName, method: string): Operation | undefined =>
  document.paths[endpoints[endpoint].path]?.[method.toLowerCase()];

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const isOfType = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

/** What is wrong with a value, with the place of each fault. Names that the schema does not list are faults too. */
function* faultsOf(value: unknown, schema: Schema, at: string): Generator<string> {
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (named) yield* faultsOf(value, named, at);
    else yield `${at}: no schema ${schema.$ref}`;
    return;
  }
  if (schema.anyOf) {
    const faults = schema.anyOf.map((one) => [...faultsOf(value, one, at)]);
    const [fewest = []] = faults.toSorted((one, other) => one.length - other.length);
    if (!faults.some((some) => some.length === 0)) yield* fewest;
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    yield `${at}: ${JSON.stringify(value)} is no ${types.join(' or ')}`;
    return;
  }
  if (schema.const !== undefined && value !== schema.const) yield `${at}: ${JSON.stringify(value)} is not ${schema.const}`;
  if (schema.enum && !schema.enum.includes(value)) yield `${at}: ${JSON.stringify(value)} is none of ${schema.enum.join(', ')}`;
  if (typeof value === 'string') yield* textFaults(value, schema, at);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* faultsOf(item, schema.prefixItems?.[index] ?? schema.items ?? {}, `${at}[${index}]`);
  } else if (typeof value === 'object' && value !== null && (schema.properties || schema.additionalProperties))
    yield* memberFaults(value as Readonly<Record<string, unknown>>, schema, at);
}

function* textFaults(text: string, { pattern, format }: Schema, at: string): Generator<string> {
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) yield `${at}: ${JSON.stringify(text)} is not ${pattern}`;
  if (format === 'date-time' && new Date(text).toJSON()?.slice(0, 19) !== text.slice(0, 19)) yield `${at}: ${text} is no instant`;
  if (format === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(text)) yield `${at}: ${text} is no day`;
}

function* memberFaults(value: Readonly<Record<string, unknown>>, schema: Schema, at: string): Generator<string> {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const name of required) if (!Object.hasOwn(value, name)) yield `${at}.${name} is missing`;
  for (const [name, inner] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (own) yield* faultsOf(inner, own, `${at}.${name}`);
    else yield `${at}.${name} is not in the schema`;
  }
}

/** `path` with its query. Endpoints that OpenAPI leaves out have no schema. */
export function checkAnswer(method: string, path: string, status: number, body: unknown): void {
  const routed = route(method, path);
  const operation = routed.is === 'found' ? operationOf(routed.endpoint, method) : undefined;
  const schema = operation?.responses['200']?.content['application/json']?.schema;
  if (!operation || !schema || status !== 200) return;
  assert.deepEqual([...faultsOf(body, schema, operation.operationId)], []);
}
