import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Asset, AssetStore, WidgetFiles } from '../checkouts/ports.ts';
import { badgeAlone, badgeFrom } from '../widget/images/badges.ts';
import { type Build, type Built, integrityOf } from './asset.ts';

const OTHERS_MAX = 200;

/** Serves the widget: the build of this node, and the builds of other nodes from the store that all share. */
export function createWidgetFiles({ name: build, files }: Build, store: Pick<AssetStore, 'asset'>): WidgetFiles {
  const own = new Map(files.map((file): [string, Asset] => [file.name, { build, ...file }]));
  const others = new Map<string, Promise<Asset | null>>();
  const badgeOf = createBadges();
  const elsewhere = (wanted: string, name: string): Promise<Asset | null> => {
    const key = `${wanted}/${name}`;
    const known = others.get(key);
    if (known) return known;
    if (others.size >= OTHERS_MAX) others.clear();
    const asked = store.asset(wanted, name);
    // A missing file may be added by a node that is starting.
    asked.then(
      (asset) => asset ?? others.delete(key),
      () => others.delete(key),
    );
    others.set(key, asked);
    return asked;
  };
  const whole = async (wanted: string, name: string): Promise<Asset | null> =>
    wanted === build ? (own.get(name) ?? null) : elsewhere(wanted, name);
  const file = async (wanted: string, name: string): Promise<Asset | null> => {
    const brand = /^img\/brand\.(\w+)\.svg$/.exec(name)?.[1];
    const own = await whole(wanted, name);
    return own || brand === undefined ? own : badgeOf(await whole(wanted, 'img/brand.svg'), { brand, name });
  };
  return {
    build,
    file,
    async loader(checkout) {
      const [template, runtime] = await Promise.all([
        file(checkout.build, 'js/loader.js'),
        file(checkout.build, 'js/static.min.js'),
      ]);
      if (!template || !runtime) return null;
      return filled(Buffer.from(template.bytes).toString('utf8'), { ...checkout, integrity: integrityOf(runtime.bytes) });
    },
    inventory: () => files.map(({ name, bytes }) => ({ name, integrity: integrityOf(bytes), bytes: bytes.length })),
  };
}

/** Cuts the badge of a brand out of the picture of all brands, and remembers it. */
function createBadges(): (picture: Asset | null, badge: { readonly brand: string; readonly name: string }) => Asset | null {
  const badges = new WeakMap<Asset, Map<string, Asset>>();
  return (picture, { brand, name }) => {
    if (!picture) return null;
    const made = badges.get(picture) ?? new Map<string, Asset>();
    badges.set(picture, made);
    const known = made.get(name);
    if (known) return known;
    const alone = badgeAlone(Buffer.from(picture.bytes).toString('utf8'), brand);
    if (alone === null) return null;
    const asset = { ...picture, name, bytes: Buffer.from(alone) };
    made.set(name, asset);
    return asset;
  };
}

/** Fills in the placeholders of the loader. Each is inside a string literal. */
function filled(template: string, given: Parameters<WidgetFiles['loader']>[0] & { readonly integrity: string }): string {
  const places: Readonly<Record<string, string>> = {
    __ORIGIN__: given.origin,
    __CHECKOUT__: given.id,
    __MODE__: given.isRegistering ? 'registration' : 'payment',
    __BUILD__: given.build,
    __INTEGRITY__: given.integrity,
  };
  return template.replace(/__[A-Z]+__/g, (place) => {
    const text = places[place];
    // No value may end the string literal or the script element.
    return text === undefined ? place : JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c').replaceAll("'", '\\u0027');
  });
}

const IMAGE_BYTES_MAX = 100 * 1024;
const IMAGE_NAME = /^([A-Z0-9_]+)\.(svg|png|webp|jpg|jpeg|gif)$/;
const imageTypes: Readonly<Record<string, string>> = { svg: 'image/svg+xml', jpg: 'image/jpeg' };

/** One image of the operator, in the frame of the badge that it replaces. Throws an error for the operator. */
async function imageIn(folder: string, file: string): Promise<Built> {
  const [, brand = '', end = ''] = IMAGE_NAME.exec(file) ?? [];
  const bytes = await readFile(join(folder, file));
  if (bytes.length > IMAGE_BYTES_MAX) throw new Error(`${file} has ${bytes.length} bytes: must have at most ${IMAGE_BYTES_MAX}`);
  const svg = badgeFrom(brand, `data:${imageTypes[end] ?? `image/${end}`};base64,${bytes.toString('base64')}`);
  if (svg === null)
    throw new Error(`${file}: must be the name of a payment brand and svg, png, webp, jpg or gif, such as VISA.svg`);
  return { name: `img/brand.${brand}.svg`, type: 'image/svg+xml', bytes: Buffer.from(svg) };
}

/**
 * The build with the operator's own images instead of our lettered badges. A folder has one file for each brand, `VISA.svg` or
 * `MASTER.png`; hidden files are ignored. The build gets another name, because browsers cache its files for ever.
 */
export async function withBrandImages(build: Build, folder: string): Promise<Build> {
  const found = (await readdir(folder)).filter((file) => !file.startsWith('.')).toSorted();
  const images = await Promise.all(found.map((file) => imageIn(folder, file)));
  if (images.length === 0) return build;
  const sum = hash('sha256', [build.name, ...images.map(({ name, bytes }) => `${name} ${hash('sha256', bytes)}`)].join('\n'));
  return { name: sum.slice(0, 16), files: [...build.files, ...images] };
}

type SelfCheckNeeds = {
  readonly build: Build;
  readonly files: Pick<WidgetFiles, 'file'>;
  /** Where other nodes find this build. */
  readonly store: Pick<AssetStore, 'asset'>;
  /** Reads the build again, from the package or the sources. */
  readonly reload: () => Promise<Build>;
};

/**
 * Returns a check of the widget's files against their hashes at the start: as this node serves them, as other nodes read them from the
 * store, and as they are on disk now. The check resolves to the names of the files that differ.
 */
export function createSelfCheck({ build, files, store, reload }: SelfCheckNeeds): () => Promise<readonly string[]> {
  const { name } = build;
  const published = build.files.map((file) => ({ file: file.name, integrity: integrityOf(file.bytes) }));
  return async () => {
    const onDisk = new Map((await reload()).files.map((file) => [file.name, integrityOf(file.bytes)]));
    // Images of the operator are no part of the package.
    const isOwn = (file: string): boolean => !onDisk.has(file) && /^img\/brand\.\w+\.svg$/.test(file);
    const checked = published.map(async ({ file, integrity }) => {
      const [served, stored] = await Promise.all([files.file(name, file), store.asset(name, file)]);
      const isSame =
        served !== null &&
        integrityOf(served.bytes) === integrity &&
        // A job publishes a build again that is missing from the store.
        (stored === null || integrityOf(stored.bytes) === integrity) &&
        (isOwn(file) || onDisk.get(file) === integrity);
      return isSame ? [] : [file];
    });
    return (await Promise.all(checked)).flat();
  };
}
