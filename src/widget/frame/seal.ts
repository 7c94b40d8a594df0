/** What the gateway made of the fields. */
export type Sealed = { readonly sealed: string } | { readonly because: 'invalid' | 'network' | 'session' };

export type Sealing = {
  readonly checkoutId: string;
  /** The checkout in the frame's own address: the gateway seals for another one only where both are of the same channel. */
  readonly openedFor: string;
  readonly fields: Readonly<Record<string, string>>;
};

const PATIENCE_MS = 15_000;
const TRIES = 2;
const TOO_MANY = 429;
async function post({ checkoutId, openedFor, fields }: Sealing, signal: AbortSignal): Promise<Response> {
  const body = new URLSearchParams(fields);
  if (openedFor !== checkoutId) body.set('openedFor', openedFor);
  return fetch(`/v1/checkouts/${encodeURIComponent(checkoutId)}/fields`, {
    method: 'POST',
    body,
    signal,
    mode: 'same-origin',
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  });
}

async function read(answer: Response): Promise<Sealed> {
  const told: unknown = await answer.json();
  if (answer.ok) {
    const sealed = (told as { readonly sealed?: unknown } | null)?.sealed;
    return typeof sealed === 'string' && sealed !== '' ? { sealed } : { because: 'network' };
  }
  const isLost = answer.status === 404 || answer.status === 410 || JSON.stringify(told).includes('No payment session found');
  return { because: isLost ? 'session' : 'invalid' };
}

/** Sends the fields to the gateway. Sealing changes nothing there, so it is tried once more when the way was broken. */
export async function seal(sealing: Sealing): Promise<Sealed> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for (let tries = 0; tries < TRIES && !signal.aborted; tries += 1) {
    try {
      const answer = await post(sealing, signal);
      if (answer.status === TOO_MANY) break;
      if (answer.status < 500) return await read(answer);
    } catch {
      // The next try, or the answer below, is all there is to say about it.
    }
  }
  return { because: 'network' };
}
