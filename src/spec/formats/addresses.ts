import type { Format } from '../row.ts';
import { among, createFormat } from './formats.ts';

const ADDRESS = '[^\\s\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]';
const address = (rest: number): string => `https://shop.example/${'a'.repeat(rest - 'https://shop.example/'.length)}`;
const badAddresses = [
  'shop.example',
  '/relative/path',
  '//shop.example/x',
  'https:shop',
  'http://',
  'https://a b.example',
  'https://[::1',
]
  .concat('javascript:alert(1)', 'javascript://shop.example/%0aalert(1)', 'data:text/html,x', 'data://x/y', 'file:///etc/hosts')
  .concat('https://shop.example/\n', 'https://shop.example/\u202E', address(2049));

/** A web address, absolute. */
export const webUrl = (label: string): Format =>
  createFormat(
    label,
    {
      source: `(?=.{6,2048}$)https?://${ADDRESS}+`,
      parse: among(URL.canParse),
      message: 'must be an absolute http or https URL',
    },
    {
      good: [
        'http://a.b',
        'https://shop.example/a?b=c&d=%20#e',
        'https://shop.example:8443/',
        'https://münchen.example/ü',
        address(2048),
      ],
      bad: [...badAddresses, 'com.example.shop://result'],
    },
  );

/** Where the shopper's browser or app is sent: any scheme an app may own, none that runs or reads something in the browser. */
export const appUrl = (label: string): Format =>
  createFormat(
    label,
    {
      source: `(?=.{6,2048}$)[A-Za-z][A-Za-z0-9+.-]{0,127}://${ADDRESS}+`,
      parse: among((text) => URL.canParse(text) && !/^(?:javascript|vbscript|data|file|blob|about|view-source):/i.test(text)),
      message: 'must be an absolute URL',
    },
    {
      good: [
        'http://a.b',
        'https://shop.example/a?b=c&d=%20#e',
        'com.example.shop://result',
        'https://shop.example:8443/',
        address(2048),
      ],
      bad: [...badAddresses, 'JaVaScRiPt://shop.example/%0aalert(1)', '1app://result'],
    },
  );
