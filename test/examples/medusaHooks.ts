import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What the example imports, as an installed shop has it: the client from the sources, and of Medusa the few names that it uses. */

const client = pathToFileURL(join(import.meta.dirname, '..', '..', 'src', 'client', 'main.ts')).href;

const medusa = `
export class AbstractPaymentProvider { constructor(container, config) { this.container = container; this.config = config; } }
export class MedusaError extends Error {
  static Types = { NOT_ALLOWED: 'not_allowed', INVALID_DATA: 'invalid_data', UNEXPECTED_STATE: 'unexpected_state' };
  constructor(type, message) { super(message); this.type = type; }
}
export const Modules = { PAYMENT: 'payment' };
export const ModuleProvider = (module, { services }) => ({ module, services });
`;

const places: Readonly<Record<string, string>> = {
  'turnpike/client': client,
  '@medusajs/framework/utils': `data:text/javascript,${encodeURIComponent(medusa)}`,
};

registerHooks({ resolve: (name, context, next) => next(places[name] ?? name, context) });
