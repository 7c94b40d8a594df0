import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { drawBadges } from '../../src/widget/images/badges.ts';
import { badgeMark } from '../badgeMark.ts';
import { startBrowser } from './browser.ts';

/** `npm run badges`: draws the bitmap of all badges, for pages that set it themselves, from the SVG with a browser. */
const file = join(import.meta.dirname, '..', '..', 'src', 'widget', 'images', 'brand.png');

type Dots = { readonly width: number; readonly height: number; readonly data: string };

const draw = (svg: string): string => `(async () => {
  const image = new Image();
  image.src = 'data:image/svg+xml;utf8,' + encodeURIComponent(${JSON.stringify(svg)});
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth * 2, image.naturalHeight * 2];
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let text = '';
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return { width: canvas.width, height: canvas.height, data: btoa(text) };
})()`;

const SHADES = 8;
const [ink, ground] = [
  [0x2b, 0x33, 0x3f],
  [0xff, 0xff, 0xff],
] as const;
const shades = Array.from({ length: SHADES }, (_, at) =>
  ink.map((from, part) => Math.round(from + (((ground[part] ?? 0) - from) * at) / (SHADES - 1))),
);

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Nothing, or one of a few shades between letters and ground: four bits for a dot. */
function encoded({ width, height, data }: Dots): Buffer {
  const dots = Buffer.from(data, 'base64');
  const row = Math.ceil(width / 2) + 1;
  const raw = Buffer.alloc(row * height);
  for (let at = 0; at < width * height; at += 1) {
    const part = ((dots[at * 4] ?? 0) - ink[0]) / (ground[0] - ink[0]);
    const shade = (dots[at * 4 + 3] ?? 0) < 128 ? 0 : 1 + Math.round(Math.min(1, Math.max(0, part)) * (SHADES - 1));
    const [x, y] = [at % width, Math.floor(at / width)];
    raw[y * row + 1 + (x >> 1)]! |= x & 1 ? shade : shade << 4;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([4, 3], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from([0, 0, 0, ...shades.flat()])),
    chunk('tRNS', Buffer.from([0])),
    chunk('tEXt', Buffer.from(badgeMark(), 'latin1')),
    chunk('IDAT', deflateSync(raw, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const browser = await startBrowser();
try {
  const page = await browser.open();
  writeFileSync(file, encoded((await page.evaluate(draw(drawBadges()))) as Dots));
} finally {
  await browser.close();
}
console.log(`Drawn: ${relative(process.cwd(), file)}`);
