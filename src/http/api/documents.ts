import { hash } from 'node:crypto';
import { openApi } from '../../spec/openApi/openApi.ts';
import { referencePage } from '../../spec/reference/page.ts';
import { jsonHeaders, pageHeaders, type Reply } from '../server/reply.ts';

/** The documentation of the API, made from the tables once. */
export interface ReferencePages {
  openApi(): Reply;
  /** The reference page, with examples for the origin that it was requested by. */
  page(origin: string): Reply;
}

const unnamed = { status: 200, code: null, ndc: null, entityId: null } as const;

/** The contents of all tags of one kind, as sources that a policy may allow. */
function sourcesOf(page: string, tag: 'style' | 'script'): string {
  const blocks = [...page.matchAll(new RegExp(`<${tag}(?: [^>]*)?>([\\s\\S]*?)</${tag}>`, 'g'))].map((match) => match[1] ?? '');
  return blocks.map((block) => `'sha256-${hash('sha256', block, 'base64')}'`).join(' ') || "'none'";
}

function pageReply(page: string): Reply {
  const policy = `style-src ${sourcesOf(page, 'style')}; script-src ${sourcesOf(page, 'script')}; img-src data:;`;
  return { ...unnamed, headers: pageHeaders(policy), body: page };
}

export function createReferencePages(): ReferencePages {
  let described: Reply | null = null;
  let shown: { readonly origin: string; readonly reply: Reply } | null = null;
  return {
    openApi() {
      described ??= { ...unnamed, headers: jsonHeaders, body: JSON.stringify(openApi()) };
      return described;
    },
    page(origin) {
      if (shown?.origin !== origin) shown = { origin, reply: pageReply(referencePage(origin)) };
      return shown.reply;
    },
  };
}
