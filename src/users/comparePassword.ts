import { countTry, giveTryBack } from './failedAttempts.ts';
import { isPassword, TooManyAtOnce } from './password.ts';
import type { UserNeeds } from './ports.ts';

export type PasswordCompared = 'right' | 'wrong' | 'locked';

/**
 * Compares a password, counted as a failure before it is compared. A right one takes its own try back and leaves earlier failures counted:
 * they are forgotten when the second factor is right too, otherwise whoever knows the password could guess codes without end. A locked
 * address and one that no user has cost the same work.
 */
export async function comparePassword(
  needs: UserNeeds,
  email: string,
  { password, kept }: { readonly password: string; readonly kept: string | undefined },
): Promise<PasswordCompared> {
  const counted = await countTry(needs, email);
  try {
    const isRight = await isPassword(needs, password, counted ? kept : undefined);
    if (!counted) return 'locked';
    if (!isRight) return counted.isLast ? 'locked' : 'wrong';
    await giveTryBack(needs, counted);
    return 'right';
  } catch (error) {
    // Nothing was compared: the queue was full.
    if (error instanceof TooManyAtOnce && counted) await giveTryBack(needs, counted);
    throw error;
  }
}
