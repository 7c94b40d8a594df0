/** The id of a checkout: 32 random hexadecimal digits, a hyphen and the name of the node. An earlier version wrote a dot. */
export const CHECKOUT_ID = /^[0-9A-F]{32}[.-][A-Za-z0-9-]{1,15}$/;
