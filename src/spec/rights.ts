/** One thing that can be administered apart from the others. */
export type RightRow = {
  readonly says: string;
  /** In the test environment a merchant's access token is enough, for its own entity and what is below it. */
  readonly isTokenEnough: boolean;
};

/** What an endpoint of the administration API asks of whoever calls it. */
export const rights = {
  clock: {
    says: "Read a merchant's clock, freeze it, move it forward, return to real time; in the test environment only.",
    isTokenEnough: true,
  },
  ledger: { says: 'Read what stands on the accounts of a merchant, now and at any past instant.', isTokenEnough: true },
  scenarios: {
    says: 'List scenarios, add own ones, attach them to channels and cards, read their logs; in the test environment only.',
    isTokenEnough: true,
  },
  settlement: {
    says: "Bring acquirers' files, read what was made of them, and decide what their lines are about where the program cannot.",
    isTokenEnough: true,
  },
  webhooks: { says: 'Set up webhooks, exchange their keys, read what was delivered and send it again.', isTokenEnough: true },
} as const satisfies Readonly<Record<string, RightRow>>;

export type Right = keyof typeof rights;
