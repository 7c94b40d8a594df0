import { gzipSync } from 'node:zlib';
import { finishPage, type Site, servedAddress } from '../../site/finish.ts';
import { brandCatalogue } from '../../spec/cards/brandCatalogue.ts';
import { languageCalled, languageCodes } from '../../spec/languages.ts';
import { type OpenApiDocumentName, openApiDocuments } from '../../spec/openApi/documents.ts';
import { adviceTexts } from '../../spec/resultCodes/advice.ts';
import { resultCodes as catalogue, type ResultCode, type ResultEntry, resultGroups } from '../../spec/resultCodes.ts';
import { allTexts } from '../../widget/allTexts.ts';
import { brandName } from '../../widget/runtime/forms/brandNames.ts';
import { originFor } from '../handler.ts';
import { notFound, unavailable } from '../replies.ts';
import type { Request } from '../request.ts';
import type { ReferencePages, Services, SiteRequest } from '../services.ts';
import { shopperTextKey } from '../shopper/checkoutReply.ts';
import { fileHeaders, jsonHeaders, pageHeaders, type Reply, unnamed } from '../transport/reply.ts';

const YEAR = 'public, max-age=31536000, immutable';
const POLICY = "style-src 'self'; script-src 'self'; img-src data:; connect-src 'self';";

type Packed = { readonly headers: readonly string[]; readonly text: string; readonly gzip: Uint8Array };

export function createReferencePages(site: () => Promise<Site>): ReferencePages {
  const described = new Map<OpenApiDocumentName, Reply>();
  /** Pages for the last origin: a gateway is usually reached by one. */
  let shown: { readonly origin: string; readonly pages: Map<string, Packed> } | null = null;

  async function packed(path: string, { origin, environment }: SiteRequest): Promise<Packed | null> {
    const file = (await site()).get(path);
    if (!file) return null;
    if (shown?.origin !== origin) shown = { origin, pages: new Map() };
    const { pages } = shown;
    const known = pages.get(path);
    if (known) return known;
    const isPage = file.type.startsWith('text/html');
    const text = isPage ? finishPage(file.text, { addressOf: servedAddress, base: origin, kind: environment }) : file.text;
    const headers = [...(isPage ? pageHeaders(POLICY) : fileHeaders(file.type, YEAR)), 'Vary', 'Accept-Encoding'];
    const made = { headers, text, gzip: gzipSync(text) };
    pages.set(path, made);
    return made;
  }

  return {
    openApi(name) {
      const known = described.get(name);
      if (known) return known;
      const made: Reply = { ...unnamed, status: 200, headers: jsonHeaders, body: JSON.stringify(openApiDocuments[name]()) };
      described.set(name, made);
      return made;
    },
    async file(path, request) {
      const made = await packed(path, request);
      if (made === null) return null;
      const { headers, text, gzip } = made;
      if (!request.takesGzip) return { ...unnamed, status: 200, headers, body: text };
      return { ...unnamed, status: 200, headers: [...headers, 'Content-Encoding', 'gzip'], body: '', bytes: gzip };
    },
  };
}

/** The API, or a part of it, as an OpenAPI document. */
export const openApiDocument =
  (name: OpenApiDocumentName) =>
  ({ documents }: Pick<Services, 'documents'>): Reply =>
    documents.openApi(name);

const takesGzip = ({ headers }: Request): boolean =>
  /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/i.test(String(headers['accept-encoding'] ?? ''));

/** A page or a file of the documentation site. */
export async function docs(
  services: Pick<Services, 'documents' | 'environment' | 'publicUrl' | 'replies' | 'trust' | 'world'>,
  request: Request,
): Promise<Reply> {
  const { documents, environment, replies, world } = services;
  const origin = originFor(services, request) ?? 'http://localhost:8080';
  const path = request.path.slice('/docs'.length).replace(/^\//, '');
  try {
    return (await documents.file(path, { origin, environment, takesGzip: takesGzip(request) })) ?? notFound(replies);
  } catch (error) {
    world.alarm('the documentation could not be made', { why: (error as Error).message });
    return unavailable(replies, { remark: 'the pages cannot be made; the log says why' });
  }
}

const body = JSON.stringify({
  brands: brandCatalogue.map(({ brand, ...facts }) => ({ brand, name: brandName(brand), ...facts })),
});
const reply: Reply = { ...unnamed, status: 200, headers: jsonHeaders, body };

/** Every brand with its method, workflow, region and required parameters. Public. */
export const listBrands = (): Reply => reply;

const entries = Object.entries(catalogue) as [ResultCode, ResultEntry][];

const groups = Object.entries(resultGroups).map(([name, pattern]) => ({ name, pattern: pattern.source }));

/** The texts for shoppers by their id, in every language. */
function shopperTexts(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const keys = [...new Set(entries.map(([code]) => shopperTextKey(code)))];
  const inAll = (key: (typeof keys)[number]) =>
    Object.fromEntries(languageCodes.map((code) => [code, allTexts[code].labels[key]]));
  return Object.fromEntries(keys.map((key) => [key, inAll(key)]));
}

function bodyIn(language: (typeof languageCodes)[number]): string {
  const resultCodes = entries.map(([code, { text, means, http, group, advice, retry }]) => {
    const key = shopperTextKey(code);
    return {
      code,
      description: text,
      class: means,
      group,
      http,
      advice,
      adviceText: adviceTexts[advice],
      retry,
      shopperTextId: key,
      shopperText: allTexts[language].labels[key],
    };
  });
  return JSON.stringify({ resultCodes, groups, shopperTexts: shopperTexts() });
}

/** By language, made when the first client asks for it: the catalogue is the same until the process ends. */
const replies = new Map<string, Reply>();

/**
 * Every result code with its class, advice for the merchant and text for the shopper, and the groups with their patterns. Public.
 * `language` is that of `shopperText`; an unknown one is English.
 */
export function resultCodes(_: unknown, request: Pick<Request, 'query'>): Reply {
  const language = languageCalled(new URLSearchParams(request.query).get('language') ?? '') ?? 'en';
  const reply = replies.get(language) ?? { ...unnamed, status: 200, headers: jsonHeaders, body: bodyIn(language) };
  replies.set(language, reply);
  return reply;
}
