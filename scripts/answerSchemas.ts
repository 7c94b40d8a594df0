import { join } from 'node:path';
import ts from 'typescript';
import type { AdminEndpointName } from '../src/spec/admin/admin.ts';
import { id } from '../src/spec/admin/kinds.ts';
import { type Endpoint, endpoints } from '../src/spec/endpoints.ts';
import type { AnswerSchemas } from '../src/spec/openApi/admin.ts';
import type { Json, JsonObject } from '../src/spec/openApi/schemas.ts';

/**
 * JSON Schemas of the replies of the administration API, derived from their types in src/spec/answers: the same types bind the handlers,
 * the back office and the command line. A named type becomes a component, a comment becomes a description.
 */

const root = join(import.meta.dirname, '..');
const SOURCE = 'src/spec/answers/adminAnswers.ts';

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The schemas of the names in src/spec/answers/texts.ts. */
const formats: Readonly<Record<string, JsonObject>> = {
  Id: id.schema as JsonObject,
  Instant: { type: 'string', format: 'date-time' },
  Day: { type: 'string', format: 'date' },
  AmountText: { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{2}$' },
  CodeText: ref('ResultCode'),
};

/** Types with a component of their own in the document. */
const described: ReadonlySet<string> = new Set(['Scenario']);

type Node = ts.TypeNode | undefined;

class SchemaWriter {
  readonly components = new Map<string, JsonObject>();
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  /** The schema of a type. `node` is how the source writes it, where that is known: only there a format has its name. */
  schema(type: ts.Type, node?: Node): Json {
    const format = formatOf(node);
    if (format) return format;
    if (type.isUnion()) return this.#union(type, node);
    const name = this.#nameOf(type);
    return name === null ? this.#structure(type, node) : this.#component(name, type);
  }

  #component(name: string, type: ts.Type): JsonObject {
    if (!this.components.has(name) && !described.has(name)) {
      // First, because a type may contain itself.
      this.components.set(name, {});
      const description = textOf(type.aliasSymbol, this.#checker);
      this.components.set(name, { ...this.#structure(type, undefined), ...(description && { description }) });
    }
    return ref(name);
  }

  /** The name of a type that the specification declares; null for a type without one. */
  #nameOf(type: ts.Type): string | null {
    const { aliasSymbol, aliasTypeArguments = [] } = type;
    const declared = aliasSymbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
    if (!aliasSymbol || aliasTypeArguments.length > 0 || !declared.startsWith(join(root, 'src/spec/'))) return null;
    return (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection() ? aliasSymbol.name : null;
  }

  #union(type: ts.UnionType, node: Node): Json {
    const isNull = (one: ts.Type): boolean => (one.flags & ts.TypeFlags.Null) !== 0;
    const members = type.types.filter((one) => (one.flags & ts.TypeFlags.Undefined) === 0);
    const present = members.filter((one) => !isNull(one));
    const schema = this.#present(present, node);
    return members.some(isNull) ? orNull(schema) : schema;
  }

  #present(members: readonly ts.Type[], node: Node): Json {
    const [first] = members;
    const inner = withoutNull(node);
    const format = formatOf(inner);
    if (format) return format;
    if (first && members.length === 1) return this.schema(first, inner);
    if (members.every((one) => (one.flags & ts.TypeFlags.BooleanLiteral) !== 0)) return { type: 'boolean' };
    if (members.every((one) => one.isStringLiteral()))
      return { type: 'string', enum: members.map((one) => (one as ts.StringLiteralType).value) };
    return { anyOf: unique(members.map((one) => this.schema(one))) };
  }

  #structure(type: ts.Type, node: Node): JsonObject {
    const { flags } = type;
    if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {};
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: this.#checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' };
    if (this.#checker.isArrayType(type)) {
      const [item] = this.#checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: item ? this.schema(item, itemNode(node)) : {} };
    }
    if (this.#checker.isTupleType(type)) {
      const items = this.#checker.getTypeArguments(type as ts.TypeReference).map((one) => this.schema(one));
      return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length };
    }
    return this.#object(type);
  }

  #object(type: ts.Type): JsonObject {
    const symbols = this.#checker.getPropertiesOfType(type);
    const [index] = this.#checker.getIndexInfosOfType(type);
    const properties = symbols.map((symbol): readonly [string, Json] => [symbol.name, this.#property(symbol)]);
    const required = symbols.filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0).map(({ name }) => name);
    return {
      type: 'object',
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      ...(index && { additionalProperties: this.schema(index.type) }),
    };
  }

  #property(symbol: ts.Symbol): Json {
    const declaration = symbol.declarations?.[0];
    const node = declaration && ts.isPropertySignature(declaration) ? declaration.type : undefined;
    const schema = this.schema(this.#checker.getTypeOfSymbol(symbol), node);
    const description = textOf(symbol, this.#checker);
    return description === '' ? schema : { ...(schema as JsonObject), description };
  }
}

const textOf = (symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string =>
  ts
    .displayPartsToString(symbol?.getDocumentationComment(checker))
    .replace(/\s+/g, ' ')
    .trim()
    // The names of the endpoints stand beside the schema.
    .replace(/^Of [^.:]*[.:] ?/, '')
    .replace(/^[a-z]/, (first) => first.toUpperCase());

function formatOf(node: Node): JsonObject | undefined {
  return node && ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) ? formats[node.typeName.text] : undefined;
}

/** The one member of a union beside null; undefined when there are several. */
function withoutNull(node: Node): Node {
  if (!node || !ts.isUnionTypeNode(node)) return node;
  const members = node.types.filter((one) => !(ts.isLiteralTypeNode(one) && one.literal.kind === ts.SyntaxKind.NullKeyword));
  return members.length === 1 ? members[0] : undefined;
}

function itemNode(node: Node): Node {
  const list = node && ts.isTypeOperatorNode(node) ? node.type : node;
  return list && ts.isArrayTypeNode(list) ? list.elementType : undefined;
}

/** The schema, with null allowed. */
function orNull(schema: Json): Json {
  const { type, enum: values, ...rest } = schema as JsonObject;
  if (typeof type !== 'string') return { anyOf: [...((schema as { anyOf?: Json[] }).anyOf ?? [schema]), { type: 'null' }] };
  return { type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }), ...rest };
}

const unique = (schemas: readonly Json[]): Json[] => [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];

/** The names of the endpoints that OpenAPI describes. */
const names = (Object.entries(endpoints) as readonly (readonly [AdminEndpointName, Endpoint])[])
  .filter(([, { access }]) => access === 'admin')
  .map(([name]) => name);

/** The schemas of all replies. */
export function deriveAnswerSchemas(): AnswerSchemas {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [SOURCE], include: [] }, ts.sys, root);
  const program = ts.createProgram([join(root, SOURCE)], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(root, SOURCE));
  const table = source?.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === 'AdminAnswers');
  if (!table) throw new Error(`${SOURCE} has no type AdminAnswers`);
  const answers = checker.getTypeAtLocation(table);
  const writer = new SchemaWriter(checker);
  const byEndpoint = names.map((name): readonly [string, Json] => {
    const answer = answers.getProperty(name);
    if (!answer) throw new Error(`AdminAnswers has no ${name}`);
    return [name, writer.schema(checker.getTypeOfSymbol(answer))];
  });
  const components = [...writer.components].sort(([one], [other]) => (one < other ? -1 : 1));
  return { byEndpoint: Object.fromEntries(byEndpoint), components: Object.fromEntries(components) };
}
