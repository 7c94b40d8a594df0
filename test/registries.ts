/** What only a registry could fulfil, in the words of pages, commands and files. It shares nothing with the texts that it judges. */

const FLAGS = String.raw`(?:\s+-[\w-]+(?:[= ][^\s\`-][^\s\`]*)?)*?`;
const END = String.raw`(?=["'\`\s,;)<\\]|$)`;

/** Each kind of promise: what it looks like, and an example for the control. */
export const PROMISES: Readonly<Record<string, { readonly pattern: RegExp; readonly examples: readonly string[] }>> = {
  'an installation by name': {
    pattern: new RegExp(
      String.raw`\b(?:npm|pnpm|yarn|bun)\s+(?:install|i|add|ci|update|create|init|view|exec)${FLAGS}\s+turnpike(?:@[\w.-]+)?${END}`,
      'g',
    ),
    examples: [
      'npm install turnpike',
      'npm i -D turnpike@latest',
      'npm install --ignore-scripts --prefix /opt/turnpike turnpike',
      'Install it with `npm install --save-dev turnpike`.',
      'yarn add turnpike',
      'pnpm add --save-dev turnpike',
      'npm create turnpike',
    ],
  },
  'a program that is fetched to be run': {
    pattern:
      /\b(?:npx\s+(?:(?:-y|--yes|--package\S*)\s+)+turnpike\b|npx\s+turnpike@|(?:pnpm\s+dlx|bunx|yarn\s+dlx)\s+turnpike\b)/g,
    examples: ['npx -y turnpike', 'npx turnpike@latest start', 'bunx turnpike', 'pnpm dlx turnpike'],
  },
  'a dependency by version': {
    pattern: /"turnpike":\s*"(?!file:|scripts\/|node )[^"]*"/g,
    examples: ['"turnpike": "1.0.0-rc.1"', '"turnpike": "^1.0.0"', '"turnpike":"latest"'],
  },
  'an image of a registry': {
    pattern: /\b(?:docker|podman)\s+pull\s+\S*turnpike|\b(?:ghcr\.io|quay\.io|docker\.io|gcr\.io|public\.ecr\.aws)\/\S*turnpike/g,
    examples: ['docker pull turnpike', 'image: ghcr.io/example/turnpike:1.0.0', 'podman run docker.io/library/turnpike'],
  },
  'a page of a registry': {
    pattern:
      /\b(?:npmjs\.(?:com|org)\/(?:package\/)?turnpike|hub\.docker\.com\/\S*turnpike|(?:unpkg\.com|jsdelivr\.net\/npm|esm\.sh)\/turnpike|shields\.io\/npm)/g,
    examples: ['https://www.npmjs.com/package/turnpike', 'https://unpkg.com/turnpike', 'https://img.shields.io/npm/v/turnpike'],
  },
  'words that promise one': {
    pattern:
      /\b(?:published|available|released|distributed|download(?:ed)?|get|comes?|install(?:ed)?)(?:\s+it)?\s+(?:on|from|through|via|to|by)\s+(?:npm\b(?! run)|(?:the |a )?(?:npm |public )*registry\b|Docker Hub|GHCR)/gi,
    examples: [
      'It is available on npm.',
      'Download it from Docker Hub.',
      'The package is published to the npm registry.',
      'Install it from npm.',
    ],
  },
};

export type Promised = { readonly kind: string; readonly text: string };

/** Lines of a command that go on, and words that a page breaks, are one line. */
export function promisesIn(text: string): readonly Promised[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  return Object.entries(PROMISES).flatMap(([kind, { pattern }]) =>
    [...joined.matchAll(pattern)].map(([found]) => ({ kind, text: found })),
  );
}

/**
 * `npx turnpike` alone starts a gateway where the package is installed, and fetches a stranger's program where it is not: a page that begins with it has to
 * say before how the package comes into the folder.
 */
export function startsUninstalled(page: string): boolean {
  const start = /\bnpx\s+turnpike(?=[`\s]*(?:$|[,.;)`]|#|then|starts))/m.exec(page);
  if (start === null) return false;
  const before = page.slice(0, start.index);
  return !/npm (?:install|ci)\b[^\n`]*(?:\.tgz|\bturnpike\b)|npm ci\b/.test(before);
}
