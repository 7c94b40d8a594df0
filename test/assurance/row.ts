/**
 * A test by its file and the beginning of its title, `test/x.test.ts: the beginning`. An ellipsis stands for a value that the title is
 * made with: `…: a key is stored` is the test of a title that begins with a variable.
 */
export type Proof = string;

/** The control shows that the tests can fail: a planted fault that they find, or a run without the protection. */
export type Control =
  | { readonly kind: 'tests'; readonly tests: readonly Proof[] }
  | { readonly kind: 'none'; readonly reason: string };

/** The counts that the tests of a row report through `test/figures.ts`. `noLong` is the reason while no long run is recorded. */
export type Figures =
  | { readonly kind: 'counted'; readonly names: readonly string[]; readonly noLong: string }
  | { readonly kind: 'uncounted'; readonly reason: string };

type Evidence = {
  readonly tests: readonly Proof[];
  readonly control: Control;
  /** What the row asks for and no test shows yet; null when nothing is missing. */
  readonly gap: string | null;
  /** What stays as it is, by a decision or because the platform offers nothing else, and why. It is no work undone. */
  readonly limit?: string;
};

/** A requirement of the reliability page. */
export type Requirement = Evidence & { readonly id: string; readonly says: string; readonly figures: Figures };

/** A promise of the README: the beginnings of its sentences or rows there. */
export type Promised = Evidence & { readonly pieces: readonly string[] };

/** A line of the threat model, with the requirements that answer it. */
export type Threat = {
  readonly id: string;
  readonly says: string;
  readonly answer: string;
  readonly requirements: readonly string[];
  readonly tests: readonly Proof[];
  readonly gap: string | null;
  readonly limit?: string;
};

export const foundBy = (...tests: readonly Proof[]): Control => ({ kind: 'tests', tests });
/** A bug of the simulation, by its name in `test/simulation/planted.ts`. */
export const planted = (name: string): Proof => `test/simulation/planted.ts: ${name}`;
export const noControl = (reason: string): Control => ({ kind: 'none', reason });

const NOT_RECORDED = 'not yet: no run of `npm run assure` is recorded';
export const counted = (names: readonly string[], noLong: string = NOT_RECORDED): Figures => ({ kind: 'counted', names, noLong });
export const uncounted = (reason: string): Figures => ({ kind: 'uncounted', reason });

/** Reasons that several rows share. */
export const TABLE_OF_BOTH = 'each table has accepted and refused cases; a check that always answers the same fails one of them';
export const NO_SIGNATURES =
  'signatures of packages are tested only where the registry has keys: that of the recorded runs has none, and skips the test';
export const YES_OR_NO = 'a yes or no for each case; a larger run would repeat the same cases';
