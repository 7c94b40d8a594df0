export const binary: string;

/** The Node that runs the gateway of the package in this folder; without a path, `missing` says what to install. */
export function findRuntime(root: string): { readonly path: string; readonly missing: string };
