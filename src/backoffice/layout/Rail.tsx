import type { ReactNode } from 'react';
import { Icon } from '../kit/icons.tsx';
import { To } from '../kit/To.tsx';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { usePlaces } from './usePlaces.ts';

/** The places, and below the one we are at its pages. */
export function Rail({ onGo }: { readonly onGo?: () => void }): ReactNode {
  const t = useTexts(shellTexts);
  const places = usePlaces();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: it only notices that a link inside was followed
    <nav aria-label={t.navigation} className="rail-list" onClick={onGo}>
      <ul>
        {places.map(({ name, label, to, isActive, below }) => (
          <li key={name}>
            <To to={to} className="rail-place" {...(isActive && { 'data-active': 'yes' })}>
              <Icon name={name} />
              {label}
            </To>
            {isActive && below.length > 0 && (
              <ul className="rail-below">
                {below.map((page) => (
                  <li key={page.to}>
                    <To to={page.to} className="rail-page" isExact>
                      {page.label}
                    </To>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
