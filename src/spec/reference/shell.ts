import { hash } from 'node:crypto';
import { shown } from './parts.ts';

/** What every page of the gateway is written into: the same head for all of them, and nothing that comes from elsewhere. */
export type Shell = {
  /** As browsers name it. */
  readonly language: string;
  readonly direction?: 'ltr' | 'rtl';
  readonly title: string;
  readonly style: string;
  /** Allows the style where the policy goes by nonces. */
  readonly nonce?: string;
  /** Of value to who searches; the others are a shopper's own. */
  readonly isPublic?: boolean;
  /** A field of a form is no page of its own. */
  readonly isBare?: boolean;
  /** More attributes of the root and of the body, each with a blank in front; more elements in the head. */
  readonly root?: string;
  readonly attributes?: string;
  readonly head?: string;
  readonly body: string;
};

/** A whole page. Its body stands as it is given; title and language are made safe here. */
export function shell({ language, direction, title, style, nonce, body, ...more }: Shell): string {
  const { isPublic = false, isBare = false, root = '', attributes = '', head = '' } = more;
  const [lang, dir] = [` lang="${shown(language)}"`, direction === undefined ? '' : ` dir="${direction}"`];
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...(isPublic ? [] : ['<meta name="robots" content="noindex">']),
    `<title>${shown(title)}</title>`,
    ...(isBare ? [] : ['<link rel="icon" href="data:,">']),
    ...(head === '' ? [] : [head]),
    `<style${nonce === undefined ? '' : ` nonce="${shown(nonce)}"`}>${style}</style>`,
  ];
  return `<!doctype html>
<html${lang}${dir}${root}>
<head>
${lines.join('\n')}
</head>
<body${attributes}>
${body}
</body>
</html>
`;
}

/** A style or script within a page, as its policy allows it. */
export const policySource = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/** A lowered toll bar: a post and a bar across it. */
export const mark =
  '<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true">' +
  '<path d="M4 4.5V14M1.5 7.5h13"/></svg>';
