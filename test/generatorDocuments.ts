/**
 * What a generator of clients needs of an OpenAPI document, held against documents as a gateway serves them: names that are identifiers
 * in five languages and stay different in each, tags that become classes, and in the plain form no construct that stock generators
 * make wrong. It reads JSON and shares no code with what writes the documents.
 */

type Json = string | number | boolean | null | readonly Json[] | JsonObject;
type JsonObject = { readonly [name: string]: Json };

type Operation = {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly schema: JsonObject }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonObject }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: JsonObject }> }>;
};
export type Served = {
  readonly openapi: string;
  readonly info: { readonly license?: { readonly name?: string; readonly identifier?: string } };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks?: JsonObject;
  readonly components: { readonly schemas: Record<string, JsonObject> };
};

/** Reserved words, and types that generated code always has at hand, without case. */
const reserved: Readonly<Record<string, string>> = {
  Python:
    'false none true and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield self',
  Java:
    'abstract boolean byte case catch char const default do double enum extends final float goto implements instanceof int interface ' +
    'long native new null package private protected public short static strictfp super switch synchronized this throw throws ' +
    'transient void volatile object string list map file integer exception',
  'C#':
    'base bool checked decimal delegate event explicit extern fixed foreach implicit internal lock namespace operator out override params ' +
    'readonly ref sbyte sealed sizeof stackalloc struct typeof uint ulong unchecked unsafe ushort using virtual task',
  Go: 'chan defer fallthrough func go range select type var nil error context',
  TypeScript:
    'any arguments as constructor declare delete eval export function let never number of require symbol unknown promise record',
};
const languagesThatReserve = (name: string): readonly string[] =>
  Object.entries(reserved).flatMap(([language, words]) => (words.split(' ').includes(name.toLowerCase()) ? [language] : []));

/** As it looks when every language has written it its own way: `card.number`, `card_number` and `CardNumber` are one. */
const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function faultsOfNames(what: string, names: readonly string[], shape: RegExp | null): readonly string[] {
  const seen = new Map<string, string>();
  return names.flatMap((name) => {
    const other = seen.get(folded(name));
    seen.set(folded(name), name);
    return [
      ...(other === undefined ? [] : [`${what} ${name} is ${other} in some language`]),
      ...(folded(name) === '' || /^[0-9]/.test(folded(name)) ? [`${what} ${name} does not begin with a letter`] : []),
      ...(shape !== null && !shape.test(name) ? [`${what} ${name} is no identifier`] : []),
      ...(shape === null ? [] : languagesThatReserve(name).map((language) => `${what} ${name} is reserved in ${language}`)),
    ];
  });
}

export const operationsOf = ({ paths }: Served): readonly (Operation & { readonly at: string })[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, at: `${method.toUpperCase()} ${path}` })),
  );

function* nodesOf(value: Json, at = ''): Generator<readonly [at: string, node: JsonObject]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as JsonObject];
  for (const [name, child] of Object.entries(value)) yield* nodesOf(child, `${at}/${name}`);
}

/** Faults of any document: tags, names, references. */
export function faultsOf(document: Served): readonly string[] {
  const operations = operationsOf(document);
  const [tags, schemas] = [document.tags.map(({ name }) => name), document.components.schemas];
  return [
    ...operations.flatMap(({ at, tags: own = [] }) => [
      ...(own.length === 1 ? [] : [`${at} has ${own.length} tags`]),
      ...own.filter((tag) => !tags.includes(tag)).map((tag) => `${at} has the tag ${tag}, which is not declared`),
    ]),
    ...faultsOfNames('tag', tags, /^[A-Z][A-Za-z0-9 -]*$/),
    ...faultsOfNames(
      'operation',
      operations.map(({ operationId }) => operationId),
      /^[a-z][A-Za-z0-9]*$/,
    ),
    ...faultsOfNames('schema', Object.keys(schemas), /^[A-Za-z][A-Za-z0-9]*$/),
    ...[...nodesOf(document as unknown as Json)].flatMap(([at, { $ref }]) => {
      const [, name] = /^#\/components\/schemas\/(.+)$/.exec(String($ref)) ?? [];
      return typeof $ref === 'string' && !(name !== undefined && name in schemas) ? [`${at} leads to ${$ref}`] : [];
    }),
  ];
}

/** A method of Java takes 255 parameters with its object, and generators add one of their own. */
const PARAMETERS_MAX = 250;
const WORDS_OF_PLAIN = new Set([
  ...[
    '$ref',
    'type',
    'format',
    'description',
    'title',
    'properties',
    'required',
    'items',
    'additionalProperties',
    'enum',
    'allOf',
  ],
  ...['nullable', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'writeOnly', 'x-enum-varnames'],
]);
const LIMITS = ['enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];

/** Faults of a schema in the plain form; names of properties are no words of the schema, so it is walked as what it is. */
function faultsOfPlain(schema: JsonObject, at: string, isReply: boolean): readonly string[] {
  const { $ref, type, allOf, required, additionalProperties } = schema;
  const [properties, items] = [
    schema.properties as Record<string, JsonObject> | undefined,
    schema.items as JsonObject | undefined,
  ];
  return [
    ...Object.keys(schema).flatMap((word) => (WORDS_OF_PLAIN.has(word) ? [] : [`${at} has ${word}`])),
    ...($ref !== undefined && Object.keys(schema).length > 1 ? [`${at} has words beside $ref, which are lost`] : []),
    ...(type !== undefined && (typeof type !== 'string' || type === 'null')
      ? [`${at} has the type ${JSON.stringify(type)}`]
      : []),
    ...(allOf !== undefined && (allOf as readonly JsonObject[]).some((one) => Object.keys(one).join() !== '$ref')
      ? [`${at} has allOf of what is no reference`]
      : []),
    ...((required ?? []) as readonly string[])
      .filter((name) => properties?.[name] === undefined)
      .map((name) => `${at} requires ${name}, which it does not have`),
    ...(isReply ? LIMITS.filter((word) => word in schema).map((word) => `${at} limits a reply by ${word}`) : []),
    ...(isReply && properties !== undefined && (additionalProperties ?? false) === false ? [`${at} is a closed reply`] : []),
    ...(properties === undefined ? [] : faultsOfNames(`${at}: property`, Object.keys(properties), null)),
    ...Object.entries(properties ?? {}).flatMap(([name, one]) => faultsOfPlain(one, `${at}.${name}`, isReply)),
    ...(items === undefined ? [] : faultsOfPlain(items, `${at}[]`, isReply)),
    ...(typeof additionalProperties === 'object' ? faultsOfPlain(additionalProperties as JsonObject, `${at}{}`, isReply) : []),
  ];
}

/** Faults of a document in the plain form, beside those of any. */
export function faultsOfGeneratorDocument(document: Served): readonly string[] {
  const used = new Set(operationsOf(document).flatMap(({ tags = [] }) => tags));
  return [
    ...faultsOf(document),
    ...(/^3\.0\.\d$/.test(document.openapi) ? [] : [`the document is OpenAPI ${document.openapi}`]),
    ...('webhooks' in document ? ['the document has webhooks'] : []),
    // The manifest of a Python package takes SPDX names only; the identifier is of OpenAPI 3.1.
    ...(/^[A-Za-z][A-Za-z0-9.+-]*$/.test(document.info.license?.name ?? '')
      ? []
      : ['the document has no licence by its SPDX name']),
    ...(document.info.license?.identifier === undefined ? [] : ['the licence has an identifier']),
    ...document.tags.filter(({ name }) => !used.has(name)).map(({ name }) => `tag ${name} has no operation`),
    ...operationsOf(document).flatMap((operation) => faultsOfOperation(operation)),
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => faultsOfPlain(schema, name, true)),
  ];
}

function faultsOfOperation({ operationId, parameters = [], requestBody, responses }: Operation): readonly string[] {
  const bodies = Object.entries(requestBody?.content ?? {});
  const fields = bodies.flatMap(([type, { schema }]) =>
    type === 'application/x-www-form-urlencoded' ? Object.keys((schema.properties ?? {}) as JsonObject) : ['body'],
  );
  const names = [...parameters.map(({ name }) => name), ...fields];
  const contents = Object.entries(responses).map(([status, { content = {} }]) => [status, Object.entries(content)] as const);
  return [
    ...(names.length > PARAMETERS_MAX ? [`${operationId} has ${names.length} parameters`] : []),
    ...(bodies.length > 1 ? [`${operationId} takes ${bodies.length} kinds of content`] : []),
    ...faultsOfNames(`${operationId}: parameter`, names, null),
    ...names.filter((name) => /[[\]]/.test(name)).map((name) => `${operationId}: parameter ${name} has brackets`),
    ...parameters.flatMap(({ name, schema }) => faultsOfPlain(schema, `${operationId}(${name})`, false)),
    ...bodies.flatMap(([, { schema }]) => faultsOfPlain(schema, `${operationId}(body)`, false)),
    ...contents.flatMap(([status, kinds]) => [
      ...(kinds.length > 1 ? [`${operationId} answers ${status} with ${kinds.length} kinds of content`] : []),
      ...kinds.flatMap(([, { schema }]) => [
        ...faultsOfPlain(schema, `${operationId} ${status}`, true),
        ...(schema.properties !== undefined && schema.title === undefined
          ? [`${operationId} ${status} is an object without a name`]
          : []),
      ]),
    ]),
  ];
}

/** What operators and the back office ask; everything else is of merchants and their shoppers. */
const isAdministration = (at: string): boolean => /^[A-Z]+ \/(?:admin|health|metrics)(?:\/| |$)/.test(at);

/** Faults of the parts beside each other: each operation is in one part, and both together are the whole. */
export function faultsOfParts(
  whole: Served,
  parts: { readonly merchant: Served; readonly administration: Served },
): readonly string[] {
  const keysOf = (document: Served): readonly string[] =>
    operationsOf(document).map(({ at, operationId }) => `${at} ${operationId}`);
  const [all, merchant, administration] = [whole, parts.merchant, parts.administration].map(keysOf) as [
    readonly string[],
    readonly string[],
    readonly string[],
  ];
  const both = new Set([...merchant, ...administration]);
  return [
    ...merchant.filter(isAdministration).map((key) => `${key} is in the document for merchants`),
    ...administration.filter((key) => !isAdministration(key)).map((key) => `${key} is in the document of the administration`),
    ...all.filter((key) => !both.has(key)).map((key) => `${key} is in neither part`),
    ...[...both].filter((key) => !all.includes(key)).map((key) => `${key} is not in the whole`),
  ];
}
