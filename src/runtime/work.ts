/**
 * Work on something that may be long, such as a form with tens of thousands of fields. It yields wherever a tick of the event loop may end,
 * so one implementation serves the short and the long.
 */
export type Work<Result> = Generator<void, Result, void>;

/** Lets other requests in between two parts of the work; see ticks.ts. */
export type Rest = () => Promise<void>;

/** Does the work in one go. */
export function inOneGo<Result>(work: Work<Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Does the work part by part, and rests after each. */
export async function inParts<Result>(work: Work<Result>, rest: Rest): Promise<Result> {
  let step = work.next();
  while (!step.done) {
    await rest();
    step = work.next();
  }
  return step.value;
}
