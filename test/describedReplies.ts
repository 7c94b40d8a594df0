import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApi } from '../src/spec/openApi/openApi.ts';

/** Replies of the tests against the OpenAPI document. A validator is compiled when the first reply needs it. */
type Media = { readonly schema?: { readonly $ref?: string } };
type Operation = { readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>> };
type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const document = openApi() as unknown as Described;
const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
ajv.addSchema(document, 'api');

/** Later entries are the static ones, which win over `{id}`. */
const templates = Object.keys(document.paths)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`) }))
  .toSorted((one, other) => Number(one.path.includes('{')) - Number(other.path.includes('{')));
const found = new Map<string, string | undefined>();

function templateOf(path: string): string | undefined {
  if (!found.has(path)) found.set(path, templates.find(({ pattern }) => pattern.test(path))?.path);
  return found.get(path);
}

const escaped = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
const validators = new Map<string, ValidateFunction>();

/** The validator of a place in the document. */
function validatorOf(...steps: readonly string[]): ValidateFunction {
  const place = `api#/${steps.map(escaped).join('/')}`;
  const known = validators.get(place) ?? ajv.getSchema(place);
  assert.ok(known, `the OpenAPI document has no ${place}`);
  validators.set(place, known);
  return known;
}

function assertValid(validate: ValidateFunction, value: unknown, what: string): void {
  if (validate(value)) return;
  const errors = validate.errors?.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  assert.fail(`${what} is not as the OpenAPI document says: ${errors?.join('; ')} in ${JSON.stringify(value).slice(0, 2_000)}`);
}

/** A reply of the merchant API: its status must be described, and its JSON must fit the schema. The administration API is left out. */
export function assertDescribed(method: string, path: string, reply: { readonly status: number; readonly body: unknown }): void {
  const template = path.startsWith('/admin/') ? undefined : templateOf(path.split('?', 1)[0] ?? '');
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  if (template === undefined || operation === undefined || reply.status >= 500) return;
  const described = operation.responses[String(reply.status)];
  assert.ok(described, `${method} ${template} has no status ${reply.status}: ${JSON.stringify(reply.body).slice(0, 500)}`);
  const schema = described.content?.['application/json']?.schema;
  if (!schema) return;
  // Most operations name the same few schemas: each is compiled once.
  const named = schema.$ref?.slice('#/'.length).split('/');
  const steps = [
    'paths',
    template,
    method.toLowerCase(),
    'responses',
    String(reply.status),
    'content',
    'application/json',
    'schema',
  ];
  assertValid(validatorOf(...(named ?? steps)), reply.body, `${reply.status} of ${method} ${template}`);
}

/** A payload of a webhook. */
export function assertDescribedPayload(payload: { readonly type?: unknown }): void {
  const name = payload.type === 'test' ? 'WebhookTest' : 'WebhookPayload';
  assertValid(validatorOf('components', 'schemas', name), payload, 'the payload');
}

/** Any value against a place of the document. */
export const assertFits = (value: unknown, ...steps: readonly string[]): void =>
  assertValid(validatorOf(...steps), value, steps.join(' '));
