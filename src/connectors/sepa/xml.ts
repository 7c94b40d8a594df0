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

const UNESCAPED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A file that is no well-formed XML of this form. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

type Opened = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
};

const TOKEN = /<(\/?)([A-Za-z][\w.:-]*)((?:\s+[\w.:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;

/** Reads a document that has elements, attributes and text alone: no comments, no document type, no entities beyond the five. */
export function readXml(text: string): XmlElement {
  const body = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/, '');
  const root: Opened = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < body.length) {
    const token = TOKEN.exec(body);
    if (!token) throw new XmlFault('it is no well-formed XML');
    readToken(token, open);
  }
  const [found, ...others] = root.children;
  if (open.length !== 1 || !found || others.length > 0 || root.text.trim() !== '') throw new XmlFault('it has no single root');
  return found;
}

function readToken([, slash, name = '', attributes = '', isEmpty, text]: RegExpExecArray, open: Opened[]): void {
  const top = open.at(-1);
  if (!top) throw new XmlFault('it goes on after its end');
  if (text !== undefined) {
    top.text += unescaped(text);
    return;
  }
  if (slash === '/') {
    open.pop();
    const parent = open.at(-1);
    if (top.name !== name || !parent) throw new XmlFault(`${name} is not open`);
    parent.children.push(closed(top));
    return;
  }
  const opened: Opened = { name, attributes: attributesIn(attributes), children: [], text: '' };
  if (isEmpty === '/') top.children.push(closed(opened));
  else open.push(opened);
}

function closed({ name, attributes, children, text }: Opened): XmlElement {
  if (children.length > 0 && text.trim() !== '') throw new XmlFault(`${name} has text beside elements`);
  return { name, attributes, content: children.length > 0 ? children : text };
}

const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([\w.:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescaped(value)]));

const unescaped = (text: string): string =>
  text.replace(/&([^;]*);?/g, (_, name: string) => {
    const sign = UNESCAPED[name];
    if (sign === undefined) throw new XmlFault('it has an unknown entity');
    return sign;
  });
