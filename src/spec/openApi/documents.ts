import { type EndpointName, endpoints } from '../endpoints.ts';
import { type Tag, tags } from '../tags.ts';
import { forGenerators } from './generators.ts';
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
