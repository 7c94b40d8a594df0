/** Whose things are meant: of one merchant, or of all but some. */
export type Whose = { readonly only: string } | { readonly except: readonly string[] };

export const everybody: Whose = { except: [] };
