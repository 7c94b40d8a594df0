/** How long a payment may wait, over all its accounts, until a request that can book it has left. See decisions/0095. */
export const UNSENT_SECONDS = 4;
export const UNSENT_SECONDS_MAX = 20;

/** The code of a payment of which no request that can book it has left. */
export const UNSENT_CODE = '900.100.600';
