import { countAttempt, uncountAttempt } from './failedAttempts.ts';
import { HashQueueFull, isPassword } from './password.ts';
import type { UserNeeds } from './ports.ts';

export type PasswordCheck = 'right' | 'wrong' | 'locked';

/**
 * Compares a password. The attempt counts as a failure before the comparison. A right password takes back its own attempt only: earlier
 * failures are cleared by a right second factor, otherwise an attacker who knows the password could guess codes without end. A locked
 * address and an unknown one cost the same work.
 */
export async function comparePassword(
  needs: UserNeeds,
  email: string,
  { password, kept }: { readonly password: string; readonly kept: string | undefined },
): Promise<PasswordCheck> {
  const counted = await countAttempt(needs, email);
  try {
    const isRight = await isPassword(needs, password, counted ? kept : undefined);
    if (!counted) return 'locked';
    if (!isRight) return counted.isLast ? 'locked' : 'wrong';
    await uncountAttempt(needs, counted);
    return 'right';
  } catch (error) {
    // Nothing was compared: the queue was full.
    if (error instanceof HashQueueFull && counted) await uncountAttempt(needs, counted);
    throw error;
  }
}
