/** Stands in for `node:test` while mutants are tried: it collects the tests of a file, and the first failure ends them. */
type TestBody = (context: { diagnostic(text: string): void }) => unknown;

let tests: { readonly name: string; readonly body: TestBody }[] = [];

export const test = (name: string, body: TestBody): void => {
  tests.push({ name, body });
};

/** In the order of the file: `before` is called ahead of the tests in all of them. */
export const before = (body: TestBody): void => test('before', body);

/** How many tests wait to be run. */
export const registered = (): number => tests.length;

/** Runs what a test file has registered. Returns the first failure, or null. */
export async function runTests(skip: readonly string[]): Promise<{ readonly name: string; readonly error: unknown } | null> {
  const chosen = tests.filter(({ name }) => !skip.some((part) => name.includes(part)));
  tests = [];
  for (const { name, body } of chosen) {
    try {
      await body({ diagnostic: () => {} });
    } catch (error) {
      return { name, error };
    }
  }
  return null;
}
