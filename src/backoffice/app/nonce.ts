/** What lets styles through that are written while the page runs. Browsers hide it in the document and tell it to scripts. */
export const nonce: string = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
