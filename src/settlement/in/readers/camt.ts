import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { accountPaths, entryPaths, readDetail, readEntry, txPaths } from './camtEntry.ts';
import { decoded, headOf } from './decode.ts';
import { type Format, faultResult, type ReadResult, Unreadable } from './reader.ts';

/** The deepest nesting of elements; the standard needs about half of it. */
const DEPTH_MAX = 40;
/** Characters between two tags; the parser holds them in memory. No remark is that long. */
const UNTAGGED_MAX = 262_144;
const CHUNK = 16_384;
const TEXT_MAX = 1_024;

type Kind = { readonly name: string; readonly container: string };

const VERSIONS = '0[2-8]';
const namespaceOf = ({ name }: Kind): RegExp =>
  new RegExp(`^urn:iso:std:iso:20022:tech:xsd:${name.replace('.', '\\.')}\\.001\\.${VERSIONS}$`);

/** An account statement or notification of ISO 20022: its booked entries, with their details where there are any. */
const camt = (kind: Kind, description: string): Format => ({
  name: kind.name,
  description,
  recognises: (head) =>
    new RegExp(`urn:iso:std:iso:20022:tech:xsd:${kind.name.replace('.', '\\.')}\\.001\\.[0-9]{2}["']`).test(head),
  async *read(bytes) {
    const replay = createReplay(bytes);
    const encoding = /^\s*<\?xml[^>]*?encoding=["']([A-Za-z0-9_-]{1,40})["']/.exec(await headOf(replay.head()))?.[1];
    const walker = createWalker(kind);
    try {
      for await (const text of decoded(replay.all(), encoding)) {
        for (let at = 0; at < text.length; at += CHUNK) {
          walker.write(text.slice(at, at + CHUNK));
          if (walker.results.length >= 500) yield walker.results.splice(0);
        }
      }
      walker.end();
      yield walker.results;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      yield [...walker.results, faultResult(error.line, error.message)];
    }
  },
});

export const statement = camt({ name: 'camt.053', container: 'Stmt' }, 'ISO 20022 camt.053, versions 02 to 08');
export const notification = camt({ name: 'camt.054', container: 'Ntfctn' }, 'ISO 20022 camt.054, versions 02 to 08');

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

type Walker = { readonly results: ReadResult[]; write(text: string): void; end(): void };

/** An element that is being read, with the values found below it so far. */
type OpenElement = {
  readonly values: Map<string, string>;
  readonly depth: number;
  readonly paths: ReadonlySet<string>;
  readonly line: number;
  /** The number of details read, of an entry. */
  details: number;
};

/** At most one account, one entry and one detail are held in memory. */
type State = {
  readonly kind: Kind;
  readonly path: string[];
  readonly results: ReadResult[];
  account: OpenElement | null;
  entry: OpenElement | null;
  detail: OpenElement | null;
  text: string;
  /** Characters since the last tag. */
  untagged: number;
};

const inner = ({ detail, entry, account }: State): OpenElement | null => detail ?? entry ?? account;
const below = ({ path }: State, { depth }: OpenElement): string => path.slice(depth).join('/');

function put({ values, paths }: OpenElement, name: string, value: string): void {
  if (!paths.has(name)) return;
  const before = values.get(name);
  const isSum = name.includes('Chrgs') && (before?.length ?? 0) < TEXT_MAX;
  // Repeated charges are added up later; of repeated remarks the first counts.
  values.set(name, before === undefined ? value : isSum ? `${before} ${value}` : before);
}

/** Returns why the file cannot be read any further, or null. */
function openTag(state: State, tag: SaxesTagNS, line: number): string | null {
  const { path, kind } = state;
  path.push(tag.local);
  state.untagged = 0;
  state.text = '';
  if (path.length > DEPTH_MAX) return `elements stand more than ${DEPTH_MAX} deep inside each other`;
  if (path.length === 1 && !namespaceOf(kind).test(tag.uri)) return `this is no ${kind.name} of the versions 02 to 08`;
  const openElement = (paths: ReadonlySet<string>): OpenElement => ({
    values: new Map(),
    depth: path.length,
    paths,
    line,
    details: 0,
  });
  if (path.length === 3 && tag.local === kind.container) state.account = openElement(accountPaths);
  else if (state.account && path.length === 4 && tag.local === 'Ntry') state.entry = openElement(entryPaths);
  else if (state.entry && !state.detail && tag.local === 'TxDtls') state.detail = openElement(txPaths);
  const own = inner(state);
  if (own) for (const [name, value] of attributesOf(tag)) put(own, `${below(state, own)}@${name}`, value);
  return null;
}

function closeTag(state: State): void {
  const { path, results, account, entry, detail } = state;
  const own = inner(state);
  const value = state.text.trim();
  if (own && value !== '' && path.length > own.depth) put(own, below(state, own), value);
  state.text = '';
  state.untagged = 0;
  const whole = entry && { account: account?.values ?? new Map(), entry: entry.values, line: entry.line };
  if (whole && detail && path.length === detail.depth) {
    entry.details += 1;
    results.push(...readDetail({ ...whole, number: entry.details }, detail));
    state.detail = null;
  } else if (whole && path.length === entry.depth) {
    if (entry.details === 0) results.push(...readEntry({ ...whole, number: 0 }));
    state.entry = null;
  } else if (path.length === account?.depth) state.account = null;
  path.pop();
}

function createWalker(kind: Kind): Walker {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const state: State = { kind, path: [], results: [], account: null, entry: null, detail: null, text: '', untagged: 0 };
  const refuse = (message: string): never => {
    throw new Unreadable(parser.line, message);
  };
  const addText = (piece: string): void => {
    if (state.text.length < TEXT_MAX) state.text += piece.slice(0, TEXT_MAX);
  };
  parser.on('doctype', () => refuse('a DTD is not taken'));
  parser.on('opentag', (tag: SaxesTagNS) => {
    const why = openTag(state, tag, parser.line);
    if (why !== null) refuse(why);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => closeTag(state));
  return {
    results: state.results,
    write: (piece) => {
      state.untagged += piece.length;
      parse(() => parser.write(piece), refuse);
      if (state.untagged > UNTAGGED_MAX) refuse(`there are more than ${UNTAGGED_MAX} characters without a tag`);
    },
    end: () => parse(() => parser.close(), refuse),
  };
}

const attributesOf = ({ attributes }: SaxesTagNS): readonly (readonly [string, string])[] =>
  Object.values(attributes as Record<string, SaxesAttributeNS>).map(({ local, value }) => [local, value]);

/** Drops the position from the parser's messages: the fault has its own line number. */
function parse(step: () => unknown, refuse: (message: string) => never): void {
  try {
    step();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    refuse(`this is no XML: ${(error as Error).message.replace(/^[^:]*:[0-9]+:[0-9]+: /, '')}`);
  }
}
