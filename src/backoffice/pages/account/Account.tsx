import type { ReactNode } from 'react';
import { PageHead } from '../../kit/PageHead.tsx';
export function Account(): ReactNode {
  return <PageHead title="Account" />;
}
