import { parameters } from '../../src/spec/parameters.ts';

/** The name of a field for every row of the parameters. */
export const rowNames = Object.keys(parameters).map((name) =>
  name.replaceAll('[n]', '[7]').replace(/\[(?:name|key|brand)\]$/, '[abc]'),
);

/** What a decoder of forms takes for more than a character, whole and damaged. */
export const signs = [
  '&',
  '=',
  '%',
  '+',
  '[',
  ']',
  '.',
  '%5B',
  '%5d',
  '%00',
  '%C3%A9',
  '%C3',
  '%ED%A0%80',
  '%2',
  '\xC3\xA9',
  '\xFF',
  '\0',
  'n',
];
