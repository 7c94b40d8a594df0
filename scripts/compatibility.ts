import { type Endpoint, endpoints } from '../src/spec/endpoints.ts';
import { sections } from '../src/spec/parameters.ts';
import { relied } from '../test/compat/selectors.ts';
import { tableOf } from './connectorPages.ts';

/** The generated tables of docs/compatibility.md, by their marks. `options` is the text of src/widget/options.ts. */
export function compatibilityTables(options: string): Readonly<Record<string, string>> {
  return {
    paths: pathRows(),
    parameters: parameterRows(),
    options: optionRows(options, 'Options'),
    hooks: optionRows(options, 'Hooks'),
    selectors: selectorText(),
  };
}

/** Paths of the API family, which merchants' servers and shoppers' browsers call. Administration and pages are ours. */
function pathRows(): string {
  const own: readonly Endpoint['answers'][] = ['admin', 'page', 'health', 'document'];
  const lines = Object.values<Endpoint>(endpoints)
    .filter(({ answers, path }) => !own.includes(answers) && !path.startsWith('/admin'))
    .map(({ method, path, summary }) => [`\`${method} ${path}\``, summary.replaceAll('|', '\\|')]);
  return tableOf(['Path', 'Purpose'], lines);
}

function parameterRows(): string {
  const lines = Object.values(sections).map(({ heading, rows }) => {
    const names = Object.keys(rows);
    return [heading, String(names.length), names.map((name) => `\`${name}\``).join(' ')];
  });
  return tableOf(['Section', 'Number', 'Parameters'], lines);
}

/** The members of a type, each with its comment. A member without one is named by its own words. */
function optionRows(text: string, type: string): string {
  const [, body = ''] = new RegExp(`^export type ${type} = \\{\\n([\\s\\S]*?)\\n\\}`, 'm').exec(text) ?? [];
  const members = [...body.matchAll(/^(?: {2}\/\*\*([\s\S]*?)\*\/\n)? {2}readonly (\w+)\?:/gm)];
  if (members.length === 0) throw new Error(`the type ${type} of the widget cannot be read`);
  const lines = members.map(([, comment = '', name = '']) => [
    `\`${name}\``,
    comment
      .replaceAll(/\s*\n\s*\*?\s*/g, ' ')
      .replaceAll('|', '\\|')
      .trim() || '–',
  ]);
  return tableOf([type === 'Hooks' ? 'Hook' : 'Option', 'Meaning'], lines);
}

const selectorText = (): string => relied.map((name) => `\`${name}\``).join(' ');
