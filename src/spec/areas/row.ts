import type { Right } from '../rights.ts';
import type { TagName } from '../tags.ts';

/** Constructors for rows of endpoints that take and return JSON. */

type Method = 'GET' | 'POST' | 'DELETE';

const plain = { sections: [], required: [], answers: 'admin' } as const;

/** An endpoint that needs a right. `stepUp`: the user must have confirmed the sign-in a short time ago. `notifies`: others learn of it. */
export const admin = <const Path extends `/admin/v1/${string}`, const Named extends Right>(
  tag: TagName,
  method: Method,
  path: Path,
  right: Named,
  summary: string,
  more: { readonly stepUp?: true; readonly notifies?: true; readonly takes?: 'file' } = {},
) => ({ tag, method, path, access: 'admin', right, summary, ...plain, ...more }) as const;

/** An endpoint for any signed-in user, about the own account. */
export const session = <const Path extends `/admin/v1/${string}`>(
  tag: TagName,
  method: Method,
  path: Path,
  summary: string,
  more: { readonly stepUp?: true } = {},
) => ({ tag, method, path, access: 'session', summary, ...plain, ...more }) as const;

/** An endpoint for users who have not signed in yet. */
export const signIn = <const Path extends `/admin/v1/${string}`>(tag: TagName, method: Method, path: Path, summary: string) =>
  ({ tag, method, path, access: 'signIn', summary, ...plain }) as const;
