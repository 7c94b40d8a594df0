import type { Build } from '../../src/assets/asset.ts';

const file = (name: string, type: string, text: string) => ({ name, type, bytes: new Uint8Array(Buffer.from(text)) });
const JS = 'text/javascript; charset=utf-8';

/** A build of the widget as small as the server can take it; another word in it is another build. */
export const tinyBuild = (word: string): Build => ({
  name: `build-${word}`,
  files: [
    file('js/loader.js', JS, `/* ${word} */ run(['__ORIGIN__','__CHECKOUT__','__MODE__','__BUILD__','__INTEGRITY__']);`),
    file('js/static.min.js', JS, `/* ${word} */ ${'runtime();'.repeat(100)}`),
    file('js/frame.min.js', JS, `/* ${word} */ frame();`),
    file('css/card.css', 'text/css; charset=utf-8', `/* ${word} */ .wpwl-form {}`),
    file('labels/en.json', 'application/json; charset=utf-8', JSON.stringify({ word })),
    file('img/brand.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    file('paymentWidgets.d.ts', 'text/plain; charset=utf-8', 'export {};'),
  ],
});
