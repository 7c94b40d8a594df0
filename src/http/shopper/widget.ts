import { gzipSync } from 'node:zlib';
import { isCheckoutId } from '../../checkouts/checkout.ts';
import { anyCheckout } from '../../checkouts/find.ts';
import type { Asset } from '../../checkouts/ports.ts';
import { nothingHere } from '../server/errorReplies.ts';
import { originFor } from '../server/origin.ts';
import { fileHeaders, type Reply, unnamed } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Services } from '../services.ts';
import { ancestorsOf, expiredReply, widgetPageReply } from './checkoutReply.ts';
import { nobodyKnows } from './widgetPageScripts.ts';
import { fieldPage, isFrameField, targetPage } from './widgetPages.ts';

/** The scripts, styles, pictures and empty pages of the payment widget. */

const SCRIPT = 'text/javascript; charset=utf-8';
const asked = ({ query }: Request, name: string): string => new URLSearchParams(query).get(name) ?? '';

const scriptReply = (body: string): Reply => ({ ...unnamed, status: 200, headers: fileHeaders(SCRIPT, 'no-store'), body });

/** The script of one checkout. Its bytes are the same on every node for as long as it lives, where a hash of them was given out. */
export async function widgetScript(
  services: Pick<Services, 'checkouts' | 'publicUrl' | 'trust'>,
  request: Request,
): Promise<Reply> {
  const { checkouts } = services;
  const { files } = checkouts;
  const origin = originFor(services, request) ?? '';
  const wanted = asked(request, 'checkoutId');
  // Without a checkout it brings the way to mount one later.
  if (wanted === '') return scriptReply((await files.loader({ id: '', build: files.build, origin, isRegistering: false })) ?? '');
  const id = wanted.replace(/\/(?:registration|payment)$/, '');
  const checkout = isCheckoutId(id) ? await anyCheckout(checkouts, id) : null;
  if (!checkout) return scriptReply(nobodyKnows);
  // Shops that compare get what was promised. For the others it is the address that their page has just reached us by.
  const at = checkout.fields.integrity === 'true' || origin === '' ? checkout : { ...checkout, origin };
  return scriptReply((await files.loader(at)) ?? (await files.loader({ ...at, build: files.build })) ?? nobodyKnows);
}

const YEAR = 'public, max-age=31536000, immutable';
const HOUR = 'public, max-age=3600';

type Packed = { readonly gzip: Uint8Array | null; readonly tag: string; readonly integrity: string };
const packed = new WeakMap<Asset, Packed>();

/** Packed once for each file, and not where it would be no smaller. */
function pack(asset: Asset, integrityOf: (bytes: Uint8Array) => string): Packed {
  const known = packed.get(asset);
  if (known) return known;
  const gzip = /^(?:text|application)\/|svg/.test(asset.type) ? gzipSync(asset.bytes, { level: 9 }) : null;
  const integrity = integrityOf(asset.bytes);
  const made = {
    gzip: gzip !== null && gzip.length < asset.bytes.length ? gzip : null,
    tag: `"${integrity}"`,
    integrity,
  };
  packed.set(asset, made);
  return made;
}

const takesGzip = ({ headers }: Request): boolean =>
  /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/i.test(String(headers['accept-encoding'] ?? ''));

function fileReply(
  { checkouts }: Pick<Services, 'checkouts'>,
  request: Request,
  { asset, cache }: { asset: Asset; cache: string },
): Reply {
  const { gzip, tag } = pack(asset, checkouts.integrityOf);
  const headers = [...fileHeaders(asset.type, cache), 'ETag', tag, 'Vary', 'Accept-Encoding'];
  if (request.headers['if-none-match']?.includes(tag)) return { ...unnamed, status: 304, headers, body: '' };
  if (gzip && takesGzip(request))
    return { ...unnamed, status: 200, headers: [...headers, 'Content-Encoding', 'gzip'], body: '', bytes: gzip };
  return { ...unnamed, status: 200, headers, body: '', bytes: asset.bytes };
}

/** The picture of all brands is drawn by lines where nobody has made one of dots. */
async function brandImage({ checkouts: { files } }: Pick<Services, 'checkouts'>, build: string): Promise<Asset | null> {
  return (await files.file(build, 'img/brand.png')) ?? (await files.file(build, 'img/brand.svg'));
}

/** One file of a build. What it is called says what is in it, so it may be kept for ever. */
export async function widgetFile(services: Pick<Services, 'checkouts' | 'replies'>, request: Request): Promise<Reply> {
  const [, , , build = '', folder = '', file = ''] = request.path.split('/');
  const name = `${folder}/${file}`;
  const asset = name === 'img/brand.png' ? await brandImage(services, build) : await services.checkouts.files.file(build, name);
  return asset ? fileReply(services, request, { asset, cache: YEAR }) : nothingHere(services.replies);
}

/** The picture of all brands by an older address, which says nothing about its build. */
export async function widgetBrandImage(services: Pick<Services, 'checkouts' | 'replies'>, request: Request): Promise<Reply> {
  const asset = await brandImage(services, services.checkouts.files.build);
  return asset ? fileReply(services, request, { asset, cache: HOUR }) : nothingHere(services.replies);
}

/** The options of the widget for those who write TypeScript. */
export async function widgetTypings(services: Pick<Services, 'checkouts' | 'replies'>, request: Request): Promise<Reply> {
  const { files } = services.checkouts;
  const asset = await files.file(files.build, 'paymentWidgets.d.ts');
  return asset ? fileReply(services, request, { asset, cache: HOUR }) : nothingHere(services.replies);
}

/** The page of one field of a card. It belongs to a checkout, whose channel says who may show it; also to one whose time is just over. */
export async function widgetField(
  services: Pick<Services, 'checkouts' | 'environment' | 'replies'>,
  request: Request,
): Promise<Reply> {
  const { checkouts } = services;
  const { files } = checkouts;
  const field = asked(request, 'field') || 'card.number';
  const checkout = await anyCheckout(checkouts, asked(request, 'checkoutId'));
  if (!checkout) return expiredReply(services, request, null);
  const script = (await files.file(checkout.build, 'js/frame.min.js')) ?? (await files.file(files.build, 'js/frame.min.js'));
  if (!script || !isFrameField(field)) return nothingHere(services.replies);
  const { integrity } = pack(script, checkouts.integrityOf);
  const ancestors = ancestorsOf(services, checkout.entityId);
  return widgetPageReply(fieldPage({ build: script.build, field, integrity, ancestors }), {
    ndc: checkout.id,
    entityId: checkout.entityId,
  });
}

/** What waits in a form's frame for the answer. */
export const widgetTarget = (): Reply => widgetPageReply(targetPage());

/** Every script and style of this node's build with its hash: what a shop, or a watchman, compares the served ones with. */
export function widgetInventory({ checkouts: { files }, replies }: Pick<Services, 'checkouts' | 'replies'>): Reply {
  return replies.json(200, { build: files.build, files: files.inventory() });
}
