import { type EndpointName, endpoints } from '../endpoints.ts';
import { type SectionName, sections } from '../parameters.ts';
import { type Tag, tags } from '../tags.ts';
import { openApi } from './openApi.ts';
import type { Json, JsonObject } from './schemas.ts';

/** The OpenAPI documents: all, the two parts of it, and each part as stock generators of clients digest it. */
export const openApiDocuments = {
  openApi,
  merchantOpenApi: (base?: string) => partOf(openApi(base), 'merchant'),
  administrationOpenApi: (base?: string) => partOf(openApi(base), 'administration'),
  merchantGeneratorsOpenApi: (base?: string) => withUsedSchemas(forGenerators(partOf(openApi(base), 'merchant'))),
  administrationGeneratorsOpenApi: (base?: string) => withUsedSchemas(forGenerators(partOf(openApi(base), 'administration'))),
} as const satisfies Partial<Record<EndpointName, (base?: string) => JsonObject>>;

export type OpenApiDocumentName = keyof typeof openApiDocuments;

export const openApiDocumentNames = Object.keys(openApiDocuments) as readonly OpenApiDocumentName[];

/** `openapi.merchant.json`: the name of a document as a file. */
export const fileNameOf = (name: OpenApiDocumentName): string => endpoints[name].path.slice(1);

const about = {
  merchant:
    'The API for merchants. Requests are forms in UTF-8; answers are JSON, and clients must accept fields they do not know.',
  administration:
    'The administration API: what the back office does, for programs. Requests and answers are JSON, and clients must accept ' +
    "fields they do not know. In live it takes the operator's token only.",
} as const;

/** The operations of one part, by their tags, with the schemas that they use. */
function partOf(document: JsonObject, part: Tag['document']): JsonObject {
  const titles = new Set<Json | undefined>(Object.values<Tag>(tags).flatMap((tag) => (tag.document === part ? [tag.title] : [])));
  const { info, paths, webhooks, tags: all, components, ...others } = document as Record<string, JsonObject>;
  const operationsOf = (operations: Json): [string, Json][] =>
    Object.entries(operations as JsonObject).filter(([, operation]) =>
      ((operation as JsonObject).tags as readonly string[]).every((tag) => titles.has(tag)),
    );
  const kept = Object.entries(paths ?? {}).flatMap(([path, operations]): [string, Json][] => {
    const own = operationsOf(operations);
    return own.length > 0 ? [[path, Object.fromEntries(own)]] : [];
  });
  const { securitySchemes, ...rest } = components as Record<string, JsonObject>;
  const { operator, ...merchantSchemes } = securitySchemes ?? {};
  return withUsedSchemas({
    ...(others as JsonObject),
    info: { ...info, title: `Turnpike ${part} API`, description: about[part] },
    tags: (all as unknown as readonly JsonObject[]).filter(({ name }) => titles.has(name)),
    paths: Object.fromEntries(kept),
    ...(part === 'merchant' ? { webhooks: webhooks ?? {} } : {}),
    components: { ...rest, securitySchemes: part === 'merchant' ? merchantSchemes : (securitySchemes ?? {}) },
  });
}

/** Without the schemas that no operation leads to. */
function withUsedSchemas(document: JsonObject): JsonObject {
  const { components, ...operations } = document as Record<string, JsonObject>;
  const schemas = components?.schemas as JsonObject;
  const used = new Set<string>();
  const visit = (value: Json): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(schemas[name] as Json);
    }
  };
  visit(operations);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return { ...operations, components: { ...components, schemas: Object.fromEntries(kept) } };
}

/**
 * A document that stock generators of clients digest: OpenAPI 3.0 without `webhooks`, one flat object for every form, and schemas of types,
 * properties and references alone. Replies have no closed sets, patterns and limits, because a client must accept what a newer gateway
 * answers. decisions/0105 has what each generator makes wrong of the full document.
 */

/** A Java method takes at most 255 parameters, and generators make one of every parameter of a form; the id of the path comes on top. */
const FORM_PARAMETERS_MAX = 245;

/** Rarely used parameters, left out of longer forms. */
const leftOut: readonly SectionName[] = [
  ...(['shippingCustomer', 'merchantBilling', 'merchantShipping', 'corporate', 'sender', 'recipient'] as const),
  ...(['airline', 'recurringMigration', 'forex'] as const),
];

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const isNull = (value: Json): boolean => isObject(value) && value.type === 'null';

type Schemas = Readonly<Record<string, JsonObject>>;
type Side = 'request' | 'reply';

function forGenerators(document: JsonObject): JsonObject {
  const { openapi: _, webhooks: _events, tags, paths, components, ...others } = document as Record<string, JsonObject>;
  const schemas = (components?.schemas ?? {}) as Schemas;
  const operations = Object.entries(paths ?? {}).map(([path, methods]): [string, Json] => [
    path,
    mapped(methods as JsonObject, (operation) => plainOperation(operation as JsonObject, schemas)),
  ]);
  const used = new Set(Object.values(paths ?? {}).flatMap((methods) => Object.values(methods as JsonObject).flatMap(tagsOf)));
  return {
    openapi: '3.0.3',
    ...others,
    tags: listOf(tags).filter((tag) => used.has((tag as JsonObject).name)),
    paths: Object.fromEntries(operations),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: mapped(schemas, (schema) => plainSchema(schema as JsonObject, 'reply', schemas)),
    },
  };
}

const mapped = (object: JsonObject, change: (value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

const tagsOf = (operation: Json): readonly (Json | undefined)[] => listOf((operation as JsonObject).tags);

function plainOperation(operation: JsonObject, schemas: Schemas): JsonObject {
  const { parameters, requestBody, responses, security, ...others } = operation as Record<string, JsonObject>;
  const request = (schema: Json): JsonObject => plainSchema(schema as JsonObject, 'request', schemas);
  const isPublic = listOf(security).every((one) => isObject(one) && Object.keys(one).length === 0);
  return {
    ...(others as JsonObject),
    security: isPublic ? [] : [{ bearer: [] }],
    parameters: listOf(parameters).map((one) => ({
      ...(one as JsonObject),
      schema: request((one as JsonObject).schema as Json),
    })),
    // Required values become parameters of a method, and a builder takes the others where the generator has one.
    'x-group-parameters': true,
    ...(requestBody ? { requestBody: plainBody(requestBody, schemas) } : {}),
    responses: mapped(responses as JsonObject, (one) =>
      plainResponse(one as JsonObject, { name: replyName(operation), schemas }),
    ),
  };
}

/** `listWebhooks` → `ListWebhooksReply`. */
const replyName = ({ operationId }: JsonObject): string => `${operationId}Reply`.replace(/^./, (first) => first.toUpperCase());

/** One kind of content: JSON where there is a choice. An object that is no component has a name, or generators would number it. */
function plainResponse(
  { description = '', content }: JsonObject,
  { name, schemas }: { name: string; schemas: Schemas },
): JsonObject {
  if (!isObject(content)) return { description };
  const type = 'application/json' in content ? 'application/json' : (Object.keys(content)[0] ?? '');
  const { schema } = content[type] as { readonly schema: JsonObject };
  const plain = plainSchema(schema, 'reply', schemas);
  return { description, content: { [type]: { schema: isObject(plain.properties) ? { title: name, ...plain } : plain } } };
}

function plainBody(body: JsonObject, schemas: Schemas): JsonObject {
  const form = (body.content as JsonObject)['application/x-www-form-urlencoded'];
  if (form === undefined)
    return {
      ...body,
      content: mapped(body.content as JsonObject, (media) => ({
        ...(media as JsonObject),
        schema: plainSchema((media as JsonObject).schema as JsonObject, 'request', schemas),
      })),
    };
  const { schema, ...more } = form as Record<string, JsonObject>;
  const whole = plainSchema(schema as JsonObject, 'request', schemas);
  const named = Object.entries(whole.properties as JsonObject).filter(([name]) => !name.includes('['));
  const isTooLong = named.length > FORM_PARAMETERS_MAX;
  const without = new Set(isTooLong ? leftOut.flatMap((section) => Object.keys(sections[section].rows)) : []);
  const properties = named.filter(([name]) => !without.has(name));
  const notes = [
    body.description,
    'Names with an index or a key in brackets are not described here.',
    isTooLong ? `Nor are the parameters of the sections ${leftOut.map((name) => sections[name].heading).join(', ')}.` : '',
  ];
  return {
    ...body,
    description: notes.filter(Boolean).join(' '),
    content: {
      'application/x-www-form-urlencoded': { ...more, schema: { ...whole, properties: Object.fromEntries(properties) } },
    },
  };
}

const keptInRequests = ['format', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'writeOnly'] as const;

/** A schema of types, properties and references alone. Alternatives become one object that has the members of all. */
function plainSchema(schema: JsonObject, side: Side, schemas: Schemas): JsonObject {
  const { $ref, allOf, anyOf, description } = schema;
  const plain = (one: Json): JsonObject => plainSchema(one as JsonObject, side, schemas);
  const said: JsonObject = typeof description === 'string' && description !== '' ? { description } : {};
  if (typeof $ref === 'string') return side === 'reply' ? { $ref } : plain(schemas[nameIn($ref)] ?? {});
  if (Array.isArray(anyOf)) {
    const some = anyOf.filter((one) => !isNull(one));
    const isNullable = some.length < anyOf.length;
    const [only] = some;
    if (some.length > 1)
      return { ...plain(united(some.map((one) => resolved(one, schemas)))), ...said, ...(isNullable && { nullable: true }) };
    const one = plain(only as Json);
    return '$ref' in one ? { allOf: [one], ...said, nullable: true } : { ...one, ...said, nullable: true };
  }
  if (Array.isArray(allOf)) {
    const { allOf: _, ...own } = schema;
    return plain(joined([...allOf, own].map((one) => resolved(one, schemas))));
  }
  return { ...plainValue(schema, side), ...said, ...plainMembers(schema, side, plain) };
}

/** Type, closed set and limits. */
function plainValue(schema: JsonObject, side: Side): JsonObject {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter(
    (type) => type !== 'null' && type !== undefined,
  );
  const set = schema.const === undefined ? listOf(schema.enum) : [schema.const];
  const values = set.filter((value) => value !== null);
  const isNullable = values.length < set.length || (Array.isArray(schema.type) && schema.type.includes('null'));
  const type = types[0] ?? (values.length > 0 ? typeof values[0] : undefined);
  const limits = side === 'request' ? keptInRequests.filter((name) => schema[name] !== undefined) : [];
  const varnames = schema['x-enum-varnames'];
  return {
    ...(type !== undefined && { type }),
    ...(side === 'request' && values.length > 0 && { enum: values }),
    ...(side === 'request' && values.length > 0 && varnames !== undefined && { 'x-enum-varnames': varnames }),
    ...Object.fromEntries(limits.map((name) => [name, schema[name] as Json])),
    ...(isNullable && { nullable: true }),
  };
}

function plainMembers(schema: JsonObject, side: Side, plain: (one: Json) => JsonObject): JsonObject {
  const { properties, required, items, additionalProperties } = schema;
  const isMap = isObject(additionalProperties);
  const isOpen = side === 'reply' && (schema.type === 'object' || isObject(properties));
  return {
    ...(isObject(properties) && { properties: mapped(properties, plain) }),
    ...(listOf(required).length > 0 && { required: required as Json }),
    ...(items !== undefined && { items: plain(items) }),
    ...(isMap ? { additionalProperties: plain(additionalProperties) } : isOpen ? { additionalProperties: true } : {}),
  };
}

const nameIn = ($ref: string): string => $ref.slice('#/components/schemas/'.length);

function resolved(schema: Json, schemas: Schemas): JsonObject {
  const { $ref, allOf } = schema as JsonObject;
  if (typeof $ref === 'string') return resolved(schemas[nameIn($ref)] as JsonObject, schemas);
  if (Array.isArray(allOf)) return joined(allOf.map((one) => resolved(one, schemas)));
  return schema as JsonObject;
}

const propertiesOf = (all: readonly JsonObject[]): JsonObject =>
  Object.assign({}, ...all.map(({ properties }) => (isObject(properties) ? properties : {})));

/** All of them: every property, and every one that is required somewhere. */
function joined(all: readonly JsonObject[]): JsonObject {
  const required = [...new Set(all.flatMap((one) => listOf(one.required)))];
  return { ...Object.assign({}, ...all), type: 'object', properties: propertiesOf(all), required };
}

/** Any of them: every property; required where all of them require it. A member that differs is of any type. */
function united(all: readonly JsonObject[]): JsonObject {
  if (!all.every(({ properties }) => isObject(properties))) return {};
  const required = listOf(all[0]?.required).filter((name) => all.every((one) => listOf(one.required).includes(name)));
  const members = Object.entries(propertiesOf(all)).map(([name, member]): [string, Json] => {
    const found = all.flatMap(({ properties }) => {
      const one = (properties as JsonObject)[name];
      return isObject(one) ? [one] : [];
    });
    const types = new Set(found.map((one) => (typeof one.const === 'string' ? 'string' : JSON.stringify(one.type))));
    const sets = found.flatMap((one) => (one.const === undefined ? listOf(one.enum) : [one.const]));
    if (found.length < 2) return [name, member];
    if (sets.length > 0) return [name, { type: 'string', enum: [...new Set(sets)] }];
    return [name, types.size > 1 ? {} : member];
  });
  return { type: 'object', properties: Object.fromEntries(members), required };
}
