import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Section } from '../../kit/Facts.tsx';
import { Plot, type PlotProps, PlotTable } from '../../kit/Plot.tsx';
import { dashboardTexts } from '../../texts/dashboard.ts';
import { useTexts } from '../../texts/texts.ts';

/** A plot under its heading, with the table one click away. */
export function Drawn({ says, isWide, ...plot }: PlotProps & { readonly says: string; readonly isWide: boolean }): ReactNode {
  const t = useTexts(dashboardTexts);
  const [isTable, setTable] = useState(false);
  const turn = (
    <Button
      size="compact-xs"
      variant="subtle"
      onClick={() => setTable(!isTable)}
      aria-label={`${plot.label}: ${isTable ? t.asPlot : t.asTable}`}
    >
      {isTable ? t.asPlot : t.asTable}
    </Button>
  );
  return (
    <div className={isWide ? 'dash-wide' : ''}>
      <Section title={plot.label} acts={turn}>
        <p className="dash-note">{says}</p>
        {isTable ? <PlotTable {...plot} when={t.when} /> : <Plot {...plot} />}
      </Section>
    </div>
  );
}
