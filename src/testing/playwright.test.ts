import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerChallenge, type PageShape } from './playwright.ts';

/** The helpers against a page whose moments a test decides; test/browser/testingHelpers.test.ts has them in a browser. */

type Frame = ReturnType<PageShape['frames']>[number];
type Locator = ReturnType<Frame['locator']>;

/** A page with a challenge in a frame of a frame, which is shown after so many pauses. Remembers what was done, and when. */
function pageThatShows(shownAfter: number): PageShape & { readonly done: string[] } {
  const done: string[] = [];
  let pauses = 0;
  const found = (selector: string, count = 1): Locator => ({
    first: () => found(selector),
    locator: found,
    frameLocator: () => ({ locator: found }),
    fill: async (text) => void done.push(`${pauses}: ${text}`),
    pressSequentially: async (text) => void done.push(`${pauses}: ${text}`),
    click: async () => void done.push(`${pauses}: ${selector}`),
    count: async () => count,
  });
  const frame = (around: Frame | null, count: number, isVisible: () => Promise<boolean>): Frame => ({
    locator: (selector) => found(selector, count),
    parentFrame: () => around,
    frameElement: async () => ({ isVisible }),
  });
  const wentAway = (): Promise<boolean> => Promise.reject(new Error('the frame went away'));
  const top = frame(null, 0, wentAway);
  const target = frame(top, 0, async () => pauses >= shownAfter);
  const issuer = frame(target, 1, async () => true);
  return {
    done,
    locator: found,
    frameLocator: () => ({ locator: found }),
    frames: () => [top, target, frame(top, 1, wentAway), issuer],
    async waitForTimeout() {
      pauses += 1;
    },
  };
}

describe('a challenge is answered', () => {
  for (const [what, shownAfter] of [
    ['that is shown already', 0],
    ['that is loaded before it is shown: not a key is typed until then', 7],
  ] as const)
    test(what, async () => {
      const page = pageThatShows(shownAfter);
      await answerChallenge(page);
      assert.deepEqual(page.done, [`${shownAfter}: 123456`, `${shownAfter}: button[value="submit"]`]);
    });

  test('by the cancel button', async () => {
    const page = pageThatShows(0);
    await answerChallenge(page, { isCancelled: true });
    assert.deepEqual(page.done, ['0: button[value="cancel"]']);
  });

  test('and one that is never shown is named', async () => {
    const page = pageThatShows(Number.POSITIVE_INFINITY);
    await assert.rejects(answerChallenge(page, { withinMs: 300 }), /no challenge within 300 ms/);
    assert.deepEqual(page.done, []);
  });
});
