/** What the README promises, piece by piece: each needs a row in `promises.ts`, or a reason why it promises nothing. */
const SECTIONS: ReadonlySet<string> = new Set(['', 'Endpoints', 'The back office', 'Further features', 'Configuration']);

/** The rows of the table of endpoints, and the sentences of the sections that describe what the gateway does. */
export function readPromises(readme: string): readonly string[] {
  const plain = readme.replace(/^```[\s\S]*?^```$/gm, '').replace(/<!-- settings -->[\s\S]*?<!-- \/settings -->/, '');
  const sections = plain.split(/^## /m).map((text, at) => {
    const [title = '', ...lines] = text.split('\n');
    return { title: at === 0 ? '' : title, lines };
  });
  return sections.filter(({ title }) => SECTIONS.has(title)).flatMap(({ lines }) => [...tableRows(lines), ...sentences(lines)]);
}

const tableRows = (lines: readonly string[]): readonly string[] =>
  lines
    .filter((line) => /^\| (?!Path)/.test(line))
    .map((line) => line.split(' | ')[0] ?? '')
    .map((cell) => cell.slice(2));

function sentences(lines: readonly string[]): readonly string[] {
  const prose = lines.filter((line) => !/^[|!#]/.test(line)).join('\n');
  const paragraphs = prose.split(/\n{2,}|\n(?=- )/).map((text) => text.replace(/^- /, '').replace(/\s+/g, ' ').trim());
  return paragraphs.flatMap((text) => text.split(/(?<=[.:;]|\.\)) (?=\S)/)).filter((text) => text !== '');
}
