import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { theSite } from '../../assets/assets.ts';
import { BASE, finishPage, staticAddress, staticName } from '../../site/finish.ts';
import { fileNameOf, openApiDocumentNames, openApiDocuments } from '../../spec/openApi/documents.ts';
import { type Command, parseOptions, requiredOption, UsageError } from '../command.ts';

/** Writes the documentation site as static files, for any web server. */
export const docsCommand: Command = {
  name: 'docs',
  summary: 'write the documentation as static files',
  usage:
    'docs build --to folder [--base url]\n' +
    '  --to folder   where the files are written; others there stay\n' +
    `  --base url    the address of the gateway in the examples; default ${BASE}`,
  async run([verb, ...words], { print }) {
    if (verb !== 'build') throw new UsageError('docs: the only action is build');
    const { to, base = BASE } = parseOptions(words, ['to', 'base']);
    if (!/^https?:\/\/[\w.:[\]/-]+$/.test(base)) throw new UsageError('--base: must be an address such as https://pay.example');
    const folder = resolve(process.env.TURNPIKE_CALLED_FROM ?? '.', requiredOption(to, 'to'));
    const site = await theSite();
    for (const [path, { type, text }] of site) {
      const file = join(folder, staticName(path));
      await mkdir(dirname(file), { recursive: true });
      const isPage = type.startsWith('text/html');
      await writeFile(file, isPage ? finishPage(text, { addressOf: staticAddress(path), base, kind: 'static' }) : text);
    }
    for (const name of openApiDocumentNames)
      await writeFile(join(folder, fileNameOf(name)), `${JSON.stringify(openApiDocuments[name](base), null, 2)}\n`);
    print(`${site.size + openApiDocumentNames.length} files in ${folder}`);
    return 0;
  },
};
