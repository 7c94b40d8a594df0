type Manifest = { readonly dependencies: Readonly<Record<string, string>> };
type Lock = { readonly packages: Readonly<Record<string, object>> };
export function leanOf<M extends Manifest, L extends Lock>(manifest: M, lock: L): { readonly manifest: M; readonly lock: L };
