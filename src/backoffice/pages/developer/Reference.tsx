import type { ReactNode } from 'react';
import { useMe } from '../../app/me.ts';
import { PageHead } from '../../kit/PageHead.tsx';
import { toolTexts } from '../../texts/developerTools.ts';
import { useTexts } from '../../texts/texts.ts';

/** The ways to the reference. */
export function Reference(): ReactNode {
  const t = useTexts(toolTexts);
  const { gatewayUrl, environment } = useMe();
  const links = [
    ['/docs', t.docs, t.docsSay],
    ['/openapi.json', t.openApi, t.openApiSays],
    ['/v1/resultcodes', t.resultCodes, t.resultCodesSay],
    ...(environment === 'test' ? [['/demo', t.demo, t.demoSays] as const] : []),
  ] as const;
  return (
    <>
      <PageHead title={t.reference} says={t.referenceSays} />
      <div className="dev-links">
        {links.map(([path, title, says]) => (
          <a key={path} href={gatewayUrl + path} target="_blank" rel="noreferrer">
            <strong>{title}</strong>
            <span>{says}</span>
            <code className="muted">{path}</code>
          </a>
        ))}
      </div>
    </>
  );
}
