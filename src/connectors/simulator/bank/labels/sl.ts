import type { Labels } from './labels.ts';

export const sl: Labels = {
  simulator: 'Simulator plačil',
  notice: 'To ni prava banka ali denarnica in denar se ne premika.',
  amount: 'Znesek',
  recipient: 'Prejemnik',
  method: 'Način plačila',
  pay: 'Plačaj {amount}',
  decline: 'Simuliraj zavrnitev',
  cancel: 'Prekliči plačilo',
  later: 'Odloči se pozneje',
  laterHint: 'Plačilo ostane odprto. Na to stran se lahko vrnete do {time}.',
  back: 'Nazaj v trgovino',
  open: { title: 'Potrdite plačilo', text: 'Izberite, kako naj se konča.' },
  paid: { title: 'Plačano', text: 'Plačilo je končano. Lahko se vrnete v trgovino.' },
  refused: { title: 'Ni plačano', text: 'Plačilo je bilo zavrnjeno ali preklicano. Nič ni bilo zaračunano.' },
  over: {
    title: 'Ni več odprto',
    text:
      'Čas za plačilo je potekel ali pa je trgovina plačilo umaknila. ' +
      'Nič ni bilo zaračunano. Za nov poskus se vrnite v trgovino.',
  },
  lost: {
    title: 'Plačila ni mogoče najti',
    text: 'Ta naslov je nepopoln ali spremenjen. Vrnite se v trgovino in začnite znova.',
  },
};
