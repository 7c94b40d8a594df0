import type { Target } from './target.ts';

/** A reader: the files whose blocks lead the search and count as work, and what loads them. */
export type TargetRow = { readonly sources: RegExp; readonly load: () => Promise<Target>; readonly needsGateway?: true };

type Targets = Readonly<Record<string, TargetRow>>;

/** Every reader of input from outside. They are loaded by name: counters are put into the sources while these are loaded. */
export const targets: Targets = {
  form: {
    sources: /\/src\/(?:form|money|spec)\//,
    load: async () => (await import('./targets/form.ts')).form,
  },
  adminJson: {
    sources: /\/src\/(?:form|spec)\//,
    load: async () => (await import('./targets/adminJson.ts')).adminJson,
  },
  settlement: {
    sources: /\/src\/settlement\/in\/readers\//,
    load: async () => (await import('./targets/settlement.ts')).settlement,
  },
  cron: {
    sources: /\/src\/schedules\//,
    load: async () => (await import('./targets/cron.ts')).cron,
  },
  rules: {
    sources: /\/src\/risk\//,
    load: async () => (await import('./targets/rules.ts')).rules,
  },
  wallets: {
    sources: /\/src\/wallets\/(?!issuer)/,
    load: async () => (await import('./targets/wallets.ts')).wallets,
  },
  webhookAddress: {
    sources: /\/src\/(?:webhooks\/address|outbound\/(?:address|client))\.ts/,
    load: async () => (await import('./targets/webhookAddress.ts')).webhookAddress,
  },
  framing: {
    sources: /\/src\/http\/transport\//,
    needsGateway: true,
    load: async () => (await import('./targets/framing.ts')).framing,
  },
};
