import { manifest } from './packages.ts';

/**
 * Whether registries have this program. This is the one switch for the day of publication: change it, run `npm run docs`, and pages, examples and
 * their lock files name the package instead of a file. `test/registries.test.ts` lets no text promise what is not there.
 */
export const isPublished = false;

const { version } = manifest;
export const TARBALL = `turnpike-${version}.tgz`;

/** The argument of `npm install` in a folder whose way to the checkout is `to`. */
const sourceFrom = (to: string, published: boolean): string => (published ? 'turnpike' : `${to}/dist/${TARBALL}`);

const shell = (...lines: readonly string[]): string => ['```sh', ...lines, '```'].join('\n');

/** A folder beside a checkout that has the name of the project. */
const BESIDE = '../turnpike';

export type Fragments = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Every text that depends on the switch: by page, and by the mark in it. */
export function publicationFragments(published: boolean): Fragments {
  const [beside, here] = [sourceFrom(BESIDE, published), sourceFrom('.', published)];
  const former = published ? 'turnpike@VERSION' : `${BESIDE}/dist/turnpike-VERSION.tgz`;
  const packed = published
    ? []
    : ['No registry has the package yet. Make it in a checkout; it is then in `dist/`:', '', shell('npm run pack'), ''];
  return {
    'README.md': {
      install: published
        ? 'Without a checkout, `npx turnpike` starts the same sandbox in any folder, with its data in `./data`.'
        : `No registry has Turnpike yet. \`npm run pack\` makes its package in \`dist/\`. In any folder beside this checkout, \`npm install ${beside}\`
installs it, and \`npx turnpike\` then starts the same sandbox there, with its data in \`./data\`.`,
    },
    'docs/installing.md': {
      install: [
        ...packed,
        published
          ? 'To try it, in any folder:'
          : 'To try it, in a folder beside the checkout (elsewhere, write the way to the file):',
        '',
        published
          ? shell('npx turnpike')
          : shell(`npm install --ignore-scripts ${beside}`, 'npx turnpike --version', 'npx turnpike'),
      ].join('\n'),
      'install for good': published
        ? `To install it for good:\n\n${shell('npm install --ignore-scripts turnpike', 'npx turnpike --version')}\n`
        : '',
      'install without a runtime': `\`npm install --ignore-scripts --omit=optional ${beside}\` leaves the runtime out, where your own Node is 26 or newer, and on
Alpine Linux.`,
      'install for a unit': shell(`npm install --ignore-scripts --prefix /opt/turnpike ${here}`),
    },
    'docs/goingLive.md': {
      install: [
        ...packed,
        published ? 'In an empty folder:' : 'In an empty folder beside the checkout:',
        '',
        shell(`npm install --ignore-scripts ${beside}`),
      ].join('\n'),
    },
    'docs/upgrading.md': {
      'install the new version': shell(
        'npx turnpike doctor --only database',
        'npx turnpike backup',
        'kill $GATEWAY; wait $GATEWAY || true',
        `npm install --ignore-scripts ${beside}`,
        'start',
        'npx turnpike --version',
        'npx turnpike verify',
      ),
      'install a former version': `1. Stop every node and install the former version: \`npm install --ignore-scripts ${former}\`.`,
    },
    'docs/testing.md': {
      install: published
        ? shell(`npm install --save-dev ${beside}`)
        : [...packed, 'In a shop beside the checkout:', '', shell(`npm install --save-dev ${beside}`)].join('\n'),
    },
    'docs/client.md': {
      install: published
        ? shell('npm install turnpike')
        : [...packed, 'In a shop beside the checkout:', '', shell(`npm install ${beside}`)].join('\n'),
    },
    ...exampleFragments(published),
  };
}

/** The commands of the examples, which are in a checkout. */
function exampleFragments(published: boolean): Fragments {
  const first = published ? [] : ['npm run pack'];
  return {
    'examples/first-payment/README.md': {
      install: shell(...first, 'cd examples/first-payment', 'npm ci'),
    },
    'examples/shop-tests/README.md': {
      install: shell(...first, 'cd examples/shop-tests', 'npm ci', 'npm test'),
    },
    'examples/medusa-payment/README.md': {
      install: shell(...first, 'cd examples/medusa-payment', 'npm ci', 'npm run build'),
    },
  };
}

/** The dependency `turnpike` in the package.json of an example. */
export const dependencyOfExample = (published: boolean): string => (published ? version : `file:../../dist/${TARBALL}`);
