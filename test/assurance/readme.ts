import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tags } from '../../src/spec/tags.ts';

/** The promises of the README and of the pages that its tables moved to: each piece needs a row in `promises.ts`, or a reason why it promises nothing. */

type Page = {
  readonly path: string;
  /** The headings below which every sentence and every row of a table is a piece; '' is the text above the first heading. */
  readonly sections: readonly string[];
};

export const pages: readonly Page[] = [
  { path: 'README.md', sections: ['', 'The back office', 'Features'] },
  { path: 'docs/settings.md', sections: ['', 'Secrets, names and live'] },
  {
    path: 'docs/endpoints.md',
    sections: Object.values(tags).flatMap(({ title, document }) => (document === 'merchant' ? [title] : [])),
  },
];

export const readPage = ({ path }: Page): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

/** The pieces of one page, in their order. */
export function readPromises(text: string, { path, sections: wanted }: Page): readonly string[] {
  const plain = text.replace(/^```[\s\S]*?^```$/gm, '');
  const sections = plain.split(/^##+ /m).map((section, at) => {
    const [title = '', ...lines] = section.split('\n');
    return { title: at === 0 ? '' : title, lines };
  });
  const own = sections.filter(({ title }) => wanted.includes(title));
  // A table of endpoints stands below a description, which the table proves.
  return own.flatMap(({ lines }) => (path === 'docs/endpoints.md' ? tableRows(lines) : sentences(lines)));
}

const tableRows = (lines: readonly string[]): readonly string[] =>
  lines
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ')[0] ?? '')
    .map((cell) => cell.slice(2));

function sentences(lines: readonly string[]): readonly string[] {
  const prose = lines.filter((line) => !/^[|!#]/.test(line)).join('\n');
  const paragraphs = prose.split(/\n{2,}|\n(?=- )/).map((text) => text.replace(/^- /, '').replace(/\s+/g, ' ').trim());
  return paragraphs.flatMap((text) => text.split(/(?<=[.:;]|\.\)) (?=\S)/)).filter((text) => text !== '');
}
