/** Whether a path matches the pattern of a page: `$id` matches one segment. */
export function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.replace(/(.)\/$/, '$1').split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith('$') || part === given[at]);
}
