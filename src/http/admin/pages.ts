import type { Office, OfficeFile } from '../../assets/asset.ts';
import { notFound, unavailable } from '../replies.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { fileHeaders, pageHeaders, type Reply, unnamed } from '../transport/reply.ts';

/** The pages of the back office: one document for every address, and the files that it loads. */

const YEAR = 'public, max-age=31536000, immutable';

/** Sets the chosen colours before anything is drawn, so that nothing flashes. */
const COLOURS = `try{var c=localStorage.getItem('turnpike-colours')}catch{}
if(c!=='light'&&c!=='dark')c=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';
document.documentElement.setAttribute('data-mantine-color-scheme',c)`;

/** The lowered toll bar. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='%230b5fff' " +
  "stroke-width='2' stroke-linecap='round'%3E%3Cpath d='M4 4.5V14M1.5 7.5h13'/%3E%3C/svg%3E";

const policyWith = (nonce: string): string =>
  `script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self';`;

/** The sign-in page: without the frame around the other pages. */
const preloadsAt = ({ preloads, frame }: Office, path: string): readonly string[] =>
  path === '/sign-in' || path === '/welcome' ? preloads : [...preloads, ...frame];

const documentOf = ({ script, style, calendar }: Office, preloads: readonly string[], nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="calendar" content="/assets/${calendar}">
<title>Turnpike</title>
<link rel="icon" href="${ICON}">
<script nonce="${nonce}">${COLOURS}</script>
<link rel="stylesheet" href="/assets/${style}">
${preloads.map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join('\n')}
<script type="module" nonce="${nonce}" src="/assets/${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`;

const takes = ({ headers }: Request, coding: string): boolean =>
  new RegExp(`(?:^|[\\s,])${coding}(?!\\s*;\\s*q=0(?:\\.0*)?(?:[\\s,]|$))`, 'i').test(String(headers['accept-encoding'] ?? ''));

function fileReply(request: Request, { type, bytes, gzip, brotli }: OfficeFile): Reply {
  const headers = [...fileHeaders(type, YEAR), 'Vary', 'Accept-Encoding'];
  const coded = (coding: string, packed: Uint8Array): Reply => ({
    ...unnamed,
    status: 200,
    body: '',
    headers: [...headers, 'Content-Encoding', coding],
    bytes: packed,
  });
  if (takes(request, 'br')) return coded('br', brotli);
  if (takes(request, 'gzip')) return coded('gzip', gzip);
  return { ...unnamed, status: 200, headers, body: '', bytes };
}

/** A page or a file. A request waits while they are being built. */
export async function backOffice(
  { backOffice: assets, replies, world }: Pick<Services, 'backOffice' | 'replies' | 'world'>,
  request: Request,
): Promise<Reply> {
  const made = await assets().catch((error: Error) => {
    world.alarm('the pages of the back office could not be made', { why: error.message });
    return null;
  });
  if (made === null) return unavailable(replies, { remark: 'the pages cannot be made; the log says why' });
  if (request.path.startsWith('/assets')) {
    const file = made.files.get(request.path.slice('/assets/'.length));
    return file ? fileReply(request, file) : notFound(replies);
  }
  const nonce = world.ids.random();
  return {
    ...unnamed,
    status: 200,
    headers: pageHeaders(policyWith(nonce)),
    body: documentOf(made, preloadsAt(made, request.path), nonce),
  };
}
