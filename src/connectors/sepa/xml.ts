import { SaxesParser } from 'saxes';

/** An element with text or with elements in it. Absent children are left out. */
export type XmlElement = {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly content: string | readonly (XmlElement | null)[];
};

export const element = (
  name: string,
  content: XmlElement['content'],
  attributes?: Readonly<Record<string, string>>,
): XmlElement => ({ name, content, ...(attributes && { attributes }) });

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

function write({ name, attributes = {}, content }: XmlElement, parts: string[]): void {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  parts.push('<', name, ...written, '>');
  if (typeof content === 'string') parts.push(escaped(content));
  else for (const child of content) if (child) write(child, parts);
  parts.push('</', name, '>');
}

/** A whole document in UTF-8, without white space between elements. */
export function xmlDocument(root: XmlElement): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  write(root, parts);
  parts.push('\n');
  return parts.join('');
}

/** A file that is no well-formed XML of this form. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

type Opened = {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
};

/** Our messages are about ten elements deep. */
const DEPTH_MAX = 40;
const REFUSED = ['comment', 'cdata', 'doctype', 'processinginstruction'] as const;

/** Reads a document of elements, attributes and text: no comments, no document type, no entities beyond the five of XML. */
export function readXml(text: string): XmlElement {
  if (text.includes('&#')) throw new XmlFault('it has a numeric entity');
  const open: Opened[] = [];
  let root: XmlElement | null = null;
  const parser = new SaxesParser();
  for (const part of REFUSED) {
    parser.on(part, () => {
      throw new XmlFault(`it has a part that is not allowed: ${part}`);
    });
  }
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= DEPTH_MAX) throw new XmlFault(`elements stand more than ${DEPTH_MAX} deep inside each other`);
    open.push({ name, attributes, children: [], text: '' });
  });
  parser.on('text', (piece) => {
    const top = open.at(-1);
    if (top) top.text += piece;
  });
  parser.on('closetag', () => {
    const done = closed(open.pop() as Opened);
    const parent = open.at(-1);
    if (parent) parent.children.push(done);
    else root = done;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    throw error instanceof XmlFault ? error : new XmlFault('it is no well-formed XML');
  }
  return root ?? fault('it has no root');
}

const fault = (message: string): never => {
  throw new XmlFault(message);
};

function closed({ name, attributes, children, text }: Opened): XmlElement {
  if (children.length > 0 && text.trim() !== '') throw new XmlFault(`${name} has text beside elements`);
  return { name, attributes, content: children.length > 0 ? children : text };
}
