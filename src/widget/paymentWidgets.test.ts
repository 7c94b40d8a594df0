import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import ts from 'typescript';

/** The typings that pages are given, compiled: against the widget's own types in both directions, and by pages that use them. */

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

/** Same names, and each of one fits where the other is wanted, both ways. What `this` is in a hook is told to pages only. */
const agreement = `
import type * as Own from './options.ts';
import type { WidgetResult } from '../spec/widget.ts';
import type { Wpwl } from './loader/registry.ts';
import type { Wrapped } from './runtime/contract.ts';
import type * as Told from './paymentWidgets.d.ts';
type Fits<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Same<One, Other> = Fits<keyof One, keyof Other> extends true
  ? { [Name in keyof One & keyof Other]: Fits<One[Name], Other[Name]> }[keyof One & keyof Other] extends true ? true : false
  : false;
export const options: Same<Required<Own.Options>, Required<Told.Options>> = true;
export const hooks: Same<Required<Own.Hooks>, Required<Told.Hooks>> = true;
export const mounting: Same<Required<Own.MountOptions>, Required<Told.MountOptions>> = true;
export const mounted: Same<Own.Mounted, Told.Mounted> = true;
export const result: Same<WidgetResult, Told.WidgetResult> = true;
export const error: Fits<Own.WidgetError, Told.WidgetError> = true;
export const wpwl: Same<Wpwl, Told.Wpwl> = true;
export const wrapped: Fits<Wrapped, Told.Wrapped> = true;
`;

/** A page that only has the file, and the options as a global. */
const usage = `
import type { MountOptions } from './paymentWidgets.d.ts';
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

const texts = new Map<string, string>([
  [place('agreement.ts'), agreement],
  [place('usage.ts'), usage],
  ...wrong.map((line, at): [string, string] => [place(`wrong${at}.ts`), `import './paymentWidgets.d.ts';\n${line}\nexport {};`]),
  // Everything that agrees would agree with a copy that lacks one option, were the test of no use.
  [place('lacking.d.ts'), readFileSync(place('paymentWidgets.d.ts'), 'utf8').replace(/ {2}readonly saveCard\?: Flag;/, '')],
  [place('lacking.ts'), agreement.replace('./paymentWidgets.d.ts', './lacking.d.ts')],
]);

let faults: ReadonlyMap<string, readonly string[]>;
before(() => {
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
  const told = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()].map(({ messageText }) =>
    String(messageText),
  );
  const of = (name: string): readonly string[] => {
    const source = program.getSourceFile(place(name));
    return source
      ? program.getSemanticDiagnostics(source).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
      : ['not compiled'];
  };
  const names = ['agreement.ts', 'usage.ts', 'lacking.ts', 'paymentWidgets.d.ts', ...wrong.map((_, at) => `wrong${at}.ts`)];
  faults = new Map([...names.map((name): [string, readonly string[]] => [name, of(name)]), ['all', told]]);
});

test('the typings are those of the widget, name by name, in both directions', () => {
  assert.deepEqual([faults.get('all'), faults.get('paymentWidgets.d.ts'), faults.get('agreement.ts')], [[], [], []]);
});

test('one option less would be noticed', () => {
  assert.ok((faults.get('lacking.ts') ?? []).length > 0);
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
  assert.doesNotMatch(readFileSync(place('paymentWidgets.d.ts'), 'utf8'), /\bimport\b/);
});
