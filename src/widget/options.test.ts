import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import ts from 'typescript';
import { buildWidget } from '../assets/build.ts';

/** The typings that pages download: made from options.ts, and compiled by pages that use them. */

const TYPINGS = 'paymentWidgets.d.ts';
const place = (name: string): string => join(import.meta.dirname, name);
const settings: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

/** A page that only has the file, and the options as a global. */
const usage = `
import type { MountOptions } from './${TYPINGS}';
window.wpwlOptions = {
  locale: 'de-AT', style: 'plain', showCVVHint: 'true', registrations: { requireCvv: true },
  onBeforeSubmitCard(event) { event.preventDefault(); return this.$form.find('.wpwl-control-cardHolder').val() !== ''; },
  onReadyIframeCommunication() { this.$iframe.addClass('mine'); },
  onLoadThreeDIframe() { this.scrollIntoView(); },
  onResult: async ({ outcome, text }) => outcome === 'success' || text,
  applePay: {
    total: () => ({ label: 'Shop', amount: '9.00' }),
    onPaymentAuthorized: async (payment) => ({ status: payment.shippingContact ? 'SUCCESS' : 'FAILURE' }),
    onShippingMethodSelected: ({ identifier }) => ({ newTotal: { label: String(identifier), amount: '9.00' } }),
    onPaymentMethodSelected() {},
  },
  googlePay: { gatewayMerchantId: 'x', onCancel: (code) => code.length, onPaymentDataChanged: () => Promise.resolve({}) },
};
const options: MountOptions = { checkoutId: 'A.n', brands: ['VISA'], theme: 'dark', variables: { 'tp-accent': '#000' } };
const mounted = turnpike?.mount(document.body, options);
mounted?.executePayment().then((isSent: boolean) => isSent);
wpwl?.unload();
`;

/** Each line is a fault of its own. */
const wrong = [
  `window.wpwlOptions = { style: 'fancy' };`,
  'window.wpwlOptions = { onResult: (result) => result.outcame };',
  `turnpike?.mount(document.body, { brands: 'VISA' });`,
  `turnpike?.mount('#place', { checkoutId: 'A', brands: 'VISA' });`,
  'window.wpwlOptions = { onBeforeSubmitCard() { return this.$button; } };',
  "window.wpwlOptions = { applePay: { checkAvailability: 'always' } };",
  "window.wpwlOptions = { googlePay: { submitOnPaymentAuthorized: ['card'] } };",
] as const;

/** The files in memory, by path. */
const texts = new Map<string, string>([
  [place('usage.ts'), usage],
  ...wrong.map((line, at): [string, string] => [place(`wrong${at}.ts`), `import './${TYPINGS}';\n${line}\nexport {};`]),
]);

let typings = '';
let faults: ReadonlyMap<string, readonly string[]>;
before(async () => {
  const { files } = await buildWidget();
  typings = Buffer.from(files.find(({ name }) => name === TYPINGS)?.bytes ?? []).toString('utf8');
  texts.set(place(TYPINGS), typings);
  const host = ts.createCompilerHost(settings);
  const { readFile, fileExists } = host;
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, version) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile(file, version) : ts.createSourceFile(file, text, version);
  };
  const program = ts.createProgram(
    [...texts.keys()].filter((file) => !file.endsWith('.d.ts')),
    settings,
    host,
  );
  const declared = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()].map(({ messageText }) =>
    String(messageText),
  );
  const of = (name: string): readonly string[] => {
    const source = program.getSourceFile(place(name));
    return source
      ? program.getSemanticDiagnostics(source).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
      : ['not compiled'];
  };
  const names = ['usage.ts', TYPINGS, ...wrong.map((_, at) => `wrong${at}.ts`)];
  faults = new Map([...names.map((name): [string, readonly string[]] => [name, of(name)]), ['all', declared]]);
});

test('every option of the table is in the file, and it compiles', () => {
  const names = (text: string): readonly string[] => [...text.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name);
  const declared = new Set(names(typings));
  const options = names(readFileSync(place('options.ts'), 'utf8'));
  assert.ok(options.length > 100);
  assert.deepEqual(
    options.filter((name) => !declared.has(name)),
    [],
  );
  assert.deepEqual([faults.get('all'), faults.get(TYPINGS)], [[], []]);
});

test('a page in TypeScript can use them as they are served', () => {
  assert.deepEqual(faults.get('usage.ts'), []);
});

wrong.forEach((line, at) => {
  test(`refused: ${line}`, () => {
    assert.equal(faults.get(`wrong${at}.ts`)?.length, 1);
  });
});

test('the file imports nothing: it is served alone', () => {
  assert.doesNotMatch(typings, /\bimport\b/);
});
