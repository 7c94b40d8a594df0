import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { accountPaths, entryLines, entryPaths, linesOfEntry, txPaths } from './camtEntry.ts';
import { decoded, headOf } from './decode.ts';
import { type Format, faultOf, type ReadResult, Unreadable } from './reader.ts';

/** Of elements inside each other; the deepest that the standard has is about half of it. */
const DEPTH_MAX = 40;
/** Of characters without a tag among them: nobody writes a remark of this length, and it would all be in memory. */
const SILENCE_MAX = 262_144;
const CHUNK = 16_384;
const TEXT_MAX = 1_024;

type Kind = { readonly name: string; readonly container: string };

const VERSIONS = '0[2-8]';
const namespaceOf = ({ name }: Kind): RegExp =>
  new RegExp(`^urn:iso:std:iso:20022:tech:xsd:${name.replace('.', '\\.')}\\.001\\.${VERSIONS}$`);

/** An account statement or a notification of ISO 20022: its booked entries, with their details where it has them. */
const camt = (kind: Kind, says: string): Format => ({
  name: kind.name,
  says,
  begins: (head) => new RegExp(`urn:iso:std:iso:20022:tech:xsd:${kind.name.replace('.', '\\.')}\\.001\\.[0-9]{2}["']`).test(head),
  async *read(bytes) {
    const again = replayed(bytes);
    const encoding = /^\s*<\?xml[^>]*?encoding=["']([A-Za-z0-9_-]{1,40})["']/.exec(await headOf(again.head()))?.[1];
    const walk = createWalk(kind);
    try {
      for await (const text of decoded(again.all(), encoding)) {
        for (let at = 0; at < text.length; at += CHUNK) {
          walk.write(text.slice(at, at + CHUNK));
          if (walk.found.length >= 500) yield walk.found.splice(0);
        }
      }
      walk.end();
      yield walk.found;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      yield [...walk.found, faultOf(error)];
    }
  },
});

export const statement = camt({ name: 'camt.053', container: 'Stmt' }, 'ISO 20022 camt.053, versions 02 to 08');
export const notification = camt({ name: 'camt.054', container: 'Ntfctn' }, 'ISO 20022 camt.054, versions 02 to 08');

/** The first pieces are looked at before the rest is read. */
function replayed(bytes: AsyncIterable<Uint8Array>) {
  const way = bytes[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  return {
    async *head(): AsyncIterable<Uint8Array> {
      for (;;) {
        const { value, done } = await way.next();
        if (done === true) return;
        begun.push(value);
        yield value;
      }
    },
    async *all(): AsyncIterable<Uint8Array> {
      yield* begun;
      yield* { [Symbol.asyncIterator]: () => way };
    },
  };
}

type Walk = { readonly found: ReadResult[]; write(text: string): void; end(): void };

/** What was found on the way so far, below an element that is being read. */
type OpenElement = {
  readonly values: Map<string, string>;
  readonly depth: number;
  readonly paths: ReadonlySet<string>;
  readonly line: number;
  /** Of an entry: how many details of it were read. */
  details: number;
};

/** What is held of a file: one account, one entry and one detail, and nothing else. */
type State = {
  readonly kind: Kind;
  readonly path: string[];
  readonly found: ReadResult[];
  account: OpenElement | null;
  entry: OpenElement | null;
  detail: OpenElement | null;
  text: string;
  /** Characters since the last tag. */
  silence: number;
};

const inner = ({ detail, entry, account }: State): OpenElement | null => detail ?? entry ?? account;
const below = ({ path }: State, { depth }: OpenElement): string => path.slice(depth).join('/');

function put({ values, paths }: OpenElement, name: string, value: string): void {
  if (!paths.has(name)) return;
  const before = values.get(name);
  const isSum = name.includes('Chrgs') && (before?.length ?? 0) < TEXT_MAX;
  // What is repeated is charges, which are added up later, or remarks, of which the first counts.
  values.set(name, before === undefined ? value : isSum ? `${before} ${value}` : before);
}

/** Answers why the file cannot be read on, where it cannot. */
function opened(state: State, tag: SaxesTagNS, line: number): string | null {
  const { path, kind } = state;
  path.push(tag.local);
  state.silence = 0;
  state.text = '';
  if (path.length > DEPTH_MAX) return `elements stand more than ${DEPTH_MAX} deep inside each other`;
  if (path.length === 1 && !namespaceOf(kind).test(tag.uri)) return `this is no ${kind.name} of the versions 02 to 08`;
  const place = (paths: ReadonlySet<string>): OpenElement => ({ values: new Map(), depth: path.length, paths, line, details: 0 });
  if (path.length === 3 && tag.local === kind.container) state.account = place(accountPaths);
  else if (state.account && path.length === 4 && tag.local === 'Ntry') state.entry = place(entryPaths);
  else if (state.entry && !state.detail && tag.local === 'TxDtls') state.detail = place(txPaths);
  const own = inner(state);
  if (own) for (const [name, value] of attributesOf(tag)) put(own, `${below(state, own)}@${name}`, value);
  return null;
}

function closed(state: State): void {
  const { path, found, account, entry, detail } = state;
  const own = inner(state);
  const value = state.text.trim();
  if (own && value !== '' && path.length > own.depth) put(own, below(state, own), value);
  state.text = '';
  state.silence = 0;
  const whole = entry && { account: account?.values ?? new Map(), entry: entry.values, line: entry.line };
  if (whole && detail && path.length === detail.depth) {
    entry.details += 1;
    found.push(...entryLines({ ...whole, number: entry.details }, detail));
    state.detail = null;
  } else if (whole && path.length === entry.depth) {
    if (entry.details === 0) found.push(...linesOfEntry({ ...whole, number: 0 }));
    state.entry = null;
  } else if (path.length === account?.depth) state.account = null;
  path.pop();
}

function createWalk(kind: Kind): Walk {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const state: State = { kind, path: [], found: [], account: null, entry: null, detail: null, text: '', silence: 0 };
  const refuse = (message: string): never => {
    throw new Unreadable(parser.line, message);
  };
  const hear = (piece: string): void => {
    if (state.text.length < TEXT_MAX) state.text += piece.slice(0, TEXT_MAX);
  };
  parser.on('doctype', () => refuse('a DTD is not taken'));
  parser.on('opentag', (tag: SaxesTagNS) => {
    const why = opened(state, tag, parser.line);
    if (why !== null) refuse(why);
  });
  parser.on('text', hear);
  parser.on('cdata', hear);
  parser.on('closetag', () => closed(state));
  return {
    found: state.found,
    write: (piece) => {
      state.silence += piece.length;
      attempt(() => parser.write(piece), refuse);
      if (state.silence > SILENCE_MAX) refuse(`there are more than ${SILENCE_MAX} characters without a tag`);
    },
    end: () => attempt(() => parser.close(), refuse),
  };
}

const attributesOf = ({ attributes }: SaxesTagNS): readonly (readonly [string, string])[] =>
  Object.values(attributes as Record<string, SaxesAttributeNS>).map(({ local, value }) => [local, value]);

/** The parser's own words name its place in its own way; the reason is enough. */
function attempt(step: () => unknown, refuse: (message: string) => never): void {
  try {
    step();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    refuse(`this is no XML: ${(error as Error).message.replace(/^[^:]*:[0-9]+:[0-9]+: /, '')}`);
  }
}
