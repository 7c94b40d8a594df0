import type { ReactNode } from 'react';
export function Welcome(): ReactNode {
  return (
    <main className="door">
      <h1>Welcome</h1>
    </main>
  );
}
