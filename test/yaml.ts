/** As much of YAML as deploy/ uses: maps, lists, plain and quoted scalars, comments, documents. Anything else throws. */

export type Yaml = string | readonly Yaml[] | { readonly [name: string]: Yaml };

type Line = { readonly indent: number; readonly text: string };

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*#.*$|\s#[^"]*$/, '').trimEnd())
    .filter((line) => line.trim() !== '')
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trimStart() }));

function scalar(text: string): Yaml {
  if (/^["[{]/.test(text)) return JSON.parse(text) as Yaml;
  if (/^[&*!|>'%@`]/.test(text)) throw new Error(`this YAML is not read: ${text}`);
  return text;
}

const ENTRY = /^([\w./-]+):(?: (.+))?$/;

/** The block that begins with the first line. Takes its lines away. */
function block(lines: Line[]): Yaml {
  const [first] = lines;
  if (!first) return '';
  return first.text.startsWith('- ') ? list(lines, first.indent) : map(lines, first.indent);
}

function list(lines: Line[], indent: number): Yaml {
  const items: Yaml[] = [];
  for (let line = lines[0]; line?.indent === indent && line.text.startsWith('- '); line = lines[0]) {
    const inner = { indent: indent + 2, text: line.text.slice(2) };
    lines.shift();
    if (!ENTRY.test(inner.text)) items.push(scalar(inner.text));
    else {
      lines.unshift(inner);
      items.push(map(lines, inner.indent));
    }
  }
  return items;
}

function map(lines: Line[], indent: number): Yaml {
  const entries: [string, Yaml][] = [];
  for (let line = lines[0]; line?.indent === indent && !line.text.startsWith('- '); line = lines[0]) {
    const [, name, value] = ENTRY.exec(line.text) ?? [];
    if (name === undefined) throw new Error(`this YAML is not read: ${line.text}`);
    lines.shift();
    const isNested = value === undefined && (lines[0]?.indent ?? -1) > indent;
    entries.push([name, isNested ? block(lines) : scalar(value ?? '')]);
  }
  return Object.fromEntries(entries);
}

/** The documents of a file. */
export const readYaml = (text: string): readonly Yaml[] =>
  text.split(/^---$/m).map((part) => {
    const lines = linesOf(part);
    const document = block(lines);
    if (lines.length > 0) throw new Error(`this YAML is not read: ${lines[0]?.text}`);
    return document;
  });
