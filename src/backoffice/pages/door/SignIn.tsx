import type { ReactNode } from 'react';
export function SignIn(): ReactNode {
  return (
    <main className="door">
      <h1>Sign in</h1>
    </main>
  );
}
