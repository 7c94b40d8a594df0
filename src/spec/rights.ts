/** One thing that can be administered apart from the others. */
export type RightRow = {
  readonly says: string;
  /** In the test environment a merchant's access token is enough, for its own entity and what is below it. */
  readonly isTokenEnough: boolean;
};

/** What an endpoint of the administration API asks of whoever calls it. */
export const rights = {
  webhooks: { says: 'Set up webhooks, exchange their keys, read what was delivered and send it again.', isTokenEnough: true },
} as const satisfies Readonly<Record<string, RightRow>>;

export type Right = keyof typeof rights;
