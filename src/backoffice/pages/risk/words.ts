import type { riskTexts } from '../../texts/risk.ts';

export type Words = (typeof riskTexts)['en'];
