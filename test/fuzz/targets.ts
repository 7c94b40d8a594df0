import type { Target } from './target.ts';

type Targets = Readonly<Record<string, () => Promise<Target>>>;

/** Readers that need neither a socket nor a server: tried in every run. Loaded by name: counters must begin before the sources are loaded. */
export const quickTargets: Targets = {
  form: async () => (await import('./targets/form.ts')).form,
  adminJson: async () => (await import('./targets/adminJson.ts')).adminJson,
  settlement: async () => (await import('./targets/settlement.ts')).settlement,
  cron: async () => (await import('./targets/cron.ts')).cron,
  rules: async () => (await import('./targets/rules.ts')).rules,
  wallets: async () => (await import('./targets/wallets.ts')).wallets,
  webhookAddress: async () => (await import('./targets/webhookAddress.ts')).webhookAddress,
};

/** Every reader of input from outside. */
export const targets: Targets = {
  ...quickTargets,
  framing: async () => (await import('./targets/framing.ts')).framing,
};
