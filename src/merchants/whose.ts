/** Whose things are meant: of one merchant, or of all but some. */
export type Whose = { readonly only: string } | { readonly except: readonly string[] };

export const everybody: Whose = { except: [] };

/** What is due at an instant, of whom, and how much of it at once. */
export type DueQuestion = { readonly now: number; readonly limit: number; readonly whose: Whose };

/** Whether a merchant is one of those who are meant. */
export const isTheirs = (whose: Whose, merchantId: string): boolean =>
  'only' in whose ? whose.only === merchantId : !whose.except.includes(merchantId);
