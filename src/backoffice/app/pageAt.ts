/** The values of `$name` in the pattern of a page, one segment each; null when the path does not match it. */
export function paramsIn(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [pattern.split('/'), path.replace(/(.)\/$/, '$1').split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const segment = given[at] ?? '';
    if (part.startsWith('$')) params[part.slice(1)] = decoded(segment);
    else if (part !== segment) return null;
  }
  return params;
}

/** The page of a path; where several match it, the one with the fewest parameters. */
export function pageAt<Page extends { readonly path: string }>(pages: readonly Page[], path: string): Page | undefined {
  const parameters = ({ path: pattern }: Page) => pattern.split('$').length;
  return pages
    .filter((page) => paramsIn(page.path, path) !== null)
    .toSorted((one, other) => parameters(one) - parameters(other))[0];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
