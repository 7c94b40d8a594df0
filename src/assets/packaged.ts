import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Site, SiteFile } from '../site/finish.ts';
import type { Build, Office, OfficeFile } from './asset.ts';

/**
 * The files for browsers as a package carries them: `widget.json` and `office.json` list them, `widget/` and `office/` hold them; `site.json` is the documentation. Files of
 * the back office stand there three times: as they are, and compressed (`.gz`, `.br`).
 */

type Listed = { readonly name: string; readonly type: string };
type WidgetIndex = { readonly name: string; readonly files: readonly Listed[] };
type OfficeIndex = Omit<Office, 'files'> & { readonly files: readonly Listed[] };

const FORMS = { bytes: '', gzip: '.gz', brotli: '.br' } as const;
const forms = Object.entries(FORMS) as readonly (readonly [keyof typeof FORMS, string])[];

async function put(path: string, content: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

const listed = ({ name, type }: Listed): Listed => ({ name, type });
const putIndex = (path: string, index: WidgetIndex | OfficeIndex) => put(path, `${JSON.stringify(index, null, 1)}\n`);
const indexAt = async <Index>(path: string): Promise<Index> => JSON.parse(await readFile(path, 'utf8'));

export async function writeWidget(folder: string, { name, files }: Build): Promise<void> {
  await Promise.all(files.map((file) => put(join(folder, 'widget', file.name), file.bytes)));
  await putIndex(join(folder, 'widget.json'), { name, files: files.map(listed) });
}

export async function readWidget(folder: string): Promise<Build> {
  const { name, files } = await indexAt<WidgetIndex>(join(folder, 'widget.json'));
  const read = async (file: Listed) => ({ ...file, bytes: await readFile(join(folder, 'widget', file.name)) });
  return { name, files: await Promise.all(files.map(read)) };
}

export async function writeOffice(folder: string, { files, ...names }: Office): Promise<void> {
  const all = [...files].map(([name, file]) => ({ name, ...file })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  await Promise.all(all.flatMap((file) => forms.map(([form, end]) => put(join(folder, 'office', file.name + end), file[form]))));
  await putIndex(join(folder, 'office.json'), { ...names, files: all.map(listed) });
}

export async function readOffice(folder: string): Promise<Office> {
  const { files, ...names } = await indexAt<OfficeIndex>(join(folder, 'office.json'));
  const read = async ({ name, type }: Listed): Promise<[string, OfficeFile]> => {
    const [bytes, gzip, brotli] = await Promise.all(forms.map(([, end]) => readFile(join(folder, 'office', name + end))));
    return [name, { type, bytes, gzip, brotli } as OfficeFile];
  };
  return { ...names, files: new Map(await Promise.all(files.map(read))) };
}

export const writeSite = (folder: string, site: Site): Promise<void> =>
  put(join(folder, 'site.json'), `${JSON.stringify([...site])}\n`);

export const readSite = async (folder: string): Promise<Site> =>
  new Map(await indexAt<[string, SiteFile][]>(join(folder, 'site.json')));
