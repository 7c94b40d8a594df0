import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAdmin } from '../admin/admin.ts';
import { type Endpoint, type EndpointName, endpoints } from '../endpoints.ts';
import type { JsonObject } from './schemas.ts';

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
