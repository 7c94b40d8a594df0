import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { decoded, faultResult, headOf, type ReadResult, Unreadable } from './reader.ts';

/** The deepest nesting of elements; the standard needs about half of it. */
const DEPTH_MAX = 40;
/** Characters between two tags; the parser holds them in memory. No remark is that long. */
const UNTAGGED_MAX = 262_144;
const CHUNK = 16_384;
export const TEXT_MAX = 1_024;

/** The messages that are read, by the name of their element. A document of ISO 20022 holds one of them. */
const messageElements = {
  'camt.052': 'BkToCstmrAcctRpt',
  'camt.053': 'BkToCstmrStmt',
  'camt.054': 'BkToCstmrDbtCdtNtfctn',
  'pain.002': 'CstmrPmtStsRpt',
} as const;
type MessageName = keyof typeof messageElements;

/** A kind of message of ISO 20022: `camt.053`, and a regular expression for the supported versions. */
export type MessageKind = { readonly name: MessageName; readonly versions: RegExp; readonly versionsText: string };

/** The values found below an element that is being read, by their path. */
export type OpenElement = {
  readonly values: Map<string, string>;
  readonly depth: number;
  readonly paths: ReadonlySet<string>;
  readonly line: number;
};

/** Gets the elements of a message as they are read. The elements that it holds stay in memory, nothing else. */
export interface Visitor {
  readonly results: ReadResult[];
  /** The path begins with the document and ends with the element, whatever is around the document. */
  open(path: readonly string[], line: number): void;
  /** The innermost element that is held and gets the values below it. */
  inner(): OpenElement | null;
  close(path: readonly string[]): void;
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:';
const escaped = (name: string): string => name.replace('.', '\\.');

const messageNames = Object.keys(messageElements) as readonly MessageName[];
const nameOfElement = (element: string): MessageName | null =>
  messageNames.find((name) => messageElements[name] === element) ?? null;

const ELEMENT = new RegExp(`<(?:[A-Za-z_][A-Za-z0-9._-]*:)?(${Object.values(messageElements).join('|')})[\\s/>]`);

/**
 * Whether a file begins as a message of this kind, of any version. The element of the message decides: it may stand in an envelope, with a
 * prefix or without a namespace.
 */
export function isMessage(kind: MessageKind, head: string): boolean {
  const element = ELEMENT.exec(head)?.[1];
  if (element !== undefined) return element === messageElements[kind.name];
  return new RegExp(`${NAMESPACE}${escaped(kind.name)}\\.001\\.[0-9]{2}["']`).test(head);
}

/** Reads a message. A fault that ends the reading comes last. */
export async function* readMessage(
  kind: MessageKind,
  visitor: Visitor,
  bytes: AsyncIterable<Uint8Array>,
): AsyncIterable<readonly ReadResult[]> {
  const replay = createReplay(bytes);
  const encoding = /^\s*<\?xml[^>]*?encoding=["']([A-Za-z0-9_-]{1,40})["']/.exec(await headOf(replay.head()))?.[1];
  const walker = createWalker(kind, visitor);
  const { results } = visitor;
  try {
    for await (const text of decoded(replay.all(), encoding)) {
      for (let at = 0; at < text.length; at += CHUNK) {
        walker.write(text.slice(at, at + CHUNK));
        if (results.length >= 500) yield results.splice(0);
      }
    }
    walker.end();
    yield results;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    yield [...results, faultResult(error.line, error.message)];
  }
}

/** Lets the first chunks be read before the whole. */
function createReplay(bytes: AsyncIterable<Uint8Array>) {
  const iterator = bytes[Symbol.asyncIterator]();
  const headChunks: Uint8Array[] = [];
  return {
    async *head(): AsyncIterable<Uint8Array> {
      for (;;) {
        const { value, done } = await iterator.next();
        if (done === true) return;
        headChunks.push(value);
        yield value;
      }
    },
    async *all(): AsyncIterable<Uint8Array> {
      yield* headChunks;
      yield* { [Symbol.asyncIterator]: () => iterator };
    },
  };
}

const OUTSIDE = 'what stands before or after its elements cannot be read';

type Walker = { write(text: string): void; end(): void };

function createWalker(kind: MessageKind, visitor: Visitor): Walker {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const path: string[] = [];
  /** The path from the document on, while its message is open. */
  const own: string[] = [];
  let hasMessage = false;
  let text = '';
  /** Characters since the last tag. */
  let untagged = 0;
  const refuse = (message: string): never => {
    throw new Unreadable(parser.line, message);
  };
  const addText = (piece: string): void => {
    if (text.length < TEXT_MAX) text += piece.slice(0, TEXT_MAX);
  };
  parser.on('doctype', () => refuse('a DTD is not taken'));
  parser.on('opentag', (tag: SaxesTagNS) => {
    path.push(tag.local);
    untagged = 0;
    text = '';
    if (path.length > DEPTH_MAX) refuse(`elements stand more than ${DEPTH_MAX} deep inside each other`);
    const name = own.length === 0 ? nameOfElement(tag.local) : null;
    if (name !== null && name !== kind.name) refuse(`a ${name} stands beside the ${kind.name}; import it in a file of its own`);
    if (name !== null && !isReadVersion(kind, tag.uri)) refuse(`this is no ${kind.name} of the versions ${kind.versionsText}`);
    if (name !== null) own.push('Document');
    if (own.length === 0) return;
    hasMessage = true;
    own.push(tag.local);
    visitor.open(own, parser.line);
    const held = visitor.inner();
    if (held) for (const [name, value] of attributesOf(tag)) put(held, `${own.slice(held.depth).join('/')}@${name}`, value);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    path.pop();
    const value = text.trim();
    text = '';
    untagged = 0;
    if (own.length === 0) return;
    const held = visitor.inner();
    if (held && value !== '' && own.length > held.depth) put(held, own.slice(held.depth).join('/'), value);
    visitor.close(own);
    own.pop();
    // The document ends with its message.
    if (own.length === 1) own.pop();
  });
  /** Of several faults outside of all elements, the parser names the one that it comes to first, which depends on the pieces. */
  const parse = (step: () => unknown): void => {
    try {
      step();
    } catch (error) {
      if (error instanceof Unreadable) throw error;
      refuse(`this is no XML: ${path.length === 0 ? OUTSIDE : messageOf(error as Error)}`);
    }
  };
  return {
    write: (piece) => {
      untagged += piece.length;
      parse(() => parser.write(piece));
      if (untagged > UNTAGGED_MAX) refuse(`there are more than ${UNTAGGED_MAX} characters without a tag`);
    },
    end: () => {
      parse(() => parser.close());
      if (!hasMessage) refuse(`there is no ${messageElements[kind.name]} in it`);
    },
  };
}

/** Kind and version in a namespace, national variants included. */
const VERSION = /(?<![a-z])([a-z]{4}\.[0-9]{3})\.[0-9]{3}\.([0-9]{2})/;

/** A message without such a namespace is read as well: its elements say what it is. */
function isReadVersion({ name, versions }: MessageKind, uri: string): boolean {
  const [, own, version = ''] = VERSION.exec(uri) ?? [];
  return own === undefined || (own === name && versions.test(version));
}

function put({ values, paths }: OpenElement, name: string, value: string): void {
  if (!paths.has(name)) return;
  const before = values.get(name);
  const isSum = name.includes('Chrgs') && (before?.length ?? 0) < TEXT_MAX;
  // Repeated charges are added up later; of repeated remarks the first counts.
  values.set(name, before === undefined ? value : isSum ? `${before} ${value}` : before);
}

const attributesOf = ({ attributes }: SaxesTagNS): readonly (readonly [string, string])[] =>
  Object.values(attributes as Record<string, SaxesAttributeNS>).map(({ local, value }) => [local, value]);

/** Without the position: the fault has its own line number. */
const messageOf = ({ message }: Error): string => message.replace(/^[0-9]+:[0-9]+: /, '');
