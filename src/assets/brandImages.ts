import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badgeFrom } from '../widget/images/badges.ts';
import type { Build, Built } from './asset.ts';

const BYTES_MAX = 100 * 1024;
const NAME = /^([A-Z0-9_]+)\.(svg|png|webp|jpg|jpeg|gif)$/;
const types: Readonly<Record<string, string>> = { svg: 'image/svg+xml', jpg: 'image/jpeg' };

/** One image of the operator, in the frame of the badge that it replaces. Throws an error for the operator. */
async function imageIn(folder: string, file: string): Promise<Built> {
  const [, brand = '', end = ''] = NAME.exec(file) ?? [];
  const bytes = await readFile(join(folder, file));
  if (bytes.length > BYTES_MAX) throw new Error(`${file} has ${bytes.length} bytes: must have at most ${BYTES_MAX}`);
  const svg = badgeFrom(brand, `data:${types[end] ?? `image/${end}`};base64,${bytes.toString('base64')}`);
  if (svg === null)
    throw new Error(`${file}: must be the name of a payment brand and svg, png, webp, jpg or gif, such as VISA.svg`);
  return { name: `img/brand.${brand}.svg`, type: 'image/svg+xml', bytes: Buffer.from(svg) };
}

/**
 * The build with the operator's own images instead of our lettered badges. A folder has one file for each brand, `VISA.svg` or
 * `MASTER.png`; hidden files are passed over. The build gets another name, since browsers keep its files for ever.
 */
export async function withBrandImages(build: Build, folder: string): Promise<Build> {
  const found = (await readdir(folder)).filter((file) => !file.startsWith('.')).toSorted();
  const images = await Promise.all(found.map((file) => imageIn(folder, file)));
  if (images.length === 0) return build;
  const sum = hash('sha256', [build.name, ...images.map(({ name, bytes }) => `${name} ${hash('sha256', bytes)}`)].join('\n'));
  return { name: sum.slice(0, 16), files: [...build.files, ...images] };
}
