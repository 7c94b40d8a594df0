const BARE_LIMIT = /\bLIMIT (\?\d+)/g;

/**
 * The text with every limit as an expression. SQLite plans a statement whose limit is a bare parameter for the value that it has, and
 * prepares it again for each execution; its plan without the value is the one that queryPlans.test.ts checks.
 */
export const withUnplannedLimits = (text: string): string => text.replace(BARE_LIMIT, 'LIMIT ($1 + 0)');
