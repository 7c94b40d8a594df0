/**
 * Helpers for Playwright. They use a page by its shape, so no version of Playwright is needed to install this package.
 */

type LocatorShape = {
  first(): LocatorShape;
  locator(selector: string): LocatorShape;
  frameLocator(selector: string): FrameShape;
  fill(text: string): Promise<void>;
  pressSequentially(text: string): Promise<void>;
  click(): Promise<void>;
  count(): Promise<number>;
};
type FrameShape = { locator(selector: string): LocatorShape };
/** A frame that is there, with the element of the page around it. The page itself has none. */
type LiveFrameShape = FrameShape & {
  parentFrame(): LiveFrameShape | null;
  frameElement(): Promise<{ isVisible(): Promise<boolean> }>;
};

/** The part of a Playwright page that the helpers use. */
export type PageShape = {
  locator(selector: string): LocatorShape;
  frameLocator(selector: string): FrameShape;
  frames(): readonly LiveFrameShape[];
  waitForTimeout(ms: number): Promise<void>;
};

export type CardDetails = {
  readonly number?: string;
  readonly holder?: string;
  /** Month and year as typed: `0534`. */
  readonly expiry?: string;
  readonly cvv?: string;
};

const CARD = '.wpwl-container-card';
/** The code that every challenge of the sandbox accepts. */
const ONE_TIME_CODE = '123456';
const POLL_MS = 100;

/** Types a card into the widget: number and security code are in frames of the gateway's origin. */
export async function fillCard(page: PageShape, card: CardDetails = {}): Promise<void> {
  const { number = '4200000000000000', holder = 'Ann Example', expiry = '0534', cvv = '123' } = card;
  const framed = (name: string) => page.frameLocator(`${CARD} iframe[name="${name}"]`).locator('input');
  await framed('card.number').pressSequentially(number);
  await page.locator(`${CARD} .wpwl-control-expiry`).first().pressSequentially(expiry);
  const owner = page.locator(`${CARD} .wpwl-control-cardHolder`);
  if ((await owner.count()) > 0) await owner.first().fill(holder);
  if ((await page.locator(`${CARD} iframe[name="card.cvv"]`).count()) > 0) await framed('card.cvv').pressSequentially(cvv);
}

/** Presses the pay button of the card form. */
export const submitCard = (page: PageShape): Promise<void> =>
  page.locator(`${CARD} button.wpwl-button-pay[type=submit]`).first().click();

export type ChallengeAnswer = {
  /** Default: the code that is right. */
  readonly code?: string;
  /** True: the shopper cancels instead. */
  readonly isCancelled?: boolean;
  readonly withinMs?: number;
};

/**
 * Whether a shopper sees what is in a frame. The widget loads a bank's page before it shows it, and what is typed until then is lost: the
 * frame that opens takes the focus.
 */
async function isSeen(frame: LiveFrameShape): Promise<boolean> {
  const around = frame.parentFrame();
  if (around === null) return true;
  const element = await frame.frameElement();
  return (await element.isVisible()) && isSeen(around);
}

/** A frame that is going away has no fields. */
const asksForCode = async (frame: LiveFrameShape): Promise<boolean> =>
  (await frame.locator('input[name="code"]').count()) > 0 && isSeen(frame);

/** Answers the challenge of the sandbox's issuer, in whichever frame it is shown. */
export async function answerChallenge(page: PageShape, answer: ChallengeAnswer = {}): Promise<void> {
  const { code = ONE_TIME_CODE, isCancelled = false, withinMs = 10_000 } = answer;
  for (let waited = 0; waited < withinMs; waited += POLL_MS) {
    for (const frame of page.frames()) {
      if (!(await asksForCode(frame).catch(() => false))) continue;
      if (!isCancelled) await frame.locator('input[name="code"]').fill(code);
      await frame.locator(`button[value="${isCancelled ? 'cancel' : 'submit'}"]`).click();
      return;
    }
    await page.waitForTimeout(POLL_MS);
  }
  throw new Error(`no challenge within ${withinMs} ms`);
}
