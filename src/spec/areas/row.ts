import type { Right } from '../rights.ts';

/** Rows of the table of endpoints that take and give JSON: short, because everything else of them is the same. */

type Method = 'GET' | 'POST' | 'DELETE';

const plain = { sections: [], required: [], answers: 'admin' } as const;

/** For who has the right. `stepUp`: only a moment after he has shown again that it is he. */
export const admin = <const Path extends `/admin/v1/${string}`, const Named extends Right>(
  method: Method,
  path: Path,
  right: Named,
  summary: string,
  more: { readonly stepUp?: true; readonly takes?: 'file' } = {},
) => ({ method, path, access: 'admin', right, summary, ...plain, ...more }) as const;

/** For whoever has signed in, about himself. */
export const session = <const Path extends `/admin/v1/${string}`>(
  method: Method,
  path: Path,
  summary: string,
  more: { readonly stepUp?: true } = {},
) => ({ method, path, access: 'session', summary, ...plain, ...more }) as const;

/** An endpoint for users who have not signed in yet. */
export const signIn = <const Path extends `/admin/v1/${string}`>(method: Method, path: Path, summary: string) =>
  ({ method, path, access: 'signIn', summary, ...plain }) as const;
