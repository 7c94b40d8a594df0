import { gzipSync } from 'node:zlib';
import { isCheckoutId } from '../../checkouts/checkout.ts';
import { anyCheckout, liveCheckout } from '../../checkouts/find.ts';
import type { Asset } from '../../checkouts/ports.ts';
import { walletSessionOf, walletSessionRequest } from '../../checkouts/walletSession.ts';
import { decodeFew } from '../../form/decode.ts';
import type { Limit } from '../../merchants/settings.ts';
import { type Outcome, originFor } from '../handler.ts';
import { notFound } from '../replies.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { fileHeaders, type Reply, unnamed } from '../transport/reply.ts';
import { ancestorsOf, expiredReply, noSession, widgetPageReply } from './checkoutReply.ts';
import { fieldPage, isFrameField, missingCheckoutScript, targetPage } from './widgetPages.ts';

/** The scripts, styles, pictures and empty pages of the payment widget. */

const SCRIPT = 'text/javascript; charset=utf-8';
const queryParameter = ({ query }: Request, name: string): string => new URLSearchParams(query).get(name) ?? '';

const scriptReply = (body: string): Reply => ({ ...unnamed, status: 200, headers: fileHeaders(SCRIPT, 'no-store'), body });

/** The script of one checkout. Where its hash was given out, its bytes are the same on every node for as long as the checkout lives. */
export async function widgetScript(
  services: Pick<Services, 'checkouts' | 'publicUrl' | 'trust'>,
  request: Request,
): Promise<Reply> {
  const { checkouts } = services;
  const { files } = checkouts;
  const origin = originFor(services, request) ?? '';
  const wanted = queryParameter(request, 'checkoutId');
  // Without a checkout the script can mount one later.
  if (wanted === '') return scriptReply((await files.loader({ id: '', build: files.build, origin, isRegistering: false })) ?? '');
  const id = wanted.replace(/\/(?:registration|payment)$/, '');
  const checkout = isCheckoutId(id) ? await anyCheckout(checkouts, id) : null;
  if (!checkout) return scriptReply(missingCheckoutScript);
  // Shops that compare hashes get the bytes that were promised. For the others the origin is that of this request.
  const at = checkout.fields.integrity === 'true' || origin === '' ? checkout : { ...checkout, origin };
  return scriptReply((await files.loader(at)) ?? (await files.loader({ ...at, build: files.build })) ?? missingCheckoutScript);
}

const YEAR = 'public, max-age=31536000, immutable';
const HOUR = 'public, max-age=3600';

type Packed = { readonly gzip: Uint8Array | null; readonly tag: string; readonly integrity: string };
/** Lives as long as its file: a new build has files of its own. */
const packed = new WeakMap<Asset, Packed>();

/** Compresses a file once, if that saves anything. */
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

/** The picture of all brands is vector graphics where no bitmap exists. */
async function brandImage({ checkouts: { files } }: Pick<Services, 'checkouts'>, build: string): Promise<Asset | null> {
  return (await files.file(build, 'img/brand.png')) ?? (await files.file(build, 'img/brand.svg'));
}

/** One file of a build. Its name contains the build, so it may be cached for ever. */
export async function widgetFile(services: Pick<Services, 'checkouts' | 'replies'>, request: Request): Promise<Reply> {
  const [, , , build = '', folder = '', file = ''] = request.path.split('/');
  const name = `${folder}/${file}`;
  const asset = name === 'img/brand.png' ? await brandImage(services, build) : await services.checkouts.files.file(build, name);
  return asset ? fileReply(services, request, { asset, cache: YEAR }) : notFound(services.replies);
}

/** The picture of all brands under an older address, without a build. */
export async function widgetBrandImage(services: Pick<Services, 'checkouts' | 'replies'>, request: Request): Promise<Reply> {
  const asset = await brandImage(services, services.checkouts.files.build);
  return asset ? fileReply(services, request, { asset, cache: HOUR }) : notFound(services.replies);
}

/** The options of the widget as TypeScript declarations. */
export async function widgetTypings(services: Pick<Services, 'checkouts' | 'replies'>, request: Request): Promise<Reply> {
  const { files } = services.checkouts;
  const asset = await files.file(files.build, 'paymentWidgets.d.ts');
  return asset ? fileReply(services, request, { asset, cache: HOUR }) : notFound(services.replies);
}

/**
 * The page of one field of a card. It belongs to a checkout, whose channel says which pages may frame it; an expired checkout still
 * counts.
 */
export async function widgetField(
  services: Pick<Services, 'checkouts' | 'environment' | 'replies'>,
  request: Request,
): Promise<Reply> {
  const { checkouts } = services;
  const { files } = checkouts;
  const field = queryParameter(request, 'field') || 'card.number';
  const checkout = await anyCheckout(checkouts, queryParameter(request, 'checkoutId'));
  if (!checkout) return expiredReply(services, request, null);
  const script = (await files.file(checkout.build, 'js/frame.min.js')) ?? (await files.file(files.build, 'js/frame.min.js'));
  if (!script || !isFrameField(field)) return notFound(services.replies);
  const { integrity } = pack(script, checkouts.integrityOf);
  const ancestors = ancestorsOf(services, checkout.entityId);
  return widgetPageReply(fieldPage({ build: script.build, field, integrity, ancestors }), {
    ndc: checkout.id,
    entityId: checkout.entityId,
  });
}

/** The empty page in a form's frame. */
export const widgetTarget = (): Reply => widgetPageReply(targetPage());

/** Every script and style of this node's build with its hash, for shops and monitors that compare the served ones. */
export function widgetInventory({ checkouts: { files }, replies }: Pick<Services, 'checkouts' | 'replies'>): Reply {
  return replies.json(200, { build: files.build, files: files.inventory() });
}

/** Where the setting `throttle` says nothing: each call may lead to a call to the wallet. */
const LIMIT: Limit = { requests: 600, perSeconds: 60 };

/** Lets a page open the sheet of a wallet. The caller holds a checkout, and its origin is one of the channel's. */
export async function walletSession(services: Pick<Services, 'checkouts' | 'replies'>, request: Request): Promise<Outcome> {
  const { checkouts, replies } = services;
  const checkout = await liveCheckout(checkouts, request.id ?? '');
  if (!checkout) return noSession(services, null);
  const { entityId, id: ndc } = checkout;
  const { fields, repeated } = decodeFew(request.body);
  // Of two values under one name, neither is used.
  const once = (name: string): string | undefined => (repeated.has(name) ? undefined : fields.get(name));
  const sessionRequest = walletSessionRequest(checkouts, checkout, {
    validationUrl: once('validationUrl'),
    paymentBrand: once('paymentBrand'),
    origin: request.headers.origin,
  });
  if (sessionRequest.is === 'faulty') return replies.result('200.300.404', entityId, { ndc, faults: sessionRequest.faults });
  const { walletSession: limit = LIMIT } = sessionRequest.channel.throttle;
  const run = async (): Promise<Reply> => {
    const proof = await walletSessionOf(checkouts, checkout, sessionRequest);
    if (proof.is === 'session') return replies.json(200, proof.session, { ndc, entityId });
    return replies.result('900.100.700', entityId, { ndc, remark: proof.says, why: proof.why });
  };
  return { kind: 'authorized', entityId, limit, ndc, run };
}
