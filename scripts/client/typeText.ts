/** JSON Schema as TypeScript. */

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly description?: string;
  readonly deprecated?: boolean;
};

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
export const literal = (value: unknown): string => (typeof value === 'string' ? quoted(value) : JSON.stringify(value));
export const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
export const memberName = (name: string): string => (IDENTIFIER.test(name) ? name : quoted(name));

/** A comment before a member; nothing where there is nothing to say. */
export function commentText(text: string, indent: string, isDeprecated = false): string {
  const said = [text.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim(), isDeprecated ? '@deprecated' : ''].filter(Boolean);
  return said.length === 0 ? '' : `${indent}/** ${said.join(' ')} */\n`;
}

/** `#/components/schemas/Payment` as `Payment`. */
const referred = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** A type of more than one member beside others. */
const inside = (text: string): string =>
  text.startsWith('readonly ') || / [|&] /.test(text.replaceAll(/\{[^{}]*\}/g, '')) ? `(${text})` : text;

function primitive(type: string, schema: Schema, indent: string): string {
  if (type === 'null' || type === 'boolean' || type === 'string') return type;
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return arrayText(schema, indent);
  return objectText(schema, indent);
}

function arrayText({ items, prefixItems }: Schema, indent: string): string {
  if (prefixItems) return `readonly [${prefixItems.map((one) => typeText(one, indent)).join(', ')}]`;
  const text = items ? typeText(items, indent) : 'unknown';
  return `readonly ${(items?.anyOf ?? items?.oneOf ?? items?.allOf) ? `(${text})` : inside(text)}[]`;
}

/** Members that are not listed are left out: a name that is mistyped must not compile. */
function objectText({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const deeper = `${indent}  `;
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${commentText(schema.description ?? '', deeper, schema.deprecated)}${deeper}readonly ${memberName(name)}${required.includes(name) ? '' : '?'}: ${typeText(schema, deeper)};\n`,
  );
  if (typeof additionalProperties === 'object') {
    const isAlone = members.length === 0;
    const entry = isAlone ? typeText(additionalProperties, deeper) : 'unknown';
    members.push(`${deeper}readonly [name: string]: ${entry};\n`);
  }
  return members.length === 0 ? 'Readonly<Record<string, unknown>>' : `{\n${members.join('')}${indent}}`;
}

export function typeText(schema: Schema, indent = ''): string {
  const { $ref, allOf, anyOf, oneOf, type } = schema;
  if ($ref !== undefined) return referred($ref);
  if (allOf) return allOf.map((one) => inside(typeText(one, indent))).join(' & ');
  const choice = anyOf ?? oneOf;
  if (choice) return [...new Set(choice.map((one) => inside(typeText(one, indent))))].join(' | ');
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (type === undefined) return schema.properties ? objectText(schema, indent) : 'unknown';
  const types = typeof type === 'string' ? [type] : type;
  return [...new Set(types.map((one) => primitive(one, schema, indent)))].join(' | ');
}
